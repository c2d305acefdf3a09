package views

import (
	"cmp"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// Search is a list that is narrowed by what is typed.
type Search struct {
	Title  string
	Query  string
	Typing bool   // what is typed goes to Query
	Empty  string // what is said of a list that is empty without a query
	Cursor int
}

// list returns a dialog in a room of w cells that likes to be wide, with n rows.
func (v Search) list(l Look, w, wide, n int, row func(i, w int) string) (d Dialog, inner int) {
	d, inner = newDialog(v.Title, w, wide)
	t, query := l.Theme, l.Theme.Dim.Render("/ to filter")
	switch {
	case v.Typing:
		query = t.Accent.Render("/") + " " + t.Text.Render(cutStart(safe.Line(v.Query), max(inner-3, 0))) + t.Accent.Render("_")
	case v.Query != "":
		query = t.Accent.Render("/") + " " + t.Text.Render(safe.Line(v.Query))
	}
	d.Head, d.Cursor = []string{query, ""}, v.Cursor
	d.Rows, d.Row = n, func(i int) string { return row(i, inner) }
	if n == 0 && v.Query == "" && v.Empty != "" {
		d.SetLines(wrapped(t.Warn, v.Empty, inner))
	} else if n == 0 {
		d.SetLines([]string{t.Warn.Render("Nothing matches")})
	}
	return d, inner
}

// Switcher is the dialog that offers the stores that were found.
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

func (v Switcher) row(l Look, i, w int) string {
	t, p := l.Theme, &v.Places[i]
	sign := "  "
	if p.Store == v.Open {
		sign = "* "
	}
	if grouped(v.Places) {
		return v.systemRow(l, i, w, sign)
	}
	why := safe.Line(p.Why)
	if !p.Exists {
		why = strings.TrimSuffix("does not exist yet; "+why, "; ")
	}
	whyWidth := min(w/2, 34)
	room := max(w-len(sign)-whyWidth-4, 0)
	why = Cell(why, whyWidth)
	path := Cell(cutStart(safe.Line(p.Path), room), room)
	if i == v.Cursor {
		return t.Selection.Render(Cell("> "+sign+path+"  "+why, w))
	}
	return Cell("  "+sign+t.Text.Render(path)+"  "+t.Dim.Render(why), w)
}

// grouped reports whether places have names, or are of several systems.
func grouped(places []memory.Place) bool {
	for i := range places {
		if p := &places[i]; p.System != places[0].System || !p.ByPath && (p.Name != "" || p.Project != "") {
			return true
		}
	}
	return false
}

// systemRow is a place with its system and its name before the path.
func (v Switcher) systemRow(l Look, i, w int, sign string) string {
	t, p := l.Theme, &v.Places[i]
	system := Cell(systemName(v.Names, p.System), min(w/4, 14))
	name := Cell(l.Mask.line(p.Name, w), min(w/4, 20))
	head := system + "  " + name + "  "
	room := max(w-len(sign)-2-Width(head), 0)
	path := Cell(cutFront(l.Mask.line(PlacePath(*p), 4*max(w, 1)), room), room)
	if i == v.Cursor {
		return t.Selection.Render(Cell("> "+sign+head+path, w))
	}
	return Cell("  "+sign+t.Text.Render(head)+t.Dim.Render(path), w)
}

// PlaceName returns what a store is called: its system, its name and its path.
func PlaceName(names map[memory.SystemID]string, p memory.Place) string {
	name := cmp.Or(names[p.System], string(p.System))
	if p.Name != "" && !p.ByPath {
		name += " " + p.Name
	}
	return name + " " + PlacePath(p)
}

// PlacePath returns the path that tells a store from others: that of the working folder
// is written out.
func PlacePath(p memory.Place) string {
	if p.Path == "." || p.Path == "" {
		return p.Store.Path()
	}
	return p.Path
}

// PlaceBase returns the last part of the path of a store, or of that of its project.
func PlaceBase(p memory.Place) string {
	if p.Project != "" {
		return baseOf(p.Project)
	}
	return baseOf(PlacePath(p))
}
