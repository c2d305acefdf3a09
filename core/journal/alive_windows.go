package journal

import "os"

// alive reports whether a process of that id runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // fails for a handle that is closed already
	return true
}
