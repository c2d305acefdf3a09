//go:build !linux

package systemtest

import (
	"os"
	"testing"
)

// asStranger runs f. It skips the test if it runs as root, because file modes do not stop root.
func asStranger(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("root passes the modes of files, and here no other user can be had")
	}
	f()
}

// asOwner runs f.
func (d *writableStore) asOwner(f func()) { f() }
