package curate

// The history keeps what was done to one store: an append-only file of checksummed lines, and
// the state computed from it. The state says what can be undone, what is pinned, what a person
// changed in each record, and whether a change is unfinished.
//
// Torn or damaged lines are skipped and counted; they never hide their neighbours. All appends
// happen under the lock of the folder.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
)

// historyFormat is the version of the lines. What has a lower one is an older history; see [historyFile.moveOlder].
const historyFormat = 3

// eventKind says what an event means.
type eventKind string

// The kinds of events.
const (
	kindHeader  eventKind = "header"  // the first line: version, and the store for people to read
	kindBegin   eventKind = "begin"   // a change is about to be made; another one with the same number replaces it
	kindDone    eventKind = "done"    // the change was made
	kindAborted eventKind = "aborted" // the change was not made; Temp names a temporary file that it left
	kindDid     eventKind = "did"     // a change of pins, complete in this one event
	kindOthers  eventKind = "others"  // another writer changed records
	kindUndone  eventKind = "undone"  // another writer was seen undoing a change
	kindDecided eventKind = "decision"
	kindSum     eventKind = "sum"  // the state, replacing everything dropped before it
	kindMark    eventKind = "mark" // no change is pending; see history_mark.go
)

// event is one line of the history. Which fields are set depends on the kind. A name in JSON never changes its
// meaning.
type event struct {
	Kind   eventKind      `json:"kind"`
	Format int            `json:"format,omitempty"` // for kindHeader and kindMark
	Store  memory.StoreID `json:"store,omitempty"`

	ID      memory.EntryID `json:"id,omitempty"` // for kindDone, kindAborted and kindUndone: the entry concerned
	At      time.Time      `json:"at,omitzero"`
	Who     memory.Who     `json:"who,omitempty"`
	Do      memory.Act     `json:"act,omitempty"`
	What    string         `json:"what,omitempty"`
	Final   bool           `json:"final,omitempty"`
	Omitted int            `json:"omitted,omitempty"`
	Undoes  memory.EntryID `json:"undoes,omitempty"`
	Redoes  memory.EntryID `json:"redoes,omitempty"`
	From    memory.StoreID `json:"from,omitempty"` // for a TakeOver; see [memory.Order.From]
	Temp    string         `json:"temp,omitempty"` // base name of the file beside the store; see system.Staged
	// Changes have no decoded records. Those of a final change have the redacted text as Before.
	Changes []memory.Change `json:"changes,omitempty"`
	// Key names the key of Scrubs, the texts that a final change removed. Kept are the records that
	// still contain some of them.
	Key     string      `json:"key,omitempty"`
	Scrubs  []scrub     `json:"scrubs,omitempty"`
	Kept    []memory.ID `json:"kept,omitempty"`
	Decided decisions   `json:"decided,omitempty"`

	Record memory.ID         `json:"record,omitempty"` // for kindUndone
	How    memory.UndoneKind `json:"how,omitempty"`    // for kindUndone
	State  string            `json:"state,omitempty"`  // for kindUndone: digest of the state of the store

	Sum  *summary    `json:"sum,omitempty"`
	Pins []memory.ID `json:"pins,omitempty"` // for kindMark: all pinned records

	// Splices are written behind the rest of the line, where only an undo and a recovery read them.
	Splices *memory.Splices `json:"splices,omitempty"`
	// Bytes is set in a line with texts that are not UTF-8: each character then stands for one byte.
	Bytes bool `json:"bytes,omitempty"`
}

// decisions are what a person decided about records. They are written as a list, sorted by id.
type decisions map[memory.ID]memory.Decision

type decision struct {
	ID   memory.ID       `json:"id,omitempty"`
	What memory.Decision `json:"decision"`
}

// MarshalJSON returns the list.
func (d decisions) MarshalJSON() ([]byte, error) {
	all := []decision{}
	for _, id := range sorted(d) {
		all = append(all, decision{id, d[id]})
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads a list.
func (d *decisions) UnmarshalJSON(text []byte) error {
	var all []decision
	err := json.Unmarshal(text, &all)
	*d = decisions{}
	for _, pair := range all {
		(*d)[pair.ID] = pair.What
	}
	return err
}

// spliceSeparator separates an event from its splices: JSON on one line has no tab.
const spliceSeparator = '\t'

// encodeEvent returns the line of an event, with its line end.
func encodeEvent(e event) []byte {
	e = e.writable()
	splices := e.Splices
	e.Splices = nil
	var b bytes.Buffer
	b.WriteString("12345678 ")
	appendJSON(&b, e)
	if splices != nil {
		b.WriteByte(spliceSeparator)
		appendJSON(&b, splices)
	}
	line := b.Bytes()
	copy(line, checksum(line[9:]))
	return append(line, '\n')
}

// appendJSON writes a value, which [event.writable] returned, on one line.
func appendJSON(b *bytes.Buffer, value any) {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	b.Truncate(b.Len() - 1)
}

// decodeEvent reads a line without its line end. It returns false for a damaged line. With brief it
// skips the splices.
func decodeEvent(text []byte, brief bool) (e event, ok bool) {
	if len(text) < 9 || text[8] != ' ' || !bytes.Equal(text[:8], checksum(text[9:])) {
		return event{}, false
	}
	fields, splices, _ := bytes.Cut(text[9:], []byte{spliceSeparator})
	if json.Unmarshal(fields, &e) != nil || e.Kind == kindSum && e.Sum == nil {
		return event{}, false
	}
	if brief {
		e.Splices = nil
	} else if len(splices) > 0 && json.Unmarshal(splices, &e.Splices) != nil {
		return event{}, false
	}
	if e.Bytes {
		e = e.mapped(bytesOf)
		e.Temp, e.Bytes = bytesOf(e.Temp), false
	}
	return e, true
}

// checksum returns the CRC-32C of b in eight hexadecimal digits.
func checksum(b []byte) []byte {
	return fmt.Appendf(nil, "%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// writable returns the event in a form that JSON can hold.
func (e event) writable() event {
	e.At = instant(e.At)
	e.Changes = each(e.Changes, func(ch *memory.Change) {
		if ch.Position != nil {
			position := *ch.Position
			position.Date = instant(position.Date)
			ch.Position = &position
		}
	})
	valid := utf8.ValidString(e.Temp)
	e.mapped(func(text string) string {
		valid = valid && utf8.ValidString(text)
		return text
	})
	if valid {
		return e
	}
	e = e.mapped(charactersOf)
	e.Temp, e.Bytes = charactersOf(e.Temp), true
	return e
}

// instant returns a time in UTC. A time outside the years 0 to 9999, caused by a wrong clock, is
// written as the nearest one that can be read again.
func instant(t time.Time) time.Time {
	switch t = t.UTC(); {
	case t.Year() > 9999:
		return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	case t.Year() < 0:
		return time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return t.Round(0)
}

// charactersOf returns a text with one character for each byte of s.
func charactersOf(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// bytesOf is the inverse of charactersOf.
func bytesOf(s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return string(b)
}

// scrub cleans the event's texts, and reports whether that changed it. A changed event has no
// splices.
func (e *event) scrub(clean func(string) string) (changed bool) {
	*e = e.mapped(func(was string) string {
		if was == "" {
			return ""
		}
		is := clean(was)
		changed = changed || is != was
		return is
	})
	if changed {
		e.Splices = nil
	}
	return changed
}

// mapped returns a copy of the event with every text from a person or a store replaced with the result of do.
func (e event) mapped(do func(string) string) event {
	id := func(p *memory.ID) { *p = memory.ID(do(string(*p))) }
	e.Store, e.What = memory.StoreID(do(string(e.Store))), do(e.What)
	id(&e.Record)
	e.Kept, e.Pins = each(e.Kept, id), each(e.Pins, id)
	e.Decided = e.Decided.mapped(id)
	e.Changes = each(e.Changes, func(ch *memory.Change) {
		id(&ch.ID)
		id(&ch.Behind)
		ch.Before, ch.After, ch.Why = do(ch.Before), do(ch.After), do(ch.Why)
	})
	if e.Splices != nil {
		splices := *e.Splices
		splices.Parts = each(splices.Parts, func(s *memory.Splice) { s.Old, s.New = do(s.Old), do(s.New) })
		e.Splices = &splices
	}
	if e.Sum == nil {
		return e
	}
	sum := *e.Sum
	sum.Pins, sum.Decided = each(sum.Pins, id), sum.Decided.mapped(id)
	sum.Promises = each(sum.Promises, func(p *promise) {
		id(&p.ID)
		id(&p.Behind)
		p.Mine = do(p.Mine)
		p.Forms = each(p.Forms, func(f *memory.FormChange) { f.Before, f.After = do(f.Before), do(f.After) })
		p.Was = each(p.Was, func(form *string) { *form = do(*form) })
	})
	sum.Redactions = each(sum.Redactions, func(r *redaction) {
		r.Kept = each(r.Kept, id)
		r.Seen = each(r.Seen, func(s *sighting) { id(&s.ID) })
	})
	e.Sum = &sum
	return e
}

func (d decisions) mapped(id func(*memory.ID)) decisions {
	if d == nil {
		return nil
	}
	all := decisions{}
	for of, what := range d {
		id(&of)
		all[of] = what
	}
	return all
}

// each returns a copy of a list in which do changed every element.
func each[T any, L ~[]T](all L, do func(*T)) L {
	all = slices.Clone(all)
	for i := range all {
		do(&all[i])
	}
	return all
}
