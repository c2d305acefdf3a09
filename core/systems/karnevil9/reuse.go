package karnevil9

import (
	"strings"

	"winnow/core/memory"
)

// ahead is how far the next known record is looked for. An agent changes a few
// lessons, drops a few at the front and adds some at the end.
const ahead = 64

// earlier are the records of the last snapshot. Where a line stands as it did,
// its record and its text are used again, so that a store that changes needs
// neither the time nor the memory of a second one.
type earlier struct {
	records []memory.Record
	at      int
}

// find returns the record that was decoded from raw, or nil.
func (e *earlier) find(raw []byte) *memory.Record {
	for i := e.at; i < min(e.at+ahead, len(e.records)); i++ {
		if r := &e.records[i]; r.Raw == string(raw) {
			e.at = i + 1
			if reusable(r) {
				return r
			}
			return nil
		}
	}
	return nil
}

// reusable reports whether nothing in a record comes from its place in the
// store, but for what again sets anew.
func reusable(r *memory.Record) bool {
	return r.Problem == nil && !r.RawCut() && r.Flags&memory.FlagDuplicate == 0 &&
		!strings.HasPrefix(string(r.ID), "line ") &&
		strings.HasPrefix(r.Raw, "{") && strings.HasSuffix(r.Raw, "}")
}

// again returns the record as it was decoded, before anything was said about
// its place in the store.
func again(known *memory.Record, no int) memory.Record {
	r := *known
	r.Line, r.Forecast = no, memory.Forecast{}
	r.Flags &= memory.FlagSecret | memory.FlagInjection
	return r
}
