package history

import (
	"slices"
	"time"

	"winnow/core/memory"
)

// An agent may hold any earlier form of a record, so all forms are kept that fit into
// maxForms bytes; of more, the first and at least the newest minForms. maxStates is how many
// states of the store are remembered in which a promise was undone.
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

// promise records what a change of the entry e makes of its record.
func (s *State) promise(e *Event, c *memory.Change) {
	if c.Sums {
		return // others recalled it: no other writer undoes that, the next sync adds it up again
	}
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

// note records that it was seen. It returns false for a state that is recorded already.
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

// Scrub is a text that a redaction took out of the store and of the history. It is
// known by a hash under a key that is not in the history, see [Keys].
type Scrub struct {
	Kind ScrubKind
	Len  int    // of the text in bytes
	Hint uint16 // a keyed hash of its first bytes, which tells where a full look is worth it
	Sum  string // the keyed hash of all of it, in hexadecimal digits
}

// ScrubKind says where a scrubbed text is looked for.
type ScrubKind string

// The kinds of scrubs.
const (
	ScrubText ScrubKind = "text" // wherever it stands
	ScrubWord ScrubKind = "word" // only where a rule finds just it: it is also a plain word
	ScrubForm ScrubKind = "form" // only as the whole of a stored form
)

// Redaction is a change that keeps no copy, and what it removed.
type Redaction struct {
	Entry memory.EntryID
	At    time.Time
	// Key names the key of the scrubs. It is empty for a change by a version without keys:
	// nobody knows whether that is undone.
	Key    string
	Scrubs []Scrub
	// Kept are the records that may hold what was taken out elsewhere: they held it
	// afterwards, or a person accepted that they do.
	Kept []memory.ID
	Seen []Sighting
}

// Sighting is a record in which a redacted text was seen again.
type Sighting struct {
	ID memory.ID
	Noted
}

// Sighted returns what is noted of a record, which is empty when that is nothing.
func (r *Redaction) Sighted(id memory.ID) Noted {
	for i := range r.Seen {
		if r.Seen[i].ID == id {
			return r.Seen[i].Noted
		}
	}
	return Noted{}
}

// Watches reports whether something of a record is asked for: a form of it, or that it
// does not hold what was redacted.
func (s *State) Watches(id memory.ID) bool {
	return s.Promises[id] != nil || slices.ContainsFunc(s.Redactions, func(r Redaction) bool { return r.Sighted(id).Times > 0 })
}

// redacted records what a change that keeps no copy removed.
func (s *State) redacted(e *Event) {
	if e.Final && (e.Key == "" || len(e.Scrubs) > 0) {
		s.Redactions = append(s.Redactions, Redaction{Entry: e.ID, At: e.At, Key: e.Key, Scrubs: e.Scrubs, Kept: e.Kept})
	}
}

// sighted notes that what a redaction took out was seen again in a record.
func (s *State) sighted(e *Event) {
	i := slices.IndexFunc(s.Redactions, func(r Redaction) bool { return r.Entry == e.ID })
	if i < 0 {
		return
	}
	r := &s.Redactions[i]
	at := slices.IndexFunc(r.Seen, func(in Sighting) bool { return in.ID == e.Record })
	if at < 0 {
		at = len(r.Seen)
		r.Seen = append(r.Seen, Sighting{ID: e.Record})
	}
	r.Seen[at].note(e)
}

// RedactionID is the name by which a person decides about a redaction as a whole.
func RedactionID(entry memory.EntryID) memory.ID { return memory.ID("redaction " + string(entry)) }

// accept records that a person accepts a record with redacted text in it, or that nothing
// is known about a whole redaction.
func (s *State) accept(id memory.ID) {
	s.Redactions = slices.DeleteFunc(s.Redactions, func(r Redaction) bool { return RedactionID(r.Entry) == id })
	for i := range s.Redactions {
		r := &s.Redactions[i]
		if was := len(r.Seen); was > 0 {
			r.Seen = slices.DeleteFunc(r.Seen, func(in Sighting) bool { return in.ID == id })
			if len(r.Seen) < was {
				r.Kept = append(r.Kept, id)
			}
		}
	}
}
