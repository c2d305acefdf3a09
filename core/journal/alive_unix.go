//go:build unix

package journal

import "syscall"

// alive reports whether a process of that id runs.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
