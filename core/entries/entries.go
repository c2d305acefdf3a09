// Package entries knows files whose records are pieces of their text between delimiters: it parses one and keeps
// the places of its pieces, and decides what becomes of changes to it. All other bytes of a file stay. A [Store] is one
// such file, and a [Kind] holds the differences between the systems that have them.
package entries

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"winnow/core/memory"
)

// Form says how the entries of a file are written.
type Form struct {
	// Delimiters matches what separates two entries, and Delimiter is what is put between two where a file has none.
	Delimiters func() *regexp.Regexp
	Delimiter  string
	// Sign is in every delimiter.
	Sign string
	// End is what a file ends with that gets its first entry, so that the product can append to it. It may be empty.
	End string
	// Marked is set if a byte order mark at the beginning belongs to no entry.
	Marked bool
	// Trim returns a piece without the white space around it; an entry that is empty then is none.
	Trim func(piece string) string
	// Record returns the record of an entry, the n-th in its file.
	Record func(raw string, n int) memory.Record
	// Text returns an entry as the product reads it; nil if that is its bytes.
	Text func(raw string) string
	// Name returns what an entry is called in its file, whatever else it says; nil if it has no name, and its bytes
	// tell it from others.
	Name func(raw string) string
	// Inseparable says that the entries of a file would be read as others beside each other.
	Inseparable string
}

// Span is the position of an entry in a file, without the white space around it.
type Span struct{ Start, End int }

// File is a parsed file. Between two entries there are one or more delimiters, white space, and empty pieces.
type File struct {
	Text  string
	Spans []Span
}

// Split parses a file as its product does, and keeps the positions of the entries.
func (f *Form) Split(text string) File {
	n, _ := f.splitMost(text, math.MaxInt)
	return n
}

// splitMost is Split that stops after most entries. More is set if there are others.
func (f *Form) splitMost(text string, most int) (n File, more bool) {
	n.Text = text
	start := 0
	if f.Marked && strings.HasPrefix(text, Mark) {
		start = len(Mark)
	}
	for {
		end, next := f.delimiter(text, start)
		piece := text[start:end]
		if entry := f.Trim(piece); entry != "" {
			if len(n.Spans) == most {
				return n, true
			}
			at := start + strings.Index(piece, entry) // only white space precedes it
			n.Spans = append(n.Spans, Span{at, at + len(entry)})
		}
		if next < 0 {
			return n, false
		}
		start = next
	}
}

// delimiter returns the position of the next delimiter from i on, and of the piece after it. Without one it returns
// the end of the file and -1.
func (f *Form) delimiter(file string, i int) (at, next int) {
	if strings.Contains(file[i:], f.Sign) { // this is faster for most entries
		if found := f.Delimiters().FindStringIndex(file[i:]); found != nil {
			return i + found[0], i + found[1]
		}
	}
	return len(file), -1
}

func (f *Form) text(raw string) string {
	if f.Text == nil {
		return raw
	}
	return f.Text(raw)
}

// id returns the ID of an entry: by its name or, without one, by its bytes.
func (f *Form) id(raw string) memory.ID {
	if f.Name != nil {
		return ID(f.Name(raw))
	}
	return ID(raw)
}

// Mark is the byte order mark.
const Mark = "\ufeff"

// Raw returns the bytes of entry i.
func (n File) Raw(i int) string { return n.Text[n.Spans[i].Start:n.Spans[i].End] }

// gap returns the bytes before entry i. For i equal to the number of entries it returns the bytes after the last one.
func (n File) gap(i int) string {
	start, end := 0, len(n.Text)
	if i > 0 {
		start = n.Spans[i-1].End
	}
	if i < len(n.Spans) {
		end = n.Spans[i].Start
	}
	return n.Text[start:end]
}

// Raws returns the bytes of all entries.
func (n File) Raws() []string {
	all := make([]string, len(n.Spans))
	for i := range all {
		all[i] = n.Raw(i)
	}
	return all
}

// ID derives an ID from the bytes of an entry, or from its name. So the ID stays the same while other entries come
// and go.
func ID(raw string) memory.ID {
	const digits = 10 // enough to tell the entries of a file apart
	return memory.ID(memory.RevisionOf(raw)[:digits])
}

// Numbered returns the ID of the n-th entry with the same ID, counted from 1.
func Numbered(id memory.ID, n int) memory.ID {
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

// FirstLine returns the text before the first line end.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r")
}
