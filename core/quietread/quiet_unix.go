//go:build unix

package quietread

import (
	"io/fs"
	"os"
	"syscall"
)

// openQuietly opens path without waiting for a writer, in case it has become a pipe, and without
// setting its access time, if that is allowed.
func openQuietly(path string) (*os.File, error) {
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	if f, err := os.OpenFile(path, flags|noAccessTime, 0); err == nil || noAccessTime == 0 {
		return f, err
	}
	return os.OpenFile(path, flags, 0) // only the owner may avoid setting the access time
}

// isSparse reports whether less is stored than the file's size.
func isSparse(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Blocks*512 < st.Size
}
