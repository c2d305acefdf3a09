package systemtest

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

const nobody = 65534

// asStranger runs f as a user who owns nothing, when the tests run as root: root
// passes the modes of files. Only the thread that runs f becomes that user.
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
