package audit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/views"
	"winnow/views/layout"
)

// half returns half a page in lines.
func (p *Page) half() int { return max(p.view.Visible(p.W, p.H)/2, 1) }

// onDetail reports whether motion keys go to the detail.
func (p *Page) onDetail() bool { return p.view.Detail || p.view.DetailOnly(p.W, p.H) }

// step moves the cursor, or scrolls the detail when that has the keys.
func (p *Page) step(by int) {
	if p.onDetail() {
		p.scroll(by)
		return
	}
	p.moveTo(p.view.Cursor + by)
}

// scroll moves the detail, not beyond its end.
func (p *Page) scroll(by int) {
	p.view.Scroll = max(min(p.view.Scroll+by, p.view.MaxScroll(p.W, p.H)), 0)
}

func (p *Page) moveTo(item int) {
	v := &p.view
	item = max(min(item, len(v.Items)-1), 0)
	if item != v.Cursor {
		v.Cursor, v.Scroll = item, 0
	}
	p.follow()
}

// next goes to the next finding that counts. It is false when there is none.
func (p *Page) next(dir int) bool {
	v := &p.view
	for i := v.Cursor + dir; i >= 0 && i < len(v.Items); i += dir {
		if v.Items[i].Open() {
			p.moveTo(i)
			return true
		}
	}
	return false
}

// follow scrolls the list so that the cursor can be seen, and its heading where that is right
// above it.
func (p *Page) follow() {
	v := &p.view
	visible := v.Visible(p.W, p.H)
	last := v.RowOf(v.Cursor)
	first := last
	if visible > 1 && slices.ContainsFunc(v.Groups, func(g views.AuditGroup) bool { return g.From == v.Cursor }) {
		first--
	}
	v.Offset = layout.Offset(v.Offset, first, last, visible, v.Rows())
}

// nextPane gives the keys to the other side. Where only one fits, the detail takes the
// place of the list.
func (p *Page) nextPane() {
	v := &p.view
	if !v.Both(p.W, p.H) {
		p.toggleFull()
		return
	}
	v.Detail = !v.Detail
}

// toggleFull shows the detail whole, or the list again.
func (p *Page) toggleFull() {
	if p.Back() {
		return
	}
	p.full()
}

// click chooses a finding, and opens it when it was chosen already.
func (p *Page) click(x, y int) tea.Cmd {
	v := &p.view
	if v.InDetail(p.W, p.H, x, y) {
		v.Detail = v.Both(p.W, p.H)
		return nil
	}
	item, ok := v.ItemAt(p.W, p.H, x, y)
	again := ok && item == v.Cursor && !v.Detail
	v.Detail = false
	switch {
	case again:
		return p.open()
	case ok:
		p.moveTo(item)
	}
	return nil
}

// wheel scrolls what is under the mouse.
func (p *Page) wheel(x, y, lines int) {
	if p.view.InDetail(p.W, p.H, x, y) {
		p.scroll(lines)
		return
	}
	p.moveTo(p.view.Cursor + lines)
}
