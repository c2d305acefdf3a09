package history

import (
	"slices"
	"time"

	"winnow/core/memory"
)

// maxForms is how many earlier forms of a record are told from what a person made
// of it, maxStates how many states of the store are told apart in which that was
// seen undone.
const (
	maxForms  = 16
	maxStates = 32
)

// Promise is what a person made of one record, and what is to stay so.
type Promise struct {
	ID    memory.ID
	Gone  bool     // the record is to stay away
	Was   []string // its earlier forms, oldest first
	Mine  string   // the form that is to stand; empty when Gone
	Entry memory.EntryID
	At    time.Time
	// Line and Behind are where the record stood; see memory.Change.
	Line   int
	Behind memory.ID
	// Twins is how many records that say the same stayed when this one was deleted.
	Twins int
	// Pinned is set while nothing but a pin asks for the record.
	Pinned bool
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
		s.Pins[c.ID] = true
		if was != nil {
			return
		}
		p.Mine, p.Pinned = c.Before, true
	case memory.Unpinning:
		delete(s.Pins, c.ID)
		if was != nil && was.Pinned {
			delete(s.Promises, c.ID)
		}
		return
	case memory.Deleting:
		p.Gone, p.Twins = true, c.Twins
		p.Was = forms(was, c.Before, "")
	case memory.Editing:
		p.Was = forms(was, c.Before, c.After)
	case memory.Adding:
		p.Was = forms(was, "", c.After)
	}
	if was != nil && was.Gone == p.Gone && e.Undoes == "" {
		p.Times = was.Times // it is asked for anew
	}
	s.Promises[c.ID] = p
}

// forms returns the earlier forms of a record: those of the promise before, what
// that asked for, and before, each once and without now.
func forms(p *Promise, before, now string) []string {
	var all []string
	if p != nil {
		all = append(slices.Clone(p.Was), p.Mine)
	}
	all = append(all, before)
	var was []string
	for _, form := range slices.Backward(all) {
		if form != "" && form != now && !slices.Contains(was, form) && len(was) < maxForms {
			was = append(was, form)
		}
	}
	slices.Reverse(was)
	return was
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
