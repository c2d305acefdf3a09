package views

import (
	"strconv"
	"strings"

	"winnow/views/theme"
)

// sheet is the box of a dialog: lines that stay, a window of rows that scrolls
// between them, and the line of buttons as the last.
type sheet struct {
	title string
	head  []string
	foot  []string // the last line stays longest
	n     int      // rows
	row   func(i int) string
	first int // the first row that is shown
}

// Sides of the frame and the blank beside each.
const sheetSides = 4

// sheetWidth returns the width of a dialog that likes to be wide cells, and that of
// the lines in it.
func sheetWidth(w, wide int) (box, inner int) {
	box = min(w, wide)
	return box, max(box-sheetSides, 1)
}

// least is how many rows a sheet shows before it drops other lines.
const leastRows = 3

// fitted returns the sheet without the lines for which a box of h lines has no
// room, and how many rows it shows.
func (s sheet) fitted(h int) (sheet, int) {
	room := max(h-2, 0)
	over := func() int { return len(s.head) + len(s.foot) + min(s.n, leastRows) - room }
	if over() > 0 {
		s.head, s.foot = dense(s.head), dense(s.foot)
	}
	for over() > 0 && len(s.foot) > 1 {
		s.foot = s.foot[1:]
	}
	for over() > 0 && len(s.head) > 0 {
		s.head = s.head[:len(s.head)-1]
	}
	return s, max(min(room-len(s.head)-len(s.foot), s.n), 0)
}

// dense returns lines without the blank ones.
func dense(lines []string) []string {
	var full []string
	for _, l := range lines {
		if l != "" {
			full = append(full, l)
		}
	}
	return full
}

// last returns the largest first row for a box of h lines.
func (s sheet) last(h int) int {
	_, rows := s.fitted(h)
	return max(s.n-rows, 0)
}

// render returns a box of w cells and at most h lines.
func (s sheet) render(t theme.Theme, w, h int) string {
	s, rows := s.fitted(h)
	first := max(min(s.first, s.n-rows), 0)
	lines := make([]string, 0, len(s.head)+rows+len(s.foot))
	lines = append(lines, s.head...)
	for i := range rows {
		lines = append(lines, s.row(first+i))
	}
	lines = append(lines, s.foot...)
	for i, l := range lines {
		lines[i] = " " + Cell(l, max(w-sheetSides, 0))
	}
	right := ""
	if rows > 0 && rows < s.n {
		right = strconv.Itoa(first+1) + "-" + strconv.Itoa(first+rows) + " of " + strconv.Itoa(s.n)
	}
	return Pane{Title: s.title, Right: right, Focused: true, Lines: lines}.Render(t, w, min(len(lines)+2, h))
}

// ofLines has the sheet scroll through lines.
func (s sheet) ofLines(lines []string) sheet {
	s.n, s.row = len(lines), func(i int) string { return lines[i] }
	return s
}

// buttons returns a line with what one can do. The one that Enter does stands in
// brackets; where there is no room for all it comes first.
func buttons(t theme.Theme, focus, w int, names ...string) string {
	var parts []string
	width := 0
	for i, name := range names {
		part := "  " + t.Strong.Render(name) + "  "
		if i == focus {
			part = t.Selection.Render("[ " + name + " ]")
		}
		parts = append(parts, part)
		width += Width(part)
	}
	if gaps := 2 * (len(names) - 1); width+gaps <= w {
		return pad((w-width-gaps)/2) + strings.Join(parts, "  ")
	}
	if focus > 0 && focus < len(parts) {
		parts = append([]string{parts[focus]}, append(parts[:focus:focus], parts[focus+1:]...)...)
	}
	return strings.Join(parts, "")
}

// wrapped returns a text of ours, or one that is safe, as styled lines of w cells.
func wrapped(st theme.Style, text string, w int) []string {
	var lines []string
	for _, l := range Wrap(text, max(w, 1)) {
		lines = append(lines, st.Render(l))
	}
	return lines
}
