package curate_test

import (
	"errors"
	"strings"
	"testing"

	"winnow/core/curate"
	"winnow/core/memory"
)

// filled checks that each change says which records it concerns.
func filled(t *testing.T, what string, changes []memory.Change) {
	t.Helper()
	if len(changes) == 0 {
		t.Errorf("%s: no changes", what)
	}
	for _, ch := range changes {
		if ch.Record.Raw == "" || ch.Record.ID != ch.ID {
			t.Errorf("%s: %s %s has the record %+v", what, ch.Do, ch.ID, ch.Record)
		}
		if ch.Do == memory.Adding && ch.Record.Raw != ch.After || ch.Do == memory.Editing && ch.Edited.Raw != ch.After {
			t.Errorf(
				"%s: %s %s is to be %q, and the record says %q, %q",
				what,
				ch.Do,
				ch.ID,
				ch.After,
				ch.Record.Raw,
				ch.Edited.Raw,
			)
		}
	}
}

func TestEveryPlanAndEntryHasItsRecords(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	held := b.text()
	title, body := "by hand", "keep it"
	b.do(memory.Delete, "a")
	b.title("b", "mine")
	added := b.order(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}}).Changes[0].ID
	plan := func(o memory.Order) memory.Plan {
		p, err := b.Plan(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		filled(t, string(o.Do), p.Changes)
		return p
	}
	for _, e := range []memory.EntryID{"1", "2", "3"} {
		plan(memory.Order{Do: memory.Undo, Entry: e})
	}
	plan(memory.Order{Do: memory.Restore, Entry: "1"})
	b.do(memory.Undo)
	plan(memory.Order{Do: memory.Redo})
	b.do(memory.Redo)
	b.agent(held)
	if p := plan(memory.Order{Do: memory.Reapply, All: true}); len(p.Changes) != 3 {
		t.Errorf("%d changes are done again (added %s)", len(p.Changes), added)
	}
	for _, e := range b.history().Entries {
		filled(t, "entry "+string(e.ID), e.Changes)
	}
}

func TestPlansSayWhichRecordsArePinned(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	held := b.text()
	b.do(memory.Pin, "a")
	pinned := func(o memory.Order) {
		t.Helper()
		p, err := b.Plan(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, ch := range p.Changes {
			if is := ch.Record.Flags&memory.FlagPinned != 0; is != (ch.ID == "a") {
				t.Errorf("%s of %s: pinned %v", o.Do, ch.ID, is)
			}
		}
		for _, k := range p.Kept {
			if is := k.Record.Flags&memory.FlagPinned != 0; is != (k.Record.ID == "a") {
				t.Errorf("%s keeps %s: pinned %v", o.Do, k.Record.ID, is)
			}
		}
	}
	pinned(memory.Order{Do: memory.Delete, IDs: []memory.ID{"a", "b"}})
	pinned(memory.Order{Do: memory.Prune, Rule: memory.Rule{Unused: true}})
	b.do(memory.Delete, "a", "b")
	pinned(memory.Order{Do: memory.Undo})
	b.agent(held)
	pinned(memory.Order{Do: memory.Reapply, All: true})
}

func TestWithoutAHomeFolderTheHintSaysWhatToSet(t *testing.T) {
	b := newBench(t, line("a", 0))
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: []memory.ID{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	conf := b.conf
	conf.Dir = ""
	_, err = curate.Open(conf).Apply(t.Context(), p)
	var problem *memory.Problem
	if !errors.As(err, &problem) || !strings.Contains(problem.Hint, "HOME") ||
		!strings.Contains(problem.Hint, "XDG_STATE_HOME") ||
		strings.Contains(problem.Hint, " in :") {
		t.Fatalf("error is %v, %+v", err, problem)
	}
}

func TestAConflictInAnUndoIsDecidedInOneStep(t *testing.T) {
	was := line("a", 0) + line("b", 0) + line("c", 0)
	b := newBench(t, was)
	title := "mine"
	b.order(memory.Order{Do: memory.Merge, IDs: []memory.ID{"a", "b"}, Edit: memory.Edit{Title: &title}})
	theirs := strings.Replace(strings.Replace(b.text(), "mine", "theirs", 1), `"s1"`, `"s2"`, 1)
	theirs = strings.Replace(theirs, "what a taught", "new words", 1)
	recreated := strings.Replace(line("b", 0), "what b taught", "again", 1)
	b.agent(theirs + recreated)
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Undo})
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Apply(t.Context(), p)
	if !errors.Is(err, memory.ErrConflict) {
		t.Fatalf("the undo is no conflict: %+v, %v", r, err)
	}
	o := p.Order
	for _, f := range r.Changes {
		o.IDs, o.Base = append(o.IDs, f.ID), append(o.Base, f.Theirs)
	}
	entries := len(b.history().Entries)
	b.order(o)
	want := strings.Replace(line("a", 0), `"s1"`, `"s2"`, 1)
	want = strings.Replace(want, "what a taught", "new words", 1) // the merge did not concern it
	b.wants("mine", want+line("c", 0)+line("b", 0))
	if h := b.history(); len(h.Entries) != entries+1 || h.Redo != "1" || h.Undo != "" {
		t.Fatalf("history has %d entries, undo %q, redo %q", len(h.Entries), h.Undo, h.Redo)
	}
	b.do(memory.Redo)
	b.wants("redo", theirs+recreated)
}

func TestAPartOfAnEntryIsUndone(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	b.do(memory.Delete, "a", "b")
	b.do(memory.Undo, "b")
	b.wants("undo of one", line("b", 0)+line("c", 0))
}
