package page

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
)

// Filter is the line that narrows a list.
type Filter struct {
	TextLine
	Typing bool
}

// Input handles a key or a paste while the filter is being typed, and reports whether its text
// changed. Keys that move in the list call step.
func (f *Filter) Input(t keymap.Text, m tea.Msg, step func(lines int)) (changed bool) {
	k, _ := m.(tea.KeyPressMsg)
	switch {
	case !f.Typing:
	case key.Matches(k, t.Accept):
		f.Typing = false
	case key.Matches(k, t.Cancel):
		changed = f.Text() != ""
		f.Clear()
	case key.Matches(k, t.Older):
		step(-1)
	case key.Matches(k, t.Newer):
		step(+1)
	default:
		return f.Update(t, m)
	}
	return changed
}

// Clear empties the filter and stops typing.
func (f *Filter) Clear() { *f = Filter{} }
