package karnevil9

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"winnow/core/journal"
	"winnow/core/memory"
)

// mostJournal is how much of a journal is read to compare it with a store, in bytes.
const mostJournal = 64 << 20

// journalOf is [system.Info.Journal] of the store at a path: of a lesson the journal tells
// its text and the task of its session.
func journalOf(ctx context.Context, store string) func(r *memory.Record) []string {
	for _, path := range journals(store) {
		if _, err := os.Stat(path); err == nil {
			texts := sync.OnceValue(func() map[string][]string { return textsByLesson(ctx, path) })
			return func(r *memory.Record) []string { return texts()[string(r.ID)] }
		}
	}
	return nil
}

// textsByLesson returns what a journal tells of each lesson, by its id.
func textsByLesson(ctx context.Context, path string) map[string][]string {
	lessons, err := journal.Lessons(ctx, path, mostJournal)
	if err != nil {
		return nil
	}
	texts := map[string][]string{}
	for _, l := range lessons {
		id := l.ID.Str()
		texts[id] = append(texts[id], l.Text.Str(), l.Task.Str())
	}
	return texts
}

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
