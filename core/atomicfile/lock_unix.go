//go:build linux || darwin || freebsd || netbsd || openbsd

package atomicfile

import "golang.org/x/sys/unix"

// lockFile is the descriptor of a lock file.
type lockFile int

// openLock opens a lock file. It creates a missing one if it is ours.
func openLock(path string, ours bool) (lockFile, error) {
	flags := unix.O_RDWR | unix.O_NONBLOCK | unix.O_NOCTTY
	if ours {
		flags |= unix.O_CREAT | unix.O_NOFOLLOW
	}
	fd, err := openRetry(unix.AT_FDCWD, path, flags, 0o600)
	return lockFile(fd), err
}

// closeLock unlocks before it closes: a process that is being started briefly holds a descriptor of
// the open file, and a close may fail.
func closeLock(f lockFile) {
	unlockWhole(f)
	unix.Close(int(f))
}

// lockWhole locks the whole file. It returns false while another process holds that lock.
func lockWhole(f lockFile) (bool, error) {
	err := retryInterrupted(func() error { return unix.Flock(int(f), unix.LOCK_EX|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

func unlockWhole(f lockFile) { _ = unix.Flock(int(f), unix.LOCK_UN) }

// touch sets the times of a file to now.
func touch(path string) error { return unix.Utimes(path, nil) }
