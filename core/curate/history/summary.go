package history

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"winnow/core/memory"
)

// Summary is a state as one event holds it.
type Summary struct {
	Number     int64 // of the newest entry
	Pins       []memory.ID
	Promises   []Promise
	Undo, Redo []Step
	Decided    map[memory.ID]memory.Decision
	Redactions []Redaction // nil in a summary of format 1
}

// summary returns the state, with the entries from the index first on. Promises made
// before since are dropped, but not those of pins and of entries that stay. Redactions are watched over for good.
func (s *State) summary(first int, since time.Time) *Summary {
	sum := &Summary{Number: s.number, Pins: sorted(s.Pins), Decided: maps.Clone(s.Decided), Redactions: append([]Redaction{}, s.Redactions...)}
	oldest := s.number + 1
	if first < len(s.Items) {
		oldest = number(s.Items[first].ID)
	}
	for _, id := range sorted(s.Promises) {
		if p := s.Promises[id]; p.Pinned || !p.At.Before(since) || number(p.Entry) >= oldest {
			sum.Promises = append(sum.Promises, *p)
		}
	}
	dropped := func(st Step) bool { return number(st.Name) < oldest || number(st.By) < oldest }
	sum.Undo = slices.DeleteFunc(slices.Clone(s.Undo), dropped)
	sum.Redo = slices.DeleteFunc(slices.Clone(s.Redo), dropped)
	return sum
}

// sorted returns the keys of m in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
