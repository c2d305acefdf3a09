//go:build darwin || freebsd || netbsd || openbsd

package atomicfile

import "time"

// Single bytes can only be locked for a process here, so the whole file is, and there
// is no queue.

func tryAll(f lockFile) (bool, error) { return lockWhole(f) }

func tryPart(f lockFile, part int) (bool, error) {
	if part != lockPart {
		return true, nil
	}
	return tryAll(f)
}

func freePart(lockFile, int) error { return nil }

func pause(d time.Duration) { time.Sleep(d) }
