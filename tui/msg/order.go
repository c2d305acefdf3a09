package msg

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
)

// OrderOf returns the Order to change records as a person sees them. If a record is not held
// completely, it cannot be compared with what is stored, and OrderOf returns a Toast that says so.
func OrderOf(do memory.Act, seen []*memory.Record) tea.Msg {
	o := memory.Order{Do: do, IDs: make([]memory.ID, 0, len(seen)), Base: make([]string, 0, len(seen))}
	for _, r := range seen {
		if r.RawCut() {
			return Toast{
				Text: "Nothing changed: a line is too long to be held whole; on the command line winnow rm removes it",
			}
		}
		o.IDs, o.Base = append(o.IDs, r.ID), append(o.Base, r.Raw)
	}
	return Order{Order: o}
}

// LeftToThem reports that a person resolved a conflict entirely in the other writer's favour.
type LeftToThem struct{}

// Reason returns an error as text, with what to do next if that is known.
func Reason(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) && p.Hint != "" {
		return strings.TrimSuffix(p.What, ".") + "; " + p.Hint
	}
	return err.Error()
}
