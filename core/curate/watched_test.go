package curate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/curate"
	"winnow/core/memory"
)

// watched passes two states to all curators and returns what the newest entry says others did, or
// "".
func (b *bench) watched(before []memory.Record, all ...*curate.Curator) string {
	b.t.Helper()
	was := len(b.history().Entries)
	for _, c := range append(all, b.Curator) {
		if err := c.Watched(b.t.Context(), before, b.records()); err != nil {
			b.t.Fatal(err)
		}
	}
	h := b.history()
	if len(h.Entries) == was {
		return ""
	}
	if len(h.Entries) > was+1 {
		b.t.Fatalf("%d entries are new", len(h.Entries)-was)
	}
	var words []string
	for _, ch := range h.Entries[0].Changes {
		words = append(words, fmt.Sprintf("%s %s", ch.Do, ch.ID))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

func noID(n int) string {
	return fmt.Sprintf(`{"task_summary":"task %d","lesson":"x","outcome":"failed"}`+"\n", n)
}

func TestRecordsThatOnlyGotAnotherNameDidNotChange(t *testing.T) {
	b := newBench(t, noID(1), noID(2), noID(3), noID(4), "null\n", line("a", 1), line("a", 2), line("a", 3))
	other := curate.Open(b.conf)
	before := b.records()
	b.do(memory.Delete, "line 1", "line 3", "a")
	if got := b.watched(before, other); got != "" {
		t.Errorf("our own deletions are those of others: %s", got)
	}
	before = b.records()
	b.agent(noID(2) + noID(4) + line("a", 2) + line("a", 3) + line("new", 0))
	if got := b.watched(before, other, other); got != "add new, delete line 3" {
		t.Errorf("others did %q", got)
	}
	before = b.records()
	b.agent(noID(9) + noID(4) + line("a", 2) + line("a", 4) + line("new", 0))
	if got := b.watched(before, other); got != "edit a~2, edit line 1" {
		t.Errorf("others did %q", got)
	}
	before = b.records()
	b.agent(noID(4) + line("a", 2) + line("a", 4) + line("new", 0))
	if got := b.watched(before, other); got != "delete line 1" {
		t.Errorf("others did %q", got)
	}
	before = b.records()
	b.do(memory.Undo)
	if got := b.watched(before, other); got != "" {
		t.Errorf("our own undo is one of others: %s", got)
	}
}
