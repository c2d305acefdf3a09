package overlay

import (
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// spotter is what knows where things stand in the box that was drawn.
type spotter interface {
	SpotAt(t theme.Theme, w, h, x, y int) views.Spot
}

// pointer finds what was clicked in a dialog, as that was drawn last.
type pointer struct {
	drew  spotter
	theme theme.Theme
	w, h  int
}

// shows keeps what is drawn.
func (p *pointer) shows(v spotter, t theme.Theme, w, h int) { *p = pointer{v, t, w, h} }

// spot returns what a click is on. It is false for what is no click.
func (p *pointer) spot(m tea.Msg) (views.Spot, bool) {
	click, ok := m.(msg.Click)
	if !ok || p.drew == nil {
		return views.Spot{Button: -1, Row: -1}, false
	}
	return p.drew.SpotAt(p.theme, p.w, p.h, click.X, click.Y), true
}

// press makes of a click on a button that it has the focus, and is pressed. All else
// comes back as it is.
func (p *pointer) press(k keymap.Dialog, m tea.Msg, focus *int) tea.Msg {
	s, ok := p.spot(m)
	if !ok || s.Button < 0 {
		return m
	}
	*focus = s.Button
	return msg.Press(k.Press.Keys()[0])
}
