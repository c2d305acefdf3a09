//go:build unix

package quietread

import (
	"io/fs"
	"syscall"
)

// Identity identifies a file or folder on this machine, whatever its names are.
type Identity struct{ device, number uint64 }

// IdentityOf returns the identity of a file, if the system has one.
func IdentityOf(info fs.FileInfo) (Identity, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}, false
	}
	return Identity{uint64(st.Dev), st.Ino}, true
}
