package history

import (
	"slices"
	"time"

	"winnow/core/memory"
)

// An agent may hold any earlier form of a record, so all are kept of which the bytes
// fit into maxForms; beyond that the first one, and at least the newest minForms. maxStates
// is how many states of the store are told apart in which a promise was seen undone.
const (
	maxForms  = 256 << 10
	minForms  = 16
	maxStates = 32
)

// Promise is what a person made of one record, and what is to stay so.
type Promise struct {
	ID    memory.ID
	Gone  bool // the record is to stay away
	Forms memory.Forms
	Mine  string // the form that is to stand; empty when Gone
	Entry memory.EntryID
	At    time.Time
	// Line and Behind are where the record stood; see memory.Change.
	Line   int
	Behind memory.ID
	// Twins is how many records that say the same stayed when this one was deleted.
	Twins int
	// Pinned is set while nothing but a pin asks for the record.
	Pinned bool
	// Unsaved is set of a record that was added here, while no other writer was seen to
	// save the store with it.
	Unsaved bool
	Noted
	// Ruled is the first state in which a rule of the agent explained that it was undone.
	Ruled string
}

// Noted is in which states of the store something was seen undone.
type Noted struct {
	Times  int       // in how many states
	States []string  // the last of them
	Last   time.Time // when the last was noted
}

// promise takes in what a change of the entry e makes of its record.
func (s *State) promise(e *Event, c *memory.Change) {
	was := s.Promises[c.ID]
	p := &Promise{ID: c.ID, Mine: c.After, Entry: e.ID, At: e.At, Line: c.Line, Behind: c.Behind}
	switch c.Do {
	case memory.Pinning:
		s.Pins[c.ID], s.pinsAt = true, 0
		if was != nil {
			return
		}
		p.Mine, p.Pinned = c.Before, true
	case memory.Unpinning:
		delete(s.Pins, c.ID)
		s.pinsAt = 0
		if was != nil && was.Pinned {
			delete(s.Promises, c.ID)
		}
		return
	case memory.Deleting:
		p.Gone, p.Twins = true, c.Twins
	}
	if c.Do <= memory.Adding {
		p.Forms = forms(was, memory.FormChange{Before: c.Before, After: c.After})
	}
	if was != nil && was.Gone == p.Gone && e.Undoes == "" {
		p.Times = was.Times // it is asked for anew
	}
	p.Unsaved = was != nil && was.Unsaved || was == nil && c.Do == memory.Adding && e.Do == memory.AddOne
	if p.Unsaved {
		s.unsaved[c.ID] = true
	}
	s.Promises[c.ID] = p
}

// forms returns the changes that a promise keeps, and one more.
func forms(was *Promise, c memory.FormChange) memory.Forms {
	if was == nil {
		return memory.Forms{c}
	}
	all := was.Forms.With(c)
	size := 0
	for _, f := range all {
		size += len(f.Before) + len(f.After)
	}
	for len(all) > minForms && size > maxForms {
		size -= len(all[1].Before) + len(all[1].After)
		all = slices.Delete(all, 1, 2)
	}
	return all
}

// In reports whether that state of the store is noted.
func (n *Noted) In(state string) bool { return slices.Contains(n.States, state) }

// note takes in that it was seen. It is false for a state that is noted already.
func (n *Noted) note(e *Event) bool {
	if n.In(e.State) {
		return false
	}
	n.Times++
	n.Last = e.At
	n.States = append(n.States, e.State)
	if over := len(n.States) - maxStates; over > 0 {
		n.States = slices.Delete(n.States, 0, over)
	}
	return true
}

// undone notes that the promise was seen undone.
func (p *Promise) undone(e *Event) {
	if p.note(e) && e.How.ByRule() && p.Ruled == "" {
		p.Ruled = e.State
	}
}
