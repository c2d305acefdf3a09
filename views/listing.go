package views

import (
	"image"

	"winnow/views/layout"
)

// Listing is where a person is in a list with headings, and in the detail of the entry under
// the cursor.
type Listing struct {
	Groups []Group
	Cursor int // an entry
	Offset int // the first row of the list that is shown
	Layout layout.Mode
	Share  int  // of the list in percent
	Detail bool // the detail has the keys
	Scroll int  // the first line of the detail

	Marked map[string]bool // by what the list knows its entries by
	Range  int             // the entry at which a range begins that is being marked; -1 for none
}

// NewListing returns a Listing of which nothing is marked.
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

// at returns the entry of a row; for a heading it is its group, and head is set.
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

// entryAt returns the entry at a cell, where the first of so many rows that can be seen is skip
// lines below the top of the list, and there are n rows.
func (l *Listing) entryAt(list image.Rectangle, skip, visible, n, x, y int) (entry int, ok bool) {
	line := y - list.Min.Y - skip
	if !image.Pt(x, y).In(list) || line < 0 || line >= visible || l.Offset+line >= n {
		return 0, false
	}
	entry, head := l.at(l.Offset + line)
	return entry, !head
}
