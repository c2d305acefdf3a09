package curate_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// TestWhatAnotherWriterSavedIsTakenInAfterAFailure has another writer save at the moment of the
// exchange. Then several operations in a row fail, so that its bytes cannot be put back at once.
func TestWhatAnotherWriterSavedIsTakenInAfterAFailure(t *testing.T) {
	dir := t.TempDir()
	path, state := filepath.Join(dir, "memory.jsonl"), filepath.Join(dir, "state")
	left := 0
	for _, length := range []int{1, 2, 3, 5, 8, 13} {
		for first := 0; first < 30; first++ {
			if afterIntruder(t, path, state, first, length) {
				left++
			}
		}
	}
	if left == 0 {
		t.Fatal("no failure left anything: the test shows nothing")
	}
	t.Logf("%d failures left a file", left)
}

// afterIntruder makes several operations fail, starting with the given one after the exchange, and
// reports whether that left a temporary file.
func afterIntruder(t *testing.T, path, state string, first, length int) (left bool) {
	t.Helper()
	d := crashdisk.New(map[string]string{path: line("a", 0) + line("b", 0)})
	b := benchOn(t, d, path, state)
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	theirs := line("a", 3) + line("b", 1) + line("new", 0)
	d.Before(func(op crashdisk.Op) {
		if op.Do == "exchange" {
			d.Before(nil)
			d.Put(path, theirs)
			for n := range length {
				d.Fail(op.N+1+first+n, crashdisk.Fault{Err: syscall.EIO})
			}
		}
	})
	r, err := b.Apply(t.Context(), p)
	for n := range 60 {
		d.Fail(d.Ops()+n, crashdisk.Fault{})
	}
	for name := range d.Files() {
		left = left || strings.Contains(filepath.Base(name), ".winnow")
	}
	again := benchOn(t, d, path, state)
	if err := again.Recover(t.Context()); err != nil {
		t.Fatalf("%d operations from %d on: recover: %v", length, first, err)
	}
	text := d.Files()[path]
	if !strings.Contains(text, line("new", 0)) || !strings.Contains(text, line("a", 3)) {
		t.Fatalf(
			"%d operations from %d on (error %v): the other writer's lessons are lost: %q",
			length,
			first,
			err,
			text,
		)
	}
	entries := len(again.history().Entries)
	deleted := !strings.Contains(text, line("b", 1))
	if deleted != (entries == 1) || deleted != (r.Entry != "") && !left || err == nil && !deleted {
		t.Fatalf(
			"%d operations from %d on (error %v): deleted is %v, and history has %d entries",
			length,
			first,
			err,
			deleted,
			entries,
		)
	}
	for name := range d.Files() {
		if err != nil && strings.Contains(filepath.Base(name), ".winnow") {
			t.Fatalf("%d operations from %d on: %s is left", length, first, name)
		}
	}
	again.do(memory.Delete, "a")
	again.do(memory.Undo)
	if d.Files()[path] != text {
		t.Fatalf("%d operations from %d on: a change and its undo leave %q", length, first, d.Files()[path])
	}
	return left
}
