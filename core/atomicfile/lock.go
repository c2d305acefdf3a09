package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The pauses between two looks at a lock that is held: the wait gets longer by no more
// than a sixteenth, within these bounds.
const (
	leastPause = 30 * time.Microsecond
	mostPause  = 2 * time.Millisecond
)

// Lock takes the lock of the file at path, which other Winnows take as well; no
// other program heeds it. The file and its folder are made when missing, and stay.
// It waits while another holds the lock, until ctx is done: then the error is that
// of ctx. Two locks of one process exclude each other too. Unlock may be called
// once; the end of the process unlocks as well.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := openLock(path, true)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			f, err = openLock(path, true)
		}
	}
	if err != nil {
		return nil, failed("take", path, err)
	}
	if err := lockInTurn(ctx, f, path); err != nil {
		closeLock(f)
		return nil, err
	}
	return func() { closeLock(f) }, nil
}

// The parts of a lock file are locked one by one: its first bytes, which need not
// exist. Part 0 is the lock. The others are places in the queue before it: who waits
// holds one, and moves up when the next is free. So nobody takes the lock again and
// again while others wait, and the first few get it in the order of their coming.
const (
	lockPart = 0
	lastPart = 4
)

// lockInTurn takes the lock at once when nobody holds it or waits, or queues.
func lockInTurn(ctx context.Context, f lockFile, path string) error {
	got, err := tryAll(f)
	if got || err != nil {
		return failed("take", path, err)
	}
	for part := lastPart; part >= lockPart; part-- {
		if err := lockOne(ctx, f, path, part); err != nil {
			return err
		}
		if part == lastPart {
			continue
		}
		if err := freePart(f, part+1); err != nil {
			return failed("take", path, err)
		}
	}
	return nil
}

// lockOne waits for one part.
func lockOne(ctx context.Context, f lockFile, path string, part int) error {
	for waited := time.Duration(0); ; {
		got, err := tryPart(f, part)
		if got || err != nil {
			return failed("take", path, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		next := min(max(waited/16, leastPause), mostPause)
		pause(next)
		waited += next
	}
}
