package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/dialog"
	"winnow/tui/msg"
	"winnow/views"
)

// onOtherStores takes what is about other stores than the open one.
func (a *App) onOtherStores(m tea.Msg) (tea.Cmd, bool) {
	switch m := m.(type) {
	case msg.Goto:
		return a.goTo(m), true
	case msg.PickStore:
		places := m.Places
		if places == nil {
			places = a.cfg.Survey.Places
		}
		a.stack.Push(dialog.NewSwitcher(a.cfg.Keys, dialog.Offer{
			Title: m.Title, Places: places, Open: a.store.id, Names: a.cfg.Names, Then: m.Then,
		}))
		return nil, true
	case dialog.Delivery:
		if a.stack.Has(m.To) {
			return m.To.Receive(m.Msg), true
		}
		return nil, true
	}
	return nil, false
}

// manySystems reports whether stores of several systems were found.
func (a *App) manySystems() bool {
	places := a.cfg.Survey.Places
	for i := range places {
		if places[i].System != places[0].System {
			return true
		}
	}
	return false
}

// placeName returns the name of a store with that of its system.
func (a *App) placeName(p memory.Place) string {
	return strings.Join(append(a.calledParts(p), views.PlacePath(p)), " ")
}

// calledParts are the name of a system, and what it calls a store.
func (a *App) calledParts(p memory.Place) []string {
	parts := []string{a.cfg.Names[p.System]}
	if parts[0] == "" {
		parts[0] = string(p.System)
	}
	if p.Name != "" && !p.ByPath {
		parts = append(parts, p.Name)
	}
	return parts
}

// shortName returns the name of a store with the last part of its path only.
func (a *App) shortName(p memory.Place) string {
	parts, last := a.calledParts(p), views.PlaceBase(p)
	if last != parts[len(parts)-1] {
		parts = append(parts, last)
	}
	return strings.Join(parts, " ")
}

// goTo shows a record in its store.
func (a *App) goTo(m msg.Goto) tea.Cmd {
	a.show(a.cfg.Lessons)
	if m.Store == a.store.id {
		return a.tell(msg.Lesson{ID: m.ID})
	}
	return tea.Batch(a.tell(msg.OpenStore{Store: m.Store}), a.open(m.Store), a.tell(msg.Lesson{ID: m.ID}))
}

// openEverywhere opens the search over all stores.
func (a *App) openEverywhere() tea.Cmd {
	if a.cfg.Library == nil {
		return nil
	}
	a.stack.Push(dialog.NewEverywhere(dialog.EverywhereConfig{
		Keys: a.cfg.Keys, Ctx: a.ctx, Library: a.cfg.Library, Places: a.cfg.Survey.Places, Names: a.cfg.Names, Now: a.cfg.Now,
	}))
	return nil
}
