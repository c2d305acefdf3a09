package arbiter

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"winnow/core/memory"
)

// mostFiles bounds how many open files of a process are looked at.
const mostFiles = 512

// processes returns the running processes called arbiter that have the database at path
// open. It knows them by /proc, which Linux has; elsewhere it finds none.
func processes(path string) (running []memory.Running) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join("/proc", e.Name())
		comm, err := os.ReadFile(filepath.Join(dir, "comm"))
		if err != nil || strings.TrimSpace(string(comm)) != "arbiter" || !opened(dir, path) {
			continue
		}
		r := memory.Running{PID: pid}
		r.Folder, _ = os.Readlink(filepath.Join(dir, "cwd")) // of another user it is not told
		if info, err := os.Stat(dir); err == nil {
			r.Since = info.ModTime()
		}
		running = append(running, r)
	}
	return running
}

// opened reports whether a process has a database open.
func opened(proc, path string) bool {
	files, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		return false
	}
	for _, f := range files[:min(len(files), mostFiles)] {
		to, err := os.Readlink(filepath.Join(proc, "fd", f.Name()))
		if err == nil && (to == path || to == path+"-wal") {
			return true
		}
	}
	return false
}

func processName(r memory.Running) string { return fmt.Sprintf("arbiter, pid %d, has it open", r.PID) }
