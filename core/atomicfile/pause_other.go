//go:build !linux

package atomicfile

import "time"

func pause(d time.Duration) { time.Sleep(d) }
