// Package dialog is a stack of dialogs over the pages. While one is open it gets all input.
//
// There is one model of all dialogs: a Form says what can be read, typed, chosen and pressed,
// and the Stack draws it and gives input to it. What is particular to a dialog is the text of
// its view and what its actions order.
package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// Dialog is what is particular to a dialog.
type Dialog interface {
	// Form returns the dialog as it is now. It changes nothing.
	Form() Form

	// at returns where the person is in it.
	at() *state
}

// state is where the person is in a dialog.
type state struct {
	focus  int // counts the fields and then the buttons
	offset int // the first row that is shown
	follow bool
}

func (s *state) at() *state { return s }

// Planned is a dialog about a plan. The root makes the plan anew when the store
// changes.
type Planned interface {
	Dialog

	// SetPlan hands over a plan of Order, or why there is none. A plan that does
	// something else than the one that was shown must be looked at before it can be
	// confirmed.
	SetPlan(p memory.Plan, err error)

	// Order returns what the plan is made of.
	Order() memory.Order
}

// Delivery is for one dialog, whatever is on top by now: what a command of it ends with.
type Delivery struct {
	To Dialog
	Do func() tea.Cmd
}

// Closer is a dialog that has something under way which ends with it.
type Closer interface{ Close() }

// Stack holds the open dialogs. The zero Stack is empty.
type Stack struct {
	dialogs []Dialog
	look    views.Look
	w, h    int
}

// SetScreen says in how many cells the dialogs are drawn, and how.
func (s *Stack) SetScreen(l views.Look, w, h int) { s.look, s.w, s.h = l, w, h }

// Empty reports whether no dialog is open.
func (s *Stack) Empty() bool { return len(s.dialogs) == 0 }

// Push opens a dialog over all others, and returns what that begins.
func (s *Stack) Push(d Dialog) tea.Cmd {
	s.dialogs = append(s.dialogs, d)
	if after := d.Form().After; after != nil {
		return after()
	}
	return nil
}

// Top returns the dialog that gets the input, or nil.
func (s *Stack) Top() Dialog {
	if s.Empty() {
		return nil
	}
	return s.dialogs[len(s.dialogs)-1]
}

// Has reports whether a dialog is open.
func (s *Stack) Has(d Dialog) bool { return slices.Contains(s.dialogs, d) }

// Clear closes all dialogs.
func (s *Stack) Clear() {
	for !s.Empty() {
		s.pop()
	}
}

// pop closes the dialog on top, and ends what it has under way.
func (s *Stack) pop() {
	if c, ok := s.Top().(Closer); ok {
		c.Close()
	}
	s.dialogs = s.dialogs[:len(s.dialogs)-1]
}

// Typing reports whether letters are text in the dialog on top.
func (s *Stack) Typing() bool { return !s.Empty() && s.Top().Form().Typed != nil }

// Masks reports whether the dialog on top shows records, in which secrets are masked or
// revealed, and letters are keys.
func (s *Stack) Masks() bool { return !s.Empty() && s.Top().Form().Masks && !s.Typing() }

// view returns a dialog as it is drawn, and where.
func (s *Stack) view(d Dialog) (v views.Dialog, x, y, w, h int) {
	f := d.Form()
	v = f.view(s.look, s.w, s.h, *d.at())
	w, h = views.Size(v.Render(s.look.Theme, s.h))
	return v, max((s.w-w)/2, 0), max((s.h-h)/2, 0), w, h
}

// Update hands input to the top dialog, and closes it when it is done. Clicks count from the
// top left cell of what Render returns.
func (s *Stack) Update(m tea.Msg) tea.Cmd {
	if s.Empty() {
		return nil
	}
	d := s.Top()
	in := input{Form: d.Form(), state: d.at(), look: s.look, w: s.w, h: s.h}
	if c, ok := m.(msg.Click); ok {
		v, x, y, w, h := s.view(d)
		c.X, c.Y = c.X-x, c.Y-y
		if s.w == 0 || c.X < 0 || c.Y < 0 || c.X >= w || c.Y >= h {
			return nil // nothing behind a dialog takes clicks
		}
		return s.after(d, in.click(v.At(s.look.Theme, s.h, c.X, c.Y)))
	}
	return s.after(d, in.update(m))
}

// after closes a dialog that is done, and scrolls one that is not to what was chosen.
func (s *Stack) after(d Dialog, r result) tea.Cmd {
	if r.done {
		s.pop()
		return r.cmd
	}
	f, at := d.Form(), d.at()
	if at.follow {
		at.offset, at.follow = f.view(s.look, s.w, s.h, *at).Follow, false
	}
	if f.After != nil {
		return tea.Batch(r.cmd, f.After())
	}
	return r.cmd
}

// Keys returns the bindings of the top dialog that do something right now.
func (s *Stack) Keys() []keymap.Binding {
	if s.Empty() {
		return nil
	}
	d := s.Top()
	in := input{Form: d.Form(), state: d.at(), look: s.look, w: s.w, h: s.h}
	return in.hints()
}

// Render returns base with the dialogs drawn over it. It changes nothing.
func (s *Stack) Render(base string) string {
	for _, d := range s.dialogs {
		v, x, y, _, _ := s.view(d)
		base = views.Over(base, v.Render(s.look.Theme, s.h), x, y)
	}
	return base
}
