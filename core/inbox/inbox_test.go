package inbox

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/librarytest"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// inboxBench is a project with a store of KarnEvil9 in its place, and a library that keeps its state
// apart. The clock of the library stands still.
type inboxBench struct {
	*Reviewer
	Library *library.Library
	t       *testing.T
	dir     string
	path    string
	clock   time.Time
}

func newDesk(t *testing.T, lessons ...string) *inboxBench {
	t.Helper()
	d := &inboxBench{t: t, dir: t.TempDir(), clock: time.Now()}
	d.path = filepath.Join(d.dir, "sessions", "memory.jsonl")
	librarytest.Put(t, d.path, lessons...)
	now := func() time.Time { return d.clock }
	env := system.Env{
		Home:   filepath.Join(d.dir, "home"),
		Dir:    d.dir,
		Lookup: func(string) (string, bool) { return "", false },
	}
	d.Library = library.New(
		all.Systems(now),
		env,
		now,
		start,
		library.State{Dir: filepath.Join(t.TempDir(), "winnow"), Rand: rand.Reader},
	)
	d.Reviewer = New(d.Library)
	return d
}

func (d *inboxBench) proposal(session, title, body string) learn.Proposal {
	return learn.Proposal{Title: title, Outcome: "failed", Body: body, Tools: []string{"bash"}, Origin: memory.Origin{
		Agent: "karnevil9", Session: session, Folder: d.dir, Door: "learn", Rule: "outcome", At: d.clock,
	}}
}

// propose adds proposals and returns their IDs, "" for one that was refused.
func (d *inboxBench) propose(ps ...learn.Proposal) (ids []string) {
	d.t.Helper()
	added, err := d.addProposals(d.t.Context(), ps...)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, a := range added {
		ids = append(ids, a.ID)
	}
	return ids
}

func (d *inboxBench) inbox() memory.Inbox {
	d.t.Helper()
	in, err := d.Inbox(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return in
}

// only returns the one entry of the inbox.
func (d *inboxBench) only() memory.InboxEntry {
	d.t.Helper()
	in := d.inbox()
	if len(in.Entries) != 1 {
		d.t.Fatalf("%d entries wait, want 1: %+v", len(in.Entries), in)
	}
	return in.Entries[0]
}

func (d *inboxBench) review(o memory.InboxOrder) memory.InboxResult {
	d.t.Helper()
	r, err := d.Review(d.t.Context(), o)
	if err != nil || len(r.Refused) > 0 {
		d.t.Fatalf("%s: %v, refused %v", o.Do, err, r.Refused)
	}
	return r
}

func (d *inboxBench) store() string {
	d.t.Helper()
	b, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

const migrate = "Failed: no such table users; run the migrations before the tests"

func TestApprovedProposalStandsInTheStoreAsItWasShown(t *testing.T) {
	a1 := librarytest.Lesson("a1")
	d := newDesk(t, a1)
	d.inbox()
	ids := d.propose(d.proposal("s1", "Add a column to users", migrate))
	e := d.only()
	if e.ID != ids[0] || e.Target != memory.StoreID(d.path) || !e.Clean || e.Stored == "" {
		t.Fatalf("entry %+v", e)
	}
	if !strings.Contains(e.Block, migrate) {
		t.Errorf("its own task would recall %q", e.Block)
	}
	d.review(memory.InboxOrder{Do: memory.InboxApprove, IDs: ids})
	if want := a1 + e.Stored + "\n"; d.store() != want {
		t.Errorf("the store holds %s\nwant %s", d.store(), want)
	}
	if in := d.inbox(); len(in.Entries) != 0 || in.Approved != 1 {
		t.Errorf("after it: %+v", in)
	}
}

func TestUndoneApprovalWaitsAgain(t *testing.T) {
	a1 := librarytest.Lesson("a1")
	d := newDesk(t, a1)
	d.inbox()
	ids := d.propose(d.proposal("s1", "Add a column to users", migrate))
	for _, do := range []memory.InboxAct{memory.InboxApprove, memory.InboxPin, memory.InboxReject, memory.InboxLater} {
		d.review(memory.InboxOrder{Do: do, IDs: ids})
		d.review(memory.InboxOrder{Do: memory.InboxUndo})
		if e := d.only(); e.ID != ids[0] || !e.Later.IsZero() || e.Kind != memory.Proposal {
			t.Errorf("%s undone: %+v", do, e)
		}
		if d.store() != a1 {
			t.Errorf("%s undone: the store holds %s", do, d.store())
		}
	}
	if _, err := d.Review(t.Context(), memory.InboxOrder{Do: memory.InboxUndo}); !errors.Is(err, memory.ErrNothing) {
		t.Errorf("undo without a decision: %v", err)
	}
}

func TestFirstVisitFindsNothingNew(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"), librarytest.Lesson("b2"))
	if in := d.inbox(); len(in.Entries) != 0 {
		t.Errorf("%+v", in.Entries)
	}
}

func TestInboxTellsWhatAnotherWriterChanged(t *testing.T) {
	a1, b2, d4 := librarytest.Lesson("a1"), librarytest.Lesson("b2"), strings.Replace(librarytest.Lesson("d4"), "Repair the build", "Draw the plan", 1)
	d := newDesk(t, a1, b2, strings.Replace(librarytest.Lesson("c3"), "Repair the build", "Read the log", 1))
	d.inbox()
	changed := strings.Replace(b2, "Repair the build", "Repair the tests", 1)
	librarytest.Put(t, d.path, a1, changed, d4)
	kinds := map[memory.EntryKind]memory.InboxEntry{}
	for _, e := range d.inbox().Entries {
		kinds[e.Kind] = e
	}
	if kinds[memory.NewRecord].Record.ID != "d4" || kinds[memory.ChangedRecord].Record.ID != "b2" ||
		kinds[memory.GoneRecord].Record.ID != "c3" {
		t.Fatalf("%+v", kinds)
	}
	if before := kinds[memory.ChangedRecord].Before; before != "was: Repair the build" {
		t.Errorf("before: %q", before)
	}
	d.review(memory.InboxOrder{Do: memory.InboxReject, IDs: []string{kinds[memory.NewRecord].ID}})
	d.review(memory.InboxOrder{Do: memory.InboxApprove, IDs: []string{kinds[memory.ChangedRecord].ID}})
	if d.store() != a1+changed {
		t.Errorf("the store holds %s", d.store())
	}
	if e := d.only(); e.Kind != memory.GoneRecord {
		t.Errorf("%+v", e)
	}
	librarytest.Put(t, d.path, a1, changed, d4)
	for _, e := range d.inbox().Entries {
		if e.Record.ID == "d4" && (e.Kind != memory.BackRecord || e.Clean) {
			t.Errorf("the rejected one came back as %+v", e)
		}
	}
}

func TestOwnChangesDoNotWait(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"), librarytest.Lesson("b2"), librarytest.Lesson("c3"))
	d.inbox()
	title := "Repair the tests"
	d.change(
		d.path,
		memory.Order{Do: memory.EditOne, IDs: []memory.ID{"a1"}, Edit: memory.Edit{Title: &title}},
	)
	d.change(d.path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	if in := d.inbox(); len(in.Entries) != 0 {
		t.Errorf("%+v", in.Entries)
	}
}

func TestRejectedWaitsAgainByAnotherRoadOnly(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"))
	d.inbox()
	p := d.proposal("s1", "Add a column to users", migrate)
	d.review(memory.InboxOrder{Do: memory.InboxReject, IDs: d.propose(p)})
	p.Origin.Session = "s2"
	if ids := d.propose(p); ids[0] != "" {
		t.Error("it came back by the same road")
	}
	p.Origin.Agent = "opencode"
	if ids := d.propose(p); ids[0] == "" {
		t.Error("it was dropped on another road")
	}
	if e := d.only(); e.Again == "" || e.Clean {
		t.Errorf("it does not say that it was rejected: %+v", e)
	}
}

// TestUndoneDecisionIsMadeAgain: a redo leaves store, inbox and what agents are told as the decision did.
func TestUndoneDecisionIsMadeAgain(t *testing.T) {
	title, body := "Merged", "As it was typed"
	for name, o := range map[string]memory.InboxOrder{
		"approve": {Do: memory.InboxApprove}, "reject": {Do: memory.InboxReject}, "later": {Do: memory.InboxLater},
		"pin":   {Do: memory.InboxPin},
		"edit":  {Do: memory.InboxEdit, Edit: memory.Edit{Body: &body}},
		"merge": {Do: memory.InboxMerge, Into: "a1", Edit: memory.Edit{Title: &title}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, librarytest.Lesson("a1"))
			d.inbox()
			o.IDs = d.propose(d.proposal("s1", "Add a column to users", migrate))
			before := d.store()
			said, after := d.review(o).What, d.store()
			later := d.inbox()
			d.review(memory.InboxOrder{Do: memory.InboxUndo})
			if d.store() != before || d.only().Later != (time.Time{}) {
				t.Fatalf("the undo leaves %s", d.store())
			}
			for range 2 { // undo and redo as often as one likes
				if r := d.review(memory.InboxOrder{Do: memory.InboxRedo}); r.What != said+" again" {
					t.Errorf("it says %q, and said %q", r.What, said)
				}
				if d.store() != after {
					t.Errorf("the store holds %s, want %s", d.store(), after)
				}
				if in := d.inbox(); len(in.Entries) != len(later.Entries) || in.Done != later.Done {
					t.Errorf("after it: %+v", in)
				}
				d.review(memory.InboxOrder{Do: memory.InboxUndo})
			}
			d.review(memory.InboxOrder{Do: memory.InboxLater, IDs: o.IDs})
			if _, err := d.Review(t.Context(), memory.InboxOrder{Do: memory.InboxRedo}); !errors.Is(
				err,
				memory.ErrNothing,
			) {
				t.Errorf("after another decision a redo says %v", err)
			}
		})
	}
}

// TestUndoneDecisionOnARecordIsMadeAgain: of a record that another writer added.
func TestUndoneDecisionOnARecordIsMadeAgain(t *testing.T) {
	body := "As it was typed"
	for name, o := range map[string]memory.InboxOrder{
		"approve": {Do: memory.InboxApprove}, "reject": {Do: memory.InboxReject},
		"edit": {Do: memory.InboxEdit, Edit: memory.Edit{Body: &body}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, librarytest.Lesson("a1"))
			d.inbox()
			librarytest.Put(t, d.path, librarytest.Lesson("a1"), strings.ReplaceAll(librarytest.Lesson("b2"), "Repair the build", "Water the garden"))
			e := d.only()
			o.IDs = []string{e.ID}
			before := d.store()
			d.review(o)
			after := d.store()
			d.review(memory.InboxOrder{Do: memory.InboxUndo})
			if d.store() != before || d.only().ID != e.ID {
				t.Fatalf("the undo leaves %s", d.store())
			}
			d.review(memory.InboxOrder{Do: memory.InboxRedo})
			if in := d.inbox(); d.store() != after || len(in.Entries) != 0 {
				t.Errorf("the redo leaves %+v and %s, want %s", in.Entries, d.store(), after)
			}
		})
	}
}

// TestOwnUndoneDeleteIsNotNew: a record that a person deleted and brought back is as they saw it, and one that
// they never saw waits as before.
func TestOwnUndoneDeleteIsNotNew(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"), librarytest.Lesson("b2"))
	d.inbox()
	undo := func(id memory.ID) {
		d.change(d.path, memory.Order{Do: memory.Delete, IDs: []memory.ID{id}})
		if in := d.inbox(); len(in.Entries) != 0 {
			t.Errorf("a delete of %s waits: %+v", id, in.Entries)
		}
		d.change(d.path, memory.Order{Do: memory.Undo})
	}
	undo("b2")
	if in := d.inbox(); len(in.Entries) != 0 {
		t.Errorf("an undone delete waits: %+v", in.Entries)
	}
	librarytest.Put(t, d.path, librarytest.Lesson("a1"), librarytest.Lesson("b2"), strings.Replace(librarytest.Lesson("c3"), "Repair the build", "Water the garden", 1))
	undo("c3")
	if e := d.only(); e.Kind != memory.NewRecord || e.Record.ID != "c3" {
		t.Errorf("nobody saw it, and it waits as %+v", e)
	}
}

// TestUndoneRestoreIsMadeAgain: what an undo took away is gone as it was, and a redo brings it back.
func TestUndoneRestoreIsMadeAgain(t *testing.T) {
	d := newDesk(t, librarytest.Lesson("a1"), strings.Replace(librarytest.Lesson("b2"), "Repair the build", "Water the garden", 1))
	d.inbox()
	before := d.store()
	d.change(d.path, memory.Order{Do: memory.Delete, IDs: []memory.ID{"b2"}})
	a1 := d.store()
	d.change(d.path, memory.Order{Do: memory.Undo})
	d.inbox()
	librarytest.Put(t, d.path, a1)
	e := d.only()
	if e.Kind != memory.GoneRecord || !e.Restorable {
		t.Fatalf("%+v", e)
	}
	d.review(memory.InboxOrder{Do: memory.InboxRestore, IDs: []string{e.ID}})
	for range 2 {
		if in := d.inbox(); d.store() != before || len(in.Entries) != 0 {
			t.Errorf("restored: %+v and %s", in.Entries, d.store())
		}
		d.review(memory.InboxOrder{Do: memory.InboxUndo})
		if again := d.only(); d.store() != a1 || again.ID != e.ID || !again.Restorable {
			t.Errorf("undone: %+v", again)
		}
		d.review(memory.InboxOrder{Do: memory.InboxRedo})
	}
}

func TestReasonOfARejectionIsKeptAndTakenBack(t *testing.T) {
	d := newDesk(t)
	ids := d.propose(d.proposal("s1", "Add a column to users", migrate))
	rules := func() memory.RuleCount {
		t.Helper()
		all, err := d.Rules()
		if err != nil || len(all) > 1 {
			t.Fatalf("%v %+v", err, all)
		}
		return append(all, memory.RuleCount{})[0]
	}
	d.review(memory.InboxOrder{Do: memory.InboxReject, IDs: ids, Why: memory.NotGeneral})
	if c := rules(); c.Rejected != 1 || c.Reasons[memory.NotGeneral] != 1 {
		t.Errorf("after the rejection: %+v", c)
	}
	d.review(memory.InboxOrder{Do: memory.InboxUndo})
	if c := rules(); c.Rejected != 0 || d.only().ID != ids[0] {
		t.Errorf("after undo: %+v", c)
	}
	d.review(memory.InboxOrder{Do: memory.InboxRedo})
	if c := rules(); c.Rejected != 1 || c.Reasons[memory.NotGeneral] != 1 {
		t.Errorf("after redo: %+v", c)
	}
}

func TestRuleThatIsRejectedAgainAndAgainProposesNoMoreUntilSwitchedOn(t *testing.T) {
	s := newSchool(t)
	for i := range memory.RuleDecisions {
		word := strings.Repeat(string(rune('a'+i)), 9)
		p := learn.Proposal{Title: "Call " + word, Outcome: "failed", Body: "Do not run `" + word + "` before the tests."}
		p.Origin = memory.Origin{
			Agent: "one", Session: word, Folder: s.dir, Door: "learn", Rule: learn.RuleVariant,
			At: time.Now(), Taint: []string{"web"},
		}
		added, err := s.addProposals(t.Context(), p)
		if err != nil || added[0].ID == "" {
			t.Fatal(err, added)
		}
		r, err := s.Review(t.Context(), memory.InboxOrder{Do: memory.InboxReject, IDs: []string{added[0].ID}})
		if err != nil || len(r.Refused) > 0 {
			t.Fatal(err, r.Refused)
		}
	}
	s.now = s.now.Add(48 * time.Hour) // an agent leaves only so many a day
	s.add("later", 1, session.Failed)
	const off = "variant: the rule proposes no more, as 0 of its last 20 proposals were approved; see winnow inbox stats"
	list, err := s.Learn(t.Context(), memory.LearnOrder{Session: "later", DryRun: true})
	if err != nil || len(list) != 1 || !slices.Contains(list[0].Skipped, off) {
		t.Fatalf("%v %+v", err, list)
	}
	if err := s.SwitchOn(t.Context(), "nothing"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a rule that nothing is known of: %v", err)
	}
	if err := s.SwitchOn(t.Context(), learn.RuleVariant); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Learn(t.Context(), memory.LearnOrder{Session: "later"}); err != nil || len(list[0].Proposals) != 1 {
		t.Errorf("after it was switched on: %v %+v", err, list)
	}
}

func start(f func()) { go f() }

// beside returns another inbox over the same folders, as another process has.
func (d *inboxBench) beside() *Reviewer {
	m := d.Library.Machine()
	return New(library.New(m.Systems, m.Env, m.Now, m.Start, m.State, m.Forms...))
}

// change applies an order to a store, as front ends do.
func (d *inboxBench) change(path string, o memory.Order) {
	d.t.Helper()
	p, err := d.Library.Plan(d.t.Context(), memory.StoreID(path), o)
	if err == nil {
		_, err = d.Apply(d.t.Context(), p)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// enqueue queues a session, as a hook does.
func (b *Reviewer) enqueue(ctx context.Context, h session.Head) error {
	return b.queue.Put(ctx, h, b.now())
}

// shows waits until a followed store has n records.
func shows(ch <-chan memory.Snapshot, n int) {
	for snap := range ch {
		if len(snap.Records) == n {
			return
		}
	}
}
