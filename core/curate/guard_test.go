package curate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"winnow/core/curate"
	"winnow/core/memory"
	"winnow/core/system"
)

func TestTheGuardNamesWhatAnAgentUndid(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0), line("c", 0), line("d", 0))
	held := b.text()
	b.do(memory.Delete, "a", "b", "c")
	b.title("d", "mine")
	b.guards("before the agent saves", "")
	b.agent(held + line("new", 0))
	b.guards("after", "a came back 1, b came back 1, c came back 1, d reverted 1")
	b.guards("the same state", "a came back 1, b came back 1, c came back 1, d reverted 1")
	b.agent(strings.Replace(held, line("d", 0), line("d", 3), 1) + line("new", 0) + line("more", 0))
	b.guards("another state", "a came back 2, b came back 2, c came back 2, d reverted 2")
	b.order(memory.Order{Do: memory.Reapply, All: true})
	b.wants("reapply", strings.Replace(line("d", 3), "task of d", "mine", 1)+line("new", 0)+line("more", 0))
	b.guards("after the reapply", "")
	b.do(memory.Undo)
	b.agent(b.text())
	if n := len(b.records()); n != 6 {
		t.Fatalf("undo of a reapply leaves %d records", n)
	}
}

// TestALineTooLongToBeHeldIsNotMissed restores a line of which the listing has only the beginning.
func TestALineTooLongToBeHeldIsNotMissed(t *testing.T) {
	b := newBench(t, line("a", 0), `{"lesson_id":"l","lesson":"`+strings.Repeat("x", 2<<20)+`"}`+"\n")
	b.do(memory.Delete, "line 2")
	b.wants("deleted", line("a", 0))
	b.do(memory.Undo)
	b.guards("it stands", "")
	b.agent(line("a", 0))
	b.guards("dropped by the agent, which prunes it", "line 2 pruned 1")
}

func TestWhatIsTrustedIsDoneAgainAndCounted(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	held := b.text()
	b.do(memory.Delete, "a")
	b.agent(held)
	b.do(memory.Trust, "a")
	b.guards("trusted", "a came back 1 always")
	for n := range 3 {
		r, undone, err := b.GuardReapply(t.Context(), b.records())
		if err != nil || len(undone) != 0 || r.Entry == "" {
			t.Fatalf("reapply %d: %+v, %v, %v", n, r, undone, err)
		}
		b.wants("reapply", line("b", 0))
		b.agent(held)
	}
	b.guards("the fourth time", "a came back 4 always")
	if h := b.history(); h.Entries[0].Who != memory.Guard || h.Undo != "1" {
		t.Fatalf("newest is by %q, undo takes %q", h.Entries[0].Who, h.Undo)
	}
	b.do(memory.Accept, "a")
	b.guards("accepted", "")
}

// TestADeletionStandsWhoeverMadeIt deletes a record that another writer drops before the deletion
// is made: the guard does not bring it back, and watches that it stays away.
func TestADeletionStandsWhoeverMadeIt(t *testing.T) {
	for _, others := range []memory.ID{"", "b"} { // alone, and with one that is still there
		b := newBench(t, line("a", 0), line("b", 0), line("c", 0))
		b.title("a", "mine")
		ids := []memory.ID{"a"}
		if others != "" {
			ids = append(ids, others)
		}
		held := b.text()
		p, err := b.Plan(t.Context(), memory.Order{Do: memory.Delete, IDs: ids})
		if err != nil {
			t.Fatal(err)
		}
		b.agent(line("b", 0) + line("c", 0))
		r, err := b.Apply(t.Context(), p)
		if err != nil || r.Entry == "" || r.Changes[0].Fate != memory.Gone || len(r.Changes) != len(ids) {
			t.Fatalf("apply: %+v, %v", r, err)
		}
		b.guards("it stays away", "")
		b.agent(held)
		if got := b.guard(); !strings.HasPrefix(got, "a came back 1") {
			t.Errorf("the agent brings it back: %q", got)
		}
		b.agent(line("c", 0))
		b.do(memory.Undo)
		if n := len(b.records()); n != len(ids)+1 {
			t.Errorf("the undo leaves %d records: %s", n, b.text())
		}
	}
}

func TestAConflictIsLeftToThePerson(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	held := b.text()
	b.title("a", "mine")
	b.order(memory.Order{Do: memory.Trust, All: true})
	b.agent(strings.Replace(held, "task of a", "theirs", 1))
	b.guards("conflict", "a conflict 1")
	if p, err := b.Plan(t.Context(), memory.Order{Do: memory.Reapply, All: true}); err != nil || len(p.Changes) != 0 {
		t.Fatalf("all of it is done again: %+v, %v", p.Changes, err)
	}
	b.do(memory.Reapply, "a")
	b.wants("mine", strings.Replace(held, "task of a", "mine", 1))
}

func TestAnAdditionThatIsDroppedIsReported(t *testing.T) {
	b := newBench(t, line("a", 0))
	held := b.text()
	title, body := "by hand", "keep it"
	added := b.order(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}})
	mine := b.text()
	b.agent(held)
	b.guards("dropped", string(added.Changes[0].ID)+" dropped 1")
	b.order(memory.Order{Do: memory.Reapply, All: true})
	b.wants("reapplied", mine)
}

func TestATwinThatStaysDidNotComeBack(t *testing.T) {
	b := newBench(t, line("a", 0), line("a", 0), line("b", 0), "null\n", "null\n")
	held := b.text()
	b.do(memory.Delete, "a", "line 4")
	b.guards("nobody wrote", "")
	b.agent(held)
	b.guards("both are back", "a came back 1, line 4 came back 1")
}

func TestUndoLetsTheAgentHaveItsWay(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	b.do(memory.Delete, "a")
	b.do(memory.Undo)
	b.guards("undone", "")
	b.agent(line("b", 0))
	b.guards("an agent that loaded in between", "a dropped 1")
}

func TestPinsAreWatchedOver(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	b.do(memory.Pin, "a")
	b.agent(line("b", 0))
	b.guards("pinned", "a dropped 1")
	b.order(memory.Order{Do: memory.Reapply, IDs: []memory.ID{"a"}})
	b.wants("back", line("a", 0)+line("b", 0))
}

func TestACountThatFellIsRaisedAgain(t *testing.T) {
	b := newBench(t, line("a", 2), line("b", 0))
	n := 9
	b.order(memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Count: &n}})
	b.agent(line("a", 10) + line("b", 0))
	b.guards("raised more", "")
	b.agent(line("a", 3) + line("b", 0))
	if got := b.guard(); got == "" {
		t.Fatal("a count that fell is not reported")
	}
	b.do(memory.Reapply, "a")
	b.wants("raised again", line("a", 9)+line("b", 0))
}

// TestOfTwoUnequalAgentsTheHigherCountStays edits over what each of two agents saved, with
// different counts.
func TestOfTwoUnequalAgentsTheHigherCountStays(t *testing.T) {
	used := func(line, day string) string {
		return strings.Replace(line, "}\n", `,"last_retrieved_at":"2026-11-`+day+"T00:00:00.000Z\"}\n", 1)
	}
	b := newBench(t, line("a", 3))
	b.agent(used(line("a", 4), "18"))
	b.title("a", "mine")
	b.agent(line("a", 3)) // by an agent that loaded before
	b.title("a", "mine too")
	b.agent(used(line("a", 5), "19"))
	b.guards("the first agent has the old words", "a reverted 1")
	b.do(memory.Reapply, "a")
	b.wants("what it counted", strings.Replace(used(line("a", 5), "19"), "task of a", "mine too", 1))
	b.agent(line("a", 3))
	b.do(memory.Reapply, "a")
	b.wants("what is known", strings.Replace(used(line("a", 5), "19"), "task of a", "mine too", 1))
	n := 1
	b.order(memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a"}, Edit: memory.Edit{Count: &n}})
	b.agent(used(line("a", 5), "19"))
	b.do(memory.Reapply, "a")
	b.wants("a count that a person lowered", strings.Replace(used(line("a", 1), "19"), "task of a", "mine too", 1))
}

// TestAnyEarlierFormIsARevert edits a record many times while an agent holds its first form, or one
// of the others.
func TestAnyEarlierFormIsARevert(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	var forms []string
	for n := range 40 {
		forms = append(forms, b.text())
		b.title("a", fmt.Sprint("mine ", n))
	}
	b.order(memory.Order{Do: memory.Trust, All: true})
	mine := b.text()
	for _, n := range []int{0, 1, 20, 39} {
		b.agent(forms[n])
		if got := b.guard(); !strings.HasPrefix(got, "a reverted") {
			t.Errorf("form %d: the guard says %q", n, got)
		}
		if r, _, err := b.GuardReapply(t.Context(), b.records()); err != nil || r.Entry == "" {
			t.Fatalf("form %d: %+v, %v", n, r, err)
		}
		b.wants("done again", mine)
	}
}

// asking is a store that is asked, before each change, whether a person should decide first.
type asking struct {
	plainStore
	asked func()
}

func (a asking) Info() system.Info {
	i := a.plainStore.Info()
	i.Asks = func(context.Context) string { a.asked(); return "" }
	return i
}

// TestTheGuardKeepsANewerEdit: a person edits a record again, and the agent reverts that too, after the guard planned to repeat the edit
// before. It is the newer edit that is repeated.
func TestTheGuardKeepsANewerEdit(t *testing.T) {
	b := newBench(t, line("a", 0))
	held := b.text()
	b.order(memory.Order{Do: memory.Trust, All: true})
	b.title("a", "first")
	b.agent(held)
	asked := 0
	conf := b.conf
	conf.System = asking{plainStore{b.store, b.store, b.store}, func() {
		if asked++; asked == 2 { // the first time it is planned
			b.title("a", "second")
			b.agent(held)
		}
	}}
	guard := curate.Open(conf)
	for range 2 {
		if _, _, err := guard.GuardReapply(t.Context(), b.records()); err != nil {
			t.Fatal(err)
		}
	}
	b.wants("the newer edit", strings.Replace(held, "task of a", "second", 1))
	if asked < 2 {
		t.Error("nothing was edited between plan and change")
	}
}
