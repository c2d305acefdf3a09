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

// Look says how stored text is shown. Secrets are masked unless Reveal is set, and ages are
// relative to Now.
type Look struct {
	Keyed
	Theme  theme.Theme
	Reveal bool
	Mask   Mask // hides secrets in texts that were not searched; nil while secrets are revealed
	Now    time.Time
}

// Dialog is the view shared by all dialogs: fixed lines, rows that scroll between them, and a line
// of buttons.
type Dialog struct {
	Title string
	Right string // at the right end of the top border, if all rows are visible
	Width int    // cells of the box
	Head  []string
	Rows  int
	Row   func(i int) string
	First int // first visible row
	// Foot is a list of paragraphs. Each is shown completely or not at all; the last one is dropped
	// last.
	Foot    [][]string
	Buttons []string
	Focus   int // the button that Enter presses; none when out of range

	// Short replaces the rows when those do not fit.
	Short []string
	// Cursor is the row to keep in the middle. If it is negative, First decides which rows are
	// visible.
	Cursor int
	// Follow is the value of First that puts the last choice at the top.
	Follow int
	// Within is how far a part of the rows can scroll on its own.
	Within int
}

const (
	// dialogWide is the preferred width of dialogs, and dialogWider that of dialogs with two
	// columns.
	dialogWide  = 78
	dialogWider = 98
	// dialogSides is the width of the frame's sides, with a blank next to each.
	dialogSides = 4
	// narrowMargin is the minimum space beside a dialog. With less, the dialog takes the whole
	// width, because only a frame around a frame would be visible.
	narrowMargin = 8
	// leastRows is the number of rows below which a dialog drops other lines.
	leastRows = 3
)

// newDialog returns a dialog of the preferred width if it fits into w, and the width of its lines.
func newDialog(title string, w, wide int) (v Dialog, inner int) {
	v = Dialog{Title: title, Width: wide, Cursor: -1, Focus: -1}
	if w < wide+narrowMargin {
		v.Width = w
	}
	return v, max(v.Width-dialogSides, 1)
}

// setLines makes the dialog scroll through lines.
func (v *Dialog) setLines(lines []string) {
	v.Rows, v.Row = len(lines), func(i int) string { return lines[i] }
}

// blank is an empty line between paragraphs.
var blank = []string{""}

// dropLines drops lines that do not fit into h lines, and returns how many rows are visible.
func (v *Dialog) dropLines(h int) (rows int) {
	room := max(h-2, 0)
	v.Foot = slices.Clone(v.Foot)
	foot := func() int { return len(slices.Concat(v.Foot...)) + min(len(v.Buttons), 1) }
	over := func() int { return len(v.Head) + foot() + min(v.Rows, leastRows) - room }
	if v.Short != nil && len(v.Head)+foot()+v.Rows > room {
		v.setLines(v.Short)
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

// Last returns the largest useful First for h lines.
func (v Dialog) Last(h int) int {
	rows := v.dropLines(h)
	return max(v.Rows-rows, v.Within)
}

// Render returns a box of at most h lines.
func (v Dialog) Render(t theme.Theme, h int) string {
	rows := v.dropLines(h)
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
	right := cmp.Or(textIf(rows > 0 && rows < v.Rows, "%d-%d of %d", v.First+1, v.First+rows, v.Rows), v.Right)
	return pane{Title: v.Title, Right: right, Focused: true, Lines: lines}.render(t, v.Width, min(len(lines)+2, h))
}

// buttons returns the line of buttons and the columns of each. The button that Enter presses is in
// brackets, and comes first if there is no room for all.
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

// DialogCell says where a cell of a dialog is: Head, Row and Button are indexes, or -1 if the cell
// is elsewhere. X counts from the left edge of the lines.
type DialogCell struct{ Head, Row, Button, X int }

// At returns where a cell of the box of h lines is. x and y count from the top left cell of the
// box.
func (v Dialog) At(t theme.Theme, h, x, y int) DialogCell {
	rows, p := v.dropLines(h), DialogCell{Head: -1, Row: -1, Button: -1, X: x - dialogSides/2}
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

// Field is a text field, or a choice between names if it has any.
type Field struct {
	Name         string
	Text, Before string // Before is the part of Text before the cursor
	Choices      []string
	Chosen       int
	Lines        int // maximum lines for a long text; 0 means one
}

const (
	fieldLabel = 8 // width of the label of a field
	choiceGap  = 2 // cells between two choices
)

// line returns the field as a line of w cells. If focused, it shows a cursor sign after Before.
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
	shown := truncate(t, safe.Line(f.Text), room)
	if focused {
		left := without(safe.Line(f.Before), Width(safe.Line(f.Before))-room+1)
		after := strings.TrimPrefix(f.Text, f.Before)
		shown = left + "_" + truncate(t, safe.Line(clip(after, room)), max(room-Width(left)-1, 0))
	}
	return Cell(t, label+"["+style.Render(Cell(t, shown, room))+"]", w)
}

// box returns a field with several lines of w cells, those around the cursor.
func (f Field) box(t theme.Theme, focused bool, w int) []string {
	label, style, box := t.Dim, t.Text, TextBox{Text: f.Text}
	if focused {
		label, style = t.Accent, t.Strong
		box = TextBox{Text: f.Before + "_" + strings.TrimPrefix(f.Text, f.Before), Cursor: len(f.Before)}
	}
	room := max(w-fieldLabel-2, 1)
	lines, _, _ := box.show(room, f.Lines)
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

// setFields makes the fields the rows of the dialog. focus is the one being edited.
func (v *Dialog) setFields(t theme.Theme, fields []Field, focus int) {
	var lines []string
	for i, f := range fields {
		w := max(v.Width-dialogSides, 1)
		if f.Lines > 1 {
			lines = append(lines, f.box(t, i == focus, w)...)
		} else {
			lines = append(lines, f.line(t, i == focus, w))
		}
	}
	v.setLines(lines)
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
		lines[at] = Cell(theme.Theme{}, ansi.WcWidth.Truncate(line, x, ""), x) + b +
			ansi.WcWidth.TruncateLeft(line, x+w, "")
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
