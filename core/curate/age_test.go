package curate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/curate"
	"winnow/core/memory"
)

func TestAClockThatGoesBackwardsLosesNoHistory(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0), line("d", 0))
	states := []string{b.text()}
	now := start
	b.conf.Now, b.conf.KeepFor = func() time.Time { return now }, 90*24*time.Hour
	b.Curator = curate.Open(b.conf)
	for i, at := range []time.Time{start, time.Unix(0, 0).UTC(), start.Add(-time.Hour), start.Add(time.Hour)} {
		now = at
		b.do(memory.Delete, []memory.ID{"a", "b", "c", "d"}[i])
		states = append(states, b.text())
	}
	h := b.history()
	if len(h.Entries) != 4 || h.Entries[0].ID != "4" || h.Entries[3].ID != "1" || h.Undo != "4" {
		t.Fatalf("history is %+v", h)
	}
	for i := 3; i >= 0; i-- {
		b.do(memory.Undo)
		b.wants("undo", states[i])
	}
}

func TestTheNewestEntriesStayWhateverTheClockSays(t *testing.T) {
	const kept = 20
	wrong := map[string]time.Time{
		"a year ahead": start.AddDate(1, 0, 0), "1969": time.Date(1969, 7, 20, 0, 0, 0, 0, time.UTC),
		"past 9999": time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), "before 0": time.Date(-50, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for name, at := range wrong {
		for _, first := range []bool{true, false} {
			b := newBench(t, line("a", 0))
			now := start
			b.conf.Now, b.conf.KeepFor = func() time.Time { return now }, 90*24*time.Hour
			b.Curator = curate.Open(b.conf)
			was, before := b.text(), ""
			for i := range kept {
				before = b.text()
				if now = start; (i < kept/2) == first {
					now = at
				}
				b.title("a", fmt.Sprint("title ", i))
			}
			b.Curator = curate.Open(b.conf)
			if h := b.history(); len(h.Entries) != kept || h.Damaged > 0 {
				t.Fatalf("%s, first %v: %d entries, %d damaged", name, first, len(h.Entries), h.Damaged)
			}
			after := b.text()
			b.agent(before)
			undone, err := b.Guard(t.Context(), b.records())
			if err != nil || len(undone) == 0 {
				t.Fatalf("%s, first %v: the guard says %v, %v", name, first, undone, err)
			}
			b.agent(after)
			b.conf.KeepFor = 0 // each undo is an entry too
			b.Curator = curate.Open(b.conf)
			for range kept {
				b.do(memory.Undo)
			}
			b.wants(name, was)
		}
	}
}

func TestAHistoryOfALaterVersionIsNotWritten(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	b.do(memory.Delete, "a")
	b.do(memory.Pin, "b")
	path := b.history().Path
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(was), "\n")
	text := curate.HeaderOfFormat(1, start) + rest
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := curate.Open(b.conf)
	p, err := c.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Apply(t.Context(), p)
	var problem *memory.Problem
	if !errors.As(err, &problem) || problem.Code != "newer-history" || problem.Hint == "" {
		t.Fatalf("error is %v", err)
	}
	if err := c.Purge(t.Context()); !errors.As(err, &problem) || problem.Code != "newer-history" {
		t.Fatalf("a purge says %v", err)
	}
	if err := c.Watched(t.Context(), nil, b.records()); err == nil {
		t.Fatal("what others did is noted")
	}
	b.wants("nothing was changed", line("b", 0))
	if now, _ := os.ReadFile(path); string(now) != text {
		t.Fatal("the history was written")
	}
	if pins, err := c.Pinned(t.Context()); err != nil || !pins["b"] {
		t.Fatalf("pins are %v, %v", pins, err)
	}
}

func TestALookBesideOneWhoWritesTheHistoryAnew(t *testing.T) {
	dir := t.TempDir()
	path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
	d := crashdisk.New(map[string]string{path: line("a", 0) + line("b", 0) + line("c", 0)})
	b := benchOn(t, d, path, state)
	b.do(memory.Delete, "a")
	b.do(memory.Delete, "b")
	other, c := curate.Open(b.conf), curate.Open(b.conf)
	looks := 0
	d.Before(func(op crashdisk.Op) {
		if op.Do != "open" || op.Name != "history" {
			return
		}
		if looks++; looks == 2 { // between two looks of the plan
			d.Before(nil)
			if err := other.Purge(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	p, err := c.Plan(t.Context(), memory.Order{Do: memory.Restore, Entry: "1"})
	if looks != 2 || !errors.Is(err, memory.ErrNotFound) {
		t.Fatalf("%d looks; after a purge: %+v, %v", looks, p.Changes, err)
	}
	if _, err := c.Plan(t.Context(), memory.Order{Do: memory.Undo}); !errors.Is(err, memory.ErrNothing) {
		t.Fatalf("after a purge: %v", err)
	}
}

// asOlder writes a history as a Winnow of an earlier format would have.
func asOlder(t *testing.T, path string) string {
	t.Helper()
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(was), "\n")
	text := curate.HeaderOfFormat(-1, start) + rest
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAnOlderHistoryIsSaidOnceAndStillGuards(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	held := b.text()
	b.do(memory.Delete, "a")
	b.do(memory.Pin, "b")
	path := b.history().Path
	text := asOlder(t, path)
	b.Curator = curate.Open(b.conf)
	if h := b.history(); len(h.Entries) > 0 || h.Undo != "" {
		t.Errorf("looking lists %+v", h.Entries)
	}
	if now := read(t, path); now != text {
		t.Error("looking changed the history")
	}
	for i, id := range []memory.ID{"b", "c"} {
		p, err := b.Plan(t.Context(), memory.Order{Do: memory.Pin, IDs: []memory.ID{id}})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			p, err = b.Plan(t.Context(), memory.Order{Do: memory.Unpin, IDs: []memory.ID{id}})
			if err != nil {
				t.Fatal(err)
			}
		}
		result, err := b.Apply(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(strings.Join(result.Notes, " "), path+".old"); said != (i == 0) {
			t.Errorf("change %d says %q", i, result.Notes)
		}
	}
	if now := read(t, path+".old"); now != text {
		t.Errorf("aside lies %s", now)
	}
	b.agent(held)
	b.guards("what was deleted is back", "a came back 1")
}

func TestAnOlderHistoryIsDeletedByARedaction(t *testing.T) {
	b := newBench(t, secretLine("a", token), line("b", 0))
	b.do(memory.Pin, "b")
	path := b.history().Path
	asOlder(t, path)
	b.Curator = curate.Open(b.conf)
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Redact, IDs: []memory.ID{"a"}})
	if err != nil || !strings.Contains(strings.Join(p.Notes, " "), path+".old") {
		t.Fatalf("the plan says %q, %v", p.Notes, err)
	}
	if _, err := b.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".old"); err == nil {
		t.Error("the older history is still there")
	}
	b.forgot("redaction")
}
