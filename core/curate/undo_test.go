package curate_test

import (
	"errors"
	"strings"
	"testing"

	"winnow/core/curate"
	"winnow/core/memory"
)

func TestUndoAndRedoPutTheSameBytesBack(t *testing.T) {
	// Damaged lines, an odd spelling, blank lines and a missing line end stay.
	b := newBench(
		t,
		line("a", 0),
		"{broken\r\n",
		"\n",
		line("b", 3),
		`{"lesson_id":"c","task_summary":"\u0063","lesson":"x","relevance_count":1e2}`+"\r\n",
		"\xff\xfe\n",
		strings.TrimSuffix(line("d", 1), "\n"),
	)
	states := []string{b.text()}
	step := func(do func() memory.Result) {
		do()
		states = append(states, b.text())
	}
	step(func() memory.Result { return b.do(memory.Delete, "a", "c") })
	step(func() memory.Result { return b.title("b", "other") })
	step(func() memory.Result { return b.do(memory.Delete, "d") })
	title, body := "by hand", "keep it"
	step(func() memory.Result {
		return b.order(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}})
	})
	step(func() memory.Result { return b.do(memory.Pin, "b") })
	for round := range 3 {
		for i := len(states) - 2; i >= 0; i-- {
			b.do(memory.Undo)
			b.wants("undo", states[i])
		}
		if _, err := b.Plan(t.Context(), memory.Order{Do: memory.Undo}); !errors.Is(err, memory.ErrNothing) {
			t.Fatalf("round %d: one undo too many: %v", round, err)
		}
		if pins, _ := b.Pinned(t.Context()); len(pins) != 0 {
			t.Fatal("the undone pin is there")
		}
		for i := 1; i < len(states); i++ {
			b.do(memory.Redo)
			b.wants("redo", states[i])
		}
		if pins, _ := b.Pinned(t.Context()); !pins["b"] {
			t.Fatal("the pin was not done again")
		}
	}
	h := b.history()
	if h.Entries[0].What != "Redid: pinned 1 lesson" || h.Undo != "5" || h.Redo != "" {
		t.Fatalf("history says %q, undo %q, redo %q", h.Entries[0].What, h.Undo, h.Redo)
	}
}

func TestUndoAfterAnotherWriterMerges(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	b.do(memory.Delete, "b")
	b.agent(line("a", 4) + line("c", 0) + line("new", 0))
	b.do(memory.Undo)
	b.wants("undo", line("a", 4)+line("b", 0)+line("c", 0)+line("new", 0))
	b.do(memory.Redo)
	b.wants("redo", line("a", 4)+line("c", 0)+line("new", 0))
}

func TestAnEarlierEntryIsUndoneAlone(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	first := b.do(memory.Delete, "a").Entry
	b.do(memory.Delete, "c")
	b.order(memory.Order{Do: memory.Undo, Entry: first})
	b.wants("undo of the first", line("a", 0)+line("b", 0))
	if h := b.history(); h.Undo != "2" || h.Redo != first || h.Entries[2].UndoneBy != "3" {
		t.Fatalf("undo %q, redo %q, undone by %q", h.Undo, h.Redo, h.Entries[2].UndoneBy)
	}
	b.do(memory.Delete, "b")
	if h := b.history(); h.Redo != "" {
		t.Fatal("a new change leaves something to do again")
	}
}

func TestAnyEarlierStateIsRestored(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	var entries []memory.EntryID
	var states []string
	note := func(r memory.Result) {
		entries, states = append(entries, r.Entry), append(states, b.text())
	}
	note(b.do(memory.Delete, "a"))
	note(b.title("b", "other"))
	before := b.records()
	b.agent(strings.Replace(b.text(), line("c", 0), line("c", 7), 1) + line("d", 0))
	if err := b.Watched(t.Context(), before, b.records()); err != nil {
		t.Fatal(err)
	}
	note(memory.Result{Entry: b.history().Entries[0].ID})
	note(b.do(memory.Delete, "d", "b"))
	for _, i := range []int{0, 3, 1, 2, 3, 0} {
		b.order(memory.Order{Do: memory.Restore, Entry: entries[i]})
		b.wants("restore", states[i])
		was := b.text()
		b.do(memory.Undo)
		b.do(memory.Redo)
		b.wants("redo of a restore", was)
	}
	p, err := b.Plan(t.Context(), memory.Order{Do: memory.Restore, Entry: "99"})
	if !errors.Is(err, memory.ErrNotFound) {
		t.Fatalf("restore of no entry: %+v, %v", p, err)
	}
}

func TestALessonThatOthersDroppedIsRestored(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 2), line("c", 0))
	before := b.records()
	b.agent(line("a", 0) + line("c", 0))
	if err := b.Watched(t.Context(), before, b.records()); err != nil {
		t.Fatal(err)
	}
	h := b.history()
	if len(h.Entries) != 1 || h.Entries[0].Who != memory.Others || h.Entries[0].What != "Another writer removed 1" {
		t.Fatalf("history is %+v", h.Entries)
	}
	b.order(memory.Order{Do: memory.Restore, IDs: []memory.ID{"b"}, Entry: h.Entries[0].ID})
	b.wants("restore", line("a", 0)+line("b", 2)+line("c", 0))
	b.do(memory.Undo)
	b.order(memory.Order{Do: memory.Restore, IDs: []memory.ID{"b"}})
	b.wants("restore of the newest form", line("a", 0)+line("b", 2)+line("c", 0))
}

func TestOwnChangesAreNotThoseOfOthers(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	other := curate.Open(b.conf)
	before := b.records()
	b.title("a", "mine")
	b.agent(b.text() + line("new", 0))
	after := b.records()
	for _, c := range []*curate.Curator{b.Curator, other, other} {
		if err := c.Watched(t.Context(), before, after); err != nil {
			t.Fatal(err)
		}
	}
	h := b.history()
	if len(h.Entries) != 2 || len(h.Entries[0].Changes) != 1 || h.Entries[0].Changes[0].ID != "new" {
		t.Fatalf("history is %+v", h.Entries)
	}
}

func TestWithAConflictNothingIsChanged(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	title := "mine"
	p, err := b.Plan(
		t.Context(),
		memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Title: &title}},
	)
	if err != nil {
		t.Fatal(err)
	}
	theirs := strings.Replace(b.text(), "task of a", "theirs", 1)
	b.agent(theirs)
	r, err := b.Apply(t.Context(), p)
	if !errors.Is(err, memory.ErrConflict) || len(r.Changes) != 1 || r.Changes[0].Fate != memory.Refused ||
		r.Entry != "" {
		t.Fatalf("result is %+v, %v", r, err)
	}
	b.wants("conflict", theirs)
	if n := len(b.history().Entries); n != 0 {
		t.Fatalf("history has %d entries", n)
	}
}

func TestFindingsRefuseAPlan(t *testing.T) {
	b := newBench(t, line("a", 0))
	body := "# a heading"
	o := memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Body: &body}}
	p, err := b.Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	p.Findings = []memory.Finding{{ID: "a", Field: "lesson", Rule: "heading"}}
	if _, err := b.Apply(t.Context(), p); !errors.Is(err, memory.ErrFinding) {
		t.Fatalf("a finding is let through: %v", err)
	}
	p.Order.Allow = []string{"heading"}
	if _, err := b.Apply(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

// TestAnUndoIsThePersonsWordWhateverTheStoreHolds undoes what an agent already undid: the store has
// the result already, but the history still records the undo.
func TestAnUndoIsThePersonsWordWhateverTheStoreHolds(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	held := b.text()
	b.title("b", "first")
	b.do(memory.Delete, "a")
	mine := b.text()
	b.order(memory.Order{Do: memory.Trust, All: true})
	b.agent(held)
	b.guards("both are undone", "b reverted 1 always, a came back 1 always")
	if r := b.do(memory.Undo); r.Entry == "" {
		t.Fatalf("the undo of the deletion is not in the history: %+v", r)
	}
	b.guards("the lesson may be there", "b reverted 1 always")
	if r := b.do(memory.Undo); r.Entry == "" {
		t.Fatalf("the undo of the edit is not in the history: %+v", r)
	}
	b.guards("as the agent left it", "")
	if r, _, err := b.GuardReapply(t.Context(), b.records()); err != nil || r.Entry != "" {
		t.Fatalf("the guard acts against the last word: %+v, %v", r, err)
	}
	b.wants("untouched", held)
	if _, err := b.Plan(t.Context(), memory.Order{Do: memory.Undo}); !errors.Is(err, memory.ErrNothing) {
		t.Fatalf("more to undo: %v", err)
	}
	b.do(memory.Redo)
	b.do(memory.Redo)
	b.wants("redone", mine)
}

// TestAnUndoOfWhichTheStoreHasAPartIsWholeInTheHistory undoes a deletion of two records after an
// agent brought one of them back.
func TestAnUndoOfWhichTheStoreHasAPartIsWholeInTheHistory(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
	b.do(memory.Delete, "a", "b")
	b.agent(line("a", 0) + line("c", 0))
	b.do(memory.Undo)
	b.wants("both", line("b", 0)+line("a", 0)+line("c", 0))
	b.guards("both may be there", "")
	b.do(memory.Redo)
	b.wants("neither", line("c", 0))
	b.guards("neither is to be there", "")
}

// TestAnEditToWhatTheStoreHoldsIsThePersonsWord edits a record to the text that an agent restored,
// and restores a record that an agent brought back.
func TestAnEditToWhatTheStoreHoldsIsThePersonsWord(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	held := b.text()
	b.title("a", "mine")
	b.agent(held)
	b.guards("reverted", "a reverted 1")
	if r := b.title("a", "task of a"); r.Entry == "" {
		t.Fatalf("the edit is not in the history: %+v", r)
	}
	b.guards("the words are the person's", "")
	b.do(memory.Undo)
	b.wants("undone", strings.Replace(held, "task of a", "mine", 1))
	b.do(memory.Delete, "b")
	b.agent(held)
	b.guards("both", "a reverted 1, b came back 1")
	b.order(memory.Order{Do: memory.Restore, IDs: []memory.ID{"b"}, Entry: "1"})
	b.guards("b is to be there", "a reverted 1")
	b.wants("nothing was written", held)
}

// TestAnUndoOfTheGuardLowersNoCount undoes a reapply over an agent's copy with a lower count.
func TestAnUndoOfTheGuardLowersNoCount(t *testing.T) {
	b := newBench(t, line("a", 3))
	b.title("a", "mine")
	b.agent(line("a", 2))
	b.do(memory.Reapply, "a")
	b.wants("the higher count", strings.Replace(line("a", 3), "task of a", "mine", 1))
	b.do(memory.Undo)
	b.wants("the agent's words, and the higher count", line("a", 3))
	b.do(memory.Redo)
	b.agent(line("a", 5))
	b.do(memory.Reapply, "a")
	b.wants("no person lowered it", strings.Replace(line("a", 5), "task of a", "mine", 1))
}

// TestARedoneDeletionOfWhatCameBackDeletes undoes a deletion after an agent brought the record back
// with a lower count, which raises that count, and then deletes the record again.
func TestARedoneDeletionOfWhatCameBackDeletes(t *testing.T) {
	b := newBench(t, line("a", 5), line("b", 0))
	b.do(memory.Delete, "a")
	b.agent(line("a", 3) + line("b", 0))
	b.do(memory.Undo)
	b.wants("the higher count", line("a", 5)+line("b", 0))
	b.do(memory.Redo)
	b.wants("deleted again", line("b", 0))
	b.do(memory.Undo)
	b.wants("and back", line("a", 5)+line("b", 0))
}

// TestAnUndoKeepsTheHigherCountOfWhatCameBack undoes a deletion after an agent brought the record
// back and counted on. When the agent drops the record, the higher count comes back with it.
func TestAnUndoKeepsTheHigherCountOfWhatCameBack(t *testing.T) {
	for name, more := range map[string]bool{"alone": false, "with another": true} {
		b := newBench(t, line("a", 3), line("b", 0), line("c", 0))
		rest := line("b", 0) + line("c", 0)
		if more {
			b.do(memory.Delete, "a", "c")
			b.agent(line("a", 5) + line("b", 0))
		} else {
			b.do(memory.Delete, "a")
			b.agent(line("a", 5) + rest)
		}
		b.do(memory.Undo)
		b.wants(name+": undone", line("a", 5)+rest)
		b.agent(rest)
		b.do(memory.Reapply, "a")
		b.wants(name+": the higher count", line("a", 5)+rest)
	}
}
