// Package dialog is a stack of dialogs drawn over the pages. While a dialog is open, the top one
// gets all input.
//
// All dialogs work the same way: a dialog describes itself as a Form, which lists what can be read,
// typed, chosen and pressed. The Stack draws the form and passes input to it. A dialog itself only
// provides the text of its view and the effects of its actions.
package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// Dialog is one dialog of a Stack.
type Dialog interface {
	// Form returns the dialog as it is now. It changes nothing.
	Form() Form

	// at returns the focus and the scroll position.
	at() *state
}

// state holds the focus and the scroll position of a dialog. Every dialog embeds it.
type state struct {
	focus  int  // index among the fields, then the buttons, then the other stops of a Form
	offset int  // the first row shown
	follow bool // after this input, scroll to what was chosen
}

func (s *state) at() *state { return s }

// Planned is a dialog about a plan. The root makes a new plan whenever the store changes.
type Planned interface {
	Dialog

	// SetPlan hands over a plan of Order, or the error that prevented one. If the plan does
	// something else than the one shown, the person must look at it before confirming.
	SetPlan(p memory.Plan, err error)

	// Order returns the order to plan.
	Order() memory.Order
}

// Delivery is the result of a dialog's command. The root runs Do if the dialog To is still open,
// even if it is no longer on top.
type Delivery struct {
	To Dialog
	Do func() tea.Cmd
}

// closer is implemented by a dialog with background work, which Close stops.
type closer interface{ Close() }

// Stack holds the open dialogs. The zero Stack is empty.
type Stack struct {
	dialogs []Dialog
	look    views.Look
	w, h    int
}

// SetScreen sets the look of the dialogs and the size of their screen in cells.
func (s *Stack) SetScreen(l views.Look, w, h int) { s.look, s.w, s.h = l, w, h }

// Empty reports whether no dialog is open.
func (s *Stack) Empty() bool { return len(s.dialogs) == 0 }

// Push opens a dialog over all others, and returns the command that starts it.
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

// pop closes the top dialog and stops its background work.
func (s *Stack) pop() {
	if c, ok := s.Top().(closer); ok {
		c.Close()
	}
	s.dialogs = s.dialogs[:len(s.dialogs)-1]
}

// Typing reports whether the top dialog takes letters as text.
func (s *Stack) Typing() bool { return !s.Empty() && s.Top().Form().Typed != nil }

// Masks reports whether the key that masks and reveals secrets works in the top dialog: it shows
// records and takes letters as keys.
func (s *Stack) Masks() bool { return !s.Empty() && s.Top().Form().Masks && !s.Typing() }

// view returns the drawing of a dialog, with its position and size in cells.
func (s *Stack) view(d Dialog) (v views.Dialog, x, y, w, h int) {
	f := d.Form()
	v = f.view(s.look, s.w, s.h, *d.at())
	w, h = views.Size(v.Render(s.look.Theme, s.h))
	return v, max((s.w-w)/2, 0), max((s.h-h)/2, 0), w, h
}

// Update passes input to the top dialog, and closes it when it is done. Clicks are relative to the
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
			return nil // clicks outside the dialog do nothing
		}
		return s.finishInput(d, in.click(v.At(s.look.Theme, s.h, c.X, c.Y)))
	}
	return s.finishInput(d, in.update(m))
}

// finishInput finishes an input: it closes the dialog if r is done. Otherwise it scrolls to what was
// chosen, if the dialog asked for that, and runs the form's After.
func (s *Stack) finishInput(d Dialog, r result) tea.Cmd {
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

// Render returns base with all dialogs drawn over it. It changes nothing.
func (s *Stack) Render(base string) string {
	for _, d := range s.dialogs {
		v, x, y, _, _ := s.view(d)
		base = views.Over(base, v.Render(s.look.Theme, s.h), x, y)
	}
	return base
}
