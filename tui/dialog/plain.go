package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Lines returns the dialog on top as lines, each with the entry of its list that it shows, or -1.
func (s *Stack) Lines() (lines []string, entries []int) {
	d := s.Top()
	v, _, _, _, _ := s.view(d)
	list := d.Form().List
	for y, line := range strings.Split(v.Render(s.look.Theme, s.h), "\n") {
		cell := v.At(s.look.Theme, s.h, 2, y) // right of the border and its blank
		entry := cell.Row
		if list == nil {
			entry = -1
		} else if entry >= 0 && list.At != nil {
			entry = list.At(s.w, s.h, cell)
		}
		if list != nil && (entry >= list.Len || entry >= 0 && list.Skip != nil && list.Skip(entry)) {
			entry = -1
		}
		lines, entries = append(lines, line), append(entries, entry)
	}
	return lines, entries
}

// Choose puts the cursor of the dialog on top on an entry of its list.
func (s *Stack) Choose(entry int) tea.Cmd {
	d := s.Top()
	if l := d.Form().List; l != nil {
		*l.Cursor = entry
		l.by(0)
	}
	return s.after(d, result{})
}

// Typed reports whether letters are text in the dialog on top, whether that narrows a list, and
// whether other fields follow.
func (s *Stack) Typed() (text, list, fields bool) {
	if s.Empty() {
		return false, false, false
	}
	f := s.Top().Form()
	return f.Typed != nil, f.List != nil, f.Fields > 0
}
