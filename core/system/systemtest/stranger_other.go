//go:build !linux

package systemtest

import (
	"os"
	"testing"
)

// asStranger runs f, unless the tests run as root, who passes the modes of files.
func asStranger(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("root passes the modes of files, and here no other user can be had")
	}
	f()
}

// asOwner runs f.
func (d *desk) asOwner(f func()) { f() }
