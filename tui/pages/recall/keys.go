package recall

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/layout"
)

// An action is what a key does, and when. The footer and the help list the
// actions that do something now.
type action struct {
	binding keymap.Binding
	when    func(*Page) bool
	run     func(*Page) tea.Cmd
}

// quiet makes an action of a method without a command.
func quiet(fn func(*Page)) func(*Page) tea.Cmd {
	return func(p *Page) tea.Cmd { fn(p); return nil }
}

func actions(c Config) []action {
	r, g := c.Keys.Recall, c.Keys.Global
	return append([]action{
		{r.Edit, always, (*Page).edit},
		{r.Explain, always, (*Page).enter},
		{r.Parts, hasBoth, quiet((*Page).toggleParts)},
		{r.Got, hasGot, quiet((*Page).showGot)},
		{r.Compare, canCompare, (*Page).pickOther},
		{r.Scope, hasScopes, (*Page).nextScope},
		{r.Folder, isOther, (*Page).editFolder},
		{r.Drop, hasWords, (*Page).dropWord},
		{c.Keys.Curate.Delete, hasLesson, (*Page).delete},
		{c.Keys.Curate.Edit, hasLesson, (*Page).editLesson},
		{r.Block, ready, quiet((*Page).nextBlock)},
		{r.Copy, ready, (*Page).copyBlock},
		{r.CopyRaw, func(p *Page) bool { return ready(p) && p.cfg.JSON != nil }, (*Page).copyJSON},
		{r.Wrap, ready, quiet(func(p *Page) { p.view.Wrap, p.view.Left = !p.view.Wrap, 0; p.scroll(0) })},
		{r.Markers, ready, (*Page).toggleMarkers},
		{r.Mode, ofPlanner, (*Page).toggleMode},
		{r.Tools, ofPlanner, (*Page).editTools},
		{r.Editor, func(p *Page) bool { return p.cfg.Editor != nil }, (*Page).openEditor},
		{g.NextPane, ready, quiet((*Page).nextPane)},
		{g.PrevPane, ready, quiet((*Page).nextPane)},
		{g.Layout, always, quiet(func(p *Page) { p.view.Layout = p.view.Layout.Next(); p.scroll(0) })},
		{g.ShrinkList, always, quiet(func(p *Page) { p.resize(-5) })},
		{g.GrowList, always, quiet(func(p *Page) { p.resize(+5) })},
		{g.Back, hasBack, quiet(func(p *Page) { p.Back() })},
	}, moves(c.Keys.Move)...)
}

func moves(m keymap.Move) []action {
	step := func(lines func(*Page) int) func(*Page) tea.Cmd {
		return quiet(func(p *Page) { p.step(lines(p)) })
	}
	return []action{
		{m.Down, ready, step(func(*Page) int { return +1 })},
		{m.Up, ready, step(func(*Page) int { return -1 })},
		{m.HalfDown, ready, step(func(p *Page) int { return +p.half() })},
		{m.HalfUp, ready, step(func(p *Page) int { return -p.half() })},
		{m.PageDown, ready, step(func(p *Page) int { return +2 * p.half() })},
		{m.PageUp, ready, step(func(p *Page) int { return -2 * p.half() })},
		{m.Top, ready, step(func(*Page) int { return -end })},
		{m.Bottom, ready, step(func(*Page) int { return +end })},
		{m.Right, unwrapped, quiet(func(p *Page) { p.view.Left += sideStep })},
		{m.Left, unwrapped, quiet(func(p *Page) { p.view.Left = max(p.view.Left-sideStep, 0) })},
	}
}

// end is further than any list goes, and sideStep how far lines that are not
// wrapped move at a time.
const (
	end      = 1 << 30
	sideStep = 8
)

func always(*Page) bool  { return true }
func ready(p *Page) bool { return p.view.Ready }
func hasWords(p *Page) bool {
	return p.view.Ready && p.view.Other == nil && len(p.view.TaskWords()) > 0
}
func unwrapped(p *Page) bool { return p.view.Ready && !p.view.Wrap }
func hasBack(p *Page) bool {
	return p.view.Right || p.view.Layout != layout.Both || p.view.Panel != views.PanelBlock
}

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	t := p.cfg.Keys.Text
	switch {
	case p.typingFolder():
		return []keymap.Binding{t.Accept, t.Cancel, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd}
	case p.against.on() && !p.view.Typing:
		return p.compareKeys()
	case p.view.TypingTools:
		return []keymap.Binding{t.Accept, t.Cancel, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd}
	case p.view.Typing:
		list := []keymap.Binding{t.Accept, t.NewLine, t.Cancel}
		if p.cfg.Editor != nil {
			list = append(list, p.cfg.Keys.Recall.Editor)
		}
		return append(list, t.Older, t.Newer, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd)
	}
	var list []keymap.Binding
	for _, a := range p.do {
		if a.when(p) && !p.refused(a.binding) {
			list = append(list, p.named(a.binding))
		}
	}
	return list
}

// named returns a binding with what it does now.
func (p *Page) named(b keymap.Binding) keymap.Binding {
	r, h := p.cfg.Keys.Recall, b.Help()
	switch {
	case p.view.Other == nil:
	case h == r.Explain.Help() && p.view.Panel != views.PanelBlock:
		return keymap.Named(b, h.Key, "back")
	case h == r.Explain.Help() && p.onPiece():
		return keymap.Named(b, h.Key, "the text in full")
	case h == r.Block.Help():
		return keymap.Named(b, h.Key, "texts in full")
	case h == r.Copy.Help():
		return keymap.Named(b, h.Key, "copy text")
	case h == r.Parts.Help() && p.onPiece():
		return keymap.Named(b, h.Key, "hits")
	}
	return b
}

func (p *Page) onPiece() bool {
	_, ok := p.view.Piece()
	return ok
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.typingFolder():
		return p.onFolder(k)
	case p.against.on() && !p.view.Typing:
		return p.onCompareKey(k)
	case p.view.TypingTools:
		return p.onTools(k)
	case p.view.Typing:
		return p.onTask(k)
	}
	for _, a := range p.do {
		if key.Matches(k, a.binding) && a.when(p) {
			return a.run(p)
		}
	}
	return nil
}

// enter explains the chosen lesson, lists the rest, or leaves a word out; with
// no task it opens the box.
func (p *Page) enter() tea.Cmd {
	v := &p.view
	if v.Other != nil {
		return p.enterOther()
	}
	rows := v.Rows()
	switch {
	case v.Box.Text == "":
		return p.edit()
	case v.Panel == views.PanelWords:
		return p.toggleWord()
	case v.Panel == views.PanelExplain:
		p.Back()
	case v.Cursor < len(rows) && rows[v.Cursor].Rest:
		v.All = true
	case len(rows) > 0:
		v.Panel, v.Scroll, v.Left = views.PanelExplain, 0, 0
	}
	return nil
}

// nextBlock goes from the screen to the block, to the whole prompt, and back.
func (p *Page) nextBlock() {
	v := &p.view
	full := v.Layout == layout.DetailOnly
	v.Scroll, v.Left = 0, 0
	switch {
	case v.Other != nil:
		p.nextText(full)
	case full && v.Panel == views.PanelBlock:
		v.Panel = views.PanelPrompt
	case full && v.Panel == views.PanelPrompt:
		v.Panel, v.Layout, v.Right = views.PanelBlock, layout.Both, false
	default:
		v.Panel, v.Layout, v.Right = views.PanelBlock, layout.DetailOnly, true
	}
}

func (p *Page) toggleMarkers() tea.Cmd {
	p.view.Markers = !p.view.Markers
	p.scroll(0)
	if p.view.Markers {
		return msg.Emit(msg.Toast{Text: "Markers on"})
	}
	return msg.Emit(msg.Toast{Text: "Markers off: line breaks as sent; what cannot be seen stays marked"})
}

// nextPane gives the keys to the other side. Where only one fits, the block
// takes its place.
func (p *Page) nextPane() {
	v := &p.view
	if !v.HasPanel(p.w, p.h) || v.Layout == layout.DetailOnly {
		p.nextBlock()
		return
	}
	v.Right = !v.Right
}

func (p *Page) resize(by int) {
	p.view.Share = min(max(p.view.Share+by, layout.MinShare), layout.MaxShare)
	p.scroll(0)
}
