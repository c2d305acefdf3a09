package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"winnow/core/memory"
)

// TestCampaignUnequalAgentsLowerNoCount has two agents that loaded a store at different
// times count on from their own copies, while a person edits, undoes, and does again what
// the agents revert. Nothing that the person does lowers a count or a date of use, and
// what is done again is as high as the person last left it.
func TestCampaignUnequalAgentsLowerNoCount(t *testing.T) {
	rounds := share(t, 2000)
	t.Setenv("XDG_STATE_HOME", "")
	s := &unequal{
		t:      t,
		random: rand.New(rand.NewPCG(*seed, 9)),
		left:   map[memory.ID]storedLine{},
		acts:   map[memory.Act]int{},
	}
	for round := range rounds {
		if round%50 == 0 {
			s.begin()
		}
		s.agents()
		s.person(round)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	t.Logf("%d rounds: %v, %d conflicts", rounds, s.acts, s.conflicts)
	if s.acts[memory.Reapply] == 0 || s.acts[memory.EditOne] == 0 {
		t.Error("nothing was done again")
	}
}

// unequal is two agents and a person on one store.
type unequal struct {
	t         *testing.T
	random    *rand.Rand
	path      string
	winnow    *driver
	agent     [2]*agent
	left      map[memory.ID]storedLine // as a change of the person last left the lessons
	acts      map[memory.Act]int
	conflicts int
}

func (s *unequal) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// begin lays a new store, and has both agents load it.
func (s *unequal) begin() {
	g, err := newSandbox(s.t.TempDir())
	s.must(err)
	s.t.Setenv("HOME", g.home)
	path, text := g.store, ""
	for i := range 4 {
		text += lessonLine(fmt.Sprintf("base-%d", i), fmt.Sprintf("Repair the build of part %d", i), i+1)
	}
	s.path = path
	s.must(os.WriteFile(path, []byte(text), 0o600))
	s.winnow, err = newDriver(path, "nobody")
	s.must(err)
	clear(s.left)
	for i := range s.agent {
		s.agent[i] = &agent{path: path}
		s.must(s.agent[i].load())
	}
}

// agents has each agent perhaps load anew, perhaps recall, and perhaps save.
func (s *unequal) agents() {
	for i, a := range s.agent {
		if s.random.IntN(12) == 0 {
			s.must(a.load())
		}
		for range s.random.IntN(3 * (i + 1)) { // the second recalls more
			_, err := a.recall(fmt.Sprintf("repair the build of part %d", s.random.IntN(4)))
			s.must(err)
		}
		if s.random.IntN(3) == 0 {
			s.must(a.save())
		}
	}
}

// person makes one change, and holds the counts after it to those before.
func (s *unequal) person(round int) {
	id := memory.ID(fmt.Sprintf("base-%d", s.random.IntN(4)))
	title := fmt.Sprintf("Repair the build of part %d", round)
	o := [...]memory.Order{
		{Do: memory.EditOne, IDs: []memory.ID{id}, Edit: memory.Edit{Title: &title}},
		{Do: memory.Delete, IDs: []memory.ID{id}},
		{Do: memory.Undo}, {Do: memory.Redo},
		{Do: memory.Reapply, All: true}, {Do: memory.Reapply, All: true}, {Do: memory.Reapply, All: true},
	}[s.random.IntN(7)]
	before := s.lines()
	ctx := context.Background()
	_, err := s.winnow.lib.Guard(ctx, s.winnow.store)
	s.must(err)
	p, err := s.winnow.lib.Plan(ctx, s.winnow.store, o)
	if errors.Is(err, memory.ErrNothing) || errors.Is(err, memory.ErrNotFound) {
		return
	}
	s.must(err)
	r, err := s.winnow.lib.Apply(ctx, p)
	if errors.Is(err, memory.ErrConflict) {
		s.conflicts++
		return
	}
	s.must(err)
	if r.Entry != "" {
		s.acts[o.Do]++
	}
	after := s.lines()
	for i := range p.Changes {
		s.holds(o.Do, before, after, p.Changes[i].ID)
	}
	for id, is := range after {
		if is.Count < before[id].Count || is.Used < before[id].Used {
			s.t.Errorf("%s of another lesson lowered %+v to %+v", o.Do, before[id], is)
		}
	}
}

// holds compares a lesson that was changed with how it was left before.
func (s *unequal) holds(do memory.Act, before, after map[memory.ID]storedLine, id memory.ID) {
	is, there := after[id]
	stands, stood := before[id]
	if !there {
		return
	}
	was := stands
	if left := s.left[id]; do == memory.Reapply && stood {
		was.Count, was.Used = max(was.Count, left.Count), max(was.Used, left.Used)
	}
	if is.Count < was.Count || is.Used < was.Used {
		s.t.Errorf("%s lowered %+v to %+v", do, was, is)
	}
	if is != stands {
		s.left[id] = is
	}
}

// lines returns what the store says now.
func (s *unequal) lines() map[memory.ID]storedLine {
	raw, err := os.ReadFile(s.path)
	s.must(err)
	if len(raw) == 0 {
		return nil
	}
	all, err := stored(raw, nil)
	s.must(err)
	says := map[memory.ID]storedLine{}
	for id, line := range all {
		says[id] = parsed(line)
	}
	return says
}
