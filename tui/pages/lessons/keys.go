package lessons

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views/layout"
	"winnow/views/safe"
)

// An action is what a key does, and when. The footer and the help list those that
// do something now; others that run may only say why they cannot.
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
	mark := action{k.Select.Mark, hasRow, nil, quiet((*Page).toggleMark)}
	first, rare := curateActions(k.Curate)
	return slices.Concat([]action{mark}, first, lessonActions(k), rare, moveActions(k))
}

func lessonActions(k keymap.Map) []action {
	l, s := k.Lessons, k.Select
	return []action{
		{l.Filter, loaded, nil, quiet(func(p *Page) { p.typing = true })},
		{l.Full, hasRow, nil, quiet((*Page).toggleFull)},
		{s.Range, hasRow, nil, quiet((*Page).toggleRange)},
		{s.All, hasRow, nil, quiet((*Page).markAll)},
		{l.Scope, hasScopes, nil, (*Page).nextScope},
		{l.Kin, hasKin, nil, (*Page).toKin},
		{l.Sort, loaded, nil, quiet(func(p *Page) { p.menu = true })},
		{l.Copy, hasRow, nil, (*Page).copyText},
		{l.CopyRaw, hasRow, nil, (*Page).copyRaw},
		{l.Raw, hasRow, nil, quiet((*Page).toggleRaw)},
		{l.Recall, hasTask, nil, (*Page).recall},
		{k.Global.Layout, loaded, nil, quiet(func(p *Page) { p.mode = p.mode.Next(); p.follow() })},
		{k.Global.NextPane, hasBoth, nil, quiet((*Page).nextPane)},
		{k.Global.PrevPane, hasBoth, nil, quiet((*Page).nextPane)},
		{k.Global.ShrinkList, hasBoth, nil, quiet(func(p *Page) { p.resize(-5) })},
		{k.Global.GrowList, hasBoth, nil, quiet(func(p *Page) { p.resize(+5) })},
		{s.Invert, hasRow, nil, quiet((*Page).invertMarks)},
		{s.ExtendUp, hasRow, nil, quiet(func(p *Page) { p.extend(-1) })},
		{s.ExtendDown, hasRow, nil, quiet(func(p *Page) { p.extend(+1) })},
		{k.Global.Back, hasBack, nil, (*Page).escape},
	}
}

func moveActions(k keymap.Map) []action {
	m := k.Move
	step := func(lines func(*Page) int) func(*Page) tea.Cmd {
		return quiet(func(p *Page) { p.step(lines(p) * p.times()) })
	}
	return []action{
		{m.Down, hasRow, nil, step(func(*Page) int { return +1 })},
		{m.Up, hasRow, nil, step(func(*Page) int { return -1 })},
		{m.HalfDown, hasRow, nil, step(func(p *Page) int { return +max(p.page()/2, 1) })},
		{m.HalfUp, hasRow, nil, step(func(p *Page) int { return -max(p.page()/2, 1) })},
		{m.PageDown, hasRow, nil, step((*Page).page)},
		{m.PageUp, hasRow, nil, step(func(p *Page) int { return -p.page() })},
		{m.Top, hasRow, nil, quiet((*Page).top)},
		{m.Bottom, hasRow, nil, quiet((*Page).bottom)},
		{m.NextMatch, hasRow, nil, quiet(func(p *Page) { p.nextMatch(+1) })},
		{m.PrevMatch, hasRow, nil, quiet(func(p *Page) { p.nextMatch(-1) })},
		{m.Right, onList, nil, quiet(func(p *Page) { p.sideways(+sideStep) })},
		{m.Left, onList, nil, quiet(func(p *Page) { p.sideways(-sideStep) })},
		{m.Count, hasRow, nil, quiet(func(*Page) {})}, // see onDigit
	}
}

func loaded(p *Page) bool { return p.shown.loaded && p.shown.snap.Problem == nil }
func hasRow(p *Page) bool { return p.record() != nil }
func onList(p *Page) bool { return hasRow(p) && !p.onDetail() }
func hasTask(p *Page) bool {
	r := p.record()
	return r != nil && r.Title != ""
}
func hasBoth(p *Page) bool { return hasRow(p) && p.effective() == layout.Both }
func hasBack(p *Page) bool {
	return p.detail.full || p.detail.raw || p.marks.from >= 0 || p.marks.len() > 0 || p.query.Text != "" || p.scope != "" || p.detail.focus
}

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	switch {
	case p.menu:
		return append(p.sortKeys(), p.keys.Global.Back)
	case p.typing:
		t := p.keys.Text
		return []keymap.Binding{
			keymap.Named(t.Accept, "Enter", "keep"), keymap.Named(t.Cancel, "Esc", "clear"),
			keymap.Named(t.Older, "up/down", "move"), t.DeleteWord, t.DeleteLine,
		}
	}
	var list []keymap.Binding
	for _, a := range p.do {
		if a.when(p) && (a.listed == nil || a.listed(p)) {
			list = append(list, p.named(a.binding))
		}
	}
	return list
}

// named returns a binding with what it does now, where that is the way back.
func (p *Page) named(b keymap.Binding) keymap.Binding {
	l, h := p.keys.Lessons, b.Help()
	switch {
	case p.detail.full && h == l.Full.Help():
		return keymap.Named(b, h.Key, "back to the list")
	case p.detail.raw && h == l.Raw.Help():
		return keymap.Named(b, h.Key, "in words")
	case p.shown.shape != nil && h == l.Raw.Help():
		return keymap.Named(b, h.Key, "as it is stored")
	case p.shown.shape != nil && h == l.CopyRaw.Help():
		return keymap.Named(b, h.Key, "copy as it is stored")
	case p.shown.shape != nil && h == p.keys.Curate.EditRaw.Help():
		return keymap.Named(b, h.Key, "edit as it is stored")
	case h == p.keys.Curate.Pin.Help() && p.marks.len() == 0 && p.record().Flags&memory.FlagPinned != 0:
		return keymap.Named(b, h.Key, "unpin")
	}
	return b
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
	for _, a := range p.do {
		if key.Matches(k, a.binding) && a.when(p) {
			return a.run(p)
		}
	}
	return nil
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
	if !p.reveal {
		text = safe.Hide(text, memory.Places(r.Secrets, memory.InTitle, 0))
	}
	return msg.Emit(msg.Recall{Text: text})
}
