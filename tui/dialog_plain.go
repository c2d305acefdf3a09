package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// lines returns the top dialog as lines of text. Each line has the list entry it shows, or -1.
func (s *dialogStack) lines() (lines []string, entries []int) {
	d := s.top()
	v, _, _, _, _ := s.view(d)
	list := d.form().List
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

// choose moves the list cursor of the top dialog to an entry.
func (s *dialogStack) choose(entry int) tea.Cmd {
	d := s.top()
	if l := d.form().List; l != nil {
		*l.Cursor = entry
		l.move(0)
	}
	return s.finishInput(d, formResult{})
}

// typed reports whether the top dialog takes letters as text, whether it has a list that the text
// narrows, and whether it has several fields.
func (s *dialogStack) typed() (text, list, fields bool) {
	if s.empty() {
		return false, false, false
	}
	f := s.top().form()
	return f.Typed != nil, f.List != nil, f.Fields > 0
}
