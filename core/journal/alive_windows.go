package journal

import "os"

// alive reports whether a process with that id is running.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // fails if the handle is already closed
	return true
}
