// Package jsonl changes stores of lessons line by line, so that no byte changes but those
// that a change names. Rewrite applies a plan to a file that another writer may have
// changed since; Adopt brings in what another writer saved in the same instant; Settle
// says whether a change of a person still holds. Compose, Form, Unite, Mend, Redacted and
// Share make the new text of one line.
//
// A line is found by its exact bytes, else by the lesson's id; what differs there is merged
// member by member, and a member that both changed is a conflict. Everything here is pure.
package jsonl

import (
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// End is the line end that a line has in its file.
type End uint8

// The line ends. Only the last line of a file can have none.
const (
	NoEnd End = iota
	LF
	CRLF
)

// Line is one line of a file, kept as its bytes.
type Line struct {
	Text string // without the line end
	End  End
}

// Blank reports whether the line holds nothing that could be a lesson: it is empty
// or white space. The original loses such a line when it saves.
func (l Line) Blank() bool { return blank(l.Text) }

// Split cuts a file into its lines.
func Split(file string) []Line {
	lines := make([]Line, 0, strings.Count(file, "\n")+1)
	for len(file) > 0 {
		i := strings.IndexByte(file, '\n')
		if i < 0 {
			return append(lines, Line{Text: file})
		}
		line := Line{Text: file[:i], End: LF}
		if i > 0 && file[i-1] == '\r' {
			line = Line{Text: file[:i-1], End: CRLF}
		}
		lines = append(lines, line)
		file = file[i+1:]
	}
	return lines
}

// blank reports whether a text is white space alone.
func blank(s string) bool { return jstext.LeadingSpace(s) == len(s) }

// Splice returns the file with the parts replaced. Parts are in order, do not
// overlap, and their offsets are of the file before. It is false when a part does
// not find its old bytes at its place.
func Splice(file string, parts []memory.Splice) (string, bool) {
	if len(parts) == 0 {
		return file, true
	}
	var out strings.Builder
	out.Grow(len(file))
	from := int64(0)
	for _, p := range parts {
		if p.At < from || p.At > int64(len(file)) || !strings.HasPrefix(file[p.At:], p.Old) {
			return "", false
		}
		out.WriteString(file[from:p.At])
		out.WriteString(p.New)
		from = p.At + int64(len(p.Old))
	}
	out.WriteString(file[from:])
	return out.String(), true
}

// Inverse returns the parts that take back what the parts do.
func Inverse(parts []memory.Splice) []memory.Splice {
	out := make([]memory.Splice, len(parts))
	moved := int64(0)
	for i, p := range parts {
		out[i] = memory.Splice{At: p.At + moved, Old: p.New, New: p.Old}
		moved += int64(len(p.New) - len(p.Old))
	}
	return out
}

// difference returns what turns old, which stands at the offset, into new: one part
// without the bytes that both begin and end with. It cuts no character in two.
func difference(at int, old, new string) memory.Splice {
	i := 0
	for i < len(old) && i < len(new) && old[i] == new[i] {
		i++
	}
	for i > 0 && (!starts(old, i) || !starts(new, i)) {
		i--
	}
	a, b := len(old), len(new)
	for a > i && b > i && old[a-1] == new[b-1] {
		a, b = a-1, b-1
	}
	for a < len(old) && !starts(old, a) {
		a, b = a+1, b+1
	}
	return memory.Splice{At: int64(at + i), Old: old[i:a], New: new[i:b]}
}

// starts reports whether a character of s can begin at i.
func starts(s string, i int) bool { return i >= len(s) || utf8.RuneStart(s[i]) }

// appendPart adds a part of the file behind the others, joining those that touch.
func appendPart(parts []memory.Splice, p memory.Splice, file string) []memory.Splice {
	if p.Old == p.New {
		return parts
	}
	if n := len(parts); n > 0 {
		if last := &parts[n-1]; last.At+int64(len(last.Old)) == p.At {
			last.Old = file[last.At : p.At+int64(len(p.Old))]
			last.New += p.New
			return parts
		}
	}
	return append(parts, p)
}

// Difference returns the one part by which two files differ, or none.
func Difference(from, to string) []memory.Splice {
	return appendPart(nil, difference(0, from, to), from)
}
