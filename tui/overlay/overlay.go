// Package overlay is a stack of dialogs over the pages. While one is open it
// gets all input.
package overlay

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// Dialog is a box over the page.
type Dialog interface {
	// Update takes input. It returns false when the dialog is done; the command it
	// returns then is what the user chose.
	Update(tea.Msg) (cmd tea.Cmd, open bool)

	// Render returns a box of at most w by h cells.
	Render(t theme.Theme, w, h int) string

	// Keys returns the bindings that do something right now.
	Keys() []keymap.Binding
}

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

// Factual is a dialog that shows stored text. Its secrets are masked unless reveal
// is set, and ages are reckoned from now.
type Factual interface {
	SetFacts(reveal bool, now time.Time)
}

// Typist is a dialog in which text can be typed.
type Typist interface {
	// Typing reports whether letters are text now, and no bindings.
	Typing() bool
}

// Stack holds the open dialogs. The zero Stack is empty.
type Stack struct {
	dialogs []Dialog
	// The box of the dialog on top, as it was drawn; none before that.
	x, y, w, h int
}

// Empty reports whether no dialog is open.
func (s *Stack) Empty() bool { return len(s.dialogs) == 0 }

// Push opens a dialog over all others.
func (s *Stack) Push(d Dialog) {
	s.dialogs = append(s.dialogs, d)
	s.w, s.h = 0, 0
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
	for _, d := range s.dialogs {
		closed(d)
	}
	*s = Stack{}
}

// closed ends what a dialog has under way.
func closed(d Dialog) {
	if c, ok := d.(Closer); ok {
		c.Close()
	}
}

// SetMask hands the mask to the dialogs that show texts of any kind.
func (s *Stack) SetMask(m views.Mask) {
	for _, d := range s.dialogs {
		if x, ok := d.(Masked); ok {
			x.SetMask(m)
		}
	}
}

// Typing reports whether letters are text in the dialog on top.
func (s *Stack) Typing() bool {
	d, ok := s.Top().(Typist)
	return ok && d.Typing()
}

// SetFacts hands the facts to the dialogs that show stored text.
func (s *Stack) SetFacts(reveal bool, now time.Time) {
	for _, d := range s.dialogs {
		if f, ok := d.(Factual); ok {
			f.SetFacts(reveal, now)
		}
	}
}

// Update hands input to the top dialog, and closes it when it is done. Clicks count
// from the top left cell of what Render returned, and reach the dialog counted from that
// of its box.
func (s *Stack) Update(m tea.Msg) tea.Cmd {
	if s.Empty() {
		return nil
	}
	if c, ok := m.(msg.Click); ok {
		c.X, c.Y = c.X-s.x, c.Y-s.y
		if c.X < 0 || c.Y < 0 || c.X >= s.w || c.Y >= s.h {
			return nil // nothing behind a dialog takes clicks
		}
		m = c
	}
	top := len(s.dialogs) - 1
	cmd, open := s.dialogs[top].Update(m)
	if !open {
		closed(s.dialogs[top])
		s.dialogs = s.dialogs[:top]
		s.w, s.h = 0, 0
	}
	return cmd
}

// Keys returns the bindings of the top dialog.
func (s *Stack) Keys() []keymap.Binding {
	if s.Empty() {
		return nil
	}
	return s.dialogs[len(s.dialogs)-1].Keys()
}

// Render returns base, of w by h cells, with the dialogs drawn over it.
func (s *Stack) Render(t theme.Theme, base string, w, h int) string {
	for _, d := range s.dialogs {
		box := d.Render(t, w, h)
		s.w, s.h = views.Size(box)
		s.x, s.y = max((w-s.w)/2, 0), max((h-s.h)/2, 0)
		base = views.Over(base, box, s.x, s.y)
	}
	return base
}
