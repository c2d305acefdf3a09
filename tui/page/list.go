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

// Listed is a view of a list and of the details of the entry under its cursor, in a page of w by h
// cells.
type Listed interface {
	// Len returns the number of entries.
	Len() int
	// Visible returns the number of rows that fit.
	Visible(w, h int) int
	// MaxScroll returns the largest useful Scroll of the detail.
	MaxScroll(w, h int) int
	// Panes returns the areas of list and detail.
	Panes(w, h int) layout.Panes
	// ItemAt returns the entry at a cell.
	ItemAt(w, h, x, y int) (entry int, ok bool)
}

// List is embedded by a page that shows a list. It moves in the list and in its detail, and marks
// entries.
type List struct {
	Base
	At   *views.Listing
	View Listed
	// Cards is set if keys that move by one line go to the next entry while the detail hides the
	// list. Keys that move further scroll.
	Cards bool
	// ID returns the ID by which an entry is marked. It is nil if entries cannot be marked.
	ID func(entry int) string
}

// Alone reports whether the detail hides the list.
func (l *List) Alone() bool { return l.View.Panes(l.W, l.H).List.Empty() }

// Both reports whether list and detail are both shown, so that one of them has the focus.
func (l *List) Both() bool { return !l.Alone() && !l.View.Panes(l.W, l.H).Detail.Empty() }

func (l *List) inDetail(x, y int) bool { return image.Pt(x, y).In(l.View.Panes(l.W, l.H).Detail) }

// OnDetail reports whether the detail has the focus.
func (l *List) OnDetail() bool { return l.At.Detail || l.Alone() }

// PaneActions are the keys that change what is shown. off says why there is nothing to show.
func (l *List) PaneActions(g keymap.Global, off string) Actions {
	onePane := cmp.Or(off, Unless(l.Both(), "only one pane is shown"))
	return Actions{
		{Binding: g.NextPane, Off: off, Run: Do(l.nextPane)},
		{Binding: g.PrevPane, Off: off, Run: Do(l.nextPane)},
		{Binding: g.Layout, Off: off, Run: Do(l.nextLayout)},
		{Binding: g.ShrinkList, Off: onePane, Run: Do(func() { l.resize(-5) })},
		{Binding: g.GrowList, Off: onePane, Run: Do(func() { l.resize(+5) })},
		{
			Binding: g.Back,
			Off:     Unless(l.At.Detail || l.At.Layout == layout.DetailOnly, "nothing is open"),
			Run:     Do(func() { l.Back() }),
		},
	}
}

// Half returns half a page in lines, for the pane that has the focus.
func (l *List) Half() int {
	if l.OnDetail() {
		return max(l.H/3, 2)
	}
	return max(l.View.Visible(l.W, l.H)/2, 1)
}

// Step moves the cursor, or scrolls the detail if it has the focus.
func (l *List) Step(by int) {
	far := by*by > 1 && by > -end && by < end
	if l.At.Detail || l.View.Len() == 0 || l.Alone() && (!l.Cards || far) {
		l.scroll(by)
		return
	}
	l.MoveTo(l.At.Cursor + by)
}

// scroll scrolls the detail, but not beyond its end.
func (l *List) scroll(by int) {
	l.At.Scroll = max(min(l.At.Scroll+by, l.View.MaxScroll(l.W, l.H)), 0)
}

// MoveTo moves the cursor to an entry.
func (l *List) MoveTo(entry int) {
	entry = max(min(entry, l.View.Len()-1), 0)
	if entry != l.At.Cursor {
		l.At.Cursor, l.At.Scroll = entry, 0
	}
	l.Follow()
}

// Follow scrolls the list so that the cursor is visible, along with a heading right above it.
func (l *List) Follow() {
	visible := l.View.Visible(l.W, l.H)
	last := l.At.RowOf(l.At.Cursor)
	first := last
	if visible > 1 && slices.ContainsFunc(l.At.Groups, func(g views.Group) bool { return g.From == l.At.Cursor }) {
		first--
	}
	l.At.Offset = layout.Offset(l.At.Offset, first, last, visible, l.At.RowsOf(l.View.Len()))
}

// nextPane moves the focus to the other pane. If only one fits, the detail replaces the list.
func (l *List) nextPane() {
	if l.Both() {
		l.At.Detail = !l.At.Detail
		return
	}
	l.Toggle()
}

// Toggle switches between the detail and the list.
func (l *List) Toggle() {
	if !l.Alone() {
		l.Full()
		return
	}
	l.showList()
}

// showList shows the list again, alone if there is no room for both.
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

// Back shows the list again, or gives it the focus. It returns false if the list already has it.
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

// Click moves the cursor to an entry, or gives the detail the focus. It returns true if the entry
// already had the cursor.
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

// Choose implements Numbered. It gives the list the focus.
func (l *List) Choose(entry int) {
	l.At.Detail = false
	l.MoveTo(entry)
}

// Wheel scrolls the pane under the mouse.
func (l *List) Wheel(x, y, lines int) {
	if l.inDetail(x, y) {
		l.scroll(lines)
		return
	}
	l.MoveTo(l.At.Cursor + lines)
}

// ToggleMark marks or unmarks the entry under the cursor, and goes to the next one.
func (l *List) ToggleMark() {
	l.Mark(l.At.Cursor, l.At.Cursor, true)
	l.MoveTo(l.At.Cursor + 1)
}

// ToggleRange begins a range, or marks the range already begun.
func (l *List) ToggleRange() {
	from, to := l.At.Range, l.At.Cursor
	if from < 0 {
		l.At.Range = to
		return
	}
	l.At.Range = -1
	l.Mark(min(from, to), max(from, to), false)
}

// Replace calls show, which puts other entries in place and moves the cursor. A range that was begun stays what
// the person saw in it: if it would hold other entries now, those it held are marked, and it ends.
func (l *List) Replace(show func()) {
	from, held := l.inRange()
	show()
	if len(held) == 0 {
		return
	}
	l.At.Range = l.entryOf(from)
	if _, holds := l.inRange(); maps.Equal(holds, held) {
		return
	}
	l.At.Range = -1
	maps.Copy(l.At.Marked, held)
}

// inRange returns the ID of the entry where the range began, and those of all that it holds: none without a range.
func (l *List) inRange() (from string, held map[string]bool) {
	begun := l.At.Range
	if begun < 0 || max(begun, l.At.Cursor) >= l.View.Len() {
		return "", nil
	}
	held = map[string]bool{}
	for entry := min(begun, l.At.Cursor); entry <= max(begun, l.At.Cursor); entry++ {
		held[l.ID(entry)] = true
	}
	return l.ID(begun), held
}

// entryOf returns the entry of an ID, or -1.
func (l *List) entryOf(id string) int {
	for entry := range l.View.Len() {
		if l.ID(entry) == id {
			return entry
		}
	}
	return -1
}

// Extend marks the entry under the cursor and the one it moves to.
func (l *List) Extend(by int) {
	l.Mark(l.At.Cursor, l.At.Cursor, false)
	l.MoveTo(l.At.Cursor + by)
	l.Mark(l.At.Cursor, l.At.Cursor, false)
}

// Mark marks the entries first to last. If invert is set, marked ones are unmarked.
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

// Unmark removes all marks. It returns false if there are none.
func (l *List) Unmark() bool {
	had := len(l.At.Marked) > 0 || l.At.Range >= 0
	clear(l.At.Marked)
	l.At.Range = -1
	return had
}
