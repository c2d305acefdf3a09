package views

import (
	"cmp"
	"slices"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Search is a list that the user narrows by typing.
type Search struct {
	Title  string
	Query  string
	Typing bool   // typed text goes to Query
	Prompt string // key of a filter shown before Query; empty for the usual one
	Empty  string // shown if the list is empty without a query
	Cursor int
}

// list returns a dialog with n rows and the preferred width, for a room of w cells.
func (v Search) list(l Look, w, wide, n int, row func(i, w int) string) (d Dialog, inner int) {
	d, inner = newDialog(v.Title, w, wide)
	t, query := l.Theme, l.Theme.Dim.Render(cmp.Or(v.Prompt, "/")+" to filter")
	if v.Typing || v.Query != "" {
		query = t.Accent.Render(cmp.Or(v.Prompt, "/")) + " " +
			t.Text.Render(cutStart(t, safe.Line(v.Query), max(inner-3, 0)))
	}
	if v.Typing {
		query += t.Accent.Render("_")
	}
	d.Head, d.Cursor = []string{query, ""}, v.Cursor
	d.Rows, d.Row = n, func(i int) string { return row(i, inner) }
	if n == 0 && v.Query == "" && v.Empty != "" {
		d.setLines(wrapped(t.Warn, v.Empty, inner))
	} else if n == 0 {
		d.setLines([]string{t.Warn.Render("Nothing matches")})
	}
	return d, inner
}

// Switcher is the dialog to switch between the stores that were found.
type Switcher struct {
	Search
	Places []memory.Place
	Open   memory.StoreID
	Names  map[memory.SystemID]string
}

// Dialog returns the dialog in a room of w cells.
func (v Switcher) Dialog(l Look, w, _ int) Dialog {
	v.Empty = "No store was found; start winnow with a path"
	d, _ := v.list(l, w, searchWide, len(v.Places), func(i, w int) string { return v.row(l, i, w) })
	return d
}

// row is a place. If places belong to several systems or have names, those precede the path.
// Otherwise the reason why it is offered follows the path.
func (v Switcher) row(l Look, i, w int) string {
	t, p := l.Theme, &v.Places[i]
	sign := cmp.Or(textIf(p.Store == v.Open, "* "), "  ")
	room := max(w-4, 0)
	head, why, path, style := "", "", "", t.Dim
	if Grouped(v.Places) {
		head = Cell(t, systemName(v.Names, p.System), min(w/4, 14)) + "  " +
			Cell(t, l.Mask.line(p.Name, w), min(w/4, 20)) + "  "
		room = max(room-Width(head), 0)
		path = cutFront(t, l.Mask.line(PlacePath(*p), 4*max(w, 1)), room)
	} else {
		why = "  " + Cell(t, joined("; ", textIf(!p.Exists, "does not exist yet"), safe.Line(p.Why)), min(w/2, 34))
		room, style = max(room-Width(why), 0), t.Text
		path = cutStart(t, safe.Line(p.Path), room)
	}
	return rowLine(
		t,
		theme.Style{},
		i == v.Cursor,
		" "+sign+t.Text.Render(head)+style.Render(Cell(t, path, room))+t.Dim.Render(why),
		w,
	)
}

// Grouped reports whether places have names, or belong to several systems.
func Grouped(places []memory.Place) bool {
	return slices.ContainsFunc(places, func(p memory.Place) bool {
		return p.System != places[0].System || !p.ByPath && (p.Name != "" || p.Project != "")
	})
}

// PlaceName returns the full name of a store: its system, its name and its path.
func PlaceName(names map[memory.SystemID]string, p memory.Place) string {
	return joined(" ", cmp.Or(names[p.System], string(p.System)), textIf(!p.ByPath, "%s", p.Name), PlacePath(p))
}

// PlacePath returns the path that distinguishes a store from others. The path of the working folder
// is written in full.
func PlacePath(p memory.Place) string {
	if p.Path == "." || p.Path == "" {
		return p.Store.Path()
	}
	return p.Path
}

// ShortName returns a short name of a store, with the most distinctive part last: its project and
// name, or else its system, its name and the last part of its path.
func ShortName(names map[memory.SystemID]string, p memory.Place) string {
	system := cmp.Or(names[p.System], string(p.System))
	return joined(" ", textIf(p.Project == "", "%s", system), BriefName(p))
}

// BriefName returns the short name of a store without its system.
func BriefName(p memory.Place) string {
	base := baseOf(PlacePath(p))
	if p.Project != "" {
		return baseOf(p.Project) + "/" + cmp.Or(p.Name, base)
	}
	return joined(" ", textIf(p.Name != base, "%s", p.Name), base)
}

// OpenPath is the dialog to type the path of a store.
type OpenPath struct {
	Search
	Paths []string // completions of the text
	Busy  bool     // the search for stores is running
	Wrong string   // why there are none
}

// Dialog returns the dialog in a room of w cells.
func (v OpenPath) Dialog(l Look, w, _ int) Dialog {
	v.Title, v.Prompt, v.Typing = "Open a path", ">", true
	d, inner := v.list(l, w, searchWide, len(v.Paths), func(i, w int) string {
		path := cutFront(l.Theme, l.Mask.line(v.Paths[i], 4*max(w, 1)), max(w-2, 0))
		return rowLine(l.Theme, theme.Style{}, i == v.Cursor, " "+path, w)
	})
	t := l.Theme
	switch {
	case v.Busy:
		d.setLines([]string{t.Dim.Render("Looking for stores" + t.Borders.Cut)})
	case v.Wrong != "":
		d.setLines(wrapped(t.Warn, safe.Line(v.Wrong), inner))
	case len(v.Paths) == 0:
		d.setLines(wrapped(t.Dim, "Opens a file, or finds the stores in and below a folder.", inner))
	}
	if v.Busy || v.Wrong != "" {
		d.Cursor = -1
	}
	return d
}
