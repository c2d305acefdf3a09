//go:build unix

package karnevil9

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// openQuietly opens path without waiting for a writer, should it have become a
// pipe, and without setting its access time where we may ask for that.
func openQuietly(path string) (*os.File, error) {
	const flags = os.O_RDONLY | syscall.O_NONBLOCK
	if f, err := os.OpenFile(path, flags|noAccessTime, 0); err == nil || noAccessTime == 0 {
		return f, err
	}
	return os.OpenFile(path, flags, 0) // only an owner may ask
}

// isSparse reports whether less is stored than the size says.
func isSparse(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Blocks*512 < st.Size
}

// alive reports whether a process of that id runs.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}

// apart runs cmd in a process group of its own. A stop signal for ours would
// otherwise catch a program that is just being started, and us waiting for it.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
