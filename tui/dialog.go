package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// dialog is one dialog of a dialogStack.
type dialog interface {
	// form returns the dialog as it is now. It changes nothing.
	form() dialogForm

	// at returns the focus and the scroll position.
	at() *dialogState
}

// dialogState holds the focus and the scroll position of a dialog. Every dialog embeds it.
type dialogState struct {
	focus  int  // index among the fields, then the buttons, then the other stops of a dialogForm
	offset int  // the first row shown
	follow bool // after this input, scroll to what was chosen
}

func (s *dialogState) at() *dialogState { return s }

// planDialog is a dialog about a plan. The root makes a new plan whenever the store changes.
type planDialog interface {
	dialog

	// takePlan hands over a plan of the order, or the error that prevented one. If the plan does
	// something else than the one shown, the person must look at it before confirming.
	takePlan(p memory.Plan, err error)

	// order returns the order to plan.
	order() memory.Order
}

// delivery is the result of a dialog's command. The root runs Do if the dialog To is still open,
// even if it is no longer on top.
type delivery struct {
	To dialog
	Do func() tea.Cmd
}

// closer is implemented by a dialog with background work, which close stops.
type closer interface{ close() }

// dialogStack holds the dialogs that are drawn over the pages. While one is open, the top one gets all input. It
// draws the form of each and passes input to it: a dialog itself only provides the text of its view and the effects
// of its actions. The zero value is empty.
type dialogStack struct {
	dialogs []dialog
	look    views.Look
	w, h    int
}

// setScreen sets the look of the dialogs and the size of their screen in cells.
func (s *dialogStack) setScreen(l views.Look, w, h int) { s.look, s.w, s.h = l, w, h }

// empty reports whether no dialog is open.
func (s *dialogStack) empty() bool { return len(s.dialogs) == 0 }

// push opens a dialog over all others, and returns the command that starts it.
func (s *dialogStack) push(d dialog) tea.Cmd {
	s.dialogs = append(s.dialogs, d)
	if after := d.form().After; after != nil {
		return after()
	}
	return nil
}

// top returns the dialog that gets the input, or nil.
func (s *dialogStack) top() dialog {
	if s.empty() {
		return nil
	}
	return s.dialogs[len(s.dialogs)-1]
}

// has reports whether a dialog is open.
func (s *dialogStack) has(d dialog) bool { return slices.Contains(s.dialogs, d) }

// clear closes all dialogs.
func (s *dialogStack) clear() {
	for !s.empty() {
		s.pop()
	}
}

// pop closes the top dialog and stops its background work.
func (s *dialogStack) pop() {
	if c, ok := s.top().(closer); ok {
		c.close()
	}
	s.dialogs = s.dialogs[:len(s.dialogs)-1]
}

// typing reports whether the top dialog takes letters as text.
func (s *dialogStack) typing() bool { return !s.empty() && s.top().form().Typed != nil }

// masks reports whether the key that masks and reveals secrets works in the top dialog: it shows
// records and takes letters as keys.
func (s *dialogStack) masks() bool { return !s.empty() && s.top().form().Masks && !s.typing() }

// view returns the drawing of a dialog, with its position and size in cells.
func (s *dialogStack) view(d dialog) (v views.Dialog, x, y, w, h int) {
	f := d.form()
	v = f.view(s.look, s.w, s.h, *d.at())
	w, h = views.Size(v.Render(s.look.Theme, s.h))
	return v, max((s.w-w)/2, 0), max((s.h-h)/2, 0), w, h
}

// update passes input to the top dialog, and closes it when it is done. Clicks are relative to the
// top left cell of what render returns.
func (s *dialogStack) update(m tea.Msg) tea.Cmd {
	if s.empty() {
		return nil
	}
	d := s.top()
	in := formInput{dialogForm: d.form(), dialogState: d.at(), look: s.look, w: s.w, h: s.h}
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
func (s *dialogStack) finishInput(d dialog, r formResult) tea.Cmd {
	if r.done {
		s.pop()
		return r.cmd
	}
	f, at := d.form(), d.at()
	if at.follow {
		at.offset, at.follow = f.view(s.look, s.w, s.h, *at).Follow, false
	}
	if f.After != nil {
		return tea.Batch(r.cmd, f.After())
	}
	return r.cmd
}

// keys returns the bindings of the top dialog that do something right now.
func (s *dialogStack) keys() []keymap.Binding {
	if s.empty() {
		return nil
	}
	d := s.top()
	in := formInput{dialogForm: d.form(), dialogState: d.at(), look: s.look, w: s.w, h: s.h}
	return in.hints()
}

// render returns base with all dialogs drawn over it. It changes nothing.
func (s *dialogStack) render(base string) string {
	for _, d := range s.dialogs {
		v, x, y, _, _ := s.view(d)
		base = views.Over(base, v.Render(s.look.Theme, s.h), x, y)
	}
	return base
}
