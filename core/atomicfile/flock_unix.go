//go:build linux || darwin || freebsd || netbsd || openbsd

package atomicfile

import "golang.org/x/sys/unix"

// wholeFile is the descriptor of a file that is locked as a whole.
type wholeFile int

func openWhole(path string) (wholeFile, error) {
	fd, err := openRetry(unix.AT_FDCWD, path, unix.O_RDWR|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	return wholeFile(fd), err
}

// lockWhole is false while another holds the lock.
func lockWhole(f wholeFile) (bool, error) {
	err := again(func() error { return unix.Flock(int(f), unix.LOCK_EX|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// unlockWhole comes before the close: a process that is being started has a descriptor
// of the open file for a moment.
func unlockWhole(f wholeFile) { _ = unix.Flock(int(f), unix.LOCK_UN) }

func closeWhole(f wholeFile) { unix.Close(int(f)) }

// touch sets the times of a file to now.
func touch(path string) error { return unix.Utimes(path, nil) }
