package recall

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// describe passes what a state says about its store to the view.
func (p *Page) describe(s memory.Snapshot) {
	v := &p.view
	v.Described, v.Noun, v.Scopes = s.Described, s.Noun, len(s.Scopes)
}

// target returns the ID of the record under the cursor, which is a hit or a piece of a text. It is ""
// if the cursor is on neither, or the piece is no record of the store.
func (p *Page) target() memory.ID {
	if row, ok := p.view.Piece(); ok {
		return row.Part.ID
	}
	h, _ := p.view.Hit()
	return h.ID
}

// above is how many lines of a text are shown above a piece.
const above = 2

// toPiece shows the text that contains the piece under the cursor, scrolled to the piece.
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

// showSession toggles between the text and what the last session got.
func (p *Page) showSession() {
	v := &p.view
	v.Scroll, v.Left = 0, 0
	if v.Panel == views.PanelSession {
		p.Back()
		return
	}
	v.Panel, v.Detail = views.PanelSession, true
}

// nextScope recalls from the next part of the store or, after the last one, from the part that the
// system itself chooses.
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
