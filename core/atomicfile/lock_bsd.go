//go:build darwin || freebsd || netbsd || openbsd

package atomicfile

import "time"

// Here single bytes can only be locked for a whole process. So the whole file is locked, and there
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
