//go:build darwin || freebsd || netbsd || openbsd

package atomicfile

import (
	"time"

	"golang.org/x/sys/unix"
)

// Single bytes can only be locked for a process here, so the whole file is, and there
// is no queue.

func tryAll(f lockFile) (bool, error) {
	err := again(func() error { return unix.Flock(int(f), unix.LOCK_EX|unix.LOCK_NB) })
	if err == unix.EWOULDBLOCK {
		return false, nil
	}
	return err == nil, err
}

func tryPart(f lockFile, part int) (bool, error) {
	if part != lockPart {
		return true, nil
	}
	return tryAll(f)
}

func freePart(lockFile, int) error { return nil }

func pause(d time.Duration) { time.Sleep(d) }
