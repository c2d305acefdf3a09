package views

import (
	"fmt"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Palette is the dialog of the keys of a place, saved views and records.
type Palette struct {
	Search
	Rows []PaletteRow
	All  int // total number of keys or views
	// Legend explains letters and signs of the place. It is shown below the list if there is room
	// for both.
	Legend []string
}

// PaletteRow is a heading, a command with its keys, a view with its kind, or a record.
type PaletteRow struct {
	Text, Keys, Note string
	Heading          bool
	New              bool   // it would be a new view
	Off              string // why a command does nothing now; empty if it works
	Record           *memory.Record
}

const (
	PaletteKeys   = 16 // the width of the column of keys
	paletteRecord = 11 // the width of what says that a row is a record
	searchWide    = dialogWide
	legendRows    = 6 // minimum rows of the list next to a legend
)

// Dialog returns the dialog in a room of w cells.
func (v Palette) Dialog(l Look, w, h int) Dialog {
	d, inner := v.list(l, w, searchWide, len(v.Rows), func(i, w int) string { return v.row(l, i, w) })
	t := l.Theme
	records, found := 0, 0
	for i := range v.Rows {
		switch r := &v.Rows[i]; {
		case r.Record != nil:
			records++
		case !r.Heading && !r.New:
			found++
		}
	}
	count := fmt.Sprintf("%d of %d", found, v.All) +
		textIf(records > 0, ", %s", memory.Counted(records, "record"))
	typed := t.Accent.Render(":") + " " + t.Text.Render(cutStart(t, safe.Line(v.Query), max(inner-5-len(count), 0))) +
		t.Accent.Render("_")
	d.Head = []string{
		Cell(t, typed, max(inner-len(count), 0)) + t.Dim.Render(count),
		t.Dim.Render(truncate(t, "type to find a key or a record   @ stores   ' views", inner)),
		"",
	}
	if len(v.Rows) == 0 && v.All == 0 && v.Empty != "" {
		d.setLines(wrapped(t.Warn, v.Empty, inner))
	}
	if legend := legendLines(t, v.Legend, inner); h >= legendRows+len(d.Head)+2+len(legend) {
		d.Foot = append(d.Foot, legend)
	}
	return d
}

func (v Palette) row(l Look, i, w int) string {
	t, r := l.Theme, &v.Rows[i]
	selected := i == v.Cursor
	switch {
	case r.Heading:
		return t.Strong.Render(Cell(t, safe.Line(r.Text), w))
	case r.Record != nil:
		text := safe.Masked(clip(r.Record.Title, w), memory.Places(r.Record.Secrets, memory.InTitle, 0), l.Reveal)
		text = " " + Cell(t, text, max(w-paletteRecord-2, 0)) + t.Dim.Render("  record")
		return rowLine(t, t.Text, selected, text, w)
	case r.Keys != "":
		text, style := safe.Line(r.Text), t.Text
		if r.Off != "" {
			text, style = "off: "+safe.Line(r.Off)+" ("+text+")", t.Dim
		}
		keys := t.Accent.Render(Cell(t, safe.Line(r.Keys), PaletteKeys))
		return rowLine(t, theme.Style{}, selected, " "+keys+"  "+style.Render(text), w)
	}
	text, rest := l.Mask.line(r.Text, w), l.Mask.line(r.Note, 2*w)
	column := max((w-3)*2/5, Width(text)+3)
	return rowLine(t, theme.Style{}, selected, t.Text.Render(Cell(t, " "+text, min(w-3, column))+rest), w)
}
