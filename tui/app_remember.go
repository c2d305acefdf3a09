package tui

import (
	"fmt"
	"maps"
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

// saveView saves a view in config.toml, and offers it from then on.
func (a *App) saveView(m msg.SaveView) tea.Cmd {
	ctx, save := a.ctx, a.cfg.SaveView
	return func() tea.Msg {
		if err := save(ctx, m.Name, m.View); err != nil {
			return msg.Failed{Op: "save view", Err: err}
		}
		return rootFunc(func(a *App) tea.Cmd {
			all := map[string]config.View{m.Name: m.View}
			maps.Copy(all, a.cfg.Settings.Views)
			a.cfg.Settings.Views = all
			key := a.cfg.Keys.Lessons.Views.Help().Key
			return a.say(fmt.Sprintf("Saved the view %q in config.toml; %s offers it", m.Name, key))
		})
	}
}
