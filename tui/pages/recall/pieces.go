package recall

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// describe takes what a state says of its store.
func (p *Page) describe(s memory.Snapshot) {
	v := &p.view
	v.Described, v.Noun, v.Scopes = s.Described, s.Noun, len(s.Scopes)
}

// target returns the record that the cursor is on: a hit, or a piece of a text that is one
// of the store.
func (p *Page) target() memory.ID {
	if row, ok := p.view.Piece(); ok {
		return row.Part.ID
	}
	h, _ := p.view.Hit()
	return h.ID
}

// above is how many lines of a text are shown above a piece of it.
const above = 2

// toPiece shows the text that the piece under the cursor is of, at its place.
func (p *Page) toPiece() {
	v := &p.view
	row, ok := v.Piece()
	if !ok || p.W == 0 {
		return
	}
	v.Block = row.Block
	v.Scroll, v.Left = 0, 0
	if v.Cursor > 0 {
		v.Scroll = max(v.LineOf(p.W, p.H, row.Part.Start)-above, 0)
	}
	if v.HasPanel(p.W, p.H) {
		v.Scroll = min(v.Scroll, v.MaxScroll(p.W, p.H))
	}
}

// showSession shows what a session got, or the text again.
func (p *Page) showSession() {
	v := &p.view
	v.Scroll, v.Left = 0, 0
	if v.Panel == views.PanelSession {
		p.Back()
		return
	}
	v.Panel, v.Detail = views.PanelSession, true
}

// nextScope asks for the next part of the store.
func (p *Page) nextScope() tea.Cmd {
	var names []string
	for _, s := range p.snap.Scopes {
		names = append(names, s.Name)
	}
	t := &p.view.Task
	t.Scope = page.Next(names, t.Scope)
	shown := cmp.Or(page.When(t.Scope != "", "Scope: "+t.Scope), "The system's own choice")
	return tea.Batch(p.ask(), msg.Emit(msg.Toast{Text: shown}))
}
