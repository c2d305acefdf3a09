package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/overlay"
	"winnow/tui/page"
	"winnow/views/theme"
)

// An action is what a key of the root does.
type action struct {
	binding keymap.Binding
	run     func(tea.KeyPressMsg) tea.Cmd
}

func (a *App) globalActions() []action {
	k := a.keys
	return []action{
		{k.Help, func(tea.KeyPressMsg) tea.Cmd { return a.openHelp() }},
		{k.Screens, a.showNumbered},
		{k.PrevScreen, func(tea.KeyPressMsg) tea.Cmd { return a.turn(-1) }},
		{k.NextScreen, func(tea.KeyPressMsg) tea.Cmd { return a.turn(+1) }},
		{k.Switch, func(tea.KeyPressMsg) tea.Cmd { return a.openSwitcher() }},
		{k.Everywhere, func(tea.KeyPressMsg) tea.Cmd { return a.openEverywhere() }},
		{k.Reveal, func(tea.KeyPressMsg) tea.Cmd { return a.toggleReveal() }},
		{k.Theme, func(tea.KeyPressMsg) tea.Cmd { return a.nextTheme() }},
		{k.Mouse, func(tea.KeyPressMsg) tea.Cmd { return a.toggleMouse() }},
		{k.Undo, func(tea.KeyPressMsg) tea.Cmd { return a.retrace(memory.Undo) }},
		{k.Redo, func(tea.KeyPressMsg) tea.Cmd { return a.retrace(memory.Redo) }},
		{k.History, func(tea.KeyPressMsg) tea.Cmd { return a.openHistory() }},
		{k.Guard, func(tea.KeyPressMsg) tea.Cmd { return a.openGuard() }},
		{k.Redraw, func(tea.KeyPressMsg) tea.Cmd { return tea.ClearScreen }},
		{k.Quit, func(tea.KeyPressMsg) tea.Cmd { return a.backOrQuit() }},
	}
}

// onKey gives a key to the one that it is for, later when its store is not open yet.
func (a *App) onKey(k tea.KeyPressMsg) tea.Cmd {
	a.toast.clear()
	a.news.clear()
	if a.hold(k) {
		return nil
	}
	return a.press(k)
}

// press gives a key to the one that it is for.
func (a *App) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, a.keys.Abort):
		return a.quit()
	case key.Matches(k, a.keys.Suspend):
		return tea.Suspend
	case key.Matches(k, a.keys.Reveal) && a.masks():
		return a.toggleReveal()
	case !a.stack.Empty(), a.typing(), a.counting(k):
		return a.toReceiver(k)
	}
	for _, act := range a.actions {
		if key.Matches(k, act.binding) {
			return act.run(k)
		}
	}
	return a.toReceiver(k)
}

func (a *App) typing() bool { return !a.blank() && !a.tooSmall() && a.current().Typing() }

// counting reports whether k is a digit of a number that the page is taking, or
// begins one, since no screen has that number.
func (a *App) counting(k tea.KeyPressMsg) bool {
	c, ok := a.current().(page.Counter)
	if !ok || !key.Matches(k, a.keys.Screens) {
		return false
	}
	return c.Counting() || int(k.Code-'1') >= len(a.pages)
}

func (a *App) showNumbered(k tea.KeyPressMsg) tea.Cmd {
	a.show(int(k.Code - '1'))
	return nil
}

func (a *App) turn(by int) tea.Cmd {
	a.show((a.active + by + len(a.pages)) % len(a.pages))
	return nil
}

func (a *App) backOrQuit() tea.Cmd {
	if b, ok := a.current().(page.Backer); ok && !a.blank() && b.Back() {
		return nil
	}
	return a.quit()
}

func (a *App) toggleReveal() tea.Cmd {
	a.reveal = !a.reveal
	text := "Secrets are masked"
	if a.reveal {
		text = "Secrets are shown as they are; X masks them again"
	}
	return tea.Batch(a.tell(a.themeFact()), a.say(text))
}

func (a *App) nextTheme() tea.Cmd {
	names := theme.Names()
	i := max(slices.Index(names, a.theme.Name), 0)
	a.cfg.Theme.Name = names[(i+1)%len(names)]
	return tea.Batch(a.setTheme(), a.say("Theme: "+a.theme.Name))
}

func (a *App) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		return a.say("Mouse on; shift-drag still selects text")
	}
	return a.say("Mouse off; it is the terminal's again")
}

func (a *App) openHelp() tea.Cmd {
	var legend []string
	if l, ok := a.current().(page.Legend); ok && !a.blank() {
		legend = l.Legend()
	}
	a.stack.Push(overlay.NewHelp(a.cfg.Keys, a.title(), a.bindings(), legend))
	return nil
}

func (a *App) openSwitcher() tea.Cmd {
	s := overlay.NewPicker(a.cfg.Keys, overlay.Offer{Places: a.cfg.Survey.Places, Open: a.store.id, Names: a.cfg.Names})
	s.Add(a.others)
	a.stack.Push(s)
	return nil
}

// bindings returns what keys do here and at this moment, the page's first.
func (a *App) bindings() []keymap.Binding {
	var list []keymap.Binding
	if !a.blank() {
		list = append(list, a.current().Keys()...)
	}
	k := a.keys
	list = append(list, a.past()...)
	list = append(list, a.everywhere()...)
	return append(list, k.Screens, k.PrevScreen, k.NextScreen, k.Switch, k.Reveal, k.Theme, k.Mouse,
		k.Redraw, k.Suspend, k.Help, k.Quit, k.Abort)
}

// everywhere returns the binding of the search over all stores, where there is one.
func (a *App) everywhere() []keymap.Binding {
	if a.cfg.Library == nil || len(a.cfg.Survey.Places) == 0 {
		return nil
	}
	return []keymap.Binding{a.keys.Everywhere}
}

// past returns the bindings about what was done to the store, as far as they do
// something now.
func (a *App) past() []keymap.Binding {
	k := a.keys
	if a.store.id == "" || a.cfg.Curator == nil {
		return nil
	}
	list := []keymap.Binding{k.History}
	if a.whyReadOnly(a.store.snap) == "" {
		list = []keymap.Binding{k.Undo, k.Redo, k.History}
	}
	if len(a.store.snap.Undone) > 0 {
		list = append(list, k.Guard)
	}
	return list
}

func (a *App) title() string {
	if a.blank() {
		return "No store"
	}
	return a.current().Title()
}
