package arbiter

import (
	"slices"

	"winnow/core/memory"
	"winnow/core/system"
)

// Settle implements [system.Composer]. Only texts, the tenant and the agent are a person's;
// of counts and times the highest known stay, unless a person lowered a count.
func (s *Store) Settle(made memory.Forms, theirs string) (merged string, settled system.Settled) {
	m, err := decodeRow(made.Mine())
	t, also := decodeRow(theirs)
	if err != nil || also != nil {
		return system.SettleWhole(made, theirs)
	}
	p := settling{mine: &m, theirs: &t, next: t}
	for _, c := range made {
		p.take(c)
	}
	for _, col := range [...]int{colTenant, colAgent, colSignature, colText} {
		settled = max(settled, p.text(col))
	}
	settled = max(settled, p.hits())
	for i := range p.forms {
		p.next[colSeen] = max(p.next.number(colSeen), p.forms[i].number(colSeen))
	}
	if !sameTexts(&p.next, &t) {
		p.next[colUpdated] = max(m.number(colUpdated), t.number(colUpdated))
	}
	if p.next == t {
		return theirs, settled
	}
	return p.next.encode(), settled
}

// settling is one run of Settle.
type settling struct {
	mine, theirs *row
	next         row
	forms        []row              // all that a person began from or made
	set          [len(columns)]bool // by a person
	lowered      []int64            // the counts that a person lowered, as they were
	raised       bool
}

// take takes in one change of a person.
func (p *settling) take(c memory.FormChange) {
	was, err := decodeRow(c.Before)
	known := err == nil
	if known {
		p.forms = append(p.forms, was)
	}
	is, err := decodeRow(c.After)
	if err != nil {
		return
	}
	p.forms = append(p.forms, is)
	if !known {
		return
	}
	for col := range columns {
		p.set[col] = p.set[col] || was[col] != is[col]
	}
	from, to := was.number(colHits), is.number(colHits)
	if from > to && from > p.mine.number(colHits) {
		p.lowered = append(p.lowered, from)
	}
	p.raised = p.raised || from < to
}

// text settles a column that only a person sets.
func (p *settling) text(col int) system.Settled {
	if !p.set[col] || p.theirs[col] == p.mine[col] {
		return system.Kept
	}
	p.next[col] = p.mine[col]
	if slices.ContainsFunc(p.forms, func(f row) bool { return f[col] == p.theirs[col] }) {
		return system.Reverted
	}
	return system.Crossed
}

// hits settles the count. One that was raised is kept where theirs is as high; one that
// was lowered is reverted where theirs is as high as it was.
func (p *settling) hits() system.Settled {
	mine, theirs := p.mine.number(colHits), p.theirs.number(colHits)
	if len(p.lowered) > 0 {
		if theirs < slices.Max(p.lowered) {
			return system.Kept
		}
		p.next[colHits] = mine
		return system.Reverted
	}
	most := max(mine, theirs)
	for i := range p.forms {
		most = max(most, p.forms[i].number(colHits))
	}
	p.next[colHits] = most
	if p.raised && theirs < mine {
		return system.Reverted
	}
	return system.Kept
}
