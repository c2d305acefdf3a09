package views

import (
	"strings"

	"winnow/core/memory"
)

// column is one column of a table.
type column struct {
	title string // in the header
	name  string // of the field that it shows, as SortBy has it
	width int    // with the gap; 0 until fitted for the one column that takes what is left
	gap   int    // cells before a text that is not set right
	least int    // how narrow it may become; 0 for one that stays as it is
	drop  int    // the order in which columns go when it gets narrow; 0 stays
	right bool
	cell  func(RecordTable, *memory.Record) string // in tables of records
}

// text returns the text of the column in its place.
func (c column) text(s string) string {
	if c.right {
		return Right(s, c.width)
	}
	return Cell(pad(c.gap)+s, c.width)
}

type columns []column

// total returns the cells that all columns take.
func (all columns) total() int {
	used := 0
	for _, c := range all {
		used += c.width
	}
	return used
}

// fitted makes columns narrower, the last first, and takes away those for which there is
// no room in w cells beside least ones. Columns that are gone have no width.
func (all columns) fitted(w, least int) {
	const lastDrop = 9
	over := all.total() + least - w
	for i := len(all) - 1; i >= 0 && over > 0; i-- {
		if c := &all[i]; c.least > 0 {
			by := max(min(over, c.width-c.least), 0)
			c.width, over = c.width-by, over-by
		}
	}
	for drop := 1; drop <= lastDrop && over > 0; drop++ {
		for i := range all {
			if c := &all[i]; c.drop == drop {
				over -= c.width
				c.width = 0
			}
		}
	}
}

// line sets texts below the titles of their columns.
func (all columns) line(texts ...string) string {
	var b strings.Builder
	for i, c := range all {
		if c.width > 0 {
			b.WriteString(c.text(texts[i]))
		}
	}
	return b.String()
}

// header returns the line of titles.
func (all columns) header() string {
	titles := make([]string, len(all))
	for i, c := range all {
		titles[i] = c.title
	}
	return all.line(titles...)
}
