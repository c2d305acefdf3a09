//go:build unix && !linux

package quietread

import "os"

const noAccessTime = 0

// nextData returns off: holes are read as zeros.
func nextData(_ *os.File, off, _ int64) int64 { return off }
