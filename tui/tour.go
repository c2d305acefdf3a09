package tui

import "fmt"

// Step is a line of a tour. The tour goes on when a key shows the screen Next, and any other key ends
// it; so does every key when Next is no screen.
type Step struct {
	Text string
	Next int
}

// walk goes to the next step of the tour after a key, or ends it.
func (a *App) walk() {
	if n := len(a.tour); n > 1 && a.active == a.tour[0].Next {
		a.tour = a.tour[1:]
		return
	}
	a.tour = nil
}

// step is the line of the tour, empty when there is none.
func (a *App) step() string {
	if len(a.tour) == 0 {
		return ""
	}
	all := len(a.cfg.Tour)
	return fmt.Sprintf("Tour %d of %d: %s", all-len(a.tour)+1, all, a.tour[0].Text)
}
