package recall

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// actions returns the keys while the recall of one store is shown.
func (p *Page) actions() page.Actions {
	k, r, g, v := p.cfg.Keys, p.cfg.Keys.Recall, p.cfg.Keys.Global, &p.view
	system, draft, unless := cmp.Or(v.Described.System, "the agent"), v.Described.Draft, page.Unless
	_, onPiece := v.Piece()
	notReady := unless(v.Ready, "nothing has been recalled yet")
	oneList := cmp.Or(
		notReady,
		unless(len(v.Result.Hits) > 0 && len(v.PieceRows()) > 0, "there is only one list to show"),
	)
	noWords := cmp.Or(
		unless(draft.Without, "words cannot be left out for "+system),
		notReady,
		unless(len(v.TaskWords()) > 0, "the task has no word that scores"),
	)
	fixed := cmp.Or(
		page.WhyReadOnly(&p.snap),
		notReady,
		unless(p.target() != "", "no "+p.snap.Noun.OrRecord().One+" is selected"),
	)
	wrapped := cmp.Or(notReady, unless(!v.Wrap, "lines are wrapped; "+r.Wrap.Help().Key+" shows them uncut"))
	enter := cmp.Or(page.When(v.Panel != views.PanelText, "back"), page.When(onPiece, "the text in full"))
	open := v.Detail || v.Layout != layout.Both || v.Panel != views.PanelText
	return append(page.Actions{
		{Binding: r.Edit, Run: page.Do(p.edit)},
		{Binding: r.Explain, Run: p.enter, Name: enter},
		{
			Binding: r.Parts,
			Off:     oneList,
			Run:     page.Do(func() { v.Pieces = !v.Pieces; p.moveTo(0) }),
			Name:    page.When(onPiece, "hits"),
		},
		{
			Binding: r.Got,
			Off:     cmp.Or(notReady, unless(v.Result.LastSession != nil, "no record of what a session got")),
			Run:     page.Do(p.showSession),
		},
		{Binding: r.Scope, Off: unless(len(p.snap.Scopes) > 1, "the store has no parts"), Run: p.nextScope},
		{
			Binding: r.Folder,
			Off:     unless(!draft.TextOnly, "only the text of the task counts for "+system),
			Run:     page.Do(p.editFolder),
		},
		{Binding: r.Drop, Off: noWords, Run: p.dropWord},
		{Binding: k.Curate.Delete, Off: fixed, Run: p.delete},
		{Binding: k.Curate.Edit, Off: fixed, Run: func() tea.Cmd { return msg.Emit(msg.Edit{ID: p.target()}) }},
		{Binding: r.Block, Off: notReady, Run: page.Do(p.nextBlock)},
		{Binding: r.Copy, Off: notReady, Run: p.copyBlock},
		{Binding: r.CopyRaw, Off: notReady, Run: p.copyJSON},
		{Binding: r.Wrap, Off: notReady, Run: page.Do(func() { v.Wrap, v.Left = !v.Wrap, 0; p.scroll(0) })},
		{Binding: r.Numbers, Off: notReady, Run: page.Do(func() { v.Numbers = !v.Numbers; p.scroll(0) })},
		{Binding: r.Markers, Off: notReady, Run: p.toggleMarkers},
		{Binding: r.Mode, Off: unless(draft.Modes, system+" has no modes"), Run: p.toggleMode},
		{Binding: r.Tools, Off: unless(draft.Tools, "tools do not score for "+system), Run: page.Do(p.editTools)},
		{Binding: r.Editor, Run: p.openEditor},
		{Binding: g.NextPane, Off: notReady, Run: page.Do(p.nextPane)},
		{Binding: g.PrevPane, Off: notReady, Run: page.Do(p.nextPane)},
		{Binding: g.Layout, Run: page.Do(func() { v.Layout = v.Layout.Next(); p.scroll(0) })},
		{Binding: g.ShrinkList, Run: page.Do(func() { p.resize(-5) })},
		{Binding: g.GrowList, Run: page.Do(func() { p.resize(+5) })},
		{Binding: g.Back, Off: unless(open, "nothing is open"), Run: page.Do(func() { p.Back() })},
		{Binding: k.Move.Right, Off: wrapped, Run: page.Do(func() { v.Left += sideStep })},
		{Binding: k.Move.Left, Off: wrapped, Run: page.Do(func() { v.Left = max(v.Left-sideStep, 0) })},
	}, page.Moves(k.Move, notReady, p.step, p.halfPage())...)
}

// sideStep is how many cells unwrapped lines scroll sideways at a time.
const sideStep = 8

// Actions implements page.Page.
func (p *Page) Actions() page.Actions {
	t := p.cfg.Keys.Text
	switch {
	case p.view.For != views.NoLine:
		return page.Text(t.Line()...)
	case p.view.Typing:
		return page.Text(
			t.Accept,
			t.NewLine,
			t.Cancel,
			p.cfg.Keys.Recall.Editor,
			t.Older,
			t.Newer,
			t.DeleteWord,
			t.DeleteLine,
			t.LineStart,
			t.LineEnd,
		)
	}
	return p.actions()
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.view.For != views.NoLine:
		return p.onLine(k)
	case p.view.Typing:
		return p.onTask(k)
	}
	return p.Actions().Press(k)
}

// enter acts on what has the cursor: it explains a hit, shows a piece in full, lists the rest of the
// hits, or leaves a word out. In another panel it goes back. If nothing is listed, it opens the task
// box.
func (p *Page) enter() tea.Cmd {
	v := &p.view
	piece, onPiece := v.Piece()
	rows := v.Rows()
	switch {
	case v.Panel == views.PanelWords:
		return p.toggleWord()
	case v.Panel != views.PanelText:
		p.Back()
	case v.RowCount() == 0:
		p.edit()
	case onPiece:
		v.Layout, v.Detail, v.Left, v.Block = layout.DetailOnly, true, 0, piece.Block
		v.Scroll = min(max(v.LineOf(p.W, p.H, piece.Part.Start)-above, 0), v.MaxScroll(p.W, p.H))
	case v.Cursor < len(rows) && rows[v.Cursor].Rest:
		v.All = true
	default:
		v.Panel, v.Scroll, v.Left = views.PanelExplain, 0, 0
	}
	return nil
}

// nextBlock shows the first text in full, then the next ones, and after the last one the normal
// screen again.
func (p *Page) nextBlock() {
	v := &p.view
	full := v.Layout == layout.DetailOnly
	v.Scroll, v.Left = 0, 0
	switch {
	case !full || v.Panel != views.PanelText:
		v.Panel, v.Layout, v.Detail, v.Block = views.PanelText, layout.DetailOnly, true, 0
	case v.Block+1 < len(v.Blocks()):
		v.Block++
	default:
		v.Layout, v.Detail, v.Block = layout.Both, false, 0
		p.toPiece()
	}
}

func (p *Page) toggleMarkers() tea.Cmd {
	p.view.Markers = !p.view.Markers
	p.scroll(0)
	text := cmp.Or(
		page.When(p.view.Markers, "Markers on"),
		"Markers off: line breaks as sent; invisible characters stay marked",
	)
	return msg.Emit(msg.Toast{Text: text})
}

// nextPane moves the focus to the other side. If only one side fits, it acts like nextBlock.
func (p *Page) nextPane() {
	v := &p.view
	if !v.HasPanel(p.W, p.H) || v.Layout == layout.DetailOnly {
		p.nextBlock()
		return
	}
	v.Detail = !v.Detail
}

func (p *Page) resize(by int) {
	p.view.Share = layout.Resized(p.view.Share, by)
	p.scroll(0)
}
