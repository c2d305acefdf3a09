package karnevil9

import (
	"fmt"
	"path/filepath"

	"winnow/core/journal"
)

// journals returns where an agent with a store at path keeps its journal, for
// both layouts in which journals are kept.
func journals(path string) []string {
	dir := filepath.Dir(path)
	return []string{
		filepath.Join(dir, "..", "journal", "events.jsonl"),
		filepath.Join(dir, "journal.jsonl"),
	}
}

// locks returns the files that an agent holds while it runs with a store at
// path.
func locks(path string) []string {
	all := journals(path)
	for i, j := range all {
		all[i] = journal.LockPath(j)
	}
	return all
}

// writer says which running process holds the lock of a journal, or returns "".
func writer(path string) string {
	for _, j := range journals(path) {
		if h, ok := journal.LockHolder(j); ok && h.Alive() {
			return fmt.Sprintf("pid %d holds %s", h.PID, filepath.Base(journal.LockPath(j)))
		}
	}
	return ""
}
