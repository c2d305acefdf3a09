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

// remembered is the state that the next run starts with.
type remembered struct {
	state  config.State // as it was last read or saved
	theme  string       // the theme chosen with a key, or ""
	seen   string       // the hint shown in this run, or ""
	saving bool         // the timer of saveSoon is running
}

// saveAfter is the time between an input and saving the state.
const saveAfter = 2 * time.Second

// restore gives the pages the remembered state.
func (a *App) restore() {
	a.remembered.state = a.cfg.State
	for _, p := range a.pages {
		if p, ok := p.(page.Remembering); ok {
			p.Restore(a.cfg.State)
		}
	}
}

// Remembered returns the state as last read or saved, and the state to save when the program ends.
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

// saveSoon saves the state a while after an input. Input until then causes no second save.
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
	return tea.Tick(saveAfter, func(time.Time) tea.Msg { return rootFunc((*App).save) })
}

// save saves the state if it changed. Errors are ignored, because they do not affect what the person
// is doing.
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
