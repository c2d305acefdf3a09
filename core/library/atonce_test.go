package library

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/core/audit/baseline"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/statefile"
)

// atOnce runs several changers at once, each with a library of its own, as processes have.
func (d *inboxBench) atOnce(changers int, change func(l *Library, n int) error) {
	d.t.Helper()
	var all sync.WaitGroup
	for n := range changers {
		other := d.keepIn(d.state.Dir)
		all.Go(func() {
			if err := change(other, n); err != nil {
				d.t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestFindingsIgnoredAtOnceAreAllIgnored(t *testing.T) {
	const changers, each = 6, 20
	d := newDesk(t)
	file := filepath.Join(d.dir, "baseline")
	one := func(n, i int) []memory.Ignore {
		return []memory.Ignore{{Fingerprint: fmt.Sprintf("%032x", n*each+i), Reason: "test", Added: d.clock}}
	}
	d.atOnce(changers, func(l *Library, n int) error {
		for i := range each {
			if err := l.Ignore(t.Context(), one(n, i), nil); err != nil {
				return err
			}
			if err := l.IgnoreIn(t.Context(), file, one(n, i), nil); err != nil {
				return err
			}
		}
		return nil
	})
	list, err := d.Ignored(t.Context())
	if err != nil || len(list) != changers*each {
		t.Errorf("%d of %d are ignored here, %v", len(list), changers*each, err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := baseline.Decode(data); err != nil || len(list) != changers*each {
		t.Errorf("%d of %d are in the baseline, %v", len(list), changers*each, err)
	}
}

func TestSessionsReadAtOnceAreAllRemembered(t *testing.T) {
	const readers = 6
	d := newDesk(t)
	if err := os.MkdirAll(d.state.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d.atOnce(readers, func(l *Library, n int) error {
		l.remember(t.Context(), map[string]learn.SessionFacts{fmt.Sprint(n): {State: session.Succeeded, At: d.clock}})
		return nil
	})
	if known := d.readKnown(); len(known.Sessions) != readers {
		t.Errorf("%d of %d sessions are remembered", len(known.Sessions), readers)
	}
}

func TestSettingsAndTheirNoteAreOfOneChange(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(d.dir, "settings.json")
	d.atOnce(6, func(l *Library, n int) error {
		for i := range 20 {
			was, _, err := l.AgentSettings(path, false)
			if err != nil {
				return err
			}
			text := fmt.Sprintf("{\"n\": \"%d %d\"}\n", n, i)
			_ = l.ChangeSettings(t.Context(), path, false, was, text, text) // somebody else may have been faster
		}
		return nil
	})
	if text, noted, err := d.AgentSettings(path, false); err != nil || text == "" || text != noted {
		t.Errorf("settings %q, note %q, %v", text, noted, err)
	}
}

// TestDecisionIsNotLostToALookFromBefore decides between the two halves of a look by another process.
func TestDecisionIsNotLostToALookFromBefore(t *testing.T) {
	d := newDesk(t, lesson("a1"))
	d.inbox()
	put(t, d.path, lesson("a1"), lesson("b2"))
	e := d.only()
	looking := d.keepIn(d.state.Dir)
	stores, _, err := looking.visitStores(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.review(memory.InboxOrder{Do: memory.InboxApprove, IDs: []string{e.ID}})
	_, leave, err := looking.inbox.Enter(t.Context(), d.clock)
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
	d := newDesk(t, lesson("a1"))
	d.propose(d.proposal("s1", "Add a column to users", migrate))
	_, leave, err := d.Library.inbox.Enter(t.Context(), d.clock)
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
