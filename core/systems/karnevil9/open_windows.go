package karnevil9

import (
	"io/fs"
	"os"
	"os/exec"
)

func openQuietly(path string) (*os.File, error) { return os.Open(path) }

func isSparse(fs.FileInfo) bool { return false }

func nextData(_ *os.File, off, _ int64) int64 { return off }

// alive reports whether a process of that id runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // fails for a handle that is closed already
	return true
}

// apart does nothing: there are no stop signals here.
func apart(*exec.Cmd) {}
