package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/core/session"
)

// eventsText returns the events of a record in words.
func eventsText(t *testing.T, l *Library, path string, id memory.ID) string {
	t.Helper()
	line, err := l.Timeline(t.Context(), memory.StoreID(path), id)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, e := range line.Events {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Who, e.Kind, e.Session)))
	}
	return strings.Join(words, ", ")
}

// TestTimelineTellsWhatAgentsDid: while a store is followed, another writer counts recalls, brings
// a deleted record back and removes another.
func TestTimelineTellsWhatAgentsDid(t *testing.T) {
	path, l := bench(t)
	ch := l.Follow(t.Context(), memory.StoreID(path))
	until(t, ch, "three lessons", func(s memory.Snapshot) bool { return len(s.Records) == 3 })
	change(t, l, path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	until(t, ch, "the deletion", func(s memory.Snapshot) bool { return len(s.Records) == 2 })
	counted := strings.Replace(three[0], `"relevance_count":0`, `"relevance_count":3`, 1)
	put(t, path, counted, three[1])
	until(t, ch, "what another writer did", func(s memory.Snapshot) bool { return len(s.Undone) > 0 && !s.Partial })
	for id, want := range map[memory.ID]string{
		"a1": "learnt s, another writer recalled", "b2": "learnt s, you deleted, another writer came back",
		"c3": "learnt s, another writer removed",
	} {
		if got := eventsText(t, l, path, id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	s, err := l.Activity(t.Context(), memory.StoreID(path))
	if err != nil || s.Rows[1].Total != 3 || s.Rows[2].Total != 1 || s.Rows[3].Total != 2 {
		t.Errorf("got %+v, %v", s.Rows, err)
	}
	if _, err := l.Timeline(t.Context(), memory.StoreID(path), "nobody"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("nobody: %v", err)
	}
}

// TestSessionThatWasGivenAnEarlierTextRecalledIt: the words were edited since.
func TestSessionThatWasGivenAnEarlierTextRecalledIt(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, store, lesson("a"))
	said := "## Past Experience\n- [succeeded] Task \"Repair the build\": Completed using x. 1 step(s) succeeded.\n"
	s := givenSession("s1", session.Failed, dir, said)
	s.Ended = time.Now().AddDate(0, 0, -3) // its file was copied since
	l, _ := weighedLibrary(t, dir, []session.Session{s})
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	title := "Repair the whole build"
	change(t, l, store, memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Title: &title}})
	for range 2 { // read, and then remembered
		line, err := l.Timeline(t.Context(), memory.StoreID(store), "a")
		if err != nil || len(line.Events) != 3 || line.Sessions != 1 {
			t.Fatalf("got %+v, %v", line, err)
		}
		if e := line.Events[0]; e.Kind != activity.Recalled || e.Session != "s1" || e.State != "failed" ||
			!e.At.Equal(s.Ended) {
			t.Errorf("got %+v", e)
		}
		if e := line.Events[2]; e.Kind != activity.Edited || e.Detail != `"" -> "whole"` || e.Entry != "1" {
			t.Errorf("got %+v", e)
		}
	}
}

func TestPastOfADamagedJournalIsSaidNotToBeWhole(t *testing.T) {
	dir, l := workingFolder(t)
	store := filepath.Join(dir, "sessions", "memory.jsonl")
	put(t, store, lesson("a"))
	if err := os.MkdirAll(filepath.Join(dir, "journal", "events.jsonl"), 0o700); err != nil { // a folder
		t.Fatal(err)
	}
	s, err := l.Activity(t.Context(), memory.StoreID(store))
	if err != nil || len(s.Notes) == 0 || !strings.HasPrefix(s.Notes[0], "the journal cannot be read whole: ") ||
		s.Rows[0].Total != 1 {
		t.Errorf("got %+v, %v", s, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Activity(ctx, memory.StoreID(store)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := l.Activity(t.Context(), memory.StoreID(filepath.Join(dir, "none.jsonl"))); err == nil {
		t.Error("a store that is not there has an activity")
	}
}
