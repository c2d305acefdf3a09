package views

import (
	"fmt"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Palette is the dialog of commands, saved views and records.
type Palette struct {
	Search
	Rows []PaletteRow
	All  int // total number of commands or views
}

// PaletteRow is a command with its key, a view with its kind, or a record.
type PaletteRow struct {
	Text, Key, Note string
	Off             string // why a command does nothing now; empty if it works
	Record          *memory.Record
}

// paletteKeys is the width of the column of keys.
const paletteKeys = 10

// Dialog returns the dialog in a room of w cells.
func (v Palette) Dialog(l Look, w, _ int) Dialog {
	d, inner := v.list(l, w, searchWide, len(v.Rows), func(i, w int) string { return v.row(l, i, w) })
	t := l.Theme
	records := 0
	for i := range v.Rows {
		if v.Rows[i].Record != nil {
			records++
		}
	}
	count := fmt.Sprintf("%d of %d", len(v.Rows)-records, v.All) + textIf(records > 0, ", %s", memory.Counted(records, "record"))
	typed := t.Accent.Render(":") + " " + t.Text.Render(cutStart(t, safe.Line(v.Query), max(inner-5-len(count), 0))) + t.Accent.Render("_")
	d.Head = []string{Cell(t, typed, max(inner-len(count), 0)) + t.Dim.Render(count), t.Dim.Render(truncate(t, "> commands   @ stores   ' views   a word finds records too", inner)), ""}
	if v.All == 0 && v.Empty != "" {
		d.SetLines(wrapped(t.Warn, v.Empty, inner))
	}
	return d
}

func (v Palette) row(l Look, i, w int) string {
	t, r := l.Theme, &v.Rows[i]
	if r.Record != nil {
		text := safe.Masked(clip(r.Record.Title, w), memory.Places(r.Record.Secrets, memory.InTitle, 0), l.Reveal)
		return rowLine(t, t.Text, i == v.Cursor, " "+Cell(t, text, max(w-paletteKeys-3, 0))+t.Dim.Render("  record"), w)
	}
	text, rest, style, keys := l.Mask.line(r.Text, w), l.Mask.line(r.Note, 2*w), t.Text, paletteKeys
	if r.Key != "" {
		text = Capital(text)
	}
	if r.Off != "" {
		rest, style, keys = "off: "+safe.Line(r.Off), t.Dim, Width(r.Key)+1
	}
	key := Right(t, safe.Line(r.Key), keys)
	room := max(w-2-keys-1, 0)
	column := min(room*2/5, room-Width(rest)) // a long reason begins farther left than the others
	line := Cell(t, " "+text, min(room, max(column, Width(text)+3)))
	line += Cell(t, rest, max(room-Width(line)+1, 0))
	return rowLine(t, theme.Style{}, i == v.Cursor, style.Render(Cell(t, line, room+1))+t.Accent.Render(key), w)
}

// ColumnMenu is the dialog that chooses columns.
type ColumnMenu struct {
	Columns []ColumnChoice
	Cursor  int
}

// ColumnChoice is a column and whether it is shown.
type ColumnChoice struct {
	Name  string
	Shown bool
}

// Dialog returns the dialog in a room of w cells.
func (v ColumnMenu) Dialog(l Look, w, _ int) Dialog {
	d, inner := newDialog("Columns", w, columnsWide)
	d.Head, d.Cursor = []string{l.Theme.Dim.Render("The title is always shown."), ""}, v.Cursor
	d.Rows, d.Row = len(v.Columns), func(i int) string {
		c := v.Columns[i]
		box := "[ ] "
		if c.Shown {
			box = "[x] "
		}
		return rowLine(l.Theme, l.Theme.Text, i == v.Cursor, " "+box+Capital(c.Name), inner)
	}
	return d
}

const columnsWide = 56
