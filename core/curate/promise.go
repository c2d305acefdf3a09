package curate

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

// promise is what a person made of one record and wants to stay that way.
type promise struct {
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
	noted
	// Ruled is the first state in which one of the agent's rules explained why the promise is
	// undone.
	Ruled string `json:"ruled,omitempty"`
	// Was are the forms before each change in an older history; they are only read.
	Was []string `json:"was,omitempty"`
}

// noted says in which states of the store something was seen undone.
type noted struct {
	Times  int       `json:"times,omitempty"`  // the number of states
	States []string  `json:"states,omitempty"` // the most recent ones
	Last   time.Time `json:"last,omitzero"`    // time of the most recent one
}

// addPromise records what a change of the entry e does to its record.
func (s *historyState) addPromise(e *event, c *memory.Change) {
	was := s.Promises[c.ID]
	p := &promise{ID: c.ID, Mine: c.After, Entry: e.ID, At: e.At, Line: c.Line, Behind: c.Behind}
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
		p.Forms = keptForms(was, memory.FormChange{Before: c.Before, After: c.After})
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

// keptForms returns the changes that a promise keeps, plus one more.
func keptForms(was *promise, c memory.FormChange) memory.Forms {
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

// in reports whether a state of the store is already noted.
func (n *noted) in(state string) bool { return slices.Contains(n.States, state) }

// note records a sighting. It returns false if its state is already noted.
func (n *noted) note(e *event) bool {
	if n.in(e.State) {
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
func (p *promise) undone(e *event) {
	if p.note(e) && e.How.ByRule() && p.Ruled == "" {
		p.Ruled = e.State
	}
}

// scrub identifies a text that a redaction removed from the store and the history. It contains only
// hashes under a key that is not in the history; see [hashKeys].
type scrub struct {
	Kind scrubKind `json:"kind"`
	Len  int       `json:"len"`            // of the text in bytes
	Hint uint16    `json:"hint,omitempty"` // a keyed hash of its first bytes, to find candidates quickly
	Sum  string    `json:"sum"`            // the keyed hash of the whole text, in hexadecimal
}

// scrubKind says where to search for a scrubbed text.
type scrubKind string

// The kinds of scrubs.
const (
	scrubText scrubKind = "text" // anywhere
	scrubWord scrubKind = "word" // only where a rule matches exactly it, because it is also an ordinary word
	scrubForm scrubKind = "form" // only as a complete stored form
)

// redaction is a change that keeps no copy, and what it removed.
type redaction struct {
	Entry  memory.EntryID `json:"entry"`
	At     time.Time      `json:"at,omitzero"`
	Key    string         `json:"key"` // names the key of the scrubs
	Scrubs []scrub        `json:"scrubs,omitempty"`
	// Kept are the records that may contain the removed text: they still contained it afterwards,
	// or a person accepted that they do.
	Kept []memory.ID `json:"kept,omitempty"`
	Seen []sighting  `json:"seen,omitempty"`
}

// sighting is a record in which a redacted text was seen again.
type sighting struct {
	ID memory.ID `json:"id,omitempty"`
	noted
}

// sighted returns the sightings in a record; the zero value if there are none.
func (r *redaction) sighted(id memory.ID) noted {
	for i := range r.Seen {
		if r.Seen[i].ID == id {
			return r.Seen[i].noted
		}
	}
	return noted{}
}

// watches reports whether anything is expected of a record: a certain form, or that it does not
// contain what was redacted.
func (s *historyState) watches(id memory.ID) bool {
	return s.Promises[id] != nil ||
		slices.ContainsFunc(s.Redactions, func(r redaction) bool { return r.sighted(id).Times > 0 })
}

// redacted records what a change that keeps no copy removed.
func (s *historyState) redacted(e *event) {
	if e.Final && len(e.Scrubs) > 0 {
		s.Redactions = append(
			s.Redactions,
			redaction{Entry: e.ID, At: e.At, Key: e.Key, Scrubs: e.Scrubs, Kept: e.Kept},
		)
	}
}

// recordSighting records that a redacted text was seen in a record again.
func (s *historyState) recordSighting(e *event) {
	i := slices.IndexFunc(s.Redactions, func(r redaction) bool { return r.Entry == e.ID })
	if i < 0 {
		return
	}
	r := &s.Redactions[i]
	at := slices.IndexFunc(r.Seen, func(in sighting) bool { return in.ID == e.Record })
	if at < 0 {
		at = len(r.Seen)
		r.Seen = append(r.Seen, sighting{ID: e.Record})
	}
	r.Seen[at].note(e)
}

// redactionID is the ID under which a person decides about a redaction as a whole.
func redactionID(entry memory.EntryID) memory.ID { return memory.ID("redaction " + string(entry)) }

// accept records that a person accepts redacted text in a record, or accepts that nothing is known
// about a whole redaction.
func (s *historyState) accept(id memory.ID) {
	s.Redactions = slices.DeleteFunc(s.Redactions, func(r redaction) bool { return redactionID(r.Entry) == id })
	for i := range s.Redactions {
		r := &s.Redactions[i]
		if was := len(r.Seen); was > 0 {
			r.Seen = slices.DeleteFunc(r.Seen, func(in sighting) bool { return in.ID == id })
			if len(r.Seen) < was {
				r.Kept = append(r.Kept, id)
			}
		}
	}
}
