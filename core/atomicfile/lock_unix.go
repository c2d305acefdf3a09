//go:build linux || darwin || freebsd || netbsd || openbsd

package atomicfile

import "golang.org/x/sys/unix"

// lockFile is the descriptor of a lock file.
type lockFile int

func openLock(path string) (lockFile, error) {
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY
	fd, err := openRetry(unix.AT_FDCWD, path, flags, 0o600)
	return lockFile(fd), err
}

// closeLock unlocks too: no other descriptor shares the open file.
func closeLock(f lockFile) { unix.Close(int(f)) }
