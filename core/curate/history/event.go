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
	Mark    Kind = "mark" // nothing is pending; see State.withMark
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
	c := codec{b: make([]byte, 9, 512)}
	c.object(0, func(int) { e.members(&c) })
	copy(c.b, checksum(c.b[9:]))
	c.b[8] = ' '
	return append(c.b, '\n')
}

// Decode reads a line, without its line end. It is false for a damaged one. With
// brief the splices are skipped.
func Decode(line []byte, brief bool) (e Event, ok bool) {
	if len(line) < 9 || line[8] != ' ' || !bytes.Equal(line[:8], checksum(line[9:])) {
		return Event{}, false
	}
	c := codec{value: string(line[9:]), reading: true, brief: brief}
	c.object(0, func(int) { e.members(&c) })
	return e, !c.bad
}

// checksum returns the CRC-32C of b in eight hexadecimal digits.
func checksum(b []byte) []byte {
	return fmt.Appendf(nil, "%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// members lists what a line has, in this order. A name once given keeps its meaning.
func (e *Event) members(c *codec) {
	word(c, "kind", &e.Kind)
	integer(c, "format", &e.Format)
	word(c, "store", &e.Store)
	word(c, "id", &e.ID)
	c.time("at", &e.At)
	word(c, "who", &e.Who)
	word(c, "act", &e.Do)
	text(c, "what", &e.What)
	c.yes("final", &e.Final)
	integer(c, "omitted", &e.Omitted)
	word(c, "undoes", &e.Undoes)
	word(c, "redoes", &e.Redoes)
	word(c, "temp", &e.Temp)
	e.changeMembers(c)
	scrubs(c, &e.Key, &e.Scrubs, &e.Kept)
	c.decisions(&e.Decided)
	text(c, "record", &e.Record)
	integer(c, "how", &e.How)
	word(c, "state", &e.State)
	texts(c, "pins", &e.Pins)
	integer(c, "pins_at", &e.PinsAt)
	if c.member("sum", e.Sum != nil) {
		if c.reading {
			e.Sum = &Summary{Decided: map[memory.ID]memory.Decision{}}
		}
		e.Sum.members(c)
	}
	if !c.brief && c.member("splices", e.Splices != nil) {
		if c.reading {
			e.Splices = new(memory.Splices)
		}
		spliceMembers(c, e.Splices)
	}
}

func (e *Event) changeMembers(c *codec) {
	if c.reading && c.key != "changes" {
		return
	}
	digests := make([]string, max(len(e.Changes), len(e.Digests)))
	copy(digests, e.Digests)
	list(c, "changes", &e.Changes, func(i int) {
		ch := &e.Changes[i]
		for len(digests) <= i {
			digests = append(digests, "")
		}
		kindMember(c, &ch.Do)
		text(c, "id", &ch.ID)
		text(c, "before", &ch.Before)
		text(c, "after", &ch.After)
		integer(c, "line", &ch.Line)
		text(c, "behind", &ch.Behind)
		text(c, "why", &ch.Why)
		integer(c, "twins", &ch.Twins)
		spotMember(c, &ch.Position)
		if word(c, "was", &digests[i]); c.reading && digests[i] != "" {
			e.Digests = digests
		}
	})
	if c.reading && e.Digests != nil {
		e.Digests = digests
	}
}

// kindMember handles the kind of a change, which is written as a word.
func kindMember(c *codec, kind *memory.ChangeKind) {
	name := kind.String()
	word(c, "do", &name)
	for *kind = memory.Deleting; kind.String() != name && !c.bad; *kind++ {
		c.bad = *kind == memory.Unpinning
	}
}

func spotMember(c *codec, spot **memory.Position) {
	if c.clean != nil || !c.member("spot", *spot != nil) {
		return
	}
	if c.reading {
		*spot = new(memory.Position)
	}
	s := *spot
	c.object(0, func(int) {
		word(c, "above", &s.Above)
		integer(c, "blank", &s.Blank)
		integer(c, "under", &s.Under)
		integer(c, "beside", &s.Beside)
		integer(c, "alike", &s.Alike)
		integer(c, "mode", &s.Mode)
		c.time("date", &s.Date)
	})
}

func spliceMembers(c *codec, s *memory.Splices) {
	c.object(0, func(int) {
		word(c, "from", &s.From)
		word(c, "to", &s.To)
		if !c.member("parts", s.Parts != nil) {
			return
		}
		if c.reading {
			s.Parts = []memory.Splice{}
		}
		objects(c, &s.Parts, func(i int) {
			p := &s.Parts[i]
			integer(c, "at", &p.At)
			text(c, "old", &p.Old)
			text(c, "new", &p.New)
		})
	})
}
