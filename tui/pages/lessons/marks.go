package lessons

import (
	"maps"

	"winnow/core/memory"
)

// marks are the records that are marked, and the row at which a range begins that
// is being marked.
type marks struct {
	ids  map[memory.ID]bool
	from int // -1 when no range is being marked
	drag *drag
}

// drag is a range that is being marked with the mouse: its first row, and what was marked before.
type drag struct {
	from int
	was  map[memory.ID]bool
}

func (m *marks) len() int { return len(m.ids) }

func (m *marks) clear() { *m = marks{from: -1, ids: map[memory.ID]bool{}} }

// toggleMark marks the lesson under the cursor, or takes the mark away, and goes
// to the next.
func (p *Page) toggleMark() {
	p.mark(p.cursor, p.cursor, true)
	p.moveBy(+1)
}

// toggleRange begins a range, or marks the one that was begun.
func (p *Page) toggleRange() {
	if p.marks.from < 0 {
		p.marks.from = p.cursor
		return
	}
	p.mark(min(p.marks.from, p.cursor), max(p.marks.from, p.cursor), false)
	p.marks.from = -1
}

// extend marks the lesson under the cursor and the one that it moves to.
func (p *Page) extend(by int) {
	p.mark(p.cursor, p.cursor, false)
	p.moveBy(by)
	p.mark(p.cursor, p.cursor, false)
}

func (p *Page) markAll() { p.mark(0, len(p.shown.result.Index)-1, false) }

func (p *Page) invertMarks() { p.mark(0, len(p.shown.result.Index)-1, true) }

// mark marks the rows first to last. With invert those that are marked lose their marks.
func (p *Page) mark(first, last int, invert bool) {
	was := maps.Clone(p.marks.ids)
	for row := first; row <= min(last, len(p.shown.result.Index)-1); row++ {
		id := p.shown.snap.Records[p.shown.result.Index[row]].ID
		p.marks.ids[id] = true
		if invert && was[id] {
			delete(p.marks.ids, id)
		}
	}
}

// dropMarks takes the marks of records away that are gone.
func (p *Page) dropMarks() {
	if p.marks.len() == 0 {
		return
	}
	here := make(map[memory.ID]bool, len(p.shown.snap.Records))
	for i := range p.shown.snap.Records {
		here[p.shown.snap.Records[i].ID] = true
	}
	maps.DeleteFunc(p.marks.ids, func(id memory.ID, _ bool) bool { return !here[id] })
}

// chosen returns the marked lessons in the order of the store, or the one under
// the cursor when none is marked. It copies positions only.
func (p *Page) chosen() []int32 {
	if p.marks.len() == 0 && p.record() != nil {
		return []int32{p.shown.result.Index[p.cursor]}
	}
	var list []int32
	for i := range p.shown.snap.Records {
		if p.marks.ids[p.shown.snap.Records[i].ID] {
			list = append(list, int32(i))
		}
	}
	return list
}
