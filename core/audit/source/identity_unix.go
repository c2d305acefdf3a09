//go:build unix

package source

import (
	"io/fs"
	"os"
	"syscall"
)

// identity identifies a file regardless of its path. A file with several hard links also counts by
// path, because replacing one name with another file leaves the other names as they are.
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

// openFolder opens a folder to list its names. It does not block if the folder was replaced by a
// pipe.
func openFolder(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_DIRECTORY, 0)
}
