package lessons

import (
	"maps"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views/layout"
)

// step moves the cursor, or scrolls the detail when it has the focus.
func (p *Page) step(by int) {
	if p.onDetail() {
		p.scroll(by)
		return
	}
	p.moveBy(by)
}

func (p *Page) moveBy(by int) { p.moveTo(p.cursor + by) }

func (p *Page) moveTo(row int) {
	row = max(min(row, len(p.shown.result.Index)-1), 0)
	if row != p.cursor {
		p.cursor, p.detail.scroll = row, 0
	}
	p.follow()
}

// top goes to the first row, or with a number to that row.
func (p *Page) top() {
	if p.onDetail() {
		p.detail.scroll = 0
		return
	}
	p.moveTo(p.count - 1)
}

// bottom goes to the last row, or with a number to that row.
func (p *Page) bottom() {
	switch {
	case p.onDetail():
		p.scroll(len(p.detailLines()))
	case p.count > 0:
		p.moveTo(p.count - 1)
	default:
		p.moveTo(len(p.shown.result.Index) - 1)
	}
}

// sideStep is how far titles move sideways at a time.
const sideStep = 8

// sideways scrolls the tasks of the list, as far as there is more to see.
func (p *Page) sideways(by int) {
	panes := p.panes(p.W, p.H)
	most := p.table(p.W, p.H).MaxLeft(p.Theme, panes.List.Dx()-2, p.rows(p.W, p.H)+1)
	p.left = max(min(p.left+by, max(most, p.left)), 0)
}

// worth are the flags that n stops at when nothing is filtered for.
const worth = memory.FlagSecret | memory.FlagInjection | memory.FlagPrunesSoon | memory.FlagNew |
	memory.FlagDuplicate | memory.FlagDamaged | memory.FlagStops | memory.FlagPruned

// nextMatch goes to the next row that matches the filter, which is any, or when
// there is none to the next that has a flag. In the detail it scrolls to the next
// line with a match.
func (p *Page) nextMatch(dir int) {
	switch {
	case p.onDetail():
		p.nextLine(dir)
	case p.query.Text != "":
		p.moveBy(dir)
	default:
		p.nextFlagged(dir)
	}
}

func (p *Page) nextFlagged(dir int) {
	index, records := p.shown.result.Index, p.shown.snap.Records
	for row := p.cursor + dir; row >= 0 && row < len(index); row += dir {
		r := &records[index[row]]
		if r.Flags&worth != 0 {
			p.moveTo(row)
			return
		}
	}
}

// follow scrolls the list so that the cursor can be seen.
func (p *Page) follow() {
	p.offset = p.first(p.rows(p.W, p.H))
}

// first returns the first row that is shown where so many are visible.
func (p *Page) first(visible int) int {
	return layout.Offset(p.offset, p.cursor, p.cursor, visible, len(p.shown.result.Index))
}

// page returns how many lines a page key moves.
func (p *Page) page() int {
	if p.onDetail() {
		return max(p.detailHeight()-1, 1)
	}
	return max(p.rows(p.W, p.H)-1, 1)
}

// effective returns what is shown: a lesson in full hides the list.
func (p *Page) effective() layout.Mode {
	if p.detail.full {
		return layout.DetailOnly
	}
	return p.mode
}

// panes returns the division of a page of w by h cells, below the filter line.
func (p *Page) panes(w, h int) layout.Panes { return layout.Split(w, h-1, p.effective(), p.share) }

// rows returns how many records can be seen at once, below the header.
func (p *Page) rows(w, h int) int {
	panes := p.panes(w, h)
	_, lines := panes.Inside()
	return max(lines-1-len(p.alarm(panes.List)), 0)
}

func (p *Page) resize(by int) {
	p.share = layout.Resized(p.share, by)
	p.follow()
}

// onClick puts the cursor on a row, or the focus on the detail; a second click opens the row. A click
// on the name of a column sorts by it.
func (p *Page) onClick(m msg.Click) tea.Cmd {
	p.marks.drag = nil
	if p.menu || p.whyNotLoaded() != "" {
		return nil
	}
	panes := p.panes(p.W, p.H)
	x, y := m.X, m.Y-1
	switch {
	case m.Y == 0:
		p.typing = true
	case inside(panes.Detail, x, y):
		p.detail.focus = !panes.List.Empty()
	case inside(panes.List, x, y):
		p.detail.focus = false
		row, in := p.EntryAt(m.Y)
		switch {
		case m.Y == p.head()-1:
			if column := p.table(p.W, p.H).ColumnAt(p.Theme, panes.List.Dx()-2, x-1); column != "" {
				return p.sortBy(column)
			}
		case in && m.Double && row == p.cursor:
			p.toggleFull()
		case in:
			p.moveTo(row)
			p.marks.drag = &drag{from: row, was: maps.Clone(p.marks.ids)}
		}
	}
	return nil
}

// onDrag marks the rows between the one that was pressed and the one under the mouse.
func (p *Page) onDrag(m msg.Drag) {
	d := p.marks.drag
	if d == nil || p.whyNoRow() != "" {
		return
	}
	row, in := p.EntryAt(m.Y)
	if !in && m.Y < p.head() {
		row = p.offset - 1
	}
	row = max(min(row, len(p.shown.result.Index)-1), 0)
	if row == d.from && len(p.marks.ids) == len(d.was) {
		return
	}
	p.marks.ids = maps.Clone(d.was)
	p.mark(min(d.from, row), max(d.from, row), false)
	p.moveTo(row)
}

// head is the line of the first row, below the filter line, the border and the names of the columns.
func (p *Page) head() int { return 3 + len(p.alarm(p.panes(p.W, p.H).List)) }

// EntryAt implements page.Numbered.
func (p *Page) EntryAt(y int) (entry int, ok bool) {
	entry = p.offset + y - p.head()
	shown := !p.menu && !p.panes(p.W, p.H).List.Empty()
	return entry, shown && y >= p.head() && entry < min(len(p.shown.result.Index), p.offset+p.rows(p.W, p.H))
}

// Choose implements page.Numbered.
func (p *Page) Choose(entry int) {
	p.detail.focus = false
	p.moveTo(entry)
}

func (p *Page) onWheel(m msg.Wheel) {
	if inside(p.panes(p.W, p.H).Detail, m.X, m.Y-1) {
		p.scroll(m.Lines)
		return
	}
	p.moveBy(m.Lines)
}
