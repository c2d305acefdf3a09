package atomicfile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// lockFile is an open lock file.
type lockFile = *os.File

// openLock opens a lock file. It creates a missing one if it is ours.
func openLock(path string, ours bool) (lockFile, error) {
	flags := os.O_RDWR
	if ours {
		flags |= os.O_CREATE
	}
	return os.OpenFile(path, flags, 0o600)
}

// closeLock also unlocks.
func closeLock(f lockFile) { f.Close() }

// lockWhole locks the first byte. It returns false while another process holds the lock.
func lockWhole(f lockFile) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func unlockWhole(f lockFile) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, new(windows.Overlapped))
}

// touch sets the times of a file to now.
func touch(path string) error {
	var now windows.Filetime
	windows.GetSystemTimeAsFileTime(&now)
	at := time.Unix(0, now.Nanoseconds())
	return os.Chtimes(path, at, at)
}
