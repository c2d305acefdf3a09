package lessons

import (
	"cmp"
	"slices"

	"winnow/core/memory"
)

// marks are the records that are marked, by id, and the row at which a range
// begins that is being marked.
type marks struct {
	ids  map[memory.ID]bool
	from int // -1 when no range is being marked
}

func newMarks() marks { return marks{ids: map[memory.ID]bool{}, from: -1} }

func (m *marks) len() int { return len(m.ids) }

func (m *marks) toggle(id memory.ID) {
	if m.ids[id] {
		delete(m.ids, id)
		return
	}
	m.ids[id] = true
}

func (m *marks) remove(id memory.ID) { delete(m.ids, id) }

// toggleMark marks the lesson under the cursor, or takes the mark away, and goes
// to the next.
func (p *Page) toggleMark() {
	if r := p.record(); r != nil {
		p.marks.toggle(r.ID)
		p.moveBy(+1)
	}
}

// toggleRange begins a range, or marks the one that was begun.
func (p *Page) toggleRange() {
	if p.marks.from < 0 {
		p.marks.from = p.cursor
		return
	}
	for row := min(p.marks.from, p.cursor); row <= max(p.marks.from, p.cursor); row++ {
		p.mark(row)
	}
	p.marks.from = -1
}

// extend marks the lesson under the cursor and the one that it moves to.
func (p *Page) extend(by int) {
	p.mark(p.cursor)
	p.moveBy(by)
	p.mark(p.cursor)
}

func (p *Page) mark(row int) {
	if row >= 0 && row < len(p.shown.result.Index) {
		p.marks.ids[p.shown.snap.Records[p.shown.result.Index[row]].ID] = true
	}
}

func (p *Page) markAll() {
	for row := range p.shown.result.Index {
		p.mark(row)
	}
}

func (p *Page) invertMarks() {
	for _, i := range p.shown.result.Index {
		p.marks.toggle(p.shown.snap.Records[i].ID)
	}
}

// chosen returns the marked lessons in the order of the store, or the one under
// the cursor when none is marked. It copies positions only.
func (p *Page) chosen() []int32 {
	if p.marks.len() == 0 {
		if r := p.record(); r != nil {
			return []int32{p.shown.result.Index[p.cursor]}
		}
		return nil
	}
	var list []int32
	for i := range p.shown.snap.Records {
		if p.marks.ids[p.shown.snap.Records[i].ID] {
			list = append(list, int32(i))
		}
	}
	return list
}

// inOrder returns spans by their start, without those that overlap an earlier.
func inOrder(spans [][2]int) [][2]int {
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	out, end := spans[:0], 0
	for _, s := range spans {
		if s[0] >= end {
			out, end = append(out, s), s[1]
		}
	}
	return out
}
