package page

import (
	"cmp"
	"slices"

	"winnow/keymap"
	"winnow/views"
	"winnow/views/layout"
)

// Listed is a view of a list, and of the entry under its cursor in detail, in a page of w by h
// cells.
type Listed interface {
	// Len returns how many entries the list has, and Rows how many rows with its headings.
	Len() int
	Rows() int
	// Visible returns how many rows can be seen at once.
	Visible(w, h int) int
	// MaxScroll returns the largest useful Scroll of the detail.
	MaxScroll(w, h int) int
	// Both reports whether list and detail are side by side, DetailOnly whether the detail
	// hides the list.
	Both(w, h int) bool
	DetailOnly(w, h int) bool
	// ItemAt returns the entry at a cell.
	ItemAt(w, h, x, y int) (entry int, ok bool)
	// InDetail reports whether a cell belongs to the detail.
	InDetail(w, h, x, y int) bool
}

// List moves in a list and in its detail.
type List struct {
	*Base
	At   *views.Listing
	View Listed
	// Cards is set where keys that move by one line go to the next entry while the detail hides
	// the list. Those that move further scroll.
	Cards bool
}

func (l List) alone() bool { return l.View.DetailOnly(l.W, l.H) }

// Actions are the keys that move and that change what is shown; off is why there is nothing.
func (l List) Actions(k keymap.Map, off string) Actions {
	g := k.Global
	onePane := cmp.Or(off, Unless(l.View.Both(l.W, l.H), "only one pane is shown"))
	half := max(l.View.Visible(l.W, l.H)/2, 1)
	if l.Cards && l.alone() {
		half = max(l.H/3, 2)
	}
	return append(Actions{
		{Binding: g.NextPane, Off: off, Run: Do(l.NextPane)},
		{Binding: g.PrevPane, Off: off, Run: Do(l.NextPane)},
		{Binding: g.Layout, Off: off, Run: Do(l.nextLayout)},
		{Binding: g.ShrinkList, Off: onePane, Run: Do(func() { l.resize(-5) })},
		{Binding: g.GrowList, Off: onePane, Run: Do(func() { l.resize(+5) })},
		{Binding: g.Back, Off: Unless(l.At.Detail || l.At.Layout == layout.DetailOnly, "nothing is open"), Run: Do(func() { l.Back() })},
	}, Moves(k.Move, off, l.Step, half)...)
}

// Step moves the cursor, or scrolls the detail when that has the keys.
func (l List) Step(by int) {
	far := by*by > 1 && by > -End && by < End
	if l.At.Detail || l.alone() && (!l.Cards || far) {
		l.scroll(by)
		return
	}
	l.MoveTo(l.At.Cursor + by)
}

// scroll moves the detail, not beyond its end.
func (l List) scroll(by int) {
	l.At.Scroll = max(min(l.At.Scroll+by, l.View.MaxScroll(l.W, l.H)), 0)
}

// MoveTo puts the cursor on an entry.
func (l List) MoveTo(entry int) {
	entry = max(min(entry, l.View.Len()-1), 0)
	if entry != l.At.Cursor {
		l.At.Cursor, l.At.Scroll = entry, 0
	}
	l.Follow()
}

// Follow scrolls the list so that the cursor can be seen, and its heading where that is right
// above it.
func (l List) Follow() {
	visible := l.View.Visible(l.W, l.H)
	last := l.At.RowOf(l.At.Cursor)
	first := last
	if visible > 1 && slices.ContainsFunc(l.At.Groups, func(g views.Group) bool { return g.From == l.At.Cursor }) {
		first--
	}
	l.At.Offset = layout.Offset(l.At.Offset, first, last, visible, l.View.Rows())
}

// NextPane gives the keys to the other side. Where only one fits, the detail takes the place
// of the list.
func (l List) NextPane() {
	if l.View.Both(l.W, l.H) {
		l.At.Detail = !l.At.Detail
		return
	}
	l.Toggle()
}

// Toggle shows the detail in place of the list, or the list again.
func (l List) Toggle() {
	if !l.alone() {
		l.Full()
		return
	}
	l.At.Layout, l.At.Detail, l.At.Scroll = layout.Both, false, 0
	l.showList()
}

// showList shows the list where there is no room for both.
func (l List) showList() {
	if l.alone() {
		l.At.Layout = layout.ListOnly
	}
	l.Follow()
}

// Full hides the list.
func (l List) Full() {
	l.At.Layout, l.At.Scroll = layout.DetailOnly, 0
	l.Follow()
}

// Back shows the list again, or gives it the keys. It is false when it has them.
func (l List) Back() bool {
	switch {
	case l.At.Layout == layout.DetailOnly:
		l.At.Layout = layout.Both
	case l.At.Detail:
	default:
		return false
	}
	l.At.Detail, l.At.Scroll = false, 0
	l.showList()
	return true
}

func (l List) nextLayout() {
	was := l.alone()
	if l.At.Layout, l.At.Scroll = l.At.Layout.Next(), 0; was && l.alone() {
		l.At.Layout = l.At.Layout.Next()
	}
	l.Follow()
}

func (l List) resize(by int) {
	l.At.Share = layout.Resized(l.At.Share, by)
	l.Follow()
}

// Click puts the cursor on an entry, or gives the keys to the detail. It is true for an entry
// that had the cursor already.
func (l List) Click(x, y int) (again bool) {
	if l.View.InDetail(l.W, l.H, x, y) {
		l.At.Detail = l.View.Both(l.W, l.H)
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

// EntryAt returns the entry at line y of the page.
func (l List) EntryAt(y int) (entry int, ok bool) { return l.View.ItemAt(l.W, l.H, 0, y) }

// Choose puts the cursor on an entry, and gives the list the keys.
func (l List) Choose(entry int) {
	l.At.Detail = false
	l.MoveTo(entry)
}

// Wheel scrolls what is under the mouse.
func (l List) Wheel(x, y, lines int) {
	if l.View.InDetail(l.W, l.H, x, y) {
		l.scroll(lines)
		return
	}
	l.MoveTo(l.At.Cursor + lines)
}
