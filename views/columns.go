package views

import (
	"strings"

	"winnow/core/memory"
	"winnow/views/theme"
)

// column is one column of a table.
type column struct {
	title string // text of the header
	name  string // name of its field, as in SortBy
	width int    // including the gap; the one flexible column has 0 until fitted
	gap   int    // cells before text that is aligned left
	arrow string // shown before the title of the sorted column, in place of the gap
	least int    // minimum width; 0 means that the width is fixed
	drop  int    // order in which columns are dropped when space is short; 0 is never dropped
	right bool
	cell  func(RecordTable, *memory.Record) string // for tables of records
}

// columnAt returns the name of the column at cell x, or nothing.
func (all columns) columnAt(x int) string {
	right := 0
	for _, c := range all {
		if right += c.width; x < right && x >= right-c.width {
			return c.name
		}
	}
	return ""
}

// text returns a text padded to the width of the column.
func (c column) text(t theme.Theme, s string) string {
	if c.right {
		return Right(t, s, c.width)
	}
	return Cell(t, pad(c.lead())+s, c.width)
}

// head returns the title of the column, aligned with its texts.
func (c column) head(t theme.Theme) string {
	if c.right || c.arrow == "" {
		return c.text(t, c.arrow+c.title)
	}
	return Cell(t, pad(c.lead()-Width(c.arrow))+c.arrow+c.title, c.width)
}

// lead returns the number of cells before text that is aligned left. An arrow replaces the gap if
// it fits there.
func (c column) lead() int {
	if n := Width(c.arrow); n > c.gap {
		return c.gap + n
	}
	return c.gap
}

// sorted gives an arrow to the sorted column. The column becomes wider if the arrow does not fit
// into the gap, and is dropped last.
func (c *column) sorted(arrow string) {
	if arrow == "" {
		return
	}
	was := c.lead()
	c.arrow = arrow
	if all := Width(arrow + c.title); c.right && all > c.width {
		c.width = all + 1
	} else if !c.right {
		c.width += c.lead() - was
	}
	if c.drop > 0 {
		c.drop = lastDrop
	}
}

type columns []column

// total returns the width of all columns.
func (all columns) total() int {
	used := 0
	for _, c := range all {
		used += c.width
	}
	return used
}

// lastDrop is the drop value of the columns that are dropped last.
const lastDrop = 9

// narrowAt is the drop value before which columns are narrowed: words that can be read are worth more than
// the columns that are dropped until then.
const narrowAt = 4

// fitted drops columns and narrows columns, the last one first, until the rest fit into w cells with least
// cells free. A dropped column has width 0.
func (all columns) fitted(w, least int) {
	over := all.total() + least - w
	for drop := 1; drop <= lastDrop && over > 0; drop++ {
		if drop == narrowAt {
			over = all.narrowed(over)
		}
		for i := range all {
			if c := &all[i]; c.drop == drop && over > 0 {
				over -= c.width
				c.width = 0
			}
		}
	}
}

// narrowed narrows columns by up to over cells, and returns how many are still too many.
func (all columns) narrowed(over int) int {
	for i := len(all) - 1; i >= 0 && over > 0; i-- {
		if c := &all[i]; c.least > 0 {
			by := max(min(over, c.width-c.least), 0)
			c.width, over = c.width-by, over-by
		}
	}
	return over
}

// line sets texts below the titles of their columns.
func (all columns) line(t theme.Theme, texts ...string) string {
	var b strings.Builder
	for i, c := range all {
		if c.width > 0 {
			b.WriteString(c.text(t, texts[i]))
		}
	}
	return b.String()
}

// header returns the line of titles.
func (all columns) header(t theme.Theme) string {
	var b strings.Builder
	for _, c := range all {
		if c.width > 0 {
			b.WriteString(c.head(t))
		}
	}
	return b.String()
}
