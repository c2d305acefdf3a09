package views

import (
	"strconv"
	"strings"

	"winnow/keymap"
	"winnow/views/theme"
)

// Help is the data of the help overlay: the bindings that do something in the
// place that it was opened in.
type Help struct {
	Place    string // "Lessons"
	Bindings []keymap.Binding
	Cursor   int
	Filter   string
	Typing   bool // the filter is being typed
}

// Render returns a box of at most w by h cells.
func (v Help) Render(t theme.Theme, w, h int) string {
	return listBox{
		title:  "Keys: " + v.Place,
		filter: v.Filter, typing: v.Typing, cursor: v.Cursor, n: len(v.Bindings),
		row:  func(i, w int) string { return v.row(t, i, w) },
		foot: "Enter does it   / filter   Esc close",
	}.render(t, w, h)
}

func (v Help) row(t theme.Theme, i, w int) string {
	const keys = 16
	b := v.Bindings[i]
	names := strings.Join(b.Keys(), " ")
	if len(names) > keys {
		names = b.Help().Key
	}
	desc := b.Help().Desc
	if i == v.Cursor {
		return t.Selection.Render(Cell("> "+Cell(names, keys)+"  "+desc, w))
	}
	return Cell("  "+t.Accent.Render(Cell(names, keys))+"  "+t.Text.Render(desc), w)
}

// listBox is a box with a list that one can filter: help and the switcher.
type listBox struct {
	title, filter, foot, empty string
	typing                     bool
	cursor, n                  int
	row                        func(i, w int) string
}

func (v listBox) render(t theme.Theme, w, h int) string {
	bw, bh := min(76, w), min(max(v.n, 1)+5, h)
	inner, rows := max(bw-2, 0), max(bh-5, 0)
	lines := []string{v.filterLine(t), ""}
	first := min(max(v.cursor-rows/2, 0), max(v.n-rows, 0))
	for i := first; i < min(first+rows, v.n); i++ {
		lines = append(lines, v.row(i, inner))
	}
	if v.n == 0 {
		lines = append(lines, " "+t.Warn.Render(v.nothing()))
	}
	lines = append(lines, " "+t.Dim.Render(v.foot))
	right := ""
	if v.n > rows {
		right = strconv.Itoa(v.cursor+1) + " of " + strconv.Itoa(v.n)
	}
	return Pane{Title: v.title, Right: right, Focused: true, Lines: lines}.Render(t, bw, bh)
}

func (v listBox) filterLine(t theme.Theme) string {
	if v.filter == "" && !v.typing {
		return " " + t.Dim.Render("/ to filter")
	}
	line := " " + t.Accent.Render("/") + " " + t.Text.Render(v.filter)
	if v.typing {
		line += t.Selection.Render(" ")
	}
	return line
}

func (v listBox) nothing() string {
	if v.filter == "" && v.empty != "" {
		return v.empty
	}
	return "Nothing matches"
}
