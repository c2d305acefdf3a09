package views

import (
	"strings"

	"winnow/core/memory"
	"winnow/views/theme"
)

// column is one column of a table.
type column struct {
	title string // in the header
	name  string // of the field that it shows, as SortBy has it
	width int    // with the gap; 0 until fitted for the one column that takes what is left
	gap   int    // cells before a text that is not set right
	arrow string // before the title of the column that rows are sorted by; it takes the gap
	least int    // how narrow it may become; 0 for one that stays as it is
	drop  int    // the order in which columns go when it gets narrow; 0 stays
	right bool
	cell  func(RecordTable, *memory.Record) string // in tables of records
}

// at returns the name of the column at a cell of the columns, or nothing.
func (all columns) at(x int) string {
	right := 0
	for _, c := range all {
		if right += c.width; x < right && x >= right-c.width {
			return c.name
		}
	}
	return ""
}

// text returns a text as wide as the column.
func (c column) text(t theme.Theme, s string) string {
	if c.right {
		return Right(t, s, c.width)
	}
	return Cell(t, pad(c.lead())+s, c.width)
}

// head returns the title of the column over its texts.
func (c column) head(t theme.Theme) string {
	if c.right || c.arrow == "" {
		return c.text(t, c.arrow+c.title)
	}
	return Cell(t, pad(c.lead()-Width(c.arrow))+c.arrow+c.title, c.width)
}

// lead returns how many cells are before a text that is not set right. An arrow takes the gap
// where it fits there.
func (c column) lead() int {
	if n := Width(c.arrow); n > c.gap {
		return c.gap + n
	}
	return c.gap
}

// sorted gives an arrow to the column that rows are sorted by. The column becomes wider when its gap has
// no room for the arrow, and is dropped last.
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

// total returns the cells that all columns take.
func (all columns) total() int {
	used := 0
	for _, c := range all {
		used += c.width
	}
	return used
}

// lastDrop is the drop of the columns that go last.
const lastDrop = 9

// fitted makes columns narrower, the last first, and drops those that do not fit into w cells of which
// least stay free. A dropped column has no width.
func (all columns) fitted(w, least int) {
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
