package curate_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// besideTwo is a change that is made beside two agents.
type besideTwo struct {
	order memory.Order
	// in reports whether a store has the change, and out whether it has what was there before.
	in, out func(text string) bool
}

func changesBesideTwo() map[string]besideTwo {
	title, body := "another title", "what c taught"
	has := func(part string) func(string) bool {
		return func(text string) bool { return strings.Contains(text, part) }
	}
	lacks := func(part string) func(string) bool {
		return func(text string) bool { return !strings.Contains(text, part) }
	}
	return map[string]besideTwo{
		"delete": {memory.Order{Do: memory.Delete, IDs: []memory.ID{"b"}}, lacks(line("b", 0)), has(line("b", 0))},
		"edit": {
			memory.Order{Do: memory.EditOne, IDs: []memory.ID{"b"}, Edit: memory.Edit{Title: &title}},
			has(title), has(line("b", 0)),
		},
		"add": {
			memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}}, has(title), lacks(title),
		},
	}
}

// TestAKillBesideTwoAgentsLosesNothing has an agent save right before a change is put in place, and another right
// after, which has read the change. The change is killed at each operation from then on. The next change finishes it
// or takes it back, and all lessons of both agents are there. What the second agent has read and saved is finished, and
// can be undone.
func TestAKillBesideTwoAgentsLosesNothing(t *testing.T) {
	for name, c := range changesBesideTwo() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
			killed := 0
			for _, second := range []int{1, 2, 3} { // operations after the exchange
				for dead := second; ; dead++ {
					if !killBeside(t, c, path, state, second, dead) {
						break
					}
					killed++
				}
			}
			if killed < 30 {
				t.Errorf("%d kills were tried, want at least 30", killed)
			}
		})
	}
}

// killBeside kills one change, and reports whether it came that far.
func killBeside(t *testing.T, c besideTwo, path, state string, second, dead int) bool {
	t.Helper()
	d := crashdisk.New(map[string]string{path: line("a", 0) + line("b", 0)})
	b := benchOn(t, d, path, state)
	p, err := b.Plan(t.Context(), c.order)
	if err != nil {
		t.Fatal(err)
	}
	exchange, isTaken := 0, false // isTaken: the second agent saved what we had made
	d.Before(func(op crashdisk.Op) {
		switch {
		case op.Do == "exchange" && exchange == 0:
			exchange = op.N
			d.Put(path, d.Files()[path]+line("first", 0))
			d.FailFrom(op.N+dead, syscall.EIO)
		case exchange > 0 && op.N == exchange+second:
			isTaken = c.in(d.Files()[path])
			d.Put(path, d.Files()[path]+line("second", 0))
		}
	})
	r, err := b.Apply(t.Context(), p)
	reached := d.Ops() >= exchange+dead
	d.Before(nil)
	d.FailFrom(0, nil)
	again := benchOn(t, d, path, state)
	again.do(memory.Delete, "a")
	made := c.in(d.Files()[path])
	what := fmt.Sprintf("second at %d, dead at %d (error %v): made %v", second, dead, err, made)
	hasBoth(t, what, d.Files()[path])
	if (isTaken || err == nil) && !made || err == nil && r.Entry == "" {
		t.Fatalf("%s, the entry is %q", what, r.Entry)
	}
	h := again.history()
	entries := 1
	if made {
		entries = 2
	}
	if h.Damaged > 1 || len(h.Entries) != entries {
		t.Fatalf("%s: %d damaged, %d entries", what, h.Damaged, len(h.Entries))
	}
	for range entries {
		again.do(memory.Undo)
	}
	if text := d.Files()[path]; !c.out(text) || !strings.Contains(text, line("a", 0)) {
		t.Fatalf("%s: undone, the store holds %q", what, text)
	}
	hasBoth(t, what, d.Files()[path])
	for name := range d.Files() {
		if strings.Contains(filepath.Base(name), ".winnow") {
			t.Fatalf("%s: %s is left", what, name)
		}
	}
	return reached
}

// hasBoth fails unless a store has the lesson of each agent once.
func hasBoth(t *testing.T, what, text string) {
	t.Helper()
	for _, id := range []string{"first", "second"} {
		if strings.Count(text, line(id, 0)) != 1 {
			t.Fatalf("%s: %s is not there once: %q", what, id, text)
		}
	}
}
