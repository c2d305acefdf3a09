package views

import (
	"cmp"
	"image"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/layout"
	"winnow/views/theme"
)

// Listing is the state of a list with headings and of the detail of the entry under the cursor: where the cursor is,
// what is scrolled, and what is marked.
type Listing struct {
	Groups []Group
	Cursor int // an entry
	Offset int // the first row of the list that is shown
	Layout layout.Mode
	Share  int  // of the list in percent
	Detail bool // the detail has the keys
	Scroll int  // the first line of the detail

	Marked map[string]bool // by the ID of an entry
	Range  int             // the first entry of a range that is being marked; -1 for none
}

// NewListing returns a Listing with no marks.
func NewListing() Listing {
	return Listing{Share: layout.Share, Range: -1, Marked: map[string]bool{}}
}

// Group is a part of a list with a heading.
type Group struct {
	Name string // "HIGH"
	From int    // its first entry
}

// RowOf returns the row of an entry. Headings are rows too.
func (l *Listing) RowOf(entry int) int {
	row := entry
	for _, g := range l.Groups {
		if g.From <= entry {
			row++
		}
	}
	return row
}

// groups returns the parts of a list of n entries: those that follow each other and have the same name.
func groups(n int, name func(entry int) string) []Group {
	var all []Group
	for i := range n {
		if name := name(i); len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, Group{Name: name, From: i})
		}
	}
	return all
}

// visibleRows draws the rows of n entries that are in sight, in at most h lines.
func (l *Listing) visibleRows(n, h int, heading, entry func(i int) string) []string {
	var lines []string
	for row := max(l.Offset, 0); row < n+len(l.Groups) && len(lines) < h; row++ {
		if i, head := l.at(row); head {
			lines = append(lines, heading(i))
		} else {
			lines = append(lines, entry(i))
		}
	}
	return lines
}

// row returns the row of an entry: that under the cursor is reversed while the list has the keys, and else bold.
func (l *Listing) row(t theme.Theme, entry int, style theme.Style, line string) string {
	switch {
	case entry == l.Cursor && !l.Detail:
		return selected(t.Selection, line)
	case entry == l.Cursor:
		return selected(t.Strong, line)
	}
	return style.Render(line)
}

// sign returns what is before the row of an entry.
func (l *Listing) sign(entry int) string { return cmp.Or(when(entry == l.Cursor, ">"), " ") }

// selected returns a row that the cursor is on: it has one style, whatever its parts had.
func selected(style theme.Style, line string) string { return style.Render(ansi.Strip(line)) }

// rowLine returns a row of w cells of a list that always has the keys, behind the sign of the cursor.
func rowLine(t theme.Theme, style theme.Style, cursor bool, text string, w int) string {
	if cursor {
		return selected(t.Selection, Cell(t, ">"+text, w))
	}
	return style.Render(Cell(t, " "+text, w))
}

// at returns the entry of a row. For the row of a heading, head is set and i is the group.
func (l *Listing) at(row int) (i int, head bool) {
	for n := len(l.Groups) - 1; n >= 0; n-- {
		switch first := l.Groups[n].From + n; {
		case row == first:
			return n, true
		case row > first:
			return row - n - 1, false
		}
	}
	return row, false
}

// entryAt returns the entry at a cell. The list has n rows, of which visible are shown from skip lines below its top on.
func (l *Listing) entryAt(list image.Rectangle, skip, visible, n, x, y int) (entry int, ok bool) {
	line := y - list.Min.Y - skip
	if !image.Pt(x, y).In(list) || line < 0 || line >= visible || l.Offset+line >= n {
		return 0, false
	}
	entry, head := l.at(l.Offset + line)
	return entry, !head
}
