package systemtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

const nobody = 65534

// asStranger runs f as a user who owns nothing if the tests run as root, because file modes do not
// stop root. Only the thread that runs f becomes that user.
func asStranger(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, 0); errno != 0 {
		t.Skip("no other user can be had here:", errno)
	}
	defer func() {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, 0, 0, 0); errno != 0 {
			panic("the tests cannot be root again: " + errno.Error())
		}
	}()
	f()
}

// asOwner runs f as the store's owner, but not as root. Root can read files without permission, so
// a test as root would prove less.
func (d *writableStore) asOwner(f func()) {
	d.t.Helper()
	if os.Getuid() != 0 {
		f()
		return
	}
	err := filepath.WalkDir(d.root, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, nobody, os.Getgid()))
	})
	if err := errors.Join(err, os.Chmod(filepath.Dir(d.root), 0o755)); err != nil {
		d.t.Skip("the store cannot be given away:", err)
	}
	asStranger(d.t, f)
}
