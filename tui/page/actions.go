package page

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
)

// Action is what a key does on a page of type P.
type Action[P any] struct {
	Binding keymap.Binding
	// Off returns why the key does nothing right now, or "" when it does something. It is
	// nil for a key that always does something.
	Off func(P) string
	Run func(P) tea.Cmd
	// Name returns what the key does right now where that is not what its binding says, or "".
	Name func(P) string
}

// Actions are the keys of a page, the most useful first.
type Actions[P any] []Action[P]

func (a Action[P]) why(p P) string {
	if a.Off == nil {
		return ""
	}
	return a.Off(p)
}

// named returns the binding with what it does right now.
func (a Action[P]) named(p P) keymap.Binding {
	if a.Name == nil || a.Name(p) == "" {
		return a.Binding
	}
	return keymap.Named(a.Binding, a.Binding.Help().Key, a.Name(p))
}

// On returns the bindings that do something right now.
func (all Actions[P]) On(p P) []keymap.Binding {
	var list []keymap.Binding
	for _, a := range all {
		if a.why(p) == "" {
			list = append(list, a.named(p))
		}
	}
	return list
}

// Off returns the bindings that do nothing right now, by reason. A key that another action
// takes now is not among them.
func (all Actions[P]) Off(p P) []keymap.Off {
	taken := map[string]bool{}
	for _, b := range all.On(p) {
		for _, k := range b.Keys() {
			taken[k] = true
		}
	}
	var list []keymap.Off
	at := map[string]int{}
	for _, a := range all {
		why := a.why(p)
		if why == "" || taken[a.Binding.Keys()[0]] {
			continue
		}
		i, ok := at[why]
		if !ok {
			i, at[why] = len(list), len(list)
			list = append(list, keymap.Off{Why: why})
		}
		list[i].Bindings = append(list[i].Bindings, a.Binding)
	}
	return list
}

// Press runs the action of a key, if there is one that is on.
func (all Actions[P]) Press(p P, k tea.KeyPressMsg) tea.Cmd {
	for _, a := range all {
		if key.Matches(k, a.Binding) && a.why(p) == "" {
			return a.Run(p)
		}
	}
	return nil
}

// Do makes a Run of a method that returns no command.
func Do[P any](fn func(P)) func(P) tea.Cmd {
	return func(p P) tea.Cmd { fn(p); return nil }
}

// End is further than any list goes.
const End = 1 << 30

// Moves are the keys that move by lines. Half returns half a page in lines.
func Moves[P any](m keymap.Move, off func(P) string, step func(P, int), half func(P) int) Actions[P] {
	by := func(lines func(P) int) func(P) tea.Cmd { return Do(func(p P) { step(p, lines(p)) }) }
	fixed := func(n int) func(P) int { return func(P) int { return n } }
	return Actions[P]{
		{Binding: m.Down, Off: off, Run: by(fixed(+1))},
		{Binding: m.Up, Off: off, Run: by(fixed(-1))},
		{Binding: m.HalfDown, Off: off, Run: by(half)},
		{Binding: m.HalfUp, Off: off, Run: by(func(p P) int { return -half(p) })},
		{Binding: m.PageDown, Off: off, Run: by(func(p P) int { return 2 * half(p) })},
		{Binding: m.PageUp, Off: off, Run: by(func(p P) int { return -2 * half(p) })},
		{Binding: m.Top, Off: off, Run: by(fixed(-End))},
		{Binding: m.Bottom, Off: off, Run: by(fixed(+End))},
	}
}
