package arbiter

import (
	"slices"

	"winnow/core/memory"
	"winnow/core/system"
)

// Settle implements [system.Judge]. Only texts, the tenant and the agent are a person's;
// of counts and times the higher stay, unless a person lowered a count.
func (s *Store) Settle(was []string, mine, theirs string) (merged string, settled system.Settled) {
	m, err := decodeRow(mine)
	t, also := decodeRow(theirs)
	if err != nil || also != nil {
		switch {
		case mine == theirs:
			return theirs, system.Kept
		case slices.Contains(was, theirs):
			return mine, system.Reverted
		}
		return mine, system.Crossed
	}
	before := make([]row, 0, len(was))
	for _, w := range was {
		if r, err := decodeRow(w); err == nil {
			before = append(before, r)
		}
	}
	next := t
	for _, col := range [...]int{colTenant, colAgent, colSignature, colText} {
		set := len(before) == 0 || slices.ContainsFunc(before, func(b row) bool { return b[col] != m[col] })
		if !set || t[col] == m[col] {
			continue
		}
		next[col] = m[col]
		if slices.ContainsFunc(before, func(b row) bool { return b[col] == t[col] }) {
			settled = max(settled, system.Reverted)
		} else {
			settled = max(settled, system.Crossed)
		}
	}
	settled = max(settled, settleHits(before, &m, &t, &next))
	if t.number(colSeen) < m.number(colSeen) {
		next[colSeen] = m[colSeen]
	}
	if !sameTexts(&next, &t) {
		next[colUpdated] = max(m.number(colUpdated), t.number(colUpdated))
	}
	if next == t {
		return theirs, settled
	}
	return next.encode(), settled
}

// settleHits settles a count. One that was raised is kept where theirs is as high; one
// that was lowered is reverted where theirs is as high as it was.
func settleHits(before []row, m, t, next *row) system.Settled {
	mine, theirs := m.number(colHits), t.number(colHits)
	most, least := mine, mine
	for i := range before {
		most, least = max(most, before[i].number(colHits)), min(least, before[i].number(colHits))
	}
	switch {
	case most > mine && theirs >= most:
		next[colHits] = mine
		return system.Reverted
	case most > mine:
		return system.Kept
	case mine > least && theirs < mine:
		next[colHits] = mine
		return system.Reverted
	}
	next[colHits] = max(mine, theirs)
	return system.Kept
}

// Gone implements [system.Judge]. Arbiter drops no lesson by itself.
func (s *Store) Gone([]memory.Record, *memory.Record) (memory.UndoneKind, bool) { return 0, false }
