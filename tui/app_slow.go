package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// slowChange is how long a change may take before the screen says that it is under way.
const slowChange = 300 * time.Millisecond

// slowChangeMsg says that a step has been under way for long. Its round rises with each
// step, so that the end of one is not taken for another.
type slowChangeMsg struct {
	round int
	what  string
}

// remind says after a while that a step is still under way: what must end in "..".
func (c *changes) remind(what string) tea.Cmd {
	c.busy = true
	c.round++
	m := slowChangeMsg{round: c.round, what: what}
	return tea.Tick(slowChange, func(time.Time) tea.Msg { return m })
}

// onSlowChange tells that a step is still under way. That stays until the step ends, or
// a key is pressed.
func (a *App) onSlowChange(m slowChangeMsg) {
	c := &a.changes
	if !c.busy || c.quitting || m.round != c.round {
		return
	}
	a.toast = toast{text: m.what, gen: a.toast.gen + 1}
	c.told = a.toast.gen
}

// ended notes that no step is under way, and takes back what was said of it.
func (a *App) ended() {
	c := &a.changes
	c.busy = false
	if c.told == a.toast.gen {
		a.toast.clear()
	}
}
