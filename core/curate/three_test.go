package curate_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// TestAKillBesideTwoAgentsLosesNothing has an agent save right before a change is put in place, and another right
// after, which has read the change. The change is killed at each operation from then on. The next change finishes it
// or takes it back, and all lessons of both agents are there.
func TestAKillBesideTwoAgentsLosesNothing(t *testing.T) {
	dir := t.TempDir()
	path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
	killed := 0
	for _, second := range []int{1, 2, 3} { // operations after the exchange
		for dead := second; ; dead++ {
			if !killBeside(t, path, state, second, dead) {
				break
			}
			killed++
		}
	}
	if killed < 30 {
		t.Errorf("%d kills were tried, want at least 30", killed)
	}
}

// killBeside kills one change, and reports whether it came that far.
func killBeside(t *testing.T, path, state string, second, dead int) bool {
	t.Helper()
	d := crashdisk.New(map[string]string{path: line("a", 0) + line("b", 0)})
	b := benchOn(t, d, path, state)
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	exchange := 0
	d.Before(func(op crashdisk.Op) {
		switch {
		case op.Do == "exchange" && exchange == 0:
			exchange = op.N
			d.Put(path, d.Files()[path]+line("first", 0))
			d.FailFrom(op.N+dead, syscall.EIO)
		case exchange > 0 && op.N == exchange+second:
			d.Put(path, d.Files()[path]+line("second", 0))
		}
	})
	r, err := b.Apply(t.Context(), p)
	reached := d.Ops() >= exchange+dead
	d.Before(nil)
	d.FailFrom(0, nil)
	again := benchOn(t, d, path, state)
	again.do(memory.Delete, "a")
	text := d.Files()[path]
	for _, id := range []string{"first", "second"} {
		if strings.Count(text, line(id, 0)) != 1 {
			t.Fatalf("second at %d, dead at %d (error %v): %s is not there once: %q", second, dead, err, id, text)
		}
	}
	deleted := !strings.Contains(text, line("b", 0))
	if h := again.history(); h.Damaged > 1 || err == nil && (r.Entry == "" || !deleted) {
		t.Fatalf("second at %d, dead at %d (error %v): deleted %v, %d damaged", second, dead, err, deleted, h.Damaged)
	}
	for name := range d.Files() {
		if strings.Contains(filepath.Base(name), ".winnow") {
			t.Fatalf("second at %d, dead at %d: %s is left", second, dead, name)
		}
	}
	return reached
}
