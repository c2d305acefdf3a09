package quietread

import (
	"errors"
	"os"
	"syscall"
)

const noAccessTime = syscall.O_NOATIME

const seekData = 3 // lseek(2)

// nextData returns the first offset from off on at which f stores data, or the file's size if there
// is none.
func nextData(f *os.File, off, size int64) int64 {
	next, err := f.Seek(off, seekData)
	switch {
	case err == nil:
		return next
	case errors.Is(err, syscall.ENXIO): // a hole up to the end
		return max(off, size)
	}
	return off
}
