package views

import (
	"slices"
	"strconv"

	"winnow/views/theme"
)

// sheet is the box of a dialog: lines that stay, a window of rows that scrolls
// between them, and the line of buttons as the last.
type sheet struct {
	title string
	head  []string
	// foot is in paragraphs, which are shown whole or not. The last stays longest.
	foot  [][]string
	right string // at the right end of the top border, while all rows are shown
	n     int    // rows
	row   func(i int) string
	first int // the first row that is shown
	// spans are the columns of the buttons in the last line, from and to.
	spans [][2]int
}

// Sides of the frame and the blank beside each.
const sheetSides = 4

// narrowMargin is from how many cells on what is behind a dialog is left to be seen
// beside it: fewer would show nothing but a frame around the frame.
const narrowMargin = 8

// sheetWidth returns the width of a dialog that likes to be wide cells, and that of
// the lines in it.
func sheetWidth(w, wide int) (box, inner int) {
	box = wide
	if w < wide+narrowMargin {
		box = w
	}
	return box, max(box-sheetSides, 1)
}

// least is how many rows a sheet shows before it drops other lines.
const leastRows = 3

// fitted returns the sheet without the lines for which a box of h lines has no
// room, and how many rows it shows.
func (s sheet) fitted(h int) (sheet, int) {
	room := max(h-2, 0)
	over := func() int { return len(s.head) + s.footLines() + min(s.n, leastRows) - room }
	if over() > 0 {
		s.head = dense(s.head)
		s.foot = slices.DeleteFunc(slices.Clone(s.foot), func(p []string) bool { return len(p) == 1 && p[0] == "" })
	}
	for over() > 0 && len(s.foot) > 1 {
		s.foot = s.foot[1:]
	}
	for over() > 0 && len(s.head) > 0 {
		s.head = s.head[:len(s.head)-1]
	}
	return s, max(min(room-len(s.head)-s.footLines(), s.n), 0)
}

// blank is an empty line between paragraphs.
var blank = []string{""}

func (s sheet) footLines() int {
	n := 0
	for _, p := range s.foot {
		n += len(p)
	}
	return n
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
	lines := make([]string, 0, len(s.head)+rows+s.footLines())
	lines = append(lines, s.head...)
	for i := range rows {
		lines = append(lines, s.row(first+i))
	}
	for _, p := range s.foot {
		lines = append(lines, p...)
	}
	for i, l := range lines {
		lines[i] = " " + Cell(l, max(w-sheetSides, 0))
	}
	right := s.right
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

// buttons ends the sheet with a line of what one can do. What Enter does stands in
// brackets; where there is no room for all it comes first.
func (s sheet) buttons(t theme.Theme, focus, w int, names ...string) sheet {
	parts, order, width := make([]string, len(names)), make([]int, len(names)), 0
	for _, name := range names {
		width += Width(name) + len("[  ]  ")
	}
	gap, blank, at := "  ", " ", (w-width+len("  "))/2
	if at < 0 {
		gap, blank, at = "", "", 0
	}
	for i, name := range names {
		parts[i], order[i] = " "+blank+t.Strong.Render(name)+blank+" ", i
		if i == focus {
			parts[i] = t.Selection.Render("[" + blank + name + blank + "]")
		}
	}
	if gap == "" {
		if focus > 0 && focus < len(names) {
			order = append([]int{focus}, slices.Delete(order, focus, focus+1)...)
		}
	}
	line := pad(at)
	s.spans = make([][2]int, len(names))
	for n, i := range order {
		if n > 0 {
			line, at = line+gap, at+len(gap)
		}
		end := at + Width(parts[i])
		s.spans[i] = [2]int{at, min(end, w)}
		line, at = line+parts[i], end
	}
	s.foot = append(s.foot, []string{line})
	return s
}

// wrapped returns a text of ours, or one that is safe, as styled lines of w cells.
func wrapped(st theme.Style, text string, w int) []string {
	var lines []string
	for _, l := range Wrap(text, max(w, 1)) {
		lines = append(lines, st.Render(l))
	}
	return lines
}
