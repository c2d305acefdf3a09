package curate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/curate"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// agentOn loads a store like an agent.
func agentOn(t *testing.T, text string) *lesson.List {
	t.Helper()
	l := lesson.Load(text, start, time.UTC)
	if p := l.Problem(); p != nil {
		t.Fatal(p)
	}
	return l
}

func learn(t *testing.T, l *lesson.List, stored string) {
	t.Helper()
	v, err := jstext.Parse(strings.TrimSuffix(stored, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p := l.Add(v); p != nil {
		t.Fatal(p)
	}
}

// full returns the lines of a store with as many lessons as an agent keeps; one of them, "low", is
// evicted first.
func full() (lines []string) {
	for i := range lesson.Cap - 1 {
		lines = append(lines, line(fmt.Sprint("r", i), 2))
	}
	return append(lines, strings.Replace(line("low", 0), "11-20T", "11-19T", 1))
}

func TestWhatAnAgentEvictsIsSaidToBeEvicted(t *testing.T) {
	b := newBench(t, full()...)
	b.title("low", "mine")
	b.do(memory.Trust, "low")
	a := agentOn(t, b.text())
	learn(t, a, line("new", 0))
	b.agent(string(a.Save()))
	b.guards("evicted by its rule", "low evicted 1")
	r, undone, err := b.GuardReapply(t.Context(), b.records())
	if err != nil || r.Entry != "" || len(undone) != 1 {
		t.Fatalf("what a rule did is done again: %+v, %v, %v", r, undone, err)
	}
	learn(t, a, line("newer", 0))
	b.agent(string(a.Save()))
	b.guards("in the next state it is no news", "")

	b = newBench(t, full()...)
	b.title("r5", "mine")
	a = agentOn(t, b.text())
	learn(t, a, line("new", 0))
	b.agent(strings.Replace(string(a.Save()), strings.Replace(line("r5", 2), "task of r5", "mine", 1), "", 1))
	b.guards("no rule takes that one", "r5 dropped 1")
}

func TestWhatAnAgentPrunesIsSaidToBePruned(t *testing.T) {
	old := strings.Replace(line("old", 0), "2026-11-20", "2026-09-20", 1)
	b := newBench(t, old, line("b", 1))
	b.title("old", "mine")
	b.do(memory.Pin, "old")
	b.agent(string(agentOn(t, b.text()).Save()))
	b.guards("pruned by its rule", "old pruned 1")
	b.do(memory.Reapply, "old")
	b.wants("brought back", strings.Replace(old, "task of old", "mine", 1)+line("b", 1))
}

func TestWhatAnAgentCountsIsNeverUndone(t *testing.T) {
	b := newBench(t, line("a", 2), line("b", 0))
	b.title("a", "words one")
	b.do(memory.Pin, "a")
	b.do(memory.Pin, "b")
	a := agentOn(t, b.text())
	for range 5 {
		hits, p := a.Search("words one", nil)
		if p != nil || len(hits) == 0 {
			t.Fatalf("%v, %v", hits, p)
		}
		a.Commit(hits, start)
		b.agent(string(a.Save()))
		b.guards("counted", "")
	}
	b.title("b", "words two")
	a.Commit([]lesson.Found{{Index: 1}}, start)
	learn(t, a, line("new", 0))
	b.agent(string(a.Save()))
	b.guards("it had the old words", "b reverted 1")
	b.do(memory.Reapply, "b")
	for _, r := range b.records() {
		if want := map[memory.ID]int{"a": 7, "b": 1}[r.ID]; r.Count.N != want || want > 0 && r.Used.Time.IsZero() {
			t.Errorf("%s has count %d, used %q; want %d", r.ID, r.Count.N, r.Used.Text, want)
		}
	}
	b.guards("after the reapply", "")
}

func TestALessonThatComesBackAgainAndAgainIsCounted(t *testing.T) {
	b := newBench(t, line("a", 0), line("b", 0))
	held := b.text()
	for n := 1; n <= 3; n++ {
		b.do(memory.Delete, "a")
		b.agent(held)
		b.guards("deleted anew", fmt.Sprintf("a came back %d", n))
	}
	b.do(memory.Delete, "a")
	b.do(memory.Undo)
	b.agent(line("b", 0))
	b.guards("after a change of mind", "a dropped 1")
}

// listing calls a function before the store is listed.
type listing struct {
	plainStore
	before func()
}

func (l listing) List(ctx context.Context, fn func(memory.Record) error) error {
	l.before()
	return l.plainStore.List(ctx, fn)
}

func TestADecisionToAcceptEndsWhatAnotherWinnowDoesAlways(t *testing.T) {
	for _, all := range []bool{false, true} {
		b := newBench(t, line("a", 0), line("b", 0))
		held := b.text()
		b.do(memory.Delete, "a")
		b.order(memory.Order{Do: memory.Trust, IDs: []memory.ID{"a"}, All: all})
		other := curate.Open(b.conf)
		accept := func() {
			p, err := other.Plan(t.Context(), memory.Order{Do: memory.Accept, IDs: []memory.ID{"a"}})
			if err == nil {
				_, err = other.Apply(t.Context(), p)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		// The other decides right before the first one, which has already compared the store, plans
		// and reapplies.
		looks := 0
		conf := b.conf
		conf.System = listing{conf.System.(plainStore), func() {
			if looks++; looks == 2 {
				accept()
			}
		}}
		first := curate.Open(conf)
		b.agent(held)
		for range 5 {
			if r, _, err := first.GuardReapply(t.Context(), b.records()); err != nil || r.Entry != "" {
				t.Fatalf("store-wide %v: done again: %+v, %v", all, r, err)
			}
			b.wants("theirs stands", held)
		}
		if looks < 2 {
			t.Fatal("the other never decided")
		}
	}
}

// TestAnAdditionThatNobodySavedIsDroppedAndNotEvicted adds a lesson to a full store while an agent
// is running that never loads it, and another lesson that an agent saves before it evicts it.
func TestAnAdditionThatNobodySavedIsDroppedAndNotEvicted(t *testing.T) {
	add := func(b *bench) memory.ID {
		title, body := "by hand", "keep it"
		return b.order(memory.Order{Do: memory.AddOne, Edit: memory.Edit{Title: &title, Body: &body}}).Changes[0].ID
	}
	b := newBench(t, full()...)
	a := agentOn(t, b.text())
	id := add(b)
	b.title(id, "by hand, and edited")
	learn(t, a, line("new", 3))
	b.agent(string(a.Save()))
	b.guards("the agent never had it", string(id)+" dropped 1")

	b = newBench(t, full()[1:]...)
	id = add(b)
	before := b.records()
	a = agentOn(t, b.text())
	learn(t, a, line("new", 3))
	b.agent(string(a.Save()))
	if err := b.Watched(t.Context(), before, b.records()); err != nil {
		t.Fatal(err)
	}
	b.guards("the agent has it", "")
	learn(t, a, line("more", 3))
	b.agent(string(a.Save()))
	b.guards("a rule explains it", string(id)+" evicted 1")
}
