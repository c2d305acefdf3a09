package kimchi

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// idOf names an entry, which has no id of its own, by a digest of its bytes: so the
// name stays while others come and go.
func idOf(raw string) memory.ID {
	sum := sha256.Sum256([]byte(raw))
	return memory.ID(hex.EncodeToString(sum[:5]))
}

// numbered names the n-th of the entries with the same bytes, from 1.
func numbered(id memory.ID, n int) memory.ID {
	if n < 2 {
		return id
	}
	return id + memory.ID("~"+strconv.Itoa(n))
}

// bare returns a name without its number.
func bare(id memory.ID) memory.ID {
	name, _, _ := strings.Cut(string(id), "~")
	return memory.ID(name)
}

// firstLine returns what stands before the first line end.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}

// record returns the record of an entry, the n-th of its file.
func (d *dialect) record(raw string, n int) memory.Record {
	text := d.text(raw)
	const longest = 1000 // units of a title, which nobody reads to its end
	title := jstext.WellFormed(jstext.Slice(firstLine(text), longest))
	r := memory.Record{ID: idOf(raw), Line: n, Title: title, Body: text, Raw: raw}
	r.Facts = []memory.Fact{{Name: "length", Text: d.amount(d.length(text)) + " chars"}}
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

// namer gives entries the names that they have in their file.
type namer map[memory.ID]int

// give completes a record with what its place among the others makes of it.
func (n namer) give(r *memory.Record) {
	id := r.ID
	n[id]++
	if n[id] == 1 {
		return
	}
	r.ID = numbered(id, n[id])
	r.Flags |= memory.FlagDuplicate
	r.Notes = append(r.Notes, "The same text stands further up: the block has it once.")
}
