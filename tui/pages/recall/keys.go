package recall

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

func actions(c Config) page.Actions[*Page] {
	r, g, do := c.Keys.Recall, c.Keys.Global, page.Do[*Page]
	notReady := (*Page).whyNotReady
	return append(page.Actions[*Page]{
		{Binding: r.Edit, Run: (*Page).edit},
		{Binding: r.Explain, Run: (*Page).enter, Name: (*Page).enterName},
		{Binding: r.Parts, Off: (*Page).whyNoPieces, Run: do((*Page).togglePieces), Name: func(p *Page) string { return page.When(p.onPiece(), "hits") }},
		{Binding: r.Got, Off: (*Page).whyNoSession, Run: do((*Page).showSession)},
		{Binding: r.Compare, Off: (*Page).whyNoCompare, Run: (*Page).pickOther},
		{Binding: r.Scope, Off: (*Page).whyNoScopes, Run: (*Page).nextScope},
		{Binding: r.Folder, Off: (*Page).whyNoFolder, Run: (*Page).editFolder},
		{Binding: r.Drop, Off: (*Page).whyNoWords, Run: (*Page).dropWord},
		{Binding: c.Keys.Curate.Delete, Off: (*Page).whyUnwritable, Run: (*Page).delete},
		{Binding: c.Keys.Curate.Edit, Off: (*Page).whyUnwritable, Run: (*Page).editRecord},
		{Binding: r.Block, Off: notReady, Run: do((*Page).nextBlock)},
		{Binding: r.Copy, Off: notReady, Run: (*Page).copyBlock},
		{Binding: r.CopyRaw, Off: notReady, Run: (*Page).copyJSON},
		{Binding: r.Wrap, Off: notReady, Run: do(func(p *Page) { p.view.Wrap, p.view.Left = !p.view.Wrap, 0; p.scroll(0) })},
		{Binding: r.Markers, Off: notReady, Run: (*Page).toggleMarkers},
		{Binding: r.Mode, Off: (*Page).whyNoModes, Run: (*Page).toggleMode},
		{Binding: r.Tools, Off: (*Page).whyNoTools, Run: (*Page).editTools},
		{Binding: r.Editor, Off: (*Page).whyNoEditor, Run: (*Page).openEditor},
		{Binding: g.NextPane, Off: notReady, Run: do((*Page).nextPane)},
		{Binding: g.PrevPane, Off: notReady, Run: do((*Page).nextPane)},
		{Binding: g.Layout, Run: do(func(p *Page) { p.view.Layout = p.view.Layout.Next(); p.scroll(0) })},
		{Binding: g.ShrinkList, Run: do(func(p *Page) { p.resize(-5) })},
		{Binding: g.GrowList, Run: do(func(p *Page) { p.resize(+5) })},
		{Binding: g.Back, Off: (*Page).whyNoBack, Run: do(func(p *Page) { p.Back() })},
		{Binding: c.Keys.Move.Right, Off: (*Page).whyWrapped, Run: do(func(p *Page) { p.view.Left += sideStep })},
		{Binding: c.Keys.Move.Left, Off: (*Page).whyWrapped, Run: do(func(p *Page) { p.view.Left = max(p.view.Left-sideStep, 0) })},
	}, page.Moves(c.Keys.Move, notReady, (*Page).step, (*Page).half)...)
}

// sideStep is how far lines that are not wrapped move at a time.
const sideStep = 8

func (p *Page) whyNotReady() string {
	return page.Unless(p.view.Ready, "nothing has been recalled yet")
}

// system names the system of the open store in a sentence.
func (p *Page) system() string { return cmp.Or(p.view.Described.System, "the agent") }

func (p *Page) whyNoPieces() string {
	v := &p.view
	return cmp.Or(p.whyNotReady(), page.Unless(len(v.Result.Hits) > 0 && len(v.PieceRows()) > 0, "there is only one list to show"))
}

func (p *Page) whyNoSession() string {
	return cmp.Or(p.whyNotReady(), page.Unless(p.view.Result.LastSession != nil, "no record of what a session got"))
}

func (p *Page) whyNoCompare() string {
	return page.Unless(p.store != "" && len(p.places) > 1, "no other store was found")
}

func (p *Page) whyNoScopes() string {
	return page.Unless(len(p.snap.Scopes) > 1, "the store has no parts")
}

func (p *Page) whyNoFolder() string {
	return page.Unless(!p.view.Described.Draft.TextOnly, "only the text of the task counts for "+p.system())
}

func (p *Page) whyNoWords() string {
	return cmp.Or(page.Unless(p.view.Described.Draft.Without, "words cannot be left out for "+p.system()), p.whyNotReady(),
		page.Unless(len(p.view.TaskWords()) > 0, "the task has no word that scores"))
}

func (p *Page) whyNoModes() string {
	return page.Unless(p.view.Described.Draft.Modes, p.system()+" has no modes")
}

func (p *Page) whyNoTools() string {
	return page.Unless(p.view.Described.Draft.Tools, "tools do not score for "+p.system())
}

func (p *Page) whyNoEditor() string { return page.Unless(p.cfg.Editor != nil, "no editor is set up") }

func (p *Page) whyWrapped() string {
	return cmp.Or(p.whyNotReady(), page.Unless(!p.view.Wrap, "lines are wrapped; "+p.cfg.Keys.Recall.Wrap.Help().Key+" shows them uncut"))
}

func (p *Page) whyNoBack() string {
	v := &p.view
	return page.Unless(v.Right || v.Layout != layout.Both || v.Panel != views.PanelText, "nothing is open")
}

// whyUnwritable says why the chosen record cannot be changed.
func (p *Page) whyUnwritable() string {
	return cmp.Or(page.WhyReadOnly(&p.snap), p.whyNotReady(), page.Unless(p.target() != "", "no "+p.snap.Noun.OrRecord().One+" is selected"))
}

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	t := p.cfg.Keys.Text
	switch {
	case p.view.For != views.NoLine:
		return t.Line()
	case p.view.Typing:
		list := []keymap.Binding{t.Accept, t.NewLine, t.Cancel}
		if p.cfg.Editor != nil {
			list = append(list, p.cfg.Keys.Recall.Editor)
		}
		return append(list, t.Older, t.Newer, t.DeleteWord, t.DeleteLine, t.LineStart, t.LineEnd)
	case p.against.on():
		return p.compareActions.On(p)
	}
	return p.do.On(p)
}

// Off implements page.Off.
func (p *Page) Off() []keymap.Off {
	switch {
	case p.Typing():
		return nil
	case p.against.on():
		return p.compareActions.Off(p)
	}
	return p.do.Off(p)
}

// enterName returns what Enter does where it does not explain a hit.
func (p *Page) enterName() string {
	return cmp.Or(page.When(p.view.Panel != views.PanelText, "back"), page.When(p.onPiece(), "the text in full"))
}

func (p *Page) onPiece() bool {
	_, ok := p.view.Piece()
	return ok
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case p.view.For != views.NoLine:
		return p.onLine(k)
	case p.view.Typing:
		return p.onTask(k)
	case p.against.on():
		return p.compareActions.Press(p, k)
	}
	return p.do.Press(p, k)
}

// enter explains the chosen record, shows a piece in full, lists the rest of the hits, or
// leaves a word out; where nothing is listed it opens the box.
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
		return p.edit()
	case onPiece:
		v.Layout, v.Right, v.Left, v.Block = layout.DetailOnly, true, 0, piece.Block
		v.Scroll = min(max(v.LineOf(p.W, p.H, piece.Part.Start)-above, 0), v.MaxScroll(p.W, p.H))
	case v.Cursor < len(rows) && rows[v.Cursor].Rest:
		v.All = true
	default:
		v.Panel, v.Scroll, v.Left = views.PanelExplain, 0, 0
	}
	return nil
}

// nextBlock goes from the screen through the texts in full, and back.
func (p *Page) nextBlock() {
	v := &p.view
	full := v.Layout == layout.DetailOnly
	v.Scroll, v.Left = 0, 0
	switch {
	case !full || v.Panel != views.PanelText:
		v.Panel, v.Layout, v.Right, v.Block = views.PanelText, layout.DetailOnly, true, 0
	case v.Block+1 < len(v.Blocks()):
		v.Block++
	default:
		v.Layout, v.Right, v.Block = layout.Both, false, 0
		p.toPiece()
	}
}

func (p *Page) toggleMarkers() tea.Cmd {
	p.view.Markers = !p.view.Markers
	p.scroll(0)
	text := cmp.Or(page.When(p.view.Markers, "Markers on"), "Markers off: line breaks as sent; invisible characters stay marked")
	return msg.Emit(msg.Toast{Text: text})
}

// nextPane gives the keys to the other side. Where only one fits, the block
// takes its place.
func (p *Page) nextPane() {
	v := &p.view
	if !v.HasPanel(p.W, p.H) || v.Layout == layout.DetailOnly {
		p.nextBlock()
		return
	}
	v.Right = !v.Right
}

func (p *Page) resize(by int) {
	p.view.Share = layout.Resized(p.view.Share, by)
	p.scroll(0)
}
