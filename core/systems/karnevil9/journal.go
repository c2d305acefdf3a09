package karnevil9

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"winnow/core/journal"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// mostJournal is the number of bytes of a journal that are read to compare it with a store.
const mostJournal = 64 << 20

// journalOf implements [system.Info.Journal] for the store at a path. For each lesson the journal
// has its text and the task of its session.
func journalOf(ctx context.Context, store string) func(r *memory.Record) []string {
	for _, path := range journals(store) {
		if _, err := os.Stat(path); err == nil {
			texts := sync.OnceValue(func() map[string][]string { return textsByLesson(ctx, path) })
			return func(r *memory.Record) []string { return texts()[string(r.ID)] }
		}
	}
	return nil
}

// textsByLesson returns the texts that a journal has about each lesson, by lesson ID.
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

// learnt implements [system.Info.Learnt] for the store at a path.
func learnt(ctx context.Context, store string) ([]memory.Record, error) {
	for _, path := range journals(store) {
		info, missing := os.Stat(path)
		if missing != nil {
			continue
		}
		lessons, err := journal.Lessons(ctx, path, mostJournal)
		if err == nil && info.Size() > mostJournal {
			err = fmt.Errorf("read journal: only the first %d MiB were read", mostJournal>>20)
		}
		all := make([]memory.Record, len(lessons))
		for i, l := range lessons {
			all[i] = memory.Record{
				ID:      memory.ID(l.ID.Str()),
				Session: l.Session.Str(),
				Outcome: memory.Outcome(l.Outcome.Str()),
				Created: lesson.Moment(l.Time.Str()),
			}
		}
		return all, err
	}
	return nil, fs.ErrNotExist
}

// journals returns the two paths at which an agent with a store at path may keep its journal, one
// for each folder layout.
func journals(path string) []string {
	dir := filepath.Dir(path)
	return []string{
		filepath.Join(dir, "..", "journal", "events.jsonl"),
		filepath.Join(dir, "journal.jsonl"),
	}
}

// locks returns the lock files that an agent holds while it uses the store at path.
func locks(path string) []string {
	all := journals(path)
	for i, j := range all {
		all[i] = journal.LockPath(j)
	}
	return all
}

// writer describes the running process that holds a journal lock, or returns "" if none does.
func writer(path string) string {
	for _, j := range journals(path) {
		if runs := lockHolder(j); runs != "" {
			return runs
		}
	}
	return ""
}

// lockHolder is [writer] for one journal.
func lockHolder(j string) string {
	if h, ok := journal.LockHolder(j); ok && h.Alive() {
		return fmt.Sprintf("pid %d holds %s", h.PID, filepath.Base(journal.LockPath(j)))
	}
	return ""
}
