package atomicfile

import (
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// These locks belong to the open file rather than the process, and cover single bytes (fcntl(2),
// "Open file description locks").

// tryAll takes the lock if nobody holds it or waits for it.
func tryAll(f lockFile) (bool, error) {
	got, err := setLock(f, unix.F_WRLCK, lockPart, lastPart+1)
	if got {
		_, err = setLock(f, unix.F_UNLCK, lockPart+1, lastPart)
	}
	return got, err
}

// tryPart locks a part of the file unless another process holds it.
func tryPart(f lockFile, part int) (bool, error) { return setLock(f, unix.F_WRLCK, part, 1) }

func freePart(f lockFile, part int) error {
	_, err := setLock(f, unix.F_UNLCK, part, 1)
	return err
}

// setLock returns false if another process holds one of the bytes.
func setLock(f lockFile, kind int16, from, bytes int) (bool, error) {
	l := unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: int64(from), Len: int64(bytes)}
	err := retryInterrupted(func() error { return unix.FcntlFlock(uintptr(f), unix.F_OFD_SETLK, &l) })
	if err == unix.EAGAIN || err == unix.EACCES {
		return false, nil
	}
	return err == nil, err
}

// pause sleeps in the kernel, which wakes it on time. A runtime timer would be up to a millisecond
// late, several times what a change takes.
func pause(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil) // waking early does no harm
}
