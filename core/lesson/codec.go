package lesson

import (
	"strings"
	"unicode/utf8"

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

// Split cuts a file into its lines. Join gives the same bytes back.
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

// Join returns the bytes of the file that has the lines.
func Join(lines []Line) string {
	n := 0
	for _, l := range lines {
		n += len(l.Text) + int(l.End)
	}
	var b strings.Builder
	b.Grow(n)
	for _, l := range lines {
		b.WriteString(l.Text)
		b.WriteString([...]string{"", "\n", "\r\n"}[l.End])
	}
	return b.String()
}

// decode returns the bytes of a line as the string that JavaScript reads from
// them. A valid line is returned as it is.
func decode(raw string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	return jstext.Decode([]byte(raw))
}

func blank(s string) bool { return len(s) == leadingSpace(s) }

// leadingSpace returns the length in bytes of the white space that s begins with.
func leadingSpace(s string) int {
	i := 0
	for n := jstext.Space(s); n > 0; n = jstext.Space(s[i:]) {
		i += n
	}
	return i
}
