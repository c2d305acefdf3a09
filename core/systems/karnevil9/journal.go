package karnevil9

import (
	"context"
	"os"
	"sync"

	"winnow/core/journal"
	"winnow/core/memory"
)

// mostJournal is how much of a journal is read to compare it with a store, in bytes.
const mostJournal = 64 << 20

// Journal is [system.Info.Journal]: of a lesson the journal tells its text and the
// task of its session (KARNEVIL9, section 9.8).
func (s *Store) Journal(ctx context.Context) func(r *memory.Record) []string {
	for _, path := range journals(s.path) {
		if _, err := os.Stat(path); err == nil {
			texts := sync.OnceValue(func() map[string][]string { return textsByLesson(ctx, path) })
			return func(r *memory.Record) []string { return texts()[string(r.ID)] }
		}
	}
	return nil
}

// textsByLesson returns what a journal tells of each lesson, by its id.
func textsByLesson(ctx context.Context, path string) map[string][]string {
	report, err := journal.ReadFile(ctx, path, journal.Options{MaxBytes: mostJournal})
	if err != nil {
		return nil
	}
	texts := make(map[string][]string, len(report.Lessons))
	for _, l := range report.Lessons {
		id := l.ID.Str()
		texts[id] = append(texts[id], l.Text.Str(), l.Task.Str())
	}
	return texts
}
