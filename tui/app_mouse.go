package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/msg"
	"winnow/views/layout"
)

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

// wheelPause is how long turns of the wheel are put together after one was
// delivered. Touchpads send hundreds a second.
const wheelPause = 12 * time.Millisecond

// wheel gathers turns of the wheel.
type wheel struct {
	x, y, lines int
	pausing     bool
}

// wheelMsg ends a pause.
type wheelMsg struct{}

func (a *App) onMouse(m tea.MouseMsg) tea.Cmd {
	switch m := m.(type) {
	case tea.MouseClickMsg:
		a.stale = true
		if m.Button == tea.MouseLeft {
			a.toast.clear()
			a.news.clear()
			return a.onClick(m.X, m.Y)
		}
	case tea.MouseWheelMsg:
		return a.gather(m)
	}
	return nil
}

func (a *App) onClick(x, y int) tea.Cmd {
	s := layout.Divide(a.w, a.h)
	if !a.stack.Empty() {
		return a.toReceiver(msg.Click{X: x, Y: y - s.Body.Min.Y}) // a dialog stands over the banner too
	}
	if y == 0 && !a.typing() {
		if i, ok := a.header().TabAt(a.w, x); ok {
			a.show(i)
		}
		return nil
	}
	top := s.Body.Min.Y + a.bannerRows()
	switch {
	case y == s.Body.Min.Y && y < top && !a.typing():
		return a.openGuard()
	case y < top || y >= s.Body.Max.Y:
		return nil
	}
	return a.toReceiver(msg.Click{X: x, Y: y - top})
}

// gather delivers the first turn at once and those that follow closely together.
func (a *App) gather(m tea.MouseWheelMsg) tea.Cmd {
	by := 0
	switch m.Button {
	case tea.MouseWheelUp:
		by = -wheelLines
	case tea.MouseWheelDown:
		by = wheelLines
	}
	if by == 0 {
		return nil
	}
	a.wheel.x, a.wheel.y = m.X, m.Y-layout.Divide(a.w, a.h).Body.Min.Y-a.bannerRows()
	a.wheel.lines += by
	if a.wheel.pausing {
		return nil
	}
	return a.onWheel()
}

// onWheel delivers what was gathered, and pauses again if there was anything.
func (a *App) onWheel() tea.Cmd {
	w := &a.wheel
	w.pausing = w.lines != 0
	if !w.pausing {
		return nil
	}
	a.stale = true
	cmd := a.toReceiver(msg.Wheel{X: w.x, Y: w.y, Lines: w.lines})
	w.lines = 0
	return tea.Batch(cmd, tea.Tick(wheelPause, func(time.Time) tea.Msg { return wheelMsg{} }))
}
