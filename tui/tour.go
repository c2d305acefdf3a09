package tui

import "fmt"

// Step is one line of a tour. A key that shows the screen with index Next goes to the next step; any
// other key ends the tour. If Next is not the index of a screen, every key ends it.
type Step struct {
	Text string
	Next int
}

// walk goes to the next step of the tour after a key, or ends the tour.
func (a *App) walk() {
	if n := len(a.tour); n > 1 && a.active == a.tour[0].Next {
		a.tour = a.tour[1:]
		return
	}
	a.tour = nil
}

// step returns the current line of the tour, or "".
func (a *App) step() string {
	if len(a.tour) == 0 {
		return ""
	}
	all := len(a.cfg.Tour)
	return fmt.Sprintf("Tour %d of %d: %s", all-len(a.tour)+1, all, a.tour[0].Text)
}
