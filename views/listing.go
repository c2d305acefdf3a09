package views

import (
	"cmp"
	"image"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/layout"
	"winnow/views/theme"
)

// Listing is the state of a list with headings and a detail pane: the cursor, the scroll positions
// and the marks.
type Listing struct {
	Groups []Group
	Cursor int // the selected entry
	Offset int // first visible row of the list
	Layout layout.Mode
	Share  int  // width of the list in percent
	Detail bool // the detail has the focus
	Scroll int  // first visible line of the detail

	Marked map[string]bool // by entry ID
	Range  int             // first entry of the range being marked; -1 for none
}

// NewListing returns a Listing with no marks.
func NewListing() Listing {
	return Listing{Share: layout.Share, Range: -1, Marked: map[string]bool{}}
}

// Group is a section of a list with a heading.
type Group struct {
	Name string // "HIGH"
	From int    // its first entry
	// Apart puts a blank line before the heading.
	Apart bool
}

// RowOf returns the row of an entry. Headings and the blank lines before them are rows too.
func (l *Listing) RowOf(entry int) int {
	row := entry
	for _, g := range l.Groups {
		if g.From <= entry {
			row += g.rows()
		}
	}
	return row
}

// rows returns how many rows the heading takes.
func (g Group) rows() int {
	if g.Apart {
		return 2
	}
	return 1
}

// RowsOf returns how many rows n entries and their headings take.
func (l *Listing) RowsOf(n int) int {
	for _, g := range l.Groups {
		n += g.rows()
	}
	return n
}

// groups splits a list of n entries into groups. Adjacent entries with the same name form a group.
func groups(n int, name func(entry int) string) []Group {
	var all []Group
	for i := range n {
		if name := name(i); len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, Group{Name: name, From: i})
		}
	}
	return all
}

// visibleRows draws the visible rows of n entries, in at most h lines.
func (l *Listing) visibleRows(n, h int, heading, entry func(i int) string) []string {
	var lines []string
	for row := max(l.Offset, 0); row < l.RowsOf(n) && len(lines) < h; row++ {
		if i, head := l.at(row); head && i < 0 {
			lines = append(lines, "")
		} else if head {
			lines = append(lines, heading(i))
		} else {
			lines = append(lines, entry(i))
		}
	}
	return lines
}

// row draws the row of an entry. The selected row is reversed if the list has the focus, and
// otherwise bold.
func (l *Listing) row(t theme.Theme, entry int, style theme.Style, line string) string {
	switch {
	case entry == l.Cursor && !l.Detail:
		return selected(t.Selection, line)
	case entry == l.Cursor:
		return selected(t.Strong, line)
	}
	return style.Render(line)
}

// sign returns the sign before the row of an entry.
func (l *Listing) sign(entry int) string { return cmp.Or(textIf(entry == l.Cursor, ">"), " ") }

// selected draws a row in the style of the cursor, replacing all other styles in it.
func selected(style theme.Style, line string) string { return style.Render(ansi.Strip(line)) }

// rowLine draws a row of w cells, with the cursor sign, for a list that always has the focus.
func rowLine(t theme.Theme, style theme.Style, cursor bool, text string, w int) string {
	if cursor {
		return selected(t.Selection, Cell(t, ">"+text, w))
	}
	return style.Render(Cell(t, " "+text, w))
}

// at returns the entry in a row. If the row is a heading, head is set and i is the index of the
// group, or -1 for the blank line before it.
func (l *Listing) at(row int) (i int, head bool) {
	above := 0 // rows of headings
	for n, g := range l.Groups {
		first := g.From + above // row of the blank line, or of the heading
		heading := first + g.rows() - 1
		switch {
		case row < first:
			return row - above, false
		case row < heading:
			return -1, true
		case row == heading:
			return n, true
		}
		above += g.rows()
	}
	return row - above, false
}

// entryAt returns the entry at a cell. Of the n rows of the list, visible ones are shown, starting
// skip lines below its top.
func (l *Listing) entryAt(list image.Rectangle, skip, visible, n, x, y int) (entry int, ok bool) {
	line := y - list.Min.Y - skip
	if !image.Pt(x, y).In(list) || line < 0 || line >= visible || l.Offset+line >= n {
		return 0, false
	}
	entry, head := l.at(l.Offset + line)
	return entry, !head
}
