package atomicfile

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"errors"
	"io/fs"
)

// The pauses between two looks at a lock that is held.
const (
	firstPause = 100 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// Lock takes the lock of the file at path, which other Winnows take as well; no
// other program heeds it. The file and its folder are made when missing, and stay.
// It waits while another holds the lock, until ctx is done: then the error is that
// of ctx. Two locks of one process exclude each other too. Unlock may be called
// once; the end of the process unlocks as well.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := openLock(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			f, err = openLock(path)
		}
	}
	if err != nil {
		return nil, failed("lock", path, err)
	}
	for pause := firstPause; ; pause = min(pause*5/4, lastPause) {
		got, err := tryLock(f)
		if err != nil {
			closeLock(f)
			return nil, failed("lock", path, err)
		}
		if got {
			return func() { closeLock(f) }, nil
		}
		if err := wait(ctx, pause); err != nil {
			closeLock(f)
			return nil, err
		}
	}
}

// wait pauses, at most until ctx is done.
func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
