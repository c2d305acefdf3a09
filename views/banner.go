package views

import (
	"strconv"

	"winnow/views/safe"
	"winnow/views/theme"
)

// Banner is the line over a page that says how many changes another writer undid.
type Banner struct {
	Undone int
	Key    string // shows them
}

// Render returns a line of exactly w cells.
func (v Banner) Render(t theme.Theme, w int) string {
	if v.Undone < 1 {
		return pad(w)
	}
	were := " of your changes were"
	if v.Undone == 1 {
		were = " of your changes was"
	}
	n, look := " "+strconv.Itoa(v.Undone), " - "+safe.Line(v.Key)+" to look"
	for _, text := range []string{n + were + " undone by another writer" + look, n + " undone by another writer" + look, n + " undone" + look} {
		if Width(text) <= w {
			return t.Warn.Render(Cell(text, w))
		}
	}
	return t.Warn.Render(Cell(n+" undone", w))
}
