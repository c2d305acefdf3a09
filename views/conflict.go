package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Conflict is the data of the dialog for a change that another writer's stands in the
// way of. Nothing was changed yet.
type Conflict struct {
	Change memory.Change
	Theirs memory.Applied
	// At of Of conflicts is shown, from 1.
	At, Of int
	Both   bool // both can be kept
	Focus  int  // 0 mine, 1 theirs, 2 both where that can be, last cancel
	Offset int
	Reveal bool
}

// Render returns a box of at most w by h cells.
func (v Conflict) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner).render(t, box, h)
}

// Last returns the largest Offset that shows more, in a box of w by h cells.
func (v Conflict) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner).last(h)
}

func (v Conflict) sheet(t theme.Theme, w int) sheet {
	mine, theirs := Side{}, Side{v.Theirs.TheirRecord, v.Theirs.Theirs}
	switch v.Change.Do {
	case memory.Adding:
		mine = Side{v.Change.Record, v.Change.After}
	case memory.Editing:
		mine = Side{v.Change.Edited, v.Change.After}
	case memory.Pinning, memory.Unpinning:
		mine = Side{v.Change.Record, v.Change.Before}
	}
	s := sheet{title: "Conflict", first: v.Offset}.ofLines(versus(t, mine, theirs, v.Reveal, w))
	if v.Of > 1 {
		s.title += " " + strconv.Itoa(v.At) + " of " + strconv.Itoa(v.Of)
	}
	s.head = []string{rowTitle(t, &v.Change.Record, w, v.Reveal)}
	why := orText(safe.Line(v.Theirs.Why), "another writer changed it too")
	s.head = append(s.head, wrapped(t.Warn, "! "+sentence(why)+". Nothing was changed yet.", w)...)
	s.head = append(s.head, "")
	s.foot = [][]string{blank}
	return s.buttons(t, v.Focus, w, v.Names()...)
}

// sentence returns text that is safe with a capital letter where it begins with a small
// one.
func sentence(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// Names returns the choices, as the buttons name them.
func (v Conflict) Names() []string {
	if v.Both {
		return []string{"Mine (m)", "Theirs (t)", "Both (b)", "Cancel (Esc)"}
	}
	return []string{"Mine (m)", "Theirs (t)", "Cancel (Esc)"}
}
