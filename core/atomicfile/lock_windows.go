package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lockFile is an open lock file.
type lockFile = *os.File

func openLock(path string) (lockFile, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}

// tryAll leaves it to the queue: what was locked as one cannot be freed in parts.
func tryAll(lockFile) (bool, error) { return false, nil }

// tryPart locks a part of the file unless another holds it.
func tryPart(f lockFile, part int) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: uint32(part)})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func freePart(f lockFile, part int) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{Offset: uint32(part)})
}

// closeLock unlocks too.
func closeLock(f lockFile) { f.Close() }

func pause(d time.Duration) { time.Sleep(d) }
