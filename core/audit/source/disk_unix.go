//go:build unix

package source

import (
	"io/fs"
	"os"
	"syscall"
)

// identity names a file whatever its path.
type identity struct{ device, number uint64 }

func identify(_ string, info fs.FileInfo) (identity, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, false
	}
	return identity{uint64(st.Dev), uint64(st.Ino)}, true
}

// openFolder opens a folder to read names. It waits for nobody, should it have become a
// pipe.
func openFolder(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_DIRECTORY, 0)
}
