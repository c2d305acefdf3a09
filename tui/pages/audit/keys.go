package audit

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views/layout"
)

// An action is what a key does, and when. The footer and the help list those that do
// something now; others that run may only say why they cannot.
type action struct {
	binding keymap.Binding
	when    func(*Page) bool
	listed  func(*Page) bool // as well as when; nil for any time
	run     func(*Page) tea.Cmd
}

// quiet makes an action of a method without a command.
func quiet(fn func(*Page)) func(*Page) tea.Cmd {
	return func(p *Page) tea.Cmd { fn(p); return nil }
}

func actions(k keymap.Map) []action {
	a, g, m := k.Audit, k.Global, k.Move
	open, before := keymap.Named(m.NextMatch, "n", "next open"), keymap.Named(m.PrevMatch, "N", "previous open")
	return append([]action{
		{a.Redact, hasFinding, canRedact, (*Page).redact},
		{a.RedactAll, hasFinding, canRedact, (*Page).redactAll},
		{a.Ignore, hasFinding, canIgnore, (*Page).ignore},
		{a.Open, hasFinding, nil, (*Page).open},
		{a.Export, ready, canWrite, (*Page).export},
		{a.Level, ready, nil, quiet((*Page).nextLevel)},
		{k.Curate.Delete, hasFinding, canDelete, (*Page).delete},
		{a.Copy, hasFinding, hasText, (*Page).copyLine},
		{open, hasFinding, nil, quiet(func(p *Page) { p.next(+1) })},
		{before, hasFinding, nil, quiet(func(p *Page) { p.next(-1) })},
		{g.NextPane, hasFinding, nil, quiet((*Page).nextPane)},
		{g.PrevPane, hasFinding, nil, quiet((*Page).nextPane)},
		{g.Layout, hasFinding, nil, quiet(func(p *Page) { p.view.Layout, p.view.Scroll = p.view.Layout.Next(), 0; p.follow() })},
		{g.ShrinkList, hasBoth, nil, quiet(func(p *Page) { p.resize(-5) })},
		{g.GrowList, hasBoth, nil, quiet(func(p *Page) { p.resize(+5) })},
		{g.Back, hasBack, nil, quiet(func(p *Page) { p.Back() })},
	}, moves(m)...)
}

func moves(m keymap.Move) []action {
	step := func(lines func(*Page) int) func(*Page) tea.Cmd {
		return quiet(func(p *Page) { p.step(lines(p)) })
	}
	const end = 1 << 30 // further than any list goes
	return []action{
		{m.Down, hasFinding, nil, step(func(*Page) int { return +1 })},
		{m.Up, hasFinding, nil, step(func(*Page) int { return -1 })},
		{m.HalfDown, hasFinding, nil, step(func(p *Page) int { return +p.half() })},
		{m.HalfUp, hasFinding, nil, step(func(p *Page) int { return -p.half() })},
		{m.PageDown, hasFinding, nil, step(func(p *Page) int { return +2 * p.half() })},
		{m.PageUp, hasFinding, nil, step(func(p *Page) int { return -2 * p.half() })},
		{m.Top, hasFinding, nil, step(func(*Page) int { return -end })},
		{m.Bottom, hasFinding, nil, step(func(*Page) int { return +end })},
	}
}

func ready(p *Page) bool { return p.view.Ready }

func hasFinding(p *Page) bool {
	_, ok := p.view.Chosen()
	return ok
}

func hasBoth(p *Page) bool { return hasFinding(p) && p.view.Both(p.w, p.h) }

func hasBack(p *Page) bool { return p.view.Detail || p.view.Layout == layout.DetailOnly }

func canWrite(p *Page) bool { return !p.cfg.ReadOnly }

func canIgnore(p *Page) bool {
	f, _ := p.view.Chosen()
	return canWrite(p) && !f.Redacted
}

func hasText(p *Page) bool {
	f, _ := p.view.Chosen()
	return !f.Redacted && f.Text != ""
}

func canDelete(p *Page) bool {
	f, _ := p.view.Chosen()
	return p.view.Writable && f.Record != nil
}

func canRedact(p *Page) bool {
	f, _ := p.view.Chosen()
	return canDelete(p) && f.Family == memory.FamilySecret && !f.Redacted
}

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	var list []keymap.Binding
	for _, a := range p.do {
		if a.when(p) && (a.listed == nil || a.listed(p)) {
			list = append(list, p.named(a.binding))
		}
	}
	return list
}

// named returns a binding with what it does to the finding under the cursor, in few
// words where the footer is short.
func (p *Page) named(b keymap.Binding) keymap.Binding {
	a, h := p.cfg.Keys.Audit, b.Help()
	f, _ := p.view.Chosen()
	narrow := p.w < layout.SplitWidth
	switch {
	case h == a.Ignore.Help() && f.Finding != nil && f.Ignored != nil:
		h.Desc = "take back"
	case h == a.Open.Help() && !p.leaves():
		h.Desc = "details"
	case h == a.Open.Help() && f.Record == nil:
		h.Desc = "back to the list"
	case h == a.Open.Help():
		h.Desc = "open " + p.one()
	case h == a.RedactAll.Help() && narrow:
		h.Desc = "redact rule"
	case h == a.Export.Help() && narrow:
		h.Desc = "report"
	}
	return keymap.Named(b, h.Key, h.Desc)
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	for _, a := range p.do {
		if key.Matches(k, a.binding) && a.when(p) {
			return a.run(p)
		}
	}
	return nil
}

// nextLevel goes on to the next severity from which on a finding fails the audit.
func (p *Page) nextLevel() {
	v := &p.view
	v.Level--
	if v.Level < memory.Low {
		v.Level = memory.High
	}
}

func (p *Page) resize(by int) {
	p.view.Share = min(max(p.view.Share+by, layout.MinShare), layout.MaxShare)
	p.follow()
}
