//go:build unix

package quietread

import (
	"io/fs"
	"syscall"
)

// Names returns the number of names (hard links) of a file, and the number that identifies it in
// its file system.
func Names(info fs.FileInfo) (n int, number uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1, 0
	}
	return int(st.Nlink), st.Ino
}
