package sync

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"winnow/core/librarytest"

	"winnow/core/memory"
)

func TestCopyForOthersHoldsNoSecretHomeOrSession(t *testing.T) {
	l := newMachine(t, librarytest.LessonWith("a1", "in /home/alice/work"),
		librarytest.LessonWith("b2", librarytest.Key), librarytest.Lesson("c3"), "no json")
	path := l.Path
	s, err := l.Share(t.Context(), memory.StoreID(path), memory.ShareOrder{})
	if err != nil {
		t.Fatal(err)
	}
	text := string(s.Data)
	if s.Records != 3 || len(s.Dropped) != 1 || s.Redacted != 1 || s.Homes != 1 || strings.Contains(text, librarytest.Key) ||
		strings.Contains(text, "alice") {
		t.Errorf(
			"%d records, %d dropped, %d redacted, %d homes: %s",
			s.Records,
			len(s.Dropped),
			s.Redacted,
			s.Homes,
			text,
		)
	}
	if memory.CountFindings(s.Audit.Findings, memory.High) != 0 || s.Audit.Records != 3 {
		t.Errorf("the audit of the copy looked at %d records and says %v", s.Audit.Records, s.Audit.Findings)
	}
	one, _ := l.Share(t.Context(), memory.StoreID(path), memory.ShareOrder{})
	two, _ := l.Share(t.Context(), memory.StoreID(path), memory.ShareOrder{})
	if len(one.Data) == 0 || bytes.Equal(one.Data, two.Data) {
		t.Error("sessions of two copies have the same hashes")
	}
	some, err := l.Share(t.Context(), memory.StoreID(path), memory.ShareOrder{IDs: []memory.ID{"c3"}})
	if err != nil || some.Records != 1 {
		t.Errorf("%d records (%v), want the one that was chosen", some.Records, err)
	}
	if _, err := l.Share(t.Context(), memory.StoreID(path), memory.ShareOrder{IDs: []memory.ID{"zz"}}); !errors.Is(
		err,
		memory.ErrNotFound,
	) {
		t.Errorf("an unknown record gives %v, want %v", err, memory.ErrNotFound)
	}
}
