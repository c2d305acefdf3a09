package msg

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
)

// OrderOf returns the Order of a change of records as a person sees them, or a
// Toast that says why it cannot be given: a record that is not held whole cannot be
// compared with what is stored.
func OrderOf(do memory.Act, seen []*memory.Record) tea.Msg {
	o := memory.Order{Do: do, IDs: make([]memory.ID, 0, len(seen)), Base: make([]string, 0, len(seen))}
	for _, r := range seen {
		if r.RawCut() {
			return Toast{Text: "Nothing changed: a line is too long to be held whole; on the command line winnow rm removes it"}
		}
		o.IDs, o.Base = append(o.IDs, r.ID), append(o.Base, r.Raw)
	}
	return Order{Order: o}
}

// LeftToThem reports that a person left all of a conflict to the other writer.
type LeftToThem struct{}

// Reason returns an error in words, with what to do next where that is known.
func Reason(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) && p.Hint != "" {
		return p.What + "; " + p.Hint
	}
	return err.Error()
}
