package lessons

import (
	"cmp"
	"math/bits"
	"slices"

	"winnow/core/memory"
)

// marks are the records that are marked, and the row at which a range begins that
// is being marked. Marks are kept by position in the shown snapshot, so that a
// hundred thousand are set and counted at once; the next snapshot's are found by
// id, in the command that filters it.
type marks struct {
	set  set
	from int // -1 when no range is being marked
	gen  int // rises with each change
}

// set holds positions: bit i%64 of word i/64 means position i.
type set []uint64

func (s set) has(i int32) bool { return int(i)/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

func (s set) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// add puts i into the set, which must have room for it.
func (s set) add(i int32) { s[i/64] |= 1 << (i % 64) }

// flip takes i out of the set, or puts it in.
func (s set) flip(i int32) { s[i/64] ^= 1 << (i % 64) }

// room returns a set that holds n positions.
func (s set) room(n int) set {
	if words := (n + 63) / 64; words > len(s) {
		return append(s, make(set, words-len(s))...)
	}
	return s
}

func newMarks() marks { return marks{from: -1} }

func (m *marks) len() int { return m.set.len() }

func (m *marks) clear() { *m = marks{from: -1, gen: m.gen + 1} }

// ids returns the marked records of a snapshot.
func (m *marks) ids(records []memory.Record) map[memory.ID]bool {
	ids := make(map[memory.ID]bool, m.len())
	for i := range records {
		if m.set.has(int32(i)) {
			ids[records[i].ID] = true
		}
	}
	return ids
}

// within returns marks of the records with these ids. Records that are gone lose
// their marks.
func within(records []memory.Record, ids map[memory.ID]bool) marks {
	m := newMarks()
	for i := range records {
		if id := records[i].ID; ids[id] {
			m.set = m.set.room(len(records))
			m.set.add(int32(i))
		}
	}
	return m
}

// toggleMark marks the lesson under the cursor, or takes the mark away, and goes
// to the next.
func (p *Page) toggleMark() {
	p.change(p.cursor, p.cursor, set.flip)
	p.moveBy(+1)
}

// toggleRange begins a range, or marks the one that was begun.
func (p *Page) toggleRange() {
	if p.marks.from < 0 {
		p.marks.from = p.cursor
		return
	}
	p.change(min(p.marks.from, p.cursor), max(p.marks.from, p.cursor), set.add)
	p.marks.from = -1
}

// extend marks the lesson under the cursor and the one that it moves to.
func (p *Page) extend(by int) {
	p.change(p.cursor, p.cursor, set.add)
	p.moveBy(by)
	p.change(p.cursor, p.cursor, set.add)
}

func (p *Page) markAll() { p.change(0, len(p.shown.result.Index)-1, set.add) }

func (p *Page) invertMarks() { p.change(0, len(p.shown.result.Index)-1, set.flip) }

// change applies do to the rows first to last.
func (p *Page) change(first, last int, do func(set, int32)) {
	index := p.shown.result.Index
	p.marks.gen++
	p.marks.set = p.marks.set.room(len(p.shown.snap.Records))
	for row := max(first, 0); row <= min(last, len(index)-1); row++ {
		do(p.marks.set, index[row])
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
	list := make([]int32, 0, p.marks.len())
	for i := range p.shown.snap.Records {
		if p.marks.set.has(int32(i)) {
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
