package atomicfile

import (
	"context"
)

// WholeLock takes the lock of the file at path that programs take by flock(2), and on
// Windows by locking its first byte. The file is made, empty, when it is missing, and
// stays. Another holder is waited for as in FolderLock: then the error is ErrHeld.
// Release gives it back; the end of the process does too.
func WholeLock(ctx context.Context, path string, w Waiting) (release func(), err error) {
	if err := makeEmpty(path); err != nil {
		return nil, failed("lock", path, err)
	}
	f, err := openWhole(path)
	if err != nil {
		return nil, failed("lock", path, err)
	}
	if err := w.until(ctx, func() (bool, error) { return lockWhole(f) }); err != nil {
		closeWhole(f)
		return nil, said("lock", path, err)
	}
	return func() { unlockWhole(f); closeWhole(f) }, nil
}
