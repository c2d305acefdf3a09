package curate

import (
	"testing"

	"winnow/core/memory"
)

// TestHowFarAChangeCameIsCountedByRecords: the line of a deleted record is the next one's, and of a long record only
// the beginning is read.
func TestHowFarAChangeCameIsCountedByRecords(t *testing.T) {
	record := func(id memory.ID, raw string) memory.Record {
		return memory.Record{ID: id, Raw: raw, RawLen: len(raw)}
	}
	cut := memory.Record{ID: "long", Raw: "the beginning", RawLen: len("the beginning and the end")}
	for name, c := range map[string]struct {
		change memory.Change
		after  []memory.Record
		made   bool
	}{
		"line deleted": {
			memory.Change{Do: memory.Deleting, ID: "line 1", Before: "a"}, []memory.Record{record("line 1", "b")}, true,
		},
		"line still there": {
			memory.Change{Do: memory.Deleting, ID: "line 1", Before: "a"}, []memory.Record{record("line 1", "a")}, false,
		},
		"line not put back": {
			memory.Change{Do: memory.Adding, ID: "line 1", After: "a"}, []memory.Record{record("line 1", "b")}, false,
		},
		"line put back further down": {
			memory.Change{Do: memory.Adding, ID: "line 1", After: "a"}, []memory.Record{record("line 2", "a")}, true,
		},
		"record with an id deleted": {
			memory.Change{Do: memory.Deleting, ID: "x", Before: "a"}, []memory.Record{record("y", "a")}, true,
		},
		"record with an id counted": {
			memory.Change{Do: memory.Deleting, ID: "x", Before: "a"}, []memory.Record{record("x", "a, recalled")}, false,
		},
		"edit of a long record": {
			memory.Change{Do: memory.Editing, ID: "long", After: "the beginning and the end"}, []memory.Record{cut}, true,
		},
		"edit not made": {
			memory.Change{Do: memory.Editing, ID: "x", After: "b"}, []memory.Record{record("x", "a"), record("y", "b")}, false,
		},
	} {
		if made := isMade(&c.change, c.after); made != c.made {
			t.Errorf("%s: made %v, want %v", name, made, c.made)
		}
	}
}
