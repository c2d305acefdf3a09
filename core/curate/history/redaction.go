package history

import (
	"slices"
	"time"

	"winnow/core/memory"
)

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

// Redaction is a change of which no copy is kept, and what it took out.
type Redaction struct {
	Entry memory.EntryID
	At    time.Time
	// Key names the key of the scrubs. It is empty for a change by a version that kept
	// none: whether that is undone cannot be told.
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

// redacted takes in what a change of which no copy is kept took out.
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

// kept takes in that a person accepted what was redacted in a record, or that nothing
// can be told of a whole redaction.
func (s *State) kept(id memory.ID) {
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

func (r *Redaction) members(c *codec) {
	word(c, "entry", &r.Entry)
	c.time("at", &r.At)
	scrubs(c, &r.Key, &r.Scrubs, &r.Kept)
	list(c, "seen", &r.Seen, func(i int) {
		text(c, "id", &r.Seen[i].ID)
		r.Seen[i].Noted.members(c)
	})
}

// scrubs handles the members that an event and a redaction have in common.
func scrubs(c *codec, key *string, all *[]Scrub, kept *[]memory.ID) {
	word(c, "key", key)
	list(c, "scrubs", all, func(i int) {
		s := &(*all)[i]
		word(c, "kind", &s.Kind)
		integer(c, "len", &s.Len)
		integer(c, "hint", &s.Hint)
		word(c, "sum", &s.Sum)
	})
	texts(c, "kept", kept)
}
