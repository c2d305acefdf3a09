package history

import (
	"slices"
	"time"

	"winnow/core/memory"
)

// An agent may hold any earlier form of a record, so all forms are kept if they fit into maxForms
// bytes; otherwise the first, and at least the newest minForms. maxStates is the number of states
// of the store to remember in which a promise was seen undone.
const (
	maxForms  = 256 << 10
	minForms  = 16
	maxStates = 32
)

// Promise is what a person made of one record and wants to stay that way.
type Promise struct {
	ID    memory.ID      `json:"id,omitempty"`
	Gone  bool           `json:"gone,omitempty"` // the record should stay deleted
	Forms memory.Forms   `json:"forms,omitempty"`
	Mine  string         `json:"mine,omitempty"` // the form that should be stored; empty if Gone
	Entry memory.EntryID `json:"entry,omitempty"`
	At    time.Time      `json:"at,omitzero"`
	// Line and Behind are the record's place; see memory.Change.
	Line   int       `json:"line,omitempty"`
	Behind memory.ID `json:"behind,omitempty"`
	// Twins is the number of records with the same content that stayed when this one was deleted.
	Twins int `json:"twins,omitempty"`
	// Pinned is set while a pin is the only reason to watch the record.
	Pinned bool `json:"pinned,omitempty"`
	// Unsaved is set for a record added here, until another writer is seen saving the store with
	// it.
	Unsaved bool `json:"unsaved,omitempty"`
	Noted
	// Ruled is the first state in which one of the agent's rules explained why the promise is
	// undone.
	Ruled string `json:"ruled,omitempty"`
	// Was are the forms before each change in an older history; they are only read.
	Was []string `json:"was,omitempty"`
}

// Noted says in which states of the store something was seen undone.
type Noted struct {
	Times  int       `json:"times,omitempty"`  // the number of states
	States []string  `json:"states,omitempty"` // the most recent ones
	Last   time.Time `json:"last,omitzero"`    // time of the most recent one
}

// addPromise records what a change of the entry e does to its record.
func (s *State) addPromise(e *Event, c *memory.Change) {
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
		p.Times = was.Times // the same is asked for again
	}
	p.Unsaved = c.Do == memory.Adding && e.Do == memory.AddOne
	if was != nil {
		p.Unsaved = was.Unsaved
	}
	if p.Unsaved {
		s.unsaved[c.ID] = true
	}
	s.Promises[c.ID] = p
}

// forms returns the changes that a promise keeps, plus one more.
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

// In reports whether a state of the store is already noted.
func (n *Noted) In(state string) bool { return slices.Contains(n.States, state) }

// note records a sighting. It returns false if its state is already noted.
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

// undone records that the promise was seen undone.
func (p *Promise) undone(e *Event) {
	if p.note(e) && e.How.ByRule() && p.Ruled == "" {
		p.Ruled = e.State
	}
}

// Scrub identifies a text that a redaction removed from the store and the history. It contains only
// hashes under a key that is not in the history; see [Keys].
type Scrub struct {
	Kind ScrubKind `json:"kind"`
	Len  int       `json:"len"`            // of the text in bytes
	Hint uint16    `json:"hint,omitempty"` // a keyed hash of its first bytes, to find candidates quickly
	Sum  string    `json:"sum"`            // the keyed hash of the whole text, in hexadecimal
}

// ScrubKind says where to search for a scrubbed text.
type ScrubKind string

// The kinds of scrubs.
const (
	ScrubText ScrubKind = "text" // anywhere
	ScrubWord ScrubKind = "word" // only where a rule matches exactly it, because it is also an ordinary word
	ScrubForm ScrubKind = "form" // only as a complete stored form
)

// Redaction is a change that keeps no copy, and what it removed.
type Redaction struct {
	Entry  memory.EntryID `json:"entry"`
	At     time.Time      `json:"at,omitzero"`
	Key    string         `json:"key"` // names the key of the scrubs
	Scrubs []Scrub        `json:"scrubs,omitempty"`
	// Kept are the records that may contain the removed text: they still contained it afterwards,
	// or a person accepted that they do.
	Kept []memory.ID `json:"kept,omitempty"`
	Seen []Sighting  `json:"seen,omitempty"`
}

// Sighting is a record in which a redacted text was seen again.
type Sighting struct {
	ID memory.ID `json:"id,omitempty"`
	Noted
}

// Sighted returns the sightings in a record; the zero Noted if there are none.
func (r *Redaction) Sighted(id memory.ID) Noted {
	for i := range r.Seen {
		if r.Seen[i].ID == id {
			return r.Seen[i].Noted
		}
	}
	return Noted{}
}

// Watches reports whether anything is expected of a record: a certain form, or that it does not
// contain what was redacted.
func (s *State) Watches(id memory.ID) bool {
	return s.Promises[id] != nil ||
		slices.ContainsFunc(s.Redactions, func(r Redaction) bool { return r.Sighted(id).Times > 0 })
}

// redacted records what a change that keeps no copy removed.
func (s *State) redacted(e *Event) {
	if e.Final && len(e.Scrubs) > 0 {
		s.Redactions = append(
			s.Redactions,
			Redaction{Entry: e.ID, At: e.At, Key: e.Key, Scrubs: e.Scrubs, Kept: e.Kept},
		)
	}
}

// recordSighting records that a redacted text was seen in a record again.
func (s *State) recordSighting(e *Event) {
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

// RedactionID is the ID under which a person decides about a redaction as a whole.
func RedactionID(entry memory.EntryID) memory.ID { return memory.ID("redaction " + string(entry)) }

// accept records that a person accepts redacted text in a record, or accepts that nothing is known
// about a whole redaction.
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
