package inbox

import (
	"context"
	"strings"
	"testing"
	"time"

	"winnow/core/learn"
	"winnow/core/librarytest"
	"winnow/core/memory"
	"winnow/core/statefile"
)

// TestDecisionIsNotLostToALookFromBefore decides between the two halves of a look by another process.
func TestDecisionIsNotLostToALookFromBefore(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"))
	d.inbox()
	librarytest.Put(t, d.path, librarytest.Lesson("a1"), librarytest.Lesson("b2"))
	e := d.only()
	looking := d.beside()
	stores, _, err := looking.visitStores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.review(memory.InboxOrder{Do: memory.InboxApprove, IDs: []string{e.ID}})
	_, leave, err := looking.quarantine.Enter(t.Context(), d.clock)
	if err != nil {
		t.Fatal(err)
	}
	for i := range stores {
		stores[i].seen.Records["something else"] = &learn.Sight{Digest: "x"} // gone: there is something to save
		if err := looking.compare(t.Context(), &stores[i]); err != nil {
			t.Error(err)
		}
		if len(stores[i].found) > 0 {
			t.Errorf("decided, and still found: %+v", stores[i].found)
		}
	}
	leave()
	if in := d.inbox(); len(in.Entries) != 0 {
		t.Errorf("the decision is lost: %+v", in.Entries)
	}
}

func TestLookAtTheInboxDoesNotWaitForALongDecision(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"))
	d.propose(d.proposal("s1", "Add a column to users", migrate))
	_, leave, err := d.quarantine.Enter(t.Context(), d.clock)
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	ctx, cancel := context.WithTimeout(t.Context(), 20*statefile.ForLook)
	defer cancel()
	began := time.Now()
	in, err := d.Inbox(ctx)
	if err != nil || len(in.Entries) != 1 ||
		!strings.Contains(strings.Join(in.Notes, " "), "Another winnow is deciding") {
		t.Errorf("%v, %+v", err, in)
	}
	if took := time.Since(began); took > 10*statefile.ForLook {
		t.Errorf("it took %v", took)
	}
}
