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
	"hash/crc32"
	"strconv"
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
	Mark    Kind = "mark" // nothing is pending; see State.marked
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
	// Digests are hashes of the stored forms that are not in Changes as they were, one
	// for each change: under the key Key, and hex SHA-256 without one.
	Digests []string
	// Key names the key of Digests and Scrubs, which are what a final change took out.
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
	PinsAt int64       // of a Mark: the offset of the one that lists them
}

// Encode returns the line of an event, with its line end.
func Encode(e Event) []byte {
	w := writer{b: make([]byte, 9, 512)}
	w.event(&e)
	copy(w.b, checksum(w.b[9:]))
	w.b[8] = ' '
	return append(w.b, '\n')
}

// Decode reads a line, without its line end. It is false for a damaged one. With
// brief the bytes of the splices are passed over.
func Decode(line []byte, brief bool) (Event, bool) {
	if len(line) < 9 || line[8] != ' ' || !bytes.Equal(line[:8], checksum(line[9:])) {
		return Event{}, false
	}
	r := reader{b: line[9:]}
	e := r.event(brief)
	return e, !r.bad && r.i == len(r.b)
}

// checksum returns the CRC-32C of b in eight hexadecimal digits.
func checksum(b []byte) []byte {
	sum := crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
	out := make([]byte, 0, 16)
	out = append(out, "00000000"...)
	digits := strconv.AppendUint(nil, uint64(sum), 16)
	copy(out[8-len(digits):], digits)
	return out
}

func (w *writer) event(e *Event) {
	w.b = append(w.b, '{')
	w.text("kind", string(e.Kind))
	w.number("format", int64(e.Format))
	w.text("store", string(e.Store))
	w.text("id", string(e.ID))
	w.time("at", e.At)
	w.text("who", string(e.Who))
	w.text("act", string(e.Do))
	w.text("what", e.What)
	w.yes("final", e.Final)
	w.number("omitted", int64(e.Omitted))
	w.text("undoes", string(e.Undoes))
	w.text("redoes", string(e.Redoes))
	w.text("temp", e.Temp)
	if len(e.Changes) > 0 {
		w.key("changes")
		w.changes(e.Changes, e.Digests)
	}
	w.scrubs(e.Key, e.Scrubs, e.Kept)
	w.decisions(e.Decided)
	w.text("record", string(e.Record))
	w.number("how", int64(e.How))
	w.text("state", e.State)
	if len(e.Pins) > 0 {
		w.key("pins")
		texts(w, e.Pins)
	}
	w.number("pins_at", e.PinsAt)
	if e.Sum != nil {
		w.key("sum")
		w.summary(e.Sum)
	}
	if e.Splices != nil {
		w.key("splices")
		w.splices(e.Splices)
	}
	w.b = append(w.b, '}')
}

// time writes a time, and the nearest that can be read again for one that no calendar
// of four digits has: a clock may be wrong.
func (w *writer) time(k string, t time.Time) {
	switch t = t.UTC(); {
	case t.Year() > 9999:
		t = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	case t.Year() < 0:
		t = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if !t.IsZero() {
		w.text(k, t.Format(time.RFC3339Nano))
	}
}

func (w *writer) changes(changes []memory.Change, digests []string) {
	w.b = append(w.b, '[')
	for i := range changes {
		c := &changes[i]
		w.item()
		w.b = append(w.b, '{')
		w.text("do", c.Do.String())
		w.text("id", string(c.ID))
		w.text("before", c.Before)
		w.text("after", c.After)
		w.number("line", int64(c.Line))
		w.text("behind", string(c.Behind))
		w.text("why", c.Why)
		w.number("twins", int64(c.Twins))
		w.spot(c.Spot)
		if i < len(digests) {
			w.text("was", digests[i])
		}
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, ']')
}

func (w *writer) spot(s *memory.Spot) {
	if s == nil {
		return
	}
	w.key("spot")
	w.b = append(w.b, '{')
	w.text("above", s.Above)
	w.number("blank", int64(s.Blank))
	w.number("under", int64(s.Under))
	w.number("beside", int64(s.Beside))
	w.number("alike", int64(s.Alike))
	w.number("mode", int64(s.Mode))
	w.time("date", s.Date)
	w.b = append(w.b, '}')
}

func (w *writer) decisions(d map[memory.ID]memory.Decision) {
	if len(d) == 0 {
		return
	}
	w.key("decided")
	w.b = append(w.b, '[')
	for _, id := range sorted(d) {
		w.item()
		w.b = append(w.b, '{')
		w.text("id", string(id))
		w.text("decision", string(d[id]))
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, ']')
}

func (w *writer) splices(s *memory.Splices) {
	w.b = append(w.b, '{')
	w.text("from", s.From)
	w.text("to", s.To)
	if s.Parts != nil {
		w.key("parts")
		w.b = append(w.b, '[')
		for _, p := range s.Parts {
			w.item()
			w.b = append(w.b, '{')
			w.number("at", p.At)
			w.text("old", p.Old)
			w.text("new", p.New)
			w.b = append(w.b, '}')
		}
		w.b = append(w.b, ']')
	}
	w.b = append(w.b, '}')
}
