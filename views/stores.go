package views

import (
	"cmp"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// StoreRow is one store of the machine.
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

// Stores are the stores of the machine: a part of Home.
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
	return cmp.Or(
		safe.Line(s.Writer),
		textIf(s.ModTime.IsZero() || v.Now.IsZero(), "-"),
		textIf(d < 0, "in the future"),
		textIf(d < time.Minute, "active just now"),
		"idle "+Age(d),
	)
}
