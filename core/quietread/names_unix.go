//go:build unix

package quietread

import (
	"io/fs"
	"syscall"
)

// Names returns how many names (hard links) a file has, and what tells it from other files
// of its file system.
func Names(info fs.FileInfo) (n int, number uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1, 0
	}
	return int(st.Nlink), st.Ino
}
