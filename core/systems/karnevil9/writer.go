package karnevil9

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// locks returns the files that an agent holds while it runs with a store at
// path: the locks of its journal, for both layouts in which journals are kept.
func locks(path string) []string {
	dir := filepath.Dir(path)
	return []string{
		filepath.Join(dir, "..", "journal", "events.jsonl.lock"),
		filepath.Join(dir, "journal.jsonl.lock"),
	}
}

// writer says which running process holds a lock, or returns "".
func writer(path string) string {
	for _, lock := range locks(path) {
		if pid, ok := lockOwner(lock); ok && alive(pid) {
			return fmt.Sprintf("pid %d holds %s", pid, filepath.Base(lock))
		}
	}
	return ""
}

// lockOwner reads the process id in a lock. It takes no lock and leaves a stale
// one alone.
func lockOwner(path string) (pid int, ok bool) {
	f, p := open(path)
	if p != nil {
		return 0, false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 32))
	if err != nil {
		return 0, false
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	return pid, err == nil && pid > 0
}
