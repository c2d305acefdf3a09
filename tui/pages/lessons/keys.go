package lessons

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views/layout"
	"winnow/views/safe"
)

func actions(k keymap.Map) page.Actions[*Page] {
	mark := page.Action[*Page]{Binding: k.Select.Mark, Off: (*Page).whyNoRow, Run: page.Do((*Page).toggleMark)}
	first, rare := curateActions(k.Curate)
	return slices.Concat(page.Actions[*Page]{mark}, first, recordActions(k), rare, moveActions(k))
}

func recordActions(k keymap.Map) page.Actions[*Page] {
	l, s, g, do := k.Lessons, k.Select, k.Global, page.Do[*Page]
	loaded, hasRow, twoPanes := (*Page).whyNotLoaded, (*Page).whyNoRow, (*Page).whyOnePane
	return page.Actions[*Page]{
		{Binding: l.Filter, Off: loaded, Run: do(func(p *Page) { p.typing = true })},
		{Binding: l.Full, Off: hasRow, Run: do((*Page).toggleFull), Name: func(p *Page) string { return page.When(p.detail.full, "back to the list") }},
		{Binding: s.Range, Off: hasRow, Run: do((*Page).toggleRange)},
		{Binding: s.All, Off: hasRow, Run: do((*Page).markAll)},
		{Binding: l.Scope, Off: (*Page).whyNoScopes, Run: (*Page).nextScope},
		{Binding: l.Kin, Off: (*Page).whyNoSimilar, Run: (*Page).toSimilar},
		{Binding: l.Sort, Off: loaded, Run: do(func(p *Page) { p.menu = true })},
		{Binding: l.Copy, Off: hasRow, Run: (*Page).copyText},
		{Binding: l.CopyRaw, Off: hasRow, Run: (*Page).copyRaw},
		{Binding: l.Raw, Off: hasRow, Run: do((*Page).toggleRaw), Name: func(p *Page) string { return page.When(p.detail.raw, "details") }},
		{Binding: l.Recall, Off: (*Page).whyNoTask, Run: (*Page).recall},
		{Binding: g.Layout, Off: loaded, Run: do(func(p *Page) { p.mode = p.mode.Next(); p.follow() })},
		{Binding: g.NextPane, Off: twoPanes, Run: do((*Page).nextPane)},
		{Binding: g.PrevPane, Off: twoPanes, Run: do((*Page).nextPane)},
		{Binding: g.ShrinkList, Off: twoPanes, Run: do(func(p *Page) { p.resize(-5) })},
		{Binding: g.GrowList, Off: twoPanes, Run: do(func(p *Page) { p.resize(+5) })},
		{Binding: s.Invert, Off: hasRow, Run: do((*Page).invertMarks)},
		{Binding: s.ExtendUp, Off: hasRow, Run: do(func(p *Page) { p.extend(-1) })},
		{Binding: s.ExtendDown, Off: hasRow, Run: do(func(p *Page) { p.extend(+1) })},
		{Binding: g.Back, Off: (*Page).whyNoBack, Run: (*Page).escape},
	}
}

func moveActions(k keymap.Map) page.Actions[*Page] {
	m, do, hasRow := k.Move, page.Do[*Page], (*Page).whyNoRow
	step := func(lines func(*Page) int) func(*Page) tea.Cmd {
		return do(func(p *Page) { p.step(lines(p) * p.times()) })
	}
	return page.Actions[*Page]{
		{Binding: m.Down, Off: hasRow, Run: step(func(*Page) int { return +1 })},
		{Binding: m.Up, Off: hasRow, Run: step(func(*Page) int { return -1 })},
		{Binding: m.HalfDown, Off: hasRow, Run: step(func(p *Page) int { return +max(p.page()/2, 1) })},
		{Binding: m.HalfUp, Off: hasRow, Run: step(func(p *Page) int { return -max(p.page()/2, 1) })},
		{Binding: m.PageDown, Off: hasRow, Run: step((*Page).page)},
		{Binding: m.PageUp, Off: hasRow, Run: step(func(p *Page) int { return -p.page() })},
		{Binding: m.Top, Off: hasRow, Run: do((*Page).top)},
		{Binding: m.Bottom, Off: hasRow, Run: do((*Page).bottom)},
		{Binding: m.NextMatch, Off: hasRow, Run: do(func(p *Page) { p.nextMatch(+1) })},
		{Binding: m.PrevMatch, Off: hasRow, Run: do(func(p *Page) { p.nextMatch(-1) })},
		{Binding: m.Right, Off: (*Page).whyNotOnList, Run: do(func(p *Page) { p.sideways(+sideStep) })},
		{Binding: m.Left, Off: (*Page).whyNotOnList, Run: do(func(p *Page) { p.sideways(-sideStep) })},
		{Binding: m.Count, Off: hasRow, Run: do(func(*Page) {})}, // see onDigit
	}
}

func (p *Page) whyNotLoaded() string {
	return cmp.Or(page.Unless(p.shown.loaded, "the store is still being read"), page.Unless(p.shown.snap.Problem == nil, "the store cannot be read"))
}

func (p *Page) whyNoRow() string {
	return cmp.Or(p.whyNotLoaded(), page.Unless(p.record() != nil, "no "+p.noun().One+" is shown"))
}

func (p *Page) whyNotOnList() string {
	return cmp.Or(p.whyNoRow(), page.Unless(!p.onDetail(), "the detail pane has the focus"))
}

func (p *Page) whyNoTask() string {
	r := p.record()
	return cmp.Or(p.whyNoRow(), page.Unless(r != nil && r.Title != "", "the "+p.noun().One+" has no title"))
}

func (p *Page) whyOnePane() string {
	return cmp.Or(p.whyNoRow(), page.Unless(p.effective() == layout.Both, "only one pane is shown"))
}

func (p *Page) whyNoBack() string {
	d := p.detail
	return page.Unless(d.full || d.raw || d.focus || p.marks.from >= 0 || p.marks.len() > 0 || p.query.Text != "" || p.scope != "",
		"nothing is open, marked or filtered")
}

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	switch {
	case p.menu:
		return append(p.sortKeys(), p.keys.Global.Back)
	case p.typing:
		return p.keys.Text.Filter()
	}
	return p.do.On(p)
}

// Off implements page.Off.
func (p *Page) Off() []keymap.Off {
	if p.Typing() {
		return nil
	}
	return p.do.Off(p)
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.menu:
		return p.onMenuKey(k)
	case p.typing:
		return p.onFilterKey(k)
	case p.onDigit(k):
		return nil
	}
	defer func() { p.count, p.counting = 0, false }()
	return p.do.Press(p, k)
}

// onDigit takes the digits of a number before a move.
func (p *Page) onDigit(k tea.KeyPressMsg) bool {
	const most = 1e7
	if !key.Matches(k, p.keys.Global.Screens, p.keys.Move.Count) {
		return false
	}
	p.counting = true
	p.count = min(p.count*10+int(k.Code-'0'), most)
	return true
}

// times returns how often a move is done.
func (p *Page) times() int { return max(p.count, 1) }

// Back implements page.Backer.
func (p *Page) Back() bool {
	switch {
	case p.detail.full:
		p.detail.full = false
	case p.detail.raw:
		p.toggleRaw()
	case p.detail.focus:
		p.detail.focus = false
	default:
		return false
	}
	p.follow()
	return true
}

// escape undoes one thing: a view within the view, a range, the marks, the
// filter.
func (p *Page) escape() tea.Cmd {
	switch {
	case p.Back():
	case p.marks.from >= 0:
		p.marks.from = -1
	case p.marks.len() > 0:
		p.marks.clear()
	case p.query.Text == "" && p.scope != "":
		p.scope = ""
		return p.refilter()
	default:
		return p.clearFilter()
	}
	return nil
}

// recall asks what the title would recall, with its secrets masked: a task is shown as it
// is typed.
func (p *Page) recall() tea.Cmd {
	r := p.record()
	text := r.Title
	if !p.Reveal {
		text = safe.Hide(text, memory.Places(r.Secrets, memory.InTitle, 0))
	}
	return msg.Emit(msg.Recall{Text: text})
}
