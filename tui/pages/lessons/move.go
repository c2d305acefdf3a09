package lessons

import (
	"image"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/layout"
)

// Panes implements page.listed. The panes are below the filter line.
func (p *Page) Panes(w, h int) layout.Panes {
	return layout.Split(w, h-1, p.at.Layout, p.at.Share).Down(1)
}

// head returns the page line of the first row. Above it are the filter line, the border, the alarm
// and the column names.
func (p *Page) head() int { return 3 + len(p.alarm(p.Panes(p.W, p.H).List)) }

// Len implements page.listed.
func (p *Page) Len() int { return len(p.shown.result.Index) }

// Visible implements page.listed.
func (p *Page) Visible(w, h int) int {
	panes := p.Panes(w, h)
	_, lines := panes.Inside()
	return max(lines-1-len(p.alarm(panes.List)), 0)
}

// MaxScroll implements page.listed.
func (p *Page) MaxScroll(w, h int) int {
	return max(len(p.detailLines(w, h))-p.Panes(w, h).DetailLines(), 0)
}

// ItemAt implements page.listed.
func (p *Page) ItemAt(w, h, x, y int) (entry int, ok bool) {
	line := y - p.head()
	entry = p.at.Offset + line
	ok = !p.menu && image.Pt(x, y).In(p.Panes(w, h).List) && line >= 0 && line < p.Visible(w, h) && entry < p.Len()
	return entry, ok
}

// sideStep is how many cells titles scroll sideways at a time.
const sideStep = 8

// sideways scrolls the titles of the list, but not beyond their ends.
func (p *Page) sideways(by int) {
	most := p.table().MaxLeft(p.Theme, p.Panes(p.W, p.H).List.Dx()-2, p.Visible(p.W, p.H)+1)
	p.left = max(min(p.left+by, max(most, p.left)), 0)
}

// worth are the flags at which nextMatch stops if there is no filter.
const worth = memory.FlagSecret | memory.FlagInjection | memory.FlagPrunesSoon | memory.FlagNew |
	memory.FlagDuplicate | memory.FlagDamaged | memory.FlagStops | memory.FlagPruned

// nextMatch goes to the next match. In the detail, that is the next line with a match. In the list it
// is the next row, since all rows match the filter; without a filter it is the next row with one of
// the flags worth.
func (p *Page) nextMatch(dir int) {
	switch {
	case p.OnDetail():
		p.nextLine(dir)
	case p.query.Text != "":
		p.Step(dir)
	default:
		p.nextFlagged(dir)
	}
}

func (p *Page) nextFlagged(dir int) {
	index, records := p.shown.result.Index, p.shown.snap.Records
	for row := p.at.Cursor + dir; row >= 0 && row < len(index); row += dir {
		if records[index[row]].Flags&worth != 0 {
			p.MoveTo(row)
			return
		}
	}
}

// nextLine scrolls the detail to the next line with a match.
func (p *Page) nextLine(dir int) {
	open, _, _ := strings.Cut(p.Theme.Match.Render("x"), "x")
	lines := p.detailLines(p.W, p.H)
	for i := p.at.Scroll + dir; open != "" && i >= 0 && i < len(lines); i += dir {
		if strings.Contains(lines[i], open) {
			p.at.Scroll = min(i, p.MaxScroll(p.W, p.H))
			return
		}
	}
}

// onClick handles a click: on the filter line it starts typing, on a column name it sorts by that
// column, on a row it moves the cursor there, and on the detail it gives that the focus. A double
// click opens the row.
func (p *Page) onClick(m msg.Click) tea.Cmd {
	p.drag = nil
	if p.menu || p.whyNotLoaded() != "" {
		return nil
	}
	if m.Y == 0 {
		p.filter.Typing = true
		return nil
	}
	list := p.Panes(p.W, p.H).List
	if m.Y == p.head()-1 && image.Pt(m.X, m.Y).In(list) {
		p.at.Detail = false
		if column := p.table().ColumnAt(p.Theme, list.Dx()-2, m.X-1); column != "" {
			return p.sortBy(column)
		}
		return nil
	}
	switch again := p.Click(m.X, m.Y); {
	case again && m.Double:
		p.Toggle()
	case image.Pt(m.X, m.Y).In(list):
		if row, in := p.EntryAt(m.Y); in {
			p.drag = &drag{from: memory.ID(p.idAt(row)), was: maps.Clone(p.at.Marked)}
		}
	}
	return nil
}

// drag is a range being marked with the mouse: its first record, and the marks before.
type drag struct {
	from memory.ID
	was  map[string]bool
}

// onDrag marks the rows between the one pressed and the one under the mouse.
func (p *Page) onDrag(m msg.Drag) {
	d := p.drag
	if d == nil || p.whyNoRow() != "" {
		return
	}
	row, in := p.EntryAt(m.Y)
	if !in && m.Y < p.head() {
		row = p.at.Offset - 1
	}
	row = max(min(row, p.Len()-1), 0)
	from := rowOf(p.shown.snap.Records, p.shown.result.Index, d.from)
	if from < 0 || row == from && len(p.at.Marked) == len(d.was) {
		return
	}
	p.at.Marked = maps.Clone(d.was)
	p.Mark(min(from, row), max(from, row), false)
	p.MoveTo(row)
}

// detailLines returns all lines of the detail, in a page of w by h cells.
func (p *Page) detailLines(w, h int) []string {
	if p.record() == nil {
		return nil
	}
	panes := p.Panes(w, h)
	return p.detail(panes, true).Lines(p.Theme, panes.Detail.Dx())
}

// detail returns the detail of the record under the cursor. A long text is shortened to fit, unless
// all is set or the detail is scrolled, has the focus or fills the page.
func (p *Page) detail(panes layout.Panes, all bool) views.RecordDetail {
	r := p.record()
	v := views.RecordDetail{
		Keyed:  views.Keyed{Keys: &p.keys},
		Record: r, Now: p.Now,
		Held: p.shown.snap.Held, LoadCap: p.shown.snap.LoadCap, Undone: p.undone(r.ID),
		Raw: p.raw, Reveal: p.Reveal, Match: p.spans, Display: p.shown.display, Stores: p.names, Mask: p.Mask,
		Findings: p.shown.snap.Findings, Numbers: p.numbers, Whole: panes.List.Empty(), Tight: panes.Below,
	}
	if !all && !v.Whole && p.at.Scroll == 0 && !p.OnDetail() {
		v.Room = panes.DetailLines()
	}
	return v
}

// undone returns how often another writer undid a change of a record.
func (p *Page) undone(id memory.ID) int {
	for _, u := range p.shown.snap.Undone {
		if u.ID == id && !u.Kind.ByRule() {
			return u.Times
		}
	}
	return 0
}
