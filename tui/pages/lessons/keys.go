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

// Actions implements page.Page.
func (p *Page) Actions() page.Actions {
	switch {
	case p.menu:
		return page.Text(append(p.sortKeys(), p.keys.Global.Back)...)
	case p.typing:
		return page.Text(p.keys.Text.Filter()...)
	}
	first, rare := p.curateActions()
	mark := page.Action{Binding: p.keys.Select.Mark, Off: p.whyNoRow(), Run: page.Do(p.toggleMark)}
	return slices.Concat(page.Actions{mark}, first, p.recordActions(), rare, p.moveActions())
}

func (p *Page) recordActions() page.Actions {
	l, s, g, d, r, unless := p.keys.Lessons, p.keys.Select, p.keys.Global, &p.detail, p.record(), page.Unless
	notLoaded, noRow := p.whyNotLoaded(), p.whyNoRow()
	onePane := cmp.Or(noRow, unless(p.effective() == layout.Both, "only one pane is shown"))
	scoped := p.scope != "" || len(p.shown.snap.Scopes) > 1 || p.shown.display.Has("scope")
	similar := r != nil && len(r.Elsewhere) > 0
	open := d.full || d.raw || d.focus || p.marks.from >= 0 || p.marks.len() > 0 || p.query.Text != "" || p.scope != ""
	return page.Actions{
		{Binding: l.Filter, Off: notLoaded, Run: page.Do(func() { p.typing = true })},
		{Binding: l.Full, Off: noRow, Run: page.Do(p.toggleFull), Name: page.When(d.full, "back to the list")},
		{Binding: s.Range, Off: noRow, Run: page.Do(p.toggleRange)},
		{Binding: s.All, Off: noRow, Run: page.Do(p.markAll)},
		{Binding: l.Scope, Off: cmp.Or(notLoaded, unless(scoped, "the store has no parts")), Run: p.nextScope},
		{Binding: l.Kin, Off: unless(similar, "no other store of the project has a similar record"), Run: p.toSimilar},
		{Binding: l.Sort, Off: notLoaded, Run: page.Do(func() { p.menu = true })},
		{Binding: l.Copy, Off: noRow, Run: p.copyText},
		{Binding: l.CopyRaw, Off: noRow, Run: p.copyRaw},
		{Binding: l.Raw, Off: noRow, Run: page.Do(p.toggleRaw), Name: page.When(d.raw, "details")},
		{Binding: l.Numbers, Off: noRow, Run: page.Do(func() { d.numbers = !d.numbers; d.scroll = 0 })},
		{Binding: l.Recall, Off: cmp.Or(noRow, unless(r != nil && r.Title != "", "the "+p.noun().One+" has no title")), Run: p.recall},
		{Binding: l.Timeline, Off: noRow, Run: func() tea.Cmd { return msg.Emit(msg.Timeline{ID: p.id()}) }},
		{Binding: l.Views, Off: notLoaded, Run: func() tea.Cmd { return msg.Emit(msg.PickViews{}) }},
		{Binding: l.Columns, Off: notLoaded, Run: p.pickColumns},
		{Binding: g.Layout, Off: notLoaded, Run: page.Do(func() { p.mode = p.mode.Next(); p.follow() })},
		{Binding: g.NextPane, Off: onePane, Run: page.Do(p.nextPane)},
		{Binding: g.PrevPane, Off: onePane, Run: page.Do(p.nextPane)},
		{Binding: g.ShrinkList, Off: onePane, Run: page.Do(func() { p.resize(-5) })},
		{Binding: g.GrowList, Off: onePane, Run: page.Do(func() { p.resize(+5) })},
		{Binding: s.Invert, Off: noRow, Run: page.Do(p.invertMarks)},
		{Binding: s.ExtendUp, Off: noRow, Run: page.Do(func() { p.extend(-1) })},
		{Binding: s.ExtendDown, Off: noRow, Run: page.Do(func() { p.extend(+1) })},
		{Binding: g.Back, Off: unless(open, "nothing is open, marked or filtered"), Run: p.escape},
	}
}

func (p *Page) moveActions() page.Actions {
	m, noRow := p.keys.Move, p.whyNoRow()
	notOnList := cmp.Or(noRow, page.Unless(!p.onDetail(), "the detail pane has the focus"))
	step := func(b keymap.Binding, lines int) page.Action {
		return page.Action{Binding: b, Off: noRow, Run: page.Do(func() { p.step(lines * max(p.count, 1)) })}
	}
	lines := p.page()
	half := max(lines/2, 1)
	return page.Actions{
		step(m.Down, +1), step(m.Up, -1), step(m.HalfDown, half), step(m.HalfUp, -half), step(m.PageDown, lines), step(m.PageUp, -lines),
		{Binding: m.Top, Off: noRow, Run: page.Do(p.top)},
		{Binding: m.Bottom, Off: noRow, Run: page.Do(p.bottom)},
		{Binding: m.NextMatch, Off: noRow, Run: page.Do(func() { p.nextMatch(+1) })},
		{Binding: m.PrevMatch, Off: noRow, Run: page.Do(func() { p.nextMatch(-1) })},
		{Binding: m.Right, Off: notOnList, Run: page.Do(func() { p.sideways(+sideStep) })},
		{Binding: m.Left, Off: notOnList, Run: page.Do(func() { p.sideways(-sideStep) })},
		{Binding: m.Count, Off: noRow, Run: page.Do(func() {})}, // see onDigit
	}
}

func (p *Page) whyNotLoaded() string {
	return cmp.Or(page.Unless(p.shown.loaded, "the store is still being read"), page.Unless(p.shown.snap.Problem == nil, "the store cannot be read"))
}

func (p *Page) whyNoRow() string {
	return cmp.Or(p.whyNotLoaded(), page.Unless(p.record() != nil, "no "+p.noun().One+" is shown"))
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
	return p.Actions().Press(k)
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
