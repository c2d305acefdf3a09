//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

import "golang.org/x/sys/unix"

func openLock(path string) (int, error) {
	return openRetry(unix.AT_FDCWD, path, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0o600)
}

// tryLock takes the lock unless another holds it.
func tryLock(fd int) (bool, error) {
	err := again(func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

// closeLock unlocks too: no other descriptor shares the open file.
func closeLock(fd int) { unix.Close(fd) }
