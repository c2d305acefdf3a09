package tui

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// remembered is what the next run begins with.
type remembered struct {
	state  config.State // as it is known to the file
	theme  string       // the one that a key chose; empty when none did
	seen   string       // the hint that was shown in this run
	saving bool         // a timer runs
}

// saveAfter is how long after input the state is saved.
const saveAfter = 2 * time.Second

// restore hands the pages what was remembered.
func (a *App) restore() {
	a.remembered.state = a.cfg.State
	for _, p := range a.pages {
		if p, ok := p.(page.Remembering); ok {
			p.Restore(a.cfg.State)
		}
	}
}

// Remembered returns what was remembered before, and what is to be remembered now that the program ends.
func (a *App) Remembered() (before, now config.State) { return a.remembered.state, a.remember() }

func (a *App) remember() config.State {
	s := a.remembered.state
	if a.remembered.theme != "" {
		s.Theme = a.remembered.theme
	}
	if seen := a.remembered.seen; seen != "" && !slices.Contains(s.Seen, seen) {
		s.Seen = append(slices.Clip(s.Seen), seen)
	}
	for _, p := range a.pages {
		if p, ok := p.(page.Remembering); ok {
			p.Remember(&s)
		}
	}
	return s
}

// saveSoon saves the state some time after input, once for all that is typed until then.
func (a *App) saveSoon(m tea.Msg) tea.Cmd {
	switch m.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, msg.OpenStore:
	default:
		return nil
	}
	if a.cfg.Save == nil || a.remembered.saving {
		return nil
	}
	a.remembered.saving = true
	return tea.Tick(saveAfter, func(time.Time) tea.Msg { return then((*App).save) })
}

// save saves what changed. That it could not be saved is no matter to what the person does here.
func (a *App) save() tea.Cmd {
	a.remembered.saving = false
	before, now := a.remembered.state, a.remember()
	if reflect.DeepEqual(before, now) {
		return nil
	}
	a.remembered.state = now
	ctx, save := a.ctx, a.cfg.Save
	return func() tea.Msg {
		_ = save(ctx, before, now)
		return nil
	}
}
