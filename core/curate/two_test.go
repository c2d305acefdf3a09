package curate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/curate"
	"winnow/core/memory"
)

func TestTwoCuratorsOfOneStoreLoseNothing(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, line(fmt.Sprint("r", i), 0))
	}
	b := newBench(t, lines...)
	was := b.text()
	var wg sync.WaitGroup
	errs := make(chan error, 40)
	for w := range 2 {
		c := curate.Open(b.conf)
		wg.Go(func() {
			for i := range 20 {
				p, err := c.Plan(
					context.Background(),
					memory.Order{Do: memory.Delete, IDs: []memory.ID{memory.ID(fmt.Sprint("r", i*2+w))}},
				)
				if err == nil {
					_, err = c.Apply(context.Background(), p)
				}
				errs <- err
			}
		})
	}
	wg.Wait()
	for range 40 {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	b.wants("both deleted theirs", "")
	h := b.history()
	if len(h.Entries) != 40 || h.Damaged != 0 {
		t.Fatalf("%d entries, %d damaged", len(h.Entries), h.Damaged)
	}
	for range 40 {
		b.do(memory.Undo)
	}
	b.wants("all is undone", was)
}

func TestWithoutAPlaceForHistoryNothingIsChanged(t *testing.T) {
	b := newBench(t, line("a", 0))
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	// A file is in the place of the folder, which stops even root.
	if err := os.WriteFile(b.state, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = b.Apply(t.Context(), p)
	var problem *memory.Problem
	if !errors.As(err, &problem) || problem.Code != "no-history" || !strings.Contains(problem.Hint, b.conf.Dir) ||
		!strings.Contains(problem.Hint, "XDG_STATE_HOME") {
		t.Fatalf("error is %v, %+v", err, problem)
	}
	b.wants("refused", line("a", 0))

	conf := b.conf
	conf.Dir = ""
	c := curate.Open(conf)
	if _, err := c.Apply(t.Context(), p); !errors.As(err, &problem) || problem.Code != "no-history" {
		t.Fatalf("error is %v", err)
	}
	if h, err := c.History(t.Context()); err != nil || len(h.Entries) != 0 {
		t.Fatalf("%+v, %v", h, err)
	}
}

func TestAReadOnlyCuratorWritesNothing(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	held := b.text()
	b.do(memory.Delete, "a")
	b.agent(held)
	conf := b.conf
	conf.ReadOnly = true
	c := curate.Open(conf)
	size := b.history().Size
	p, err := c.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Apply(t.Context(), p); !errors.Is(err, memory.ErrReadOnly) {
		t.Fatalf("error is %v", err)
	}
	if _, undone, err := c.GuardReapply(t.Context(), b.records()); err != nil || len(undone) != 1 {
		t.Fatalf("%v, %v", undone, err)
	}
	if err := c.Watched(t.Context(), nil, b.records()); err != nil {
		t.Fatal(err)
	}
	if now := b.history().Size; now != size {
		t.Fatalf("the history grew from %d to %d bytes", size, now)
	}
	b.wants("nothing was changed", held)
}

func TestLookingMakesNoFolder(t *testing.T) {
	b := newBench(t, line("a", 0))
	if _, err := b.Pinned(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.guards("nothing", "")
	if err := b.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}}); err != nil {
		t.Fatal(err)
	}
	b.history()
	if _, err := os.Stat(b.state); !os.IsNotExist(err) {
		t.Fatalf("the state folder is there: %v", err)
	}
}

func TestAStoreThatIsMissingIsMadeByAnAddition(t *testing.T) {
	dir := t.TempDir()
	b := benchOn(t, atomicfile.OS(), filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state"))
	b.conf.System = b.store
	b.Curator = curate.Open(b.conf)
	title, body := "by hand", "keep it"
	b.order(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}})
	if n := len(b.records()); n != 1 {
		t.Fatalf("%d records", n)
	}
	b.do(memory.Undo)
	b.wants("undone", "")
}
