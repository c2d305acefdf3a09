package views

import (
	"cmp"
	"image"
	"time"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// StoreRow is one store of the stores screen.
type StoreRow struct {
	Place   memory.Place
	Summary memory.Snapshot
	Loaded  bool   // Summary is valid
	Failed  string // why there is no Summary
	Tally   memory.Tally
	Tallied bool // Tally is valid
}

// StoreLine is a line of the table: a store, or the heading of a group.
type StoreLine struct {
	Row        int // index in Rows; for a heading, that of its first store
	Depth      int // indentation level
	Name, Path string
	// Heading is the name of a group; empty for a store. Of are the group's stores.
	Heading string
	Of      []int
	Folded  bool
}

// Stores is the data of the stores screen: a table of the stores, and below it the health of the
// selected one.
type Stores struct {
	Keyed
	Rows  []StoreRow
	Lines []StoreLine // lines of the table, in order
	// Flat is set if there are no headings, so that each row names its system.
	Flat   bool
	Sorted string // sort column; empty for groups
	Names  map[memory.SystemID]string
	Filter string
	Typing bool
	Mask   Mask

	Looked []memory.Looked
	Ready  bool // the search is finished
	Open   memory.StoreID
	Now    time.Time

	// Listing is the state of Lines. Its detail is the lower box.
	Listing
}

// tableHeight returns how many of h lines the upper box takes.
func (v Stores) tableHeight(h int) int {
	want := max(len(v.Lines), 1) + 3 + v.filterRows()
	return min(want, max(h*3/5, min(h, 4)))
}

// Render returns the screen as text of exactly w by h cells.
func (v Stores) Render(t theme.Theme, w, h int) string {
	if w <= 0 || h <= 0 {
		return Fill(t, nil, w, h)
	}
	top := v.tableHeight(h)
	upper := Pane{Title: "Stores", Right: v.found(t), Focused: !v.Detail, Lines: v.table(t, w-2, top-2)}.Render(t, w, top)
	if top == h {
		return upper
	}
	lower := Pane{Title: v.detailTitle(t, w), Focused: v.Detail}
	lower.Lines, lower.Right = window(v.detail(t, w-2), v.Scroll, h-top-2)
	return upper + "\n" + lower.Render(t, w, h-top)
}

// MaxScroll returns the largest useful Scroll on a screen of w by h cells.
func (v Stores) MaxScroll(w, h int) int {
	return max(len(v.detail(theme.Theme{}, w-2))-max(h-v.tableHeight(h)-2, 1), 0)
}

// Len returns how many lines the table has.
func (v Stores) Len() int { return len(v.Lines) }

// Visible returns how many lines of the table a screen of h lines shows.
func (v Stores) Visible(_, h int) int { return max(v.tableHeight(h)-3-v.filterRows(), 0) }

// Panes returns where the two boxes are on a screen of w by h cells.
func (v Stores) Panes(w, h int) layout.Panes {
	top := v.tableHeight(h)
	return layout.Panes{List: image.Rect(0, 0, w, top), Detail: image.Rect(0, top, w, h), Below: true}
}

// ItemAt returns the line of the table at a cell of a screen of w by h cells.
func (v Stores) ItemAt(w, h, x, y int) (line int, ok bool) {
	v.Offset = v.first(v.Visible(w, h))
	return v.entryAt(v.Panes(w, h).List, 2+v.filterRows(), v.Visible(w, h), len(v.Lines), x, y)
}

// first returns the first visible row if n rows are visible.
func (v Stores) first(n int) int {
	return layout.Offset(v.Offset, v.Cursor, v.Cursor, n, len(v.Lines))
}

func (v Stores) found(t theme.Theme) string {
	if !v.Ready {
		return "looking" + t.Borders.Cut
	}
	matching := textIf(v.Filter != "", "%d of ", v.matching())
	return joined("  ", textIf(v.Sorted != "", "sort %s", v.Sorted), matching+memory.Counted(len(v.Rows), "store"))
}

func (r *StoreRow) path() string { return cmp.Or(r.Place.Path, string(r.Place.Store)) }

// writer says who is writing the store, or when it was last written.
func (v Stores) writer(s *memory.Snapshot) string {
	d := v.Now.Sub(s.ModTime) // the clock of a screen ticks once a minute
	return cmp.Or(safe.Line(s.Writer), textIf(s.ModTime.IsZero() || v.Now.IsZero(), "-"), textIf(d < 0, "in the future"),
		textIf(d < time.Minute, "active just now"), "idle "+Age(d))
}
