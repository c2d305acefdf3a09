//go:build unix

package journal

import "syscall"

// alive reports whether a process with that id is running.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
