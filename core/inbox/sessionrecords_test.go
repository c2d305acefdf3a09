package inbox

import (
	"testing"

	"winnow/core/librarytest"
	"winnow/core/session"
)

func TestSessionRecordsAreThoseItLeftAndWasGiven(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a"))
	const text = `- [succeeded] Task "Repair the build": Completed using x. 1 step(s) succeeded.`
	s := session.Session{
		Head:  session.Head{ID: "s", Folder: d.dir},
		State: session.Succeeded,
		Given: []session.Given{{Source: "hook", Text: text}},
	}
	left, given, notes, err := d.SessionRecords(t.Context(), &s)
	if err != nil || len(notes) > 0 || len(left) != 1 || len(given) != 1 || left[0].ID != "a" || given[0].ID != "a" {
		t.Errorf("left %v, given %v, notes %v, %v", left, given, notes, err)
	}
}
