//go:build unix

package source

import (
	"io/fs"
	"os"
	"syscall"
)

// identity names a file whatever its path, unless it has several names: one that is
// replaced by another file leaves the rest as they are, so each counts by itself.
type identity struct {
	device, number uint64
	name           string
}

func identify(path string, info fs.FileInfo) (identity, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, false
	}
	id := identity{device: uint64(st.Dev), number: uint64(st.Ino)}
	if st.Nlink > 1 {
		id.name = path
	}
	return id, true
}

// openFolder opens a folder to read names. It waits for nobody, should it have become a
// pipe.
func openFolder(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_DIRECTORY, 0)
}
