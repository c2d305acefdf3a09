package views

import (
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Switcher is the data of the overlay that offers the stores that were found.
type Switcher struct {
	Places []memory.Place
	Open   memory.StoreID
	Cursor int
	Filter string
	Title  string // empty to open a store
	Names  map[memory.SystemID]string
	Mask   Mask
}

// Render returns a box of at most w by h cells.
func (v Switcher) Render(t theme.Theme, w, h int) string { return v.box(t).render(t, w, h) }

// SpotAt returns what stands at a cell of the box that Render returns for w and h. A
// row is a place.
func (v Switcher) SpotAt(t theme.Theme, w, h, x, y int) Spot { return v.box(t).at(t, w, h, x, y) }

func (v Switcher) box(t theme.Theme) listBox {
	return listBox{
		title:  orText(v.Title, "Open a store"),
		filter: v.Filter, typing: true, cursor: v.Cursor, n: len(v.Places),
		row:   func(i, w int) string { return v.row(t, i, w) },
		foot:  "type to filter   Enter open   Esc close",
		empty: "No store was found; start winnow with a path",
	}
}

func (v Switcher) row(t theme.Theme, i, w int) string {
	p := v.Places[i]
	sign := "  "
	if p.Store == v.Open {
		sign = "* "
	}
	if grouped(v.Places) {
		return v.systemRow(t, i, w, sign)
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
		if p := &places[i]; p.System != places[0].System || p.System != planner && (p.Name != "" || p.Project != "") {
			return true
		}
	}
	return false
}

// systemRow is a place with its system and its name before the path.
func (v Switcher) systemRow(t theme.Theme, i, w int, sign string) string {
	p := v.Places[i]
	system := Cell(systemName(v.Names, p.System), min(w/4, 14))
	name := Cell(v.Mask.line(p.Name, w), min(w/4, 20))
	head := system + "  " + name + "  "
	room := max(w-len(sign)-2-Width(head), 0)
	path := Cell(cutFront(v.Mask.line(PlacePath(p), 4*max(w, 1)), room), room)
	if i == v.Cursor {
		return t.Selection.Render(Cell("> "+sign+head+path, w))
	}
	return Cell("  "+sign+t.Text.Render(head)+t.Dim.Render(path), w)
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
