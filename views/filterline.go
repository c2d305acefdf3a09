package views

import (
	"cmp"
	"strings"

	"winnow/views/safe"
	"winnow/views/theme"
)

// FilterLine is the data of the line above a list: the filter, the sort order and the number of
// rows.
type FilterLine struct {
	Key    string // key of the filter; empty for the usual one
	Text   string
	Typing bool
	Note   string // how the filter was applied: "~retry: found nowhere, so fuzzy"

	Hint         string // what can be typed
	Scope        string // the part of the store that is shown; empty for all
	Sort         string // "Rel desc"
	Shown, Total int    // rows that match, and rows that are loaded
	Marked       int
	Stored       int // records in the store, of which the first Total are loaded
}

func (v FilterLine) key() string { return cmp.Or(v.Key, "/") }

// begin returns the column at which the text of the filter begins.
func (v FilterLine) begin() int { return 2 + Width(v.key()) }

// Render returns one line of w cells.
func (v FilterLine) Render(t theme.Theme, w int) string {
	right, filterText := v.right(t, w), v.begin()
	room := max(w-Width(right)-1, 0)
	left := " " + t.Accent.Render(v.key()) + " "
	switch {
	case v.Text == "" && v.Typing:
	case v.Text == "":
		left += t.Dim.Render(
			truncate(
				t,
				cmp.Or(textIf(room >= len(v.Hint)+filterText, "%s", v.Hint), "filter"),
				max(room-filterText, 0),
			),
		)
	default:
		left += t.Text.Render(cutStart(t, safe.Line(v.Text), max(room-filterText-1, 0)))
		if v.Note != "" {
			left += "  " + t.Warn.Render(safe.Line(v.Note))
		}
	}
	return Cell(t, Cell(t, left, room)+" "+right, w)
}

// CursorAt returns the column of the cursor in a line of w cells, given the text before it.
func (v FilterLine) CursorAt(before string, w int) int {
	return min(v.begin()+Width(safe.Line(before)), max(w-Width(v.right(theme.Theme{}, w))-2, 0))
}

func (v FilterLine) right(t theme.Theme, w int) string {
	counts := cmp.Or(
		textIf(v.Stored > v.Total, "%d of the first %d of %d", v.Shown, v.Total, v.Stored),
		textIf(v.Total > 0, "%d of %d", v.Shown, v.Total),
	)
	counts += textIf(v.Marked > 0, "  %d marked", v.Marked)
	scope := t.Warn.Render(truncate(t, textIf(v.Scope != "", "scope %s", safe.Line(v.Scope)), 30))
	return joined(
		"  ",
		t.Dim.Render(textIf(v.Sort != "" && w >= 60, "sort %s", v.Sort)),
		scope,
		t.Strong.Render(counts)+" ",
	)
}

// SortMenu is the data of the menu from which a column is picked.
type SortMenu struct {
	// Items are the keys of the menu and what they sort by.
	Items  []struct{ Key, Desc string }
	Chosen int // the item that sorts the rows
	Desc   bool
}

// Render returns a box of at most w by h cells.
func (v SortMenu) Render(t theme.Theme, w, h int) string {
	arrow := strings.TrimSpace(t.Borders.Rising) + " rising"
	if v.Desc {
		arrow = strings.TrimSpace(t.Borders.Falling) + " falling"
	}
	d := Dialog{Title: "Sort by", Width: min(44, w), Rows: len(v.Items), Cursor: v.Chosen}
	d.Row = func(i int) string {
		it, chosen := v.Items[i], i == v.Chosen
		return rowLine(
			t,
			theme.Style{},
			chosen,
			" "+t.Accent.Render(it.Key)+"  "+Cell(t, it.Desc, 20)+textIf(chosen, "%s", arrow),
			d.Width-dialogSides,
		)
	}
	d.Foot = [][]string{blank, {t.Dim.Render("a letter sorts, again it reverses")}}
	return d.Render(t, h)
}
