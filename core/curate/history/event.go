// Package history keeps what was done to one store: an append-only file of
// checksummed lines, and the state folded from it. That state is what can be
// undone, what is pinned, what a person made of which record, and whether a change
// is unfinished.
//
// A line that is torn or damaged is passed over and counted; it never hides its
// neighbours. All appends happen under the lock of the folder.
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

// Format is the version of the lines. Format 2 knows what a redaction took out; 1 is
// read, and written anew as 2 before anything is appended.
const Format = 2

// Kind is what an event says.
type Kind string

// The kinds of events.
const (
	Header  Kind = "header"  // the first line: version, and the store for people
	Begin   Kind = "begin"   // a change is about to be made; a second one with its number replaces it
	Done    Kind = "done"    // it was made
	Aborted Kind = "aborted" // it was not; with Temp it left a temporary file
	Did     Kind = "did"     // a change of pins, complete in itself
	Others  Kind = "others"  // another writer changed records
	Undone  Kind = "undone"  // another writer was seen to have undone a change
	Decided Kind = "decision"
	Sum     Kind = "sum"  // the state in place of what was dropped before
	Mark    Kind = "mark" // nothing is pending; see mark.go
)

// Event is one line of the history. Which fields are set depends on the kind.
type Event struct {
	Kind   Kind
	Format int
	Store  memory.StoreID

	ID      memory.EntryID // of a Done, Aborted and Undone: the entry meant
	At      time.Time
	Who     memory.Who
	Do      memory.Act
	What    string
	Final   bool
	Omitted int
	Undoes  memory.EntryID
	Redoes  memory.EntryID
	Temp    string // base name of the file beside the store; see system.Staged
	// Changes have no decoded records. Those of a final change have the redacted text
	// as Before.
	Changes []memory.Change
	// Key names the key of Scrubs, which are what a final change took out.
	// Kept are the records that hold some of that still.
	Key     string
	Scrubs  []Scrub
	Kept    []memory.ID
	Splices *memory.Splices
	Decided map[memory.ID]memory.Decision

	Record memory.ID         // of an Undone
	How    memory.UndoneKind // of an Undone
	State  string            // of an Undone: digest of the state of the store

	Sum *Summary

	Pins   []memory.ID // of a Mark: all that are pinned, unless PinsAt is set
	PinsAt int64       // of a Mark: the offset of another one that lists them; read only
}

// Encode returns the line of an event, with its line end.
func Encode(e Event) []byte {
	b := written(make([]byte, 9, 512), reflect.ValueOf(lineOf(&e)).Elem())
	copy(b, checksum(b[9:]))
	b[8] = ' '
	return append(b, '\n')
}

// Decode reads a line, without its line end. It is false for a damaged one. With
// brief the splices are skipped.
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

// line is an event as it is written: what no field holds as its members do is in lists.
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

// promiseLine is a promise as it is written. Of its forms it has what each change began
// from, and what each made unless that is what the next one began from.
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

// event returns what a line says.
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

// forms returns the changes of a promise. Where Made does not say otherwise, each made what
// the next one began from.
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

// decisions returns decisions in the order of their ids.
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

// Scrub cleans one event, and reports whether that changed it. It then has no splices.
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
