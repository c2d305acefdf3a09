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

// closeLock unlocks too, and does so first: a process that is being started has a
// descriptor of the open file for a moment, and a close may fail.
func closeLock(f lockFile) {
	_ = freePart(f, lockPart)
	unix.Close(int(f))
}
