package handbook

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// Kinds of records besides the types of memories.
const kindIndex = "index"

const indexID memory.ID = indexName

const derivedIndex = "The index is made of the memories anew with each change: what is written into it by hand is lost."

// idOf returns the record ID of a file: its name without the extension. This is the slug by which
// the agent corrects it.
func idOf(name string) memory.ID {
	stem := strings.TrimSuffix(name, ending)
	if stem == "" || strings.HasSuffix(stem, ending) || name == indexName {
		return memory.ID(name)
	}
	return memory.ID(stem)
}

// nameOf returns the name of the file of a record.
func nameOf(id memory.ID) string {
	if strings.HasSuffix(string(id), ending) {
		return string(id)
	}
	return string(id) + ending
}

// record returns the record in file i.
func (d *dir) record(i int) (r memory.Record) {
	f := &d.files[i]
	id := idOf(filepath.Base(f.Path))
	switch {
	case f.Problem != nil:
		r = memory.Record{
			Title:   f.name,
			Raw:     f.Text,
			Problem: f.Problem,
			Fixed:   "What stands there cannot be read.",
		}
	case f.name == indexName:
		r = indexRecord(f.Text)
		d.remarkIndex(&r)
	default:
		r = decoded(f.Text)
		d.remark(f, &r)
	}
	r.ID, r.File, r.Line = id, f.Path, i+1
	if !f.ModTime.IsZero() {
		// A file holds no date, so its modification time gives its age.
		r.Created = memory.Moment{Text: f.ModTime.UTC().Format(time.RFC3339), Time: f.ModTime}
	}
	if f.Problem == nil && f.Size > int64(len(f.Text)) {
		r.RawLen = int(f.Size)
	}
	annotate.Mark(&r)
	return r
}

// recordOf returns the record in a stored form. If id is empty, the ID is the slug of its name.
func recordOf(id memory.ID, stored string) (r memory.Record) {
	if id == indexID || id == "" && looksLikeIndex([]byte(stored)) {
		r, id = indexRecord(stored), indexID
	} else {
		r = decoded(stored)
	}
	if n, ok := parse(jstext.Decode([]byte(stored))); id == "" && ok && slug(n.name) != "" {
		id = memory.ID(slug(n.name))
	}
	r.ID = id
	annotate.Mark(&r)
	return r
}

func indexRecord(text string) memory.Record {
	return memory.Record{
		Title: "Memory index",
		Body:  jstext.Decode([]byte(text)),
		Raw:   text,
		Kind:  kindIndex,
		Fixed: derivedIndex,
	}
}

// decoded returns what a file says, without anything that depends on other files.
func decoded(stored string) memory.Record {
	text := jstext.Decode([]byte(stored))
	n, ok := parse(text)
	r := memory.Record{Title: n.description, Body: n.body, Kind: n.kind, Raw: stored}
	if ok {
		r.Notes = n.notes(text)
		r.Facts = []memory.Fact{{Name: "name", Text: n.name}}
		return r
	}
	r.Problem = passedOver(text)
	r.Flags |= memory.FlagUnseen
	r.Title, r.Body = cmp.Or(r.Title, annotate.Title(text), "(no text)"), cmp.Or(r.Body, text)
	return r
}

// notes are sentences about what is odd in a single memory.
func (n note) notes(text string) []string {
	f, _ := frame(text)
	kind, typed := f.last("type")
	size, most := strconv.Itoa(len(n.body)), strconv.Itoa(maxBody)
	return system.Notes(
		system.Say(typed && !n.typed, "Its type is "+strconv.Quote(kind.text)+", which the agent takes for a fact."),
		system.Say(!typed, "It has no type: the agent takes it for a fact."),
		system.Say(slug(n.name) == "", "Its name has no small letter or digit: the agent cannot correct it."),
		system.Say(
			len(tokens(n.searchText())) == 0,
			"It has no word that memory_search knows (English letters and digits): "+
				"a search never finds it, and only its line is pinned.",
		),
		system.Say(len(n.body) > maxBody, "Its body has "+size+" bytes, and the agent writes at most "+most+"."),
		system.Say(strings.Contains(n.description, `"`),
			"A quotation mark in the description ends the note of a search result early: nothing is escaped."),
	)
}

// remark says what is odd about a file compared with the others.
func (d *dir) remark(f *file, r *memory.Record) {
	if f.duplicate {
		r.Flags |= memory.FlagDuplicate
	}
	name, s := f.note.name, slug(f.note.name)
	renamed := f.valid && name+ending != f.name
	r.Notes = append(r.Notes, system.Notes(
		system.Say(
			f.duplicate,
			"Another file has the same name in its header: the two are pinned both, and the index has one link for them.",
		),
		system.Say(
			renamed,
			"Its header calls it "+strconv.Quote(
				name,
			)+": the index and searches name "+name+ending+", which is not this file.",
		),
		system.Say(renamed && s != "" && s+ending != f.name,
			"When the agent corrects it by that name, it writes "+s+ending+", and this file stays."),
	)...)
}

// remarkIndex says how the index differs from the memories.
func (d *dir) remarkIndex(r *memory.Record) {
	r.Notes = append(r.Notes, "No agent reads it: what is pinned is made of the memories themselves.")
	if r.Raw == d.derivedIndex() {
		return
	}
	r.Notes = append(r.Notes, "It is not what the memories say now.")
	have := map[string]bool{}
	for i := range d.files {
		have[d.files[i].name] = true
	}
	for _, l := range links(r.Raw) {
		if !have[l] {
			r.Notes = append(r.Notes, "It names "+l+", which is not there.")
		}
		if len(r.Notes) > 12 {
			break
		}
	}
}

// passedOver says why the agent skips a file.
func passedOver(text string) *memory.Problem {
	const hint = "edit its raw form, or repair it; the agent says nothing when it passes over a file"
	f, framed := frame(text)
	code, what := "", ""
	if framed {
		code, what = whatIsMissing(f)
	}
	return cmp.Or(
		system.Refuse(framed, code, what, hint),
		system.Refuse(
			strings.HasPrefix(text, "\ufeff"),
			"bom",
			"It begins with a byte order mark: the agent finds no header and passes over it.",
			hint,
		),
		system.Refuse(strings.HasPrefix(jstext.Trim(text), opening) && !strings.HasPrefix(text, opening), "no-header",
			"Something stands before its header, be it a blank line: the agent passes over it.", hint),
		system.Refuse(
			strings.HasPrefix(text, "---\r\n"),
			"crlf",
			"Its lines end as on Windows: the agent finds no header and passes over it.",
			hint,
		),
		system.Refuse(strings.HasPrefix(text, "---"), "unclosed",
			"Its header is not closed, or its first line is not just three dashes: the agent passes over it.", hint),
		&memory.Problem{Code: "no-header", What: "It has no header: the agent passes over it.", Hint: hint},
	)
}

// whatIsMissing says what the header of a file lacks.
func whatIsMissing(f framed) (code, what string) {
	for _, key := range [...]string{"name", "description"} {
		if v, _ := f.last(key); v.text != "" {
			continue
		}
		for l := range strings.SplitSeq(f.text[len(opening):max(f.close, len(opening))], "\n") {
			if l = jstext.Trim(l); strings.HasPrefix(l, key+":") && strings.ContainsAny(l, lineEnds) {
				return "line-break", "A character that ends a line stands in its " + key + " (a carriage return, U+2028 or U+2029): the agent reads none, and passes over the file."
			}
		}
		return "no-" + key, "Its header has no " + key + ": the agent passes over it."
	}
	return "no-header", "The agent passes over it."
}

// The types that a memory can have. Any other value counts as fact.
const (
	fact       = "fact"
	preference = "preference"
	decision   = "decision"
)

// note is what a file says. Its strings are as JavaScript reads them.
type note struct {
	name, description, body string
	kind                    string // one of the three types
	typed                   bool   // the file states it
}

// value is one header line that holds something: "key: text".
type value struct {
	key, text  string
	start, end int // range of the text in the file; if it is empty, the position after the colon
}

// framed is a file with a header. The header lies between a first line "---" and the first line
// feed followed by "---", whatever comes after that.
type framed struct {
	values []value // in order; the last of equal keys counts
	close  int     // offset of the line feed before the closing dashes
	body   int     // offset of the body, including leading spaces
	text   string
}

const (
	opening = "---\n"
	closing = "\n---"
)

// frame finds the header of a file. It returns false for a file without one, which the agent skips.
func frame(text string) (framed, bool) {
	if !strings.HasPrefix(text, opening) {
		return framed{}, false
	}
	i := strings.Index(text[len(opening):], closing)
	if i < 0 {
		return framed{}, false
	}
	f := framed{close: len(opening) + i, text: text}
	f.body = f.close + len(closing)
	if strings.HasPrefix(text[f.body:], "\n") {
		f.body++
	}
	at := len(opening)
	for raw := range strings.SplitSeq(text[at:f.close], "\n") {
		if v, ok := valueOf(raw); ok {
			v.start, v.end = v.start+at, v.end+at
			f.values = append(f.values, v)
		}
		at += len(raw) + 1
	}
	return f, true
}

// valueOf parses a header line: lower-case letters, a colon, and a text without any JavaScript line
// end. Offsets are relative to the line.
func valueOf(line string) (value, bool) {
	trimmed := jstext.Trim(line)
	if trimmed == "" {
		return value{}, false
	}
	start := strings.Index(line, trimmed)
	key, rest, ok := strings.Cut(trimmed, ":")
	if !ok || key == "" || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" {
		return value{}, false
	}
	text := jstext.Trim(rest)
	if strings.ContainsAny(text, lineEnds) {
		return value{}, false
	}
	v := value{key: key, text: text, end: start + len(trimmed)}
	v.start = v.end - len(text)
	return v, true
}

// lineEnds are the characters that end a line in JavaScript.
const lineEnds = "\n\r\u2028\u2029"

// last returns the value that counts for a key.
func (f framed) last(key string) (value, bool) {
	for i := len(f.values) - 1; i >= 0; i-- {
		if f.values[i].key == key {
			return f.values[i], true
		}
	}
	return value{}, false
}

// parse reads a file. It returns false for a file that the agent skips: one without a header, or
// without a name or a description in it. The note then holds what there is.
func parse(text string) (note, bool) {
	f, ok := frame(text)
	if !ok {
		return note{}, false
	}
	n := f.note()
	return n, n.name != "" && n.description != ""
}

// note returns what a file with a header says.
func (f framed) note() note {
	name, _ := f.last("name")
	description, _ := f.last("description")
	kind, _ := f.last("type")
	n := note{name: name.text, description: description.text, kind: fact, body: jstext.Trim(f.text[f.body:])}
	if isKind(kind.text) {
		n.kind, n.typed = kind.text, true
	}
	return n
}

func isKind(text string) bool { return text == fact || text == preference || text == decision }

// text returns the file as the agent writes it. It does not check that the values can be read back:
// a line break in one changes the file's structure.
func (n note) text() string {
	return "---\nname: " + n.name + "\ndescription: " + n.description + "\ntype: " +
		n.kind + "\n---\n\n" + n.body + "\n"
}

// maxSlug is the number of characters kept of a slug.
const maxSlug = 64

// slug returns the file name for a name, without its extension. Anything but lower-case letters and
// digits becomes a dash. The cut comes last, so a slug can end in a dash.
func slug(name string) string {
	all := strings.Join(words(name), "-")
	return all[:min(len(all), maxSlug)]
}
