package atomicfile

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// wholeFile is an open file whose first byte is locked.
type wholeFile = *os.File

func openWhole(path string) (wholeFile, error) { return os.OpenFile(path, os.O_RDWR, 0) }

// lockWhole is false while another holds the lock.
func lockWhole(f wholeFile) (bool, error) { return tryPart(f, lockPart) }

func unlockWhole(f wholeFile) { _ = freePart(f, lockPart) }

func closeWhole(f wholeFile) { f.Close() }

// touch sets the times of a file to now.
func touch(path string) error {
	var now windows.Filetime
	windows.GetSystemTimeAsFileTime(&now)
	at := time.Unix(0, now.Nanoseconds())
	return os.Chtimes(path, at, at)
}
