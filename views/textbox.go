package views

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/safe"
	"winnow/views/theme"
)

// TextBox is a text field with several lines. It keeps its text unchanged and shows invisible
// characters as tokens.
type TextBox struct {
	Text   string
	Cursor int // byte offset in Text, at the start of a character
}

// boxLine is one line of the field: a range of bytes of the text, without the line break.
type boxLine struct{ start, end int }

// Step returns how many bytes the cursor moves at the start of s: a character with its combining
// marks. It is 0 if s is empty.
func Step(s string) int {
	if s == "" {
		return 0
	}
	n, _ := step(s)
	return n
}

// maxCluster is longer than any character that is shown as one. A longer sequence is a flood of
// marks, and the cursor stops at each mark.
const maxCluster = 48

// step returns the size of the first character of s, and how it is shown.
func step(s string) (size int, shown string) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return 1, safe.Line(s[:1])
	}
	cluster, _ := ansi.FirstGraphemeCluster(s[:min(len(s), maxCluster)], ansi.GraphemeWidth)
	if shown = safe.Line(cluster); shown == cluster && cluster != "" {
		return len(cluster), shown
	}
	_, size = utf8.DecodeRuneInString(s)
	if size == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[2] >= 0x80 {
		size = 3 // a lone surrogate
	}
	return size, safe.Line(s[:size])
}

// lines breaks the text into lines of at most w cells, between words if possible. It returns at
// least one line.
func (b TextBox) lines(w int) []boxLine {
	w = max(w, 1)
	lines := make([]boxLine, 0, len(b.Text)/w+1)
	start, width := 0, 0
	word := 0 // start of the last word
	for i := 0; i < len(b.Text); {
		if b.Text[i] == '\n' {
			lines = append(lines, boxLine{start, i})
			i++
			start, word, width = i, i, 0
			continue
		}
		n, text := step(b.Text[i:])
		cells := Width(text)
		if width+cells > w && i > start && text != " " {
			end := i
			if word > start {
				end = word
			}
			lines = append(lines, boxLine{start, end})
			start, word, width = end, end, Width(shown(b.Text[end:i]))
		}
		width += cells
		i += n
		if text == " " {
			word = i
		}
	}
	return append(lines, boxLine{start, len(b.Text)})
}

// height returns the number of lines that the text takes when w cells are wide.
func (b TextBox) height(w int) int { return len(b.lines(w)) }

// place returns the line and the cell of the cursor.
func (b TextBox) place(lines []boxLine) (x, y int) {
	for i, l := range lines {
		last := i+1 == len(lines)
		if b.Cursor < l.end || last || b.Cursor == l.end && lines[i+1].start > l.end {
			return Width(shown(b.Text[l.start:min(max(b.Cursor, l.start), l.end)])), i
		}
	}
	return 0, 0
}

// shown returns part of the text as it is shown.
func shown(s string) string {
	var b strings.Builder
	for s != "" {
		n, text := step(s)
		b.WriteString(text)
		s = s[n:]
	}
	return b.String()
}

// show returns the lines around the cursor, at most h lines of w cells, and the position of the
// cursor in them.
func (b TextBox) show(w, h int) (visible []string, x, y int) {
	lines := b.lines(w)
	x, y = b.place(lines)
	first := 0
	if len(lines) > h {
		first = min(max(y-h+1, 0), len(lines)-max(h, 0))
	}
	for _, l := range lines[first:min(first+max(h, 0), len(lines))] {
		text := shown(b.Text[l.start:l.end])
		if Width(text) > w {
			text = strings.TrimRight(text, " ") // spaces at a break may hang over
		}
		visible = append(visible, Cell(theme.Theme{}, text, w)) // a character can be wider than w
	}
	return visible, min(x, max(w-1, 0)), y - first
}

// Vertical returns the new cursor after moving it by some lines of w cells.
func (b TextBox) Vertical(w, by int) int {
	lines := b.lines(w)
	x, y := b.place(lines)
	l := lines[min(max(y+by, 0), len(lines)-1)]
	at, width := l.start, 0
	for at < l.end && width < x {
		n, text := step(b.Text[at:])
		width += Width(text)
		at += n
	}
	if at == l.end && l.end > l.start && l.end < len(b.Text) && b.Text[l.end] != '\n' {
		at = l.start + lastStep(b.Text[l.start:l.end]) // the end belongs to the next line
	}
	return at
}

// lastStep returns the offset of the last character of s.
func lastStep(s string) int {
	at := 0
	for i := 0; i < len(s); {
		at = i
		n, _ := step(s[i:])
		i += n
	}
	return at
}

// StepBack returns how many bytes the cursor moves left at the end of s.
func StepBack(s string) int {
	if s == "" {
		return 0
	}
	// Nothing combines across a line break, so examining one line is enough.
	from := len(s) - 1
	for from > 0 && s[from-1] != '\n' {
		from--
	}
	return len(s) - from - lastStep(s[from:])
}
