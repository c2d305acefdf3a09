package curate

import (
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
)

// changesBetween returns the changes that lead from one state to the other, without records.
// A record without an id of its own is named after its line, and one that shares its
// id after its turn: such names move when a line above goes, so these records are
// known by their bytes first: the same name and bytes, then the same bytes, then the same name,
// then the next with the same id.
func changesBetween(before, after []memory.Record) []memory.Change {
	n := 0
	for n < len(before) && n < len(after) && same(&before[n], &after[n]) {
		n++
	}
	before, after = before[n:], after[n:]
	was := compare.Pairs(before, after,
		func(r *memory.Record) string { return string(r.ID) + "\x00" + string(r.Rev) },
		func(r *memory.Record) string { return family(r.ID) + "\x00" + string(r.Rev) },
		func(r *memory.Record) string { return string(r.ID) },
		func(r *memory.Record) string { return family(r.ID) },
	)
	stays := make([]bool, len(before))
	var changes []memory.Change
	for i := range after {
		r := &after[i]
		switch k := was[i]; {
		case k < 0:
			ch := memory.Change{Do: memory.Adding, ID: r.ID, After: r.Raw, Line: r.Line}
			if i > 0 {
				ch.Behind = after[i-1].ID
			}
			changes = append(changes, ch)
		default:
			stays[k] = true
			if before[k].Rev != r.Rev {
				changes = append(changes, memory.Change{Do: memory.Editing, ID: r.ID, Before: before[k].Raw, After: r.Raw, Line: r.Line})
			}
		}
	}
	for i := range before {
		if stays[i] {
			continue
		}
		ch := memory.Change{Do: memory.Deleting, ID: before[i].ID, Before: before[i].Raw, Line: before[i].Line}
		if i > 0 {
			ch.Behind = before[i-1].ID
		}
		changes = append(changes, ch)
	}
	return changes
}

func same(a, b *memory.Record) bool { return a.ID == b.ID && a.Rev == b.Rev }

// family returns what the names of records with the same id have in common: their numbers
// move when one of them goes. It is empty for records without an id.
func family(id memory.ID) string {
	if strings.HasPrefix(string(id), "line ") {
		return ""
	}
	return recordKey(id, "")
}
