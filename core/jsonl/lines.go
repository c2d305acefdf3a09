// Package jsonl changes lesson stores line by line, so that only the bytes that a change names are
// touched. Rewrite applies a plan to a file that another writer may have changed since. Adopt
// merges what another writer saved at the same moment. Settle says whether a person's change still
// holds. Compose, Form, Unite, Mend, Redacted and Share produce the new text of one line.
//
// A line is found by its exact bytes, or else by the lesson's id. Differences are merged member by
// member; a member that both sides changed is a conflict. Everything here is pure.
package jsonl

import (
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// End is the line end of a line.
type End uint8

// The line ends. Only the last line of a file can have none.
const (
	noEnd End = iota
	lf
	crlf
)

// Line is one line of a file, byte for byte.
type Line struct {
	Text string // without the line end
	End  End
}

// blank reports whether the line is empty or white space, so that it cannot be a lesson. The
// original loses such a line when it saves.
func (l Line) blank() bool { return blank(l.Text) }

// split cuts a file into its lines.
func split(file string) []Line {
	lines := make([]Line, 0, strings.Count(file, "\n")+1)
	for len(file) > 0 {
		i := strings.IndexByte(file, '\n')
		if i < 0 {
			return append(lines, Line{Text: file})
		}
		line := Line{Text: file[:i], End: lf}
		if i > 0 && file[i-1] == '\r' {
			line = Line{Text: file[:i-1], End: crlf}
		}
		lines = append(lines, line)
		file = file[i+1:]
	}
	return lines
}

// blank reports whether s is only white space.
func blank(s string) bool { return jstext.LeadingSpace(s) == len(s) }

// Splice returns the file with the parts replaced. Parts must be in order and must not overlap;
// their offsets refer to the original file. It returns false if a part does not find its old bytes
// at its place.
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

// Inverse returns the parts that undo the given ones.
func Inverse(parts []memory.Splice) []memory.Splice {
	out := make([]memory.Splice, len(parts))
	moved := int64(0)
	for i, p := range parts {
		out[i] = memory.Splice{At: p.At + moved, Old: p.New, New: p.Old}
		moved += int64(len(p.New) - len(p.Old))
	}
	return out
}

// difference returns one part that turns old, at offset at of the file, into new, leaving out their
// common beginning and end. It never splits a character.
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

// appendPart appends a part of the file, joined with the last one if they touch.
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

// Difference returns the part by which two files differ, or none.
func Difference(from, to string) []memory.Splice {
	return appendPart(nil, difference(0, from, to), from)
}
