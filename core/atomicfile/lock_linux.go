package atomicfile

import (
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// Locks that belong to the open file, not to the process, and cover single bytes
// (fcntl(2), "Open file description locks").

// tryAll takes the lock if nobody holds it or waits.
func tryAll(f lockFile) (bool, error) {
	got, err := setLock(f, unix.F_WRLCK, lockPart, lastPart+1)
	if got {
		_, err = setLock(f, unix.F_UNLCK, lockPart+1, lastPart)
	}
	return got, err
}

// tryPart locks a part of the file unless another holds it.
func tryPart(f lockFile, part int) (bool, error) { return setLock(f, unix.F_WRLCK, part, 1) }

func freePart(f lockFile, part int) error {
	_, err := setLock(f, unix.F_UNLCK, part, 1)
	return err
}

// setLock is false when another holds one of the bytes.
func setLock(f lockFile, kind int16, from, bytes int) (bool, error) {
	l := unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: int64(from), Len: int64(bytes)}
	err := retried(func() error { return unix.FcntlFlock(uintptr(f), unix.F_OFD_SETLK, &l) })
	if err == unix.EAGAIN || err == unix.EACCES {
		return false, nil
	}
	return err == nil, err
}

// pause sleeps in the system, which is woken in time: a timer of the runtime would be
// late by up to a millisecond, several times what a change takes.
func pause(d time.Duration) {
	t := unix.NsecToTimespec(d.Nanoseconds())
	_ = unix.Nanosleep(&t, nil) // to be woken early does no harm
}
