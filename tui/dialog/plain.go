package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Lines returns the top dialog as lines of text. Each line has the list entry it shows, or -1.
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

// Choose moves the list cursor of the top dialog to an entry.
func (s *Stack) Choose(entry int) tea.Cmd {
	d := s.Top()
	if l := d.Form().List; l != nil {
		*l.Cursor = entry
		l.move(0)
	}
	return s.finishInput(d, result{})
}

// Typed reports whether the top dialog takes letters as text, whether it has a list that the text
// narrows, and whether it has several fields.
func (s *Stack) Typed() (text, list, fields bool) {
	if s.Empty() {
		return false, false, false
	}
	f := s.Top().Form()
	return f.Typed != nil, f.List != nil, f.Fields > 0
}
