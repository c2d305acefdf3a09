package tui

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"winnow/keymap"
	"winnow/views"
)

// footer returns the hints for the keys that do something now: the page's own in
// the first line, what is the same on most pages in the second.
func (a *App) footer() views.Footer {
	f := views.Footer{Toast: a.toast.text, Failed: a.toast.failed, News: a.news.text}
	if m := a.mask(); m != nil {
		f.Toast = m(f.Toast)
	}
	switch {
	case !a.stack.Empty():
		f.Page = a.stack.Keys()
		if a.stack.Masks() {
			f.Last = []keymap.Binding{a.keys.Reveal}
		}
		return f
	case a.typing():
		f.Page = a.current().Keys()
		return f
	}
	var active []keymap.Binding
	if !a.blank() {
		active = a.current().Keys()
	}
	f.Global = a.shared(active)
	f.Page = slices.DeleteFunc(slices.Clone(active), a.isShared)
	f.Last = []keymap.Binding{a.keys.Help, a.keys.Quit}
	return f
}

// shared returns the hints of the second line: for moves, panes and the way back
// as far as the page has them now, and for the keys of the root. Opposite moves
// share a hint.
func (a *App) shared(active []keymap.Binding) []keymap.Binding {
	m, k := a.cfg.Keys.Move, a.keys
	active = slices.Clone(active)
	found := len(a.cfg.Survey.Places)
	for _, act := range a.actions {
		switch {
		case act.why() != "":
		case contains([]keymap.Binding{k.Everywhere}, act.binding) && found < 2:
		case contains([]keymap.Binding{k.Switch, k.Reveal}, act.binding) && a.store.id == "" && found == 0:
		default:
			active = append(active, act.binding)
		}
	}
	var list []keymap.Binding
	for _, h := range []struct {
		a, b keymap.Binding
		desc string
	}{
		{m.Down, m.Up, "move"}, {m.Top, m.Bottom, "ends"}, {m.NextMatch, m.PrevMatch, a.renamed(active, m.NextMatch)}, {a: k.Guard}, {a: k.Undo}, {a: k.NextPane}, {a: k.Back},
		{a: k.History}, {a: k.Screens}, {a: k.Switch}, {a: k.Everywhere}, {a: k.Layout}, {a: k.Reveal}, {a: k.Theme}, {m.Left, m.Right, a.sideways(active)},
	} {
		switch {
		case !contains(active, h.a), h.desc == same:
		case h.desc == "":
			list = append(list, h.a)
		case contains(active, h.b):
			both := h.a.Help().Key + "/" + h.b.Help().Key
			list = append(list, key.NewBinding(key.WithKeys(h.a.Keys()...), key.WithHelp(both, h.desc)))
		}
	}
	return list
}

// same is the name of a hint for a move that a page does not name in its own way.
const same = "-"

// renamed returns what a page calls a move, or same.
func (a *App) renamed(active []keymap.Binding, b keymap.Binding) string {
	for _, x := range active {
		if slices.Equal(x.Keys(), b.Keys()) && x.Help() != b.Help() {
			return x.Help().Desc
		}
	}
	return same
}

// sideways returns what a page calls the moves to the left and right.
func (a *App) sideways(active []keymap.Binding) string {
	if name := a.renamed(active, a.cfg.Keys.Move.Left); name != same {
		return name
	}
	return "sideways"
}

// isShared reports whether a binding is one of those that the second line stands
// for, or is too rare for a hint: help has it.
func (a *App) isShared(b keymap.Binding) bool {
	m, g := a.cfg.Keys.Move, a.cfg.Keys.Global
	return contains([]keymap.Binding{
		m.Up, m.Down, m.Top, m.Bottom, m.HalfUp, m.HalfDown, m.PageUp, m.PageDown, m.Count,
		m.Left, m.Right, m.NextMatch, m.PrevMatch,
		g.NextPane, g.PrevPane, g.Back, g.Layout, g.ShrinkList, g.GrowList,
	}, b)
}

func contains(list []keymap.Binding, b keymap.Binding) bool {
	return slices.ContainsFunc(list, func(x keymap.Binding) bool { return slices.Equal(x.Keys(), b.Keys()) })
}
