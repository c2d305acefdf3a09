package kimchi

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"winnow/core/memory"
)

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return start }

func nothingRuns() []memory.Running { return nil }

// storeOf returns a store of notes in a folder of its own.
func storeOf(t testing.TB, d *dialect, text string) *store {
	t.Helper()
	path := filepath.Join(t.TempDir(), memoryFile)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return storeAt(t, d, path)
}

func storeAt(t testing.TB, d *dialect, path string) *store {
	t.Helper()
	s := open(d, path, clock, nothingRuns)
	return s
}

func textOf(t testing.TB, s *store) string {
	t.Helper()
	text, err := os.ReadFile(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func listed(t testing.TB, s *store) []memory.Record {
	t.Helper()
	var all []memory.Record
	err := s.List(context.Background(), func(r memory.Record) error { all = append(all, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}
