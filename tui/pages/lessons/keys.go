package lessons

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
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
	case p.filter.Typing:
		return page.Text(p.keys.Text.Filter()...)
	}
	first, rare := p.curateActions()
	noRow, l := p.whyNoRow(), p.keys.Lessons
	back := page.When(p.Alone(), "back to the list")
	full := page.Action{Binding: l.Full, Off: noRow, Run: page.Do(p.Toggle), Name: back}
	find := page.Action{Binding: l.Filter, Off: p.whyNotLoaded(), Run: page.Do(func() { p.filter.Typing = true })}
	mark := page.Action{Binding: p.keys.Select.Mark, Off: noRow, Run: page.Do(p.ToggleMark)}
	return slices.Concat(
		page.Actions{full}, first[:2], page.Actions{find}, first[2:], page.Actions{mark},
		p.recordActions(), rare, p.moveActions(),
	)
}

func (p *Page) recordActions() page.Actions {
	l, s, r, unless := p.keys.Lessons, p.keys.Select, p.record(), page.Unless
	notLoaded, noRow := p.whyNotLoaded(), p.whyNoRow()
	scoped := p.scope != "" || len(p.shown.snap.Scopes) > 1 || p.shown.display.Has("scope")
	similar := r != nil && len(r.Elsewhere) > 0
	open := p.at.Layout == layout.DetailOnly || p.raw || p.at.Detail || p.at.Range >= 0 || len(p.at.Marked) > 0 ||
		p.query.Text != "" ||
		p.scope != ""
	all := page.Actions{
		{Binding: s.Range, Off: noRow, Run: page.Do(p.ToggleRange)},
		{Binding: s.All, Off: noRow, Run: page.Do(func() { p.Mark(0, p.Len()-1, false) })},
		{Binding: l.Scope, Off: cmp.Or(notLoaded, unless(scoped, "the store has no parts")), Run: p.nextScope},
		{Binding: l.Kin, Off: unless(similar, "no other store of the project has a similar record"), Run: p.toSimilar},
		{Binding: l.Sort, Off: notLoaded, Run: page.Do(func() { p.menu = true })},
		{Binding: l.Copy, Off: noRow, Run: p.copyText},
		{Binding: l.CopyRaw, Off: noRow, Run: p.copyRaw},
		{Binding: l.Raw, Off: noRow, Run: page.Do(p.toggleRaw), Name: page.When(p.raw, "details")},
		{Binding: l.Numbers, Off: noRow, Run: page.Do(func() { p.numbers, p.at.Scroll = !p.numbers, 0 })},
		{
			Binding: l.Recall,
			Off:     cmp.Or(noRow, unless(r != nil && r.Title != "", "the "+p.noun().One+" has no title")),
			Run:     p.recall,
		},
		{Binding: l.Timeline, Off: noRow, Run: func() tea.Cmd { return msg.Emit(msg.Timeline{ID: p.id()}) }},
		{Binding: s.Invert, Off: noRow, Run: page.Do(func() { p.Mark(0, p.Len()-1, true) })},
		{Binding: s.ExtendUp, Off: noRow, Run: page.Do(func() { p.Extend(-1) })},
		{Binding: s.ExtendDown, Off: noRow, Run: page.Do(func() { p.Extend(+1) })},
	}
	all = append(all, p.PaneActions(p.keys.Global, noRow)...)
	all.Replace(
		page.Actions{
			{Binding: p.keys.Global.Back, Off: unless(open, "nothing is open, marked or filtered"), Run: p.escape},
		},
	)
	return all
}

func (p *Page) moveActions() page.Actions {
	m, noRow := p.keys.Move, p.whyNoRow()
	notOnList := cmp.Or(noRow, page.Unless(!p.OnDetail(), "the detail pane has the focus"))
	return append(page.Moves(m, noRow, p.Step, p.Half()), page.Actions{
		{Binding: m.NextMatch, Off: noRow, Run: page.Do(func() { p.nextMatch(+1) })},
		{Binding: m.PrevMatch, Off: noRow, Run: page.Do(func() { p.nextMatch(-1) })},
		{Binding: m.Right, Off: notOnList, Run: page.Do(func() { p.sideways(+sideStep) })},
		{Binding: m.Left, Off: notOnList, Run: page.Do(func() { p.sideways(-sideStep) })},
	}...)
}

func (p *Page) toggleRaw() { p.raw, p.at.Scroll = !p.raw, 0 }

func (p *Page) whyNotLoaded() string {
	return cmp.Or(
		page.Unless(p.shown.loaded, "the store is still being read"),
		page.Unless(p.shown.snap.Problem == nil, "the store cannot be read"),
	)
}

func (p *Page) whyNoRow() string {
	return cmp.Or(p.whyNotLoaded(), page.Unless(p.record() != nil, "no "+p.noun().One+" is shown"))
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.menu:
		return p.onMenuKey(k)
	case p.filter.Typing:
		return p.onFilter(k)
	}
	return p.Actions().Press(k)
}

// Back implements page.Backer.
func (p *Page) Back() bool {
	if p.at.Layout != layout.DetailOnly && p.raw {
		p.toggleRaw()
		return true
	}
	return p.List.Back()
}

// escape leaves or clears the first of these that is present: a view within the view, a range, the
// marks, the filter, the scope.
func (p *Page) escape() tea.Cmd {
	switch {
	case p.Back():
	case p.at.Range >= 0:
		p.at.Range = -1
	case p.Unmark():
	case p.query.Text == "" && p.scope != "":
		p.scope = ""
		return p.refilter()
	default:
		return p.clearFilter()
	}
	return nil
}

// recall asks what the title would recall as a task. Its secrets are masked first, because the task
// box shows its text unmasked.
func (p *Page) recall() tea.Cmd {
	r := p.record()
	text := r.Title
	if !p.Reveal {
		text = safe.Hide(text, memory.Places(r.Secrets, memory.InTitle, 0))
	}
	return msg.Emit(msg.Recall{Text: text})
}
