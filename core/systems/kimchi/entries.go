package kimchi

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// span is the position of an entry in a file, without the white space around it.
type span struct{ start, end int }

// notes is a parsed file. Between two entries there are one or more delimiters, white space, and
// empty pieces.
type notes struct {
	file  string
	spans []span
}

// split parses a file as the system does, and keeps the positions of the entries.
//
// A delimiter begins and ends with a line end. So invalid bytes, which the system reads as U+FFFD,
// can neither create nor hide one.
func (d *dialect) split(file string) notes {
	n := notes{file: file}
	start := 0
	if d.anyEnd && strings.HasPrefix(file, mark) {
		start = len(mark)
	}
	for {
		end, next := d.delimiter(file, start)
		piece := file[start:end]
		if text := d.trim(piece); text != "" {
			at := start + strings.Index(piece, text) // only white space precedes it
			n.spans = append(n.spans, span{at, at + len(text)})
		}
		if next < 0 {
			return n
		}
		start = next
	}
}

// delimiter returns the position of the next delimiter from i on, and of the piece after it.
// Without one it returns the end of the file and -1.
func (d *dialect) delimiter(file string, i int) (at, next int) {
	if strings.Contains(file[i:], "§") { // this is faster for most entries
		if found := d.delimiters().FindStringIndex(file[i:]); found != nil {
			return i + found[0], i + found[1]
		}
	}
	return len(file), -1
}

// mark is the byte order mark, which Python drops at the beginning of a file.
const mark = "\ufeff"

// raw returns the bytes of entry i.
func (n notes) raw(i int) string { return n.file[n.spans[i].start:n.spans[i].end] }

// gap returns the bytes before entry i. For i equal to the number of entries it returns the bytes
// after the last one.
func (n notes) gap(i int) string {
	start, end := 0, len(n.file)
	if i > 0 {
		start = n.spans[i-1].end
	}
	if i < len(n.spans) {
		end = n.spans[i].start
	}
	return n.file[start:end]
}

// raws returns the bytes of all entries.
func (n notes) raws() []string {
	all := make([]string, len(n.spans))
	for i := range all {
		all[i] = n.raw(i)
	}
	return all
}

// text returns an entry as the system reads it, with U+FFFD for invalid bytes.
func (d *dialect) text(raw string) string {
	text := jstext.Decode([]byte(raw))
	if d.anyEnd && strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return text
}

// loaded returns the entries that a session starts with. It returns false for a file that the
// system cannot read: the session then starts without it.
func (d *dialect) loaded(file string) ([]string, bool) {
	if d.scans && !utf8.ValidString(file) {
		return nil, false
	}
	return d.entries(file), true
}

// entries returns the entries of a file, with U+FFFD for invalid bytes.
func (d *dialect) entries(file string) []string {
	n := d.split(file)
	all := make([]string, len(n.spans))
	for i := range all {
		all[i] = d.text(n.raw(i))
	}
	return all
}

// join returns the file text made of some entries.
func join(entries []string) string { return jstext.WellFormed(strings.Join(entries, delimiter)) }

// used returns the number of characters that count for a file with these entries. Hermes drops
// duplicates when it reads a file.
func (d *dialect) used(entries []string) int {
	if d.scans {
		entries = lesson.Distinct(entries)
	}
	return d.length(strings.Join(entries, delimiter))
}

// refusesChanges reports whether Hermes refuses to replace or remove anything in a file. It does so if
// saving the entries it read would not give the same text, or if one entry is longer than the limit
// for all of them.
func (d *dialect) refusesChanges(file string, limit int) bool {
	if !d.scans {
		return false
	}
	text := d.trim(d.text(strings.TrimPrefix(file, mark)))
	entries := d.entries(file)
	tooLong := slices.ContainsFunc(entries, func(e string) bool { return d.length(e) > limit })
	return text != "" && (tooLong || text != strings.Join(entries, delimiter))
}

// idOf derives an ID from the bytes of an entry, which has none of its own. So the ID stays the
// same while other entries come and go.
func idOf(raw string) memory.ID {
	sum := sha256.Sum256([]byte(raw))
	return memory.ID(hex.EncodeToString(sum[:5]))
}

// numbered returns the ID of the n-th entry with the same bytes, counted from 1.
func numbered(id memory.ID, n int) memory.ID {
	if n < 2 {
		return id
	}
	return id + memory.ID("~"+strconv.Itoa(n))
}

// withoutNumber returns an ID without its number.
func withoutNumber(id memory.ID) memory.ID {
	name, _, _ := strings.Cut(string(id), "~")
	return memory.ID(name)
}

// firstLine returns the text before the first line end.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}

// record returns the record of an entry, the n-th in its file.
func (d *dialect) record(raw string, n int) memory.Record {
	text := d.text(raw)
	const longest = 1000 // UTF-16 units of a title; nobody reads more
	title := jstext.WellFormed(jstext.Slice(firstLine(text), longest))
	r := memory.Record{
		ID: idOf(raw), Line: n, Title: title, Body: text, Raw: raw,
		Facts: []memory.Fact{{Name: "length", Text: d.amount(d.length(text)) + " chars"}},
	}
	if why := d.scan(text); why != "" {
		r.Notes = append(r.Notes, d.name+"'s own tool would refuse this entry: "+why)
	}
	if shown := d.shown(text, memoryFile); shown != text {
		r.Notes = append(r.Notes, "At the start of a session Hermes shows its model "+blockedSays+" in place of this entry.")
	}
	annotate.Mark(&r)
	return r
}

const blockedSays = "[BLOCKED: …]"

// namer gives entries the IDs that they have in their file.
type namer map[memory.ID]int

// complete completes a record with what depends on the other entries.
func (n namer) complete(r *memory.Record) {
	id := r.ID
	n[id]++
	if n[id] == 1 {
		return
	}
	r.ID = numbered(id, n[id])
	r.Flags |= memory.FlagDuplicate
	r.Notes = append(r.Notes, "The same text stands further up: the block has it once.")
}
