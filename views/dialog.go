package views

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/safe"
	"winnow/views/theme"
)

// Look is how stored text is shown: its secrets are masked unless Reveal is set, and ages are
// reckoned from Now.
type Look struct {
	Keyed
	Theme  theme.Theme
	Reveal bool
	Mask   Mask // for texts in which secrets were not looked for; nil while they are revealed
	Now    time.Time
}

// Dialog is the one view of all dialogs: lines that stay, rows that scroll between them, and
// a line of buttons.
type Dialog struct {
	Title string
	Right string // at the right end of the top border, while all rows are shown
	Width int    // cells of the box
	Head  []string
	Rows  int
	Row   func(i int) string
	First int // the first row that is shown
	// Foot is in paragraphs, which are shown whole or not. The last is kept longest.
	Foot    [][]string
	Buttons []string
	Focus   int // the button that Enter presses; none when out of range

	// Short replaces the rows when those do not fit.
	Short []string
	// Cursor is the row that is kept in the middle; when negative, First says which rows are shown.
	Cursor int
	// Follow is the value of First that shows what was chosen last at the top.
	Follow int
	// Within is how far a part of the rows can scroll by itself.
	Within int
}

const (
	// dialogWide is how wide dialogs like to be, and dialogWider those with two columns.
	dialogWide  = 78
	dialogWider = 98
	// dialogSides are the sides of the frame and the blank beside each.
	dialogSides = 4
	// narrowMargin is the least room beside a dialog. With less, the dialog takes the whole width:
	// the rest would show only a frame around a frame.
	narrowMargin = 8
	// leastRows is how many rows a dialog shows before it drops other lines.
	leastRows = 3
)

// newDialog returns a dialog that is wide cells wide if w has room for that, and the width
// of its lines.
func newDialog(title string, w, wide int) (v Dialog, inner int) {
	v = Dialog{Title: title, Width: wide, Cursor: -1, Focus: -1}
	if w < wide+narrowMargin {
		v.Width = w
	}
	return v, max(v.Width-dialogSides, 1)
}

// SetLines makes the dialog scroll through lines.
func (v *Dialog) SetLines(lines []string) {
	v.Rows, v.Row = len(lines), func(i int) string { return lines[i] }
}

// blank is an empty line between paragraphs.
var blank = []string{""}

// fitted drops the lines that have no room in h lines, and returns how many rows are shown.
func (v *Dialog) fitted(h int) (rows int) {
	room := max(h-2, 0)
	v.Foot = slices.Clone(v.Foot)
	foot := func() int { return len(slices.Concat(v.Foot...)) + min(len(v.Buttons), 1) }
	over := func() int { return len(v.Head) + foot() + min(v.Rows, leastRows) - room }
	if v.Short != nil && len(v.Head)+foot()+v.Rows > room {
		v.SetLines(v.Short)
		v.Short = nil
	}
	if over() > 0 {
		empty := func(l string) bool { return l == "" }
		v.Head = slices.DeleteFunc(slices.Clone(v.Head), empty)
		v.Foot = slices.DeleteFunc(v.Foot, func(p []string) bool { return len(p) == 1 && p[0] == "" })
	}
	for over() > 0 && len(v.Foot) > 0 && (len(v.Buttons) > 0 || len(v.Foot) > 1) {
		v.Foot = v.Foot[1:]
	}
	for over() > 0 && len(v.Head) > 0 {
		v.Head = v.Head[:len(v.Head)-1]
	}
	rows = max(min(room-len(v.Head)-foot(), v.Rows), 0)
	if v.Cursor >= 0 {
		v.First = v.Cursor - rows/2
	}
	v.First = max(min(v.First, v.Rows-rows), 0)
	return rows
}

// Last returns the largest First that shows more in h lines.
func (v Dialog) Last(h int) int {
	rows := v.fitted(h)
	return max(v.Rows-rows, v.Within)
}

// Render returns a box of at most h lines.
func (v Dialog) Render(t theme.Theme, h int) string {
	rows := v.fitted(h)
	lines := slices.Clone(v.Head)
	for i := range rows {
		lines = append(lines, v.Row(v.First+i))
	}
	lines = append(lines, slices.Concat(v.Foot...)...)
	if len(v.Buttons) > 0 {
		line, _ := v.buttons(t)
		lines = append(lines, line)
	}
	for i, l := range lines {
		lines[i] = " " + Cell(t, l, max(v.Width-dialogSides, 0))
	}
	right := cmp.Or(when(rows > 0 && rows < v.Rows, "%d-%d of %d", v.First+1, v.First+rows, v.Rows), v.Right)
	return Pane{Title: v.Title, Right: right, Focused: true, Lines: lines}.Render(t, v.Width, min(len(lines)+2, h))
}

// buttons returns the line of buttons, and the columns of each. What Enter does is in
// brackets; where there is no room for all it comes first.
func (v Dialog) buttons(t theme.Theme) (line string, spans [][2]int) {
	w, width := max(v.Width-dialogSides, 1), -2
	for _, name := range v.Buttons {
		width += Width(name) + len("[  ]  ")
	}
	gap, space, at := "  ", " ", (w-width)/2
	order := make([]int, len(v.Buttons))
	for i := range order {
		order[i] = i
	}
	if at < 0 {
		gap, space, at = "", "", 0
		if f := v.Focus; f > 0 && f < len(order) {
			order = append([]int{f}, slices.Delete(order, f, f+1)...)
		}
	}
	line, spans = pad(at), make([][2]int, len(v.Buttons))
	for n, i := range order {
		text := " " + space + t.Strong.Render(v.Buttons[i]) + space + " "
		if i == v.Focus {
			text = t.Selection.Render("[" + space + v.Buttons[i] + space + "]")
		}
		if n > 0 {
			line, at = line+gap, at+len(gap)
		}
		end := at + Width(text)
		spans[i] = [2]int{at, min(end, w)}
		line, at = line+text, end
	}
	return line, spans
}

// DialogCell is where a cell of a dialog is: in one of the lines that stay on top, in a row, or on
// a button, each -1 when it is not; and how far from the left edge of the lines.
type DialogCell struct{ Head, Row, Button, X int }

// At returns where a cell of the box of h lines is; x and y count from its top left cell.
func (v Dialog) At(t theme.Theme, h, x, y int) DialogCell {
	rows, p := v.fitted(h), DialogCell{Head: -1, Row: -1, Button: -1, X: x - dialogSides/2}
	switch line := y - 1; {
	case line < 0 || y >= h-1 || p.X < 0 || x >= v.Width-1:
	case line < len(v.Head):
		p.Head = line
	case line < len(v.Head)+rows:
		p.Row = v.First + line - len(v.Head)
	default:
		last := len(v.Head) + rows + len(slices.Concat(v.Foot...))
		_, spans := v.buttons(t)
		for i, span := range spans {
			if line == last && p.X >= span[0] && p.X < span[1] {
				p.Button = i
			}
		}
	}
	return p
}

// Field is a text that can be typed, or a choice of names when there are any.
type Field struct {
	Name         string
	Text, Before string // Before is the part of Text before the cursor
	Choices      []string
	Chosen       int
	Lines        int // that a long text may take; one for 0
}

const (
	fieldLabel = 8 // cells of the name of a field
	choiceGap  = 2 // cells between two choices
)

// line returns the field as a line of w cells. While it has the focus there is a sign at the
// cursor, which is behind Before.
func (f Field) line(t theme.Theme, focused bool, w int) string {
	style := t.Text
	label := t.Dim.Render(Cell(t, f.Name, fieldLabel))
	if focused {
		label, style = t.Accent.Render(Cell(t, f.Name, fieldLabel)), t.Strong
	}
	if f.Choices != nil {
		for i, name := range f.Choices {
			sign, style := "( ) ", t.Text
			if i == f.Chosen {
				sign, style = "(o) ", t.Strong
			}
			label += style.Render(sign+name) + pad(choiceGap)
		}
		return Cell(t, label, w)
	}
	room := max(w-fieldLabel-2, 1)
	shown := fit(t, safe.Line(f.Text), room)
	if focused {
		left := without(safe.Line(f.Before), Width(safe.Line(f.Before))-room+1)
		after := strings.TrimPrefix(f.Text, f.Before)
		shown = left + "_" + fit(t, safe.Line(clip(after, room)), max(room-Width(left)-1, 0))
	}
	return Cell(t, label+"["+style.Render(Cell(t, shown, room))+"]", w)
}

// box returns a field whose text has several lines of w cells, those around the cursor.
func (f Field) box(t theme.Theme, focused bool, w int) []string {
	label, style, box := t.Dim, t.Text, TextBox{Text: f.Text}
	if focused {
		label, style = t.Accent, t.Strong
		box = TextBox{Text: f.Before + "_" + strings.TrimPrefix(f.Text, f.Before), Cursor: len(f.Before)}
	}
	room := max(w-fieldLabel-2, 1)
	lines, _, _ := box.Show(room, f.Lines)
	name := f.Name
	for i, l := range lines {
		lines[i] = Cell(t, label.Render(Cell(t, name, fieldLabel))+"["+style.Render(l)+"]", w)
		name = ""
	}
	return lines
}

// ChoiceAt returns the choice at a column of the field, or -1.
func (f Field) ChoiceAt(x int) int {
	at := fieldLabel
	for i, name := range f.Choices {
		end := at + len("( ) ") + Width(name)
		if x >= at && x < end {
			return i
		}
		at = end + choiceGap
	}
	return -1
}

// SetFields makes the fields the rows of the dialog; focus is the one that is typed in.
func (v *Dialog) SetFields(t theme.Theme, fields []Field, focus int) {
	var lines []string
	for i, f := range fields {
		w := max(v.Width-dialogSides, 1)
		if f.Lines > 1 {
			lines = append(lines, f.box(t, i == focus, w)...)
		} else {
			lines = append(lines, f.line(t, i == focus, w))
		}
	}
	v.SetLines(lines)
}

// Over returns base with box drawn over it, its top left corner at column x and
// line y. Both are lines of cells, as other views return them; what is outside base is cut.
func Over(base, box string, x, y int) string {
	lines := strings.Split(base, "\n")
	for i, b := range strings.Split(box, "\n") {
		at := y + i
		if at < 0 || at >= len(lines) {
			continue
		}
		line, w := lines[at], Width(b)
		lines[at] = ansi.Truncate(line, x, "") + b + ansi.TruncateLeft(line, x+w, "")
	}
	return strings.Join(lines, "\n")
}

// Size returns how many cells wide and high a block is.
func Size(block string) (w, h int) {
	first, _, _ := strings.Cut(block, "\n")
	return Width(first), strings.Count(block, "\n") + 1
}

// OverCentre returns base, of w by h cells, with box drawn over its middle.
func OverCentre(base, box string, w, h int) string {
	bw, bh := Size(box)
	return Over(base, box, max((w-bw)/2, 0), max((h-bh)/2, 0))
}
