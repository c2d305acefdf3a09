// Package history keeps what was done to one store: an append-only file of checksummed lines, and
// the state computed from it. The state says what can be undone, what is pinned, what a person
// changed in each record, and whether a change is unfinished.
//
// Torn or damaged lines are skipped and counted; they never hide their neighbours. All appends
// happen under the lock of the folder.
package history

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"time"

	"winnow/core/memory"
)

// Format is the version of the lines. Format 2 also records what a redaction removed. Format 1 is
// still read, and is rewritten as 2 before anything is appended.
const Format = 2

// Kind says what an event means.
type Kind string

// The kinds of events.
const (
	Header  Kind = "header"  // the first line: version, and the store for people to read
	Begin   Kind = "begin"   // a change is about to be made; another one with the same number replaces it
	Done    Kind = "done"    // the change was made
	Aborted Kind = "aborted" // the change was not made; Temp names a temporary file that it left
	Did     Kind = "did"     // a change of pins, complete in this one event
	Others  Kind = "others"  // another writer changed records
	Undone  Kind = "undone"  // another writer was seen undoing a change
	Decided Kind = "decision"
	Sum     Kind = "sum"  // the state, replacing everything dropped before it
	Mark    Kind = "mark" // no change is pending; see mark.go
)

// Event is one line of the history. Which fields are set depends on the kind.
type Event struct {
	Kind   Kind
	Format int
	Store  memory.StoreID

	ID      memory.EntryID // for Done, Aborted and Undone: the entry concerned
	At      time.Time
	Who     memory.Who
	Do      memory.Act
	What    string
	Final   bool
	Omitted int
	Undoes  memory.EntryID
	Redoes  memory.EntryID
	Temp    string // base name of the file beside the store; see system.Staged
	// Changes have no decoded records. Those of a final change have the redacted text as Before.
	Changes []memory.Change
	// Key names the key of Scrubs, the texts that a final change removed. Kept are the records that
	// still contain some of them.
	Key     string
	Scrubs  []Scrub
	Kept    []memory.ID
	Splices *memory.Splices
	Decided map[memory.ID]memory.Decision

	Record memory.ID         // for Undone
	How    memory.UndoneKind // for Undone
	State  string            // for Undone: digest of the state of the store

	Sum *Summary

	Pins   []memory.ID // for Mark: all pinned records, unless PinsAt is set
	PinsAt int64       // for Mark: the offset of another one that lists them; only read, never written
}

// Encode returns the line of an event, with its line end.
func Encode(e Event) []byte {
	b := written(make([]byte, 9, 512), reflect.ValueOf(lineOf(&e)).Elem())
	copy(b, checksum(b[9:]))
	b[8] = ' '
	return append(b, '\n')
}

// Decode reads a line without its line end. It returns false for a damaged line. With brief it
// skips the splices.
func Decode(text []byte, brief bool) (e Event, ok bool) {
	if len(text) < 9 || text[8] != ' ' || !bytes.Equal(text[:8], checksum(text[9:])) {
		return Event{}, false
	}
	c, l := codec{brief: brief}, &line{}
	c.read(reflect.ValueOf(l).Elem(), string(text[9:]))
	return l.event(), !c.bad && (l.Kind != Sum || l.Sum != nil)
}

// checksum returns the CRC-32C of b in eight hexadecimal digits.
func checksum(b []byte) []byte {
	return fmt.Appendf(nil, "%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// line is an event as it is written. Maps become lists.
type line struct {
	Event
	Decided []decision
	Sum     *sumLine
}

type sumLine struct {
	Summary
	Promises []promiseLine
	Decided  []decision
}

// promiseLine is a promise as it is written. Was lists the form before each change. Made lists the
// form after each change, and is left out if each of these is the form before the next change.
type promiseLine struct {
	Promise
	Was, Made []string
}

type decision struct {
	ID   memory.ID
	What memory.Decision
}

// lineOf returns an event as it is written.
func lineOf(e *Event) *line {
	l := &line{Event: *e, Decided: decisions(e.Decided)}
	if s := e.Sum; s != nil {
		l.Sum = &sumLine{Summary: *s, Decided: decisions(s.Decided), Promises: make([]promiseLine, len(s.Promises))}
		for i, p := range s.Promises {
			w := promiseLine{Promise: p}
			var made []string
			for _, f := range p.Forms {
				w.Was, made = append(w.Was, f.Before), append(made, f.After)
			}
			if !slices.Equal(p.Forms, w.forms()) {
				w.Made = made
			}
			l.Sum.Promises[i] = w
		}
	}
	return l
}

// event returns the event of a line.
func (l *line) event() Event {
	e := l.Event
	if len(l.Decided) > 0 {
		e.Decided = byID(l.Decided)
	}
	if l.Sum != nil {
		s := l.Sum.Summary
		s.Decided, s.Promises = byID(l.Sum.Decided), nil
		for _, w := range l.Sum.Promises {
			w.Forms = w.forms()
			s.Promises = append(s.Promises, w.Promise)
		}
		e.Sum = &s
	}
	return e
}

// forms returns the changes of a promise. Without Made, the form after a change is the one before
// the next.
func (w *promiseLine) forms() (all memory.Forms) {
	for i, before := range w.Was {
		f := memory.FormChange{Before: before, After: w.Mine}
		if i < len(w.Made) {
			f.After = w.Made[i]
		} else if i+1 < len(w.Was) {
			f.After = w.Was[i+1]
		}
		all = append(all, f)
	}
	return all
}

// decisions returns decisions sorted by id.
func decisions(d map[memory.ID]memory.Decision) (all []decision) {
	for _, id := range sorted(d) {
		all = append(all, decision{id, d[id]})
	}
	return all
}

func byID(all []decision) map[memory.ID]memory.Decision {
	d := map[memory.ID]memory.Decision{}
	for _, one := range all {
		d[one.ID] = one.What
	}
	return d
}

// Scrub cleans the event's texts, and reports whether that changed it. A changed event has no
// splices.
func (e *Event) Scrub(clean func(string) string) (changed bool) {
	l := lineOf(e)
	cleanTexts(reflect.ValueOf(l), func(was string) string {
		is := clean(was)
		changed = changed || is != was
		return is
	})
	if *e = l.event(); changed {
		e.Splices = nil
	}
	return changed
}
