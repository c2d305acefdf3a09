package page

import (
	"cmp"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
)

// Action is what a key does on a page, as the page is right now.
type Action struct {
	Binding keymap.Binding
	// Name is what the key does right now, if that differs from its binding's description.
	Name string
	// Off is why the key does nothing right now. It is empty if the key does something.
	Off string
	Run func() tea.Cmd
}

// Actions are the keys of a page, the most useful first.
type Actions []Action

// Replace replaces each action whose keys equal those of one of others.
func (all Actions) Replace(others Actions) {
	for _, other := range others {
		for i := range all {
			if slices.Equal(all[i].Binding.Keys(), other.Binding.Keys()) {
				all[i] = other
			}
		}
	}
}

// Text returns actions that only show up in the hints: the page handles the keys of a text field
// itself.
func Text(bindings ...keymap.Binding) Actions {
	var all Actions
	for _, b := range bindings {
		all = append(all, Action{Binding: b})
	}
	return all
}

// On returns the bindings that do something right now, with their descriptions.
func (all Actions) On() []keymap.Binding {
	var list []keymap.Binding
	for _, a := range all {
		if help := a.Binding.Help(); a.Off == "" {
			list = append(list, keymap.As(a.Binding, cmp.Or(a.Name, help.Desc)))
		}
	}
	return list
}

// Off returns the bindings that do nothing right now, except for keys that another action uses.
func (all Actions) Off() []keymap.Off {
	taken := map[string]bool{}
	for _, b := range all.On() {
		for _, k := range b.Keys() {
			taken[k] = true
		}
	}
	var list []keymap.Off
	for _, a := range all {
		if a.Off != "" && !taken[a.Binding.Keys()[0]] {
			list = append(list, keymap.Off{Binding: a.Binding, Why: a.Off})
		}
	}
	return list
}

// Press runs the first action bound to k that is on, if any.
func (all Actions) Press(k tea.KeyPressMsg) tea.Cmd {
	for _, a := range all {
		if a.Off == "" && key.Matches(k, a.Binding) {
			return a.Run()
		}
	}
	return nil
}

// Do turns a function without a command into a Run.
func Do(fn func()) func() tea.Cmd {
	return func() tea.Cmd { fn(); return nil }
}

// Hint returns a key and what it does, as text.
func Hint(b keymap.Binding, does string) string { return b.Help().Key + "  " + does }

// end is beyond the end of any list.
const end = 1 << 30

// Moves are the keys that move by lines. half is half a page in lines.
func Moves(m keymap.Move, off string, step func(lines int), half int) Actions {
	by := func(b keymap.Binding, lines int) Action {
		return Action{Binding: b, Off: off, Run: Do(func() { step(lines) })}
	}
	return Actions{
		by(m.Down, +1), by(m.Up, -1), by(m.HalfDown, half), by(m.HalfUp, -half),
		by(m.PageDown, 2*half), by(m.PageUp, -2*half), by(m.Top, -end), by(m.Bottom, +end),
	}
}
