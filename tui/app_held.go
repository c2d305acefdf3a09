package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/tui/page"
)

// maxHeld is how many keys are kept while a store opens.
const maxHeld = 1000

// hold keeps a key, or pasted text, for the page until its store is open, and whatever
// follows it: what is typed ahead is not lost. Keys of the root act at once as long as
// nothing is kept, and the way out always does.
func (a *App) hold(m tea.Msg) bool {
	k, isKey := m.(tea.KeyPressMsg)
	way := isKey && (key.Matches(k, a.keys.Abort, a.keys.Suspend) || a.blank() && key.Matches(k, a.keys.Quit))
	if way || len(a.held) >= maxHeld {
		return false
	}
	if len(a.held) == 0 && (!a.opening() || !a.stack.Empty() || a.typing() || !a.waits() || isKey && a.isGlobal(k)) {
		return false
	}
	a.held = append(a.held, m)
	return true
}

func (a *App) isGlobal(k tea.KeyPressMsg) bool {
	for _, act := range a.actions {
		if key.Matches(k, act.binding) && !a.counting(k) {
			return true
		}
	}
	return false
}

// waits reports whether the visible page can do nothing with keys without a store.
func (a *App) waits() bool {
	_, ok := a.current().(page.Busy)
	return ok
}

// opening reports whether a store is being looked for or opened.
func (a *App) opening() bool {
	looking := a.store.id == "" && len(a.cfg.Survey.Places) == 0 && len(a.cfg.Survey.Looked) == 0
	return looking || a.store.id != "" && !a.store.loaded
}

// release gives the page what was kept for it, one after the other, each when the one
// before has had its effect.
func (a *App) release() tea.Cmd {
	var cmds []tea.Cmd
	for len(a.held) > 0 && !a.opening() && !a.changes.busy {
		if b, ok := a.current().(page.Busy); ok && b.Busy() {
			break
		}
		m := a.held[0]
		a.held = a.held[1:]
		if k, isKey := m.(tea.KeyPressMsg); isKey {
			cmds = append(cmds, a.press(k))
		} else {
			cmds = append(cmds, a.toReceiver(m))
		}
	}
	return tea.Batch(cmds...)
}
