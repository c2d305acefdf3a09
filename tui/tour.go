package tui

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Step is one line of a tour. The screen with index Next goes to the next step. The last step has a Next
// that is no screen: it ends with the next key.
type Step struct {
	Text string
	Next int
}

// endsTour reports whether a key ends the tour: any after the last step was shown, and Esc where it closes nothing.
func (a *App) endsTour(k tea.KeyPressMsg) bool {
	switch {
	case len(a.tour) < 2:
		return len(a.tour) == 1
	case !key.Matches(k, a.keys.Back) || a.typing() || !a.stack.empty():
		return false
	}
	return !contains(a.pageActions().On(), a.keys.Back)
}

// tourTo goes to the step after the one that asks for a screen.
func (a *App) tourTo(screen int) {
	for i := range a.tour {
		if a.tour[i].Next == screen {
			a.tour = a.tour[i+1:]
			return
		}
	}
}

// tourStep returns the current line of the tour, or "".
func (a *App) tourStep() string {
	if len(a.tour) == 0 {
		return ""
	}
	all := len(a.cfg.Tour)
	return fmt.Sprintf("Tour %d of %d: %s", all-len(a.tour)+1, all, a.tour[0].Text)
}
