//go:build unix

package quietread

import (
	"io/fs"
	"os"
	"syscall"
)

// openQuietly opens path without waiting for a writer, should it have become a
// pipe, and without setting its access time where we may ask for that.
func openQuietly(path string) (*os.File, error) {
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	if f, err := os.OpenFile(path, flags|noAccessTime, 0); err == nil || noAccessTime == 0 {
		return f, err
	}
	return os.OpenFile(path, flags, 0) // only an owner may ask
}

// isSparse reports whether less is stored than the size says.
func isSparse(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Blocks*512 < st.Size
}
