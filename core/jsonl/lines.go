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

	"winnow/core/jstext"
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
