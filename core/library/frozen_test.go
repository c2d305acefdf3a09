package library

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/karnevil9"
)

// kept is a store whose only session began at a time and still has what stood there then.
type kept struct {
	*karnevil9.Store
	path  string
	since time.Time
}

func (k kept) Recall(context.Context, memory.Task) (memory.Recall, error) {
	return memory.Recall{LastSession: &memory.LastSession{At: k.since, Unknown: "It changed since."}}, nil
}

func (k kept) Info() system.Info {
	info := k.Store.Info()
	info.Earlier = func(g memory.LastSession, _ memory.Recall, text string) memory.LastSession {
		g.Unknown, g.Blocks = "", []memory.Block{{Text: text}}
		return g
	}
	return info
}

func TestWhatASessionStillHasIsToldFromTheHistory(t *testing.T) {
	dir, plain := workingFolder(t)
	path := filepath.Join(dir, "memory.jsonl")
	put(t, path, lesson("a1"), lesson("b2"), lesson("c3"))
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	kind := karnevil9.System(time.Now)
	since := time.Now()
	kind.Open = func(path string) (system.Store, error) {
		return kept{karnevil9.Open(path, time.Now), path, since}, nil
	}
	plain.state.Dir = t.TempDir()
	l := New([]system.System{kind}, plain.env, plain.now, plain.start, plain.state)
	id := memory.StoreID(path)
	got := func() *memory.LastSession {
		t.Helper()
		r, err := l.Recall(t.Context(), id, memory.Task{})
		if err != nil {
			t.Fatal(err)
		}
		return r.LastSession
	}
	if g := got(); g.Unknown == "" {
		t.Errorf("nobody changed it here, and it is told: %+v", g)
	}
	for _, record := range []memory.ID{"b2", "a1"} {
		p, err := l.Plan(t.Context(), id, memory.Order{Do: memory.Delete, IDs: []memory.ID{record}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Apply(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	if g := got(); g.Unknown != "" || len(g.Blocks) != 1 || g.Blocks[0].Text != string(was) ||
		!strings.Contains(g.Source, "history") {
		t.Errorf("got %+v, want what stood there at first", g)
	}
	put(t, path, lesson("c3"), lesson("d4"))
	if g := got(); g.Unknown == "" {
		t.Errorf("somebody else wrote since, and it is told: %+v", g)
	}
}
