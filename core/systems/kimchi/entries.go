package kimchi

import (
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/annotate"
	"winnow/core/entries"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// form returns how the entries of a file are written.
//
// A delimiter begins and ends with a line end. So invalid bytes, which the system reads as U+FFFD, can neither create
// nor hide one.
func (d *dialect) form() *entries.Form {
	return &entries.Form{
		Delimiters: d.delimiters, Delimiter: delimiter, Sign: "§", Marked: d.anyEnd,
		Trim: d.trim, Record: d.record, Text: d.text,
		Inseparable: "Beside each other, some of these entries would be read as others: " +
			"one begins or ends with a line that is only §.",
	}
}

// split parses a file as the system does.
func (d *dialect) split(file string) entries.File { return d.form().Split(file) }

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
	all := make([]string, len(n.Spans))
	for i := range all {
		all[i] = d.text(n.Raw(i))
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
	text := d.trim(d.text(strings.TrimPrefix(file, entries.Mark)))
	entries := d.entries(file)
	tooLong := slices.ContainsFunc(entries, func(e string) bool { return d.length(e) > limit })
	return text != "" && (tooLong || text != strings.Join(entries, delimiter))
}

// record returns the record of an entry, the n-th in its file.
func (d *dialect) record(raw string, n int) memory.Record {
	text := d.text(raw)
	const longest = 1000 // UTF-16 units of a title; nobody reads more
	title := jstext.WellFormed(jstext.Slice(entries.FirstLine(text), longest))
	r := memory.Record{
		ID: entries.ID(raw), Line: n, Title: title, Body: text, Raw: raw,
		Facts: []memory.Fact{{Name: "length", Text: d.amount(d.length(text)) + " chars"}},
	}
	if why := d.scan(text); why != "" {
		r.Notes = append(r.Notes, d.name+"'s own tool would refuse this entry: "+why)
	}
	if shown := d.shown(text, memoryFile); shown != text {
		r.Notes = append(
			r.Notes,
			"At the start of a session Hermes shows its model "+blockedSays+" in place of this entry.",
		)
	}
	annotate.Mark(&r)
	return r
}

const blockedSays = "[BLOCKED: …]"

// markCopies marks the entries whose text an earlier one has.
func markCopies(records []memory.Record) {
	met := map[string]bool{}
	for i := range records {
		r := &records[i]
		if met[r.Raw] {
			r.Flags |= memory.FlagDuplicate
			r.Notes = append(r.Notes, "The same text stands further up: the block has it once.")
		}
		met[r.Raw] = true
	}
}
