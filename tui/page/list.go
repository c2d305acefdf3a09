package page

import (
	"cmp"
	"image"
	"maps"
	"slices"

	"winnow/keymap"
	"winnow/views"
	"winnow/views/layout"
)

// Listed is a view of a list, and of the entry under its cursor in detail, in a page of w by h
// cells.
type Listed interface {
	// Len returns how many entries the list has.
	Len() int
	// Visible returns how many rows can be seen at once.
	Visible(w, h int) int
	// MaxScroll returns the largest useful Scroll of the detail.
	MaxScroll(w, h int) int
	// Panes returns where list and detail are.
	Panes(w, h int) layout.Panes
	// ItemAt returns the entry at a cell.
	ItemAt(w, h, x, y int) (entry int, ok bool)
}

// List is embedded by a page that is a list. It moves in the list and in its detail, and marks entries.
type List struct {
	Base
	At   *views.Listing
	View Listed
	// Cards is set where keys that move by one line go to the next entry while the detail hides
	// the list. Those that move further scroll.
	Cards bool
	// ID returns what an entry is marked by; nil where none is marked.
	ID func(entry int) string
}

// Alone reports whether the detail hides the list.
func (l *List) Alone() bool { return l.View.Panes(l.W, l.H).List.Empty() }

// Both reports whether list and detail are both shown, and take turns to have the keys.
func (l *List) Both() bool { return !l.Alone() && !l.View.Panes(l.W, l.H).Detail.Empty() }

func (l *List) inDetail(x, y int) bool { return image.Pt(x, y).In(l.View.Panes(l.W, l.H).Detail) }

// OnDetail reports whether the detail has the keys.
func (l *List) OnDetail() bool { return l.At.Detail || l.Alone() }

// PaneActions are the keys that change what is shown; off is why there is nothing.
func (l *List) PaneActions(g keymap.Global, off string) Actions {
	onePane := cmp.Or(off, Unless(l.Both(), "only one pane is shown"))
	return Actions{
		{Binding: g.NextPane, Off: off, Run: Do(l.NextPane)},
		{Binding: g.PrevPane, Off: off, Run: Do(l.NextPane)},
		{Binding: g.Layout, Off: off, Run: Do(l.nextLayout)},
		{Binding: g.ShrinkList, Off: onePane, Run: Do(func() { l.resize(-5) })},
		{Binding: g.GrowList, Off: onePane, Run: Do(func() { l.resize(+5) })},
		{Binding: g.Back, Off: Unless(l.At.Detail || l.At.Layout == layout.DetailOnly, "nothing is open"), Run: Do(func() { l.Back() })},
	}
}

// Half returns half a page in lines, of the list or of the detail that has the keys.
func (l *List) Half() int {
	if l.OnDetail() {
		return max(l.H/3, 2)
	}
	return max(l.View.Visible(l.W, l.H)/2, 1)
}

// Step moves the cursor, or scrolls the detail when that has the keys.
func (l *List) Step(by int) {
	far := by*by > 1 && by > -End && by < End
	if l.At.Detail || l.View.Len() == 0 || l.Alone() && (!l.Cards || far) {
		l.scroll(by)
		return
	}
	l.MoveTo(l.At.Cursor + by)
}

// scroll moves the detail, not beyond its end.
func (l *List) scroll(by int) {
	l.At.Scroll = max(min(l.At.Scroll+by, l.View.MaxScroll(l.W, l.H)), 0)
}

// MoveTo puts the cursor on an entry.
func (l *List) MoveTo(entry int) {
	entry = max(min(entry, l.View.Len()-1), 0)
	if entry != l.At.Cursor {
		l.At.Cursor, l.At.Scroll = entry, 0
	}
	l.Follow()
}

// Follow scrolls the list so that the cursor can be seen, and its heading where that is right
// above it.
func (l *List) Follow() {
	visible := l.View.Visible(l.W, l.H)
	last := l.At.RowOf(l.At.Cursor)
	first := last
	if visible > 1 && slices.ContainsFunc(l.At.Groups, func(g views.Group) bool { return g.From == l.At.Cursor }) {
		first--
	}
	l.At.Offset = layout.Offset(l.At.Offset, first, last, visible, l.View.Len()+len(l.At.Groups))
}

// NextPane gives the keys to the other side. Where only one fits, the detail takes the place
// of the list.
func (l *List) NextPane() {
	if l.Both() {
		l.At.Detail = !l.At.Detail
		return
	}
	l.Toggle()
}

// Toggle shows the detail in place of the list, or the list again.
func (l *List) Toggle() {
	if !l.Alone() {
		l.Full()
		return
	}
	l.showList()
}

// showList shows the list again, alone where there is no room for both.
func (l *List) showList() {
	l.At.Layout, l.At.Detail, l.At.Scroll = layout.Both, false, 0
	if l.Alone() {
		l.At.Layout = layout.ListOnly
	}
	l.Follow()
}

// Full hides the list.
func (l *List) Full() {
	l.At.Layout, l.At.Scroll = layout.DetailOnly, 0
	l.Follow()
}

// Back shows the list again, or gives it the keys. It is false when it has them.
func (l *List) Back() bool {
	switch {
	case l.At.Layout == layout.DetailOnly:
		l.showList()
	case l.At.Detail:
		l.At.Detail, l.At.Scroll = false, 0
	default:
		return false
	}
	return true
}

func (l *List) nextLayout() {
	was := l.Alone()
	if l.At.Layout, l.At.Scroll = l.At.Layout.Next(), 0; was && l.Alone() {
		l.At.Layout = l.At.Layout.Next()
	}
	l.Follow()
}

func (l *List) resize(by int) {
	l.At.Share = layout.Resized(l.At.Share, by)
	l.Follow()
}

// Click puts the cursor on an entry, or gives the keys to the detail. It is true for an entry
// that had the cursor already.
func (l *List) Click(x, y int) (again bool) {
	if l.inDetail(x, y) {
		l.At.Detail = l.Both()
		return false
	}
	entry, ok := l.View.ItemAt(l.W, l.H, x, y)
	again = ok && entry == l.At.Cursor && !l.At.Detail
	l.At.Detail = false
	if ok && !again {
		l.MoveTo(entry)
	}
	return again
}

// EntryAt implements Numbered.
func (l *List) EntryAt(y int) (entry int, ok bool) { return l.View.ItemAt(l.W, l.H, 0, y) }

// Choose implements Numbered. It gives the list the keys.
func (l *List) Choose(entry int) {
	l.At.Detail = false
	l.MoveTo(entry)
}

// Wheel scrolls what is under the mouse.
func (l *List) Wheel(x, y, lines int) {
	if l.inDetail(x, y) {
		l.scroll(lines)
		return
	}
	l.MoveTo(l.At.Cursor + lines)
}

// ToggleMark marks the entry under the cursor, or takes the mark away, and goes to the next.
func (l *List) ToggleMark() {
	l.Mark(l.At.Cursor, l.At.Cursor, true)
	l.MoveTo(l.At.Cursor + 1)
}

// ToggleRange begins a range, or marks the one that was begun.
func (l *List) ToggleRange() {
	from, to := l.At.Range, l.At.Cursor
	if from < 0 {
		l.At.Range = to
		return
	}
	l.At.Range = -1
	l.Mark(min(from, to), max(from, to), false)
}

// Extend marks the entry under the cursor and the one that it moves to.
func (l *List) Extend(by int) {
	l.Mark(l.At.Cursor, l.At.Cursor, false)
	l.MoveTo(l.At.Cursor + by)
	l.Mark(l.At.Cursor, l.At.Cursor, false)
}

// Mark marks the entries first to last. With invert those that are marked lose their marks.
func (l *List) Mark(first, last int, invert bool) {
	was := maps.Clone(l.At.Marked)
	for entry := first; entry <= min(last, l.View.Len()-1); entry++ {
		id := l.ID(entry)
		l.At.Marked[id] = true
		if invert && was[id] {
			delete(l.At.Marked, id)
		}
	}
}

// Unmark takes all marks away. It is false when there are none.
func (l *List) Unmark() bool {
	had := len(l.At.Marked) > 0 || l.At.Range >= 0
	clear(l.At.Marked)
	l.At.Range = -1
	return had
}
