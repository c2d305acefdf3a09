package inbox_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/home"
	"winnow/tui/pages/inbox"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// core is an inbox in memory.
type core struct {
	mu      sync.Mutex // guards what follows
	entries []memory.InboxEntry
	undone  [][]memory.InboxEntry // what the list was before each decision
	again   [][]memory.InboxEntry // what it was before each undo
	orders  []memory.InboxOrder
	reads   int
	notes   []string

	failures []memory.Failure
	learnt   []string // failures of which a lesson was made
	plan     memory.Distilling
	planErr  error
	given    []int         // the bytes that the program was given
	answer   chan struct{} // holds the program
	next     chan int      // which session it begins
	wrong    error         // what the program fails with
	err      error         // what reading fails with
	reject   map[string]error
	findings []memory.Finding
	changes  chan struct{}
	gate     chan struct{} // holds each decision
	readGate chan struct{} // holds each reading
	what     string        // what a decision says in place of the usual
}

func (c *core) Inbox(ctx context.Context) (memory.Inbox, error) {
	if c.readGate != nil {
		select {
		case <-c.readGate:
		case <-ctx.Done():
			return memory.Inbox{}, ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	return memory.Inbox{Entries: slices.Clone(c.entries), Done: len(c.undone), Notes: c.notes}, c.err
}

func (c *core) Failures(context.Context, memory.FailureOrder) (memory.Failures, error) {
	return memory.Failures{List: c.failures}, nil
}

func (c *core) LearnFailure(_ context.Context, id string, _ time.Time) (memory.InboxEntry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.learnt = append(c.learnt, id)
	lesson := memory.Record{Title: "Running rtk", Body: "Leave out `rtk`"}
	e := memory.InboxEntry{ID: "lesson", Kind: memory.Proposal, Record: lesson}
	c.entries = append(c.entries, e)
	return e, nil
}

func (c *core) Replay(_ context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error) {
	all := make([]memory.Firing, len(orders))
	for i, o := range orders {
		w, err := memory.ParseWhen(o.When)
		if err != nil {
			return nil, err
		}
		all[i] = memory.Firing{When: w, Sessions: 11, Of: 97, Failed: 9}
	}
	return all, nil
}

func (c *core) Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error) {
	if c.gate != nil {
		select {
		case <-c.gate:
		case <-ctx.Done():
			return memory.InboxResult{}, ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.orders = append(c.orders, o)
	if o.Do == memory.InboxUndo {
		if len(c.undone) == 0 {
			return memory.InboxResult{}, fmt.Errorf("undo: %w", memory.ErrNothing)
		}
		c.again = append(c.again, c.entries)
		c.entries, c.undone = c.undone[len(c.undone)-1], c.undone[:len(c.undone)-1]
		ids := idsOnlyIn(c.entries, c.again[len(c.again)-1])
		return memory.InboxResult{What: "Undid reject: 1 entry", IDs: ids}, nil
	}
	if o.Do == memory.InboxRedo {
		if len(c.again) == 0 {
			return memory.InboxResult{}, fmt.Errorf("redo: %w", memory.ErrNothing)
		}
		c.undone = append(c.undone, c.entries)
		c.entries, c.again = c.again[len(c.again)-1], c.again[:len(c.again)-1]
		ids := idsOnlyIn(c.undone[len(c.undone)-1], c.entries)
		return memory.InboxResult{What: "Rejected 1 proposal again", IDs: ids}, nil
	}
	r := memory.InboxResult{Refused: map[string]error{}}
	was, n := slices.Clone(c.entries), 0
	for _, id := range o.IDs {
		if err := c.reject[id]; err != nil && len(o.Allow) == 0 && !o.Anyway {
			r.Refused[id] = err
			if errors.Is(err, memory.ErrFinding) {
				r.Findings = c.findings
			}
			continue
		}
		n++
		c.entries = slices.DeleteFunc(slices.Clone(c.entries), func(e memory.InboxEntry) bool { return e.ID == id })
	}
	if n > 0 {
		c.undone = append(c.undone, was)
		r.What = cmp.Or(c.what, fmt.Sprintf("Done: %s %d", o.Do, n))
	}
	return r, nil
}

// idsOnlyIn returns the ids of the entries of one list that another one does not have.
func idsOnlyIn(list, other []memory.InboxEntry) (ids []string) {
	for _, e := range list {
		if !slices.ContainsFunc(other, func(o memory.InboxEntry) bool { return o.ID == e.ID }) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

func (c *core) PlanDistil(_ context.Context, o memory.LearnOrder) (memory.Distilling, error) {
	if !o.Latest {
		return memory.Distilling{}, errors.New("not the newest of the project")
	}
	return c.plan, c.planErr
}

func (c *core) Distil(ctx context.Context, d memory.Distilling, tell func(n, of int)) ([]memory.Learnt, error) {
	c.change(func(c *core) { c.given = append(c.given, d.Bytes()) })
	var err error
	for going := true; going; {
		select {
		case n := <-c.next:
			tell(n, len(d.Sessions))
		case <-c.answer:
			going = false
		case <-ctx.Done():
			going, err = false, ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := entry("d1", memory.Proposal, "Running reports")
	c.entries = append(c.entries, p)
	said := []string{"distilled: lesson 2 of its answer: its quote stands nowhere"}
	return []memory.Learnt{{Proposals: []memory.InboxEntry{p}, Skipped: said}}, cmp.Or(err, c.wrong)
}

func (c *core) InboxForm(_ context.Context, id string) (string, error) {
	return "form of " + id + "\n", nil
}

func (c *core) Pending() (in memory.Inbox, _ error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.entries {
		if c.entries[i].Kind == memory.Proposal {
			in.Entries = append(in.Entries, c.entries[i])
		}
	}
	return in, nil
}

func (c *core) InboxChanges(context.Context) <-chan struct{} { return c.changes }

// change changes the inbox as an agent would.
func (c *core) change(f func(*core)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(c)
	select {
	case c.changes <- struct{}{}:
	default:
	}
}

func (c *core) did() []memory.InboxOrder {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.orders)
}

var places = []memory.Place{
	{Store: "planner:/s/lessons", System: "planner", Path: "~/shop/lessons", Exists: true},
	{Store: "planner:/s/mine", System: "planner", Path: "~/mine"},
}

func entry(id string, kind memory.EntryKind, title string) memory.InboxEntry {
	e := memory.InboxEntry{
		ID: id, Kind: kind, Arrived: time.Now().Add(-time.Hour), Clean: true,
		Record: memory.Record{ID: memory.ID("r" + id), Title: title, Body: "Learnt by " + id, Outcome: memory.Failed},
		Origin: memory.Origin{
			Agent:   "planner",
			Session: "s_" + id,
			Steps:   []int{2, 5},
			Rule:    "failed, then worked",
			Door:    "learn",
		},
	}
	if kind == memory.Proposal {
		e.Target, e.Targets, e.Stored = places[0].Store, places, `{"line":"`+id+`"}`
	} else {
		e.Store = "planner:/s/lessons"
	}
	return e
}

func typical() *core {
	c := &core{changes: make(chan struct{}, 1), entries: []memory.InboxEntry{
		entry("p1", memory.Proposal, "Run the tests"),
		entry("p2", memory.Proposal, "Deploy the docs"),
		entry("p3", memory.Proposal, "Rotate the token"),
		entry("n1", memory.NewRecord, "Rename the keys"), entry("c1", memory.ChangedRecord, "Build the site"),
		entry("b1", memory.BackRecord, "Install cuda"), entry("g1", memory.GoneRecord, "Fix the upload"),
	}}
	c.entries[1].Clean = false
	c.entries[1].Reasons = []memory.Reason{{Against: true, Text: "Its session read the web."}}
	c.entries[2].Similar = []memory.Kin{
		{Store: "planner:/s/lessons", ID: "9", Title: "Rotate tokens", Why: "same words"},
	}
	c.entries[4].Before = "relevance 5 -> 7"
	c.entries[5].Again = "rejected on 3 May; now from another agent"
	c.entries[6].Restorable = true
	return c
}

// program is a started program that shows the inbox.
type program struct {
	*tuitest.Driver
	core  *core
	page  *inbox.Page
	edit  *tuitest.Editor
	looks *atomic.Int32 // how often the stores were looked for
}

// started is what a test may change before the program starts.
type started struct {
	w, h int
	c    inbox.Config
	core *core
}

// follows is no store. looks counts how often the stores were looked for.
type follows struct{ looks *atomic.Int32 }

func (follows) Follow(context.Context, memory.StoreID) <-chan memory.Snapshot { return nil }

func (f follows) Find(context.Context) memory.Survey {
	f.looks.Add(1)
	return memory.Survey{}
}

func (follows) Summary(context.Context, memory.StoreID) (memory.Snapshot, error) {
	return memory.Snapshot{}, nil
}

// start runs test on a program that shows the inbox while no store is open. change may be nil.
func start(t *testing.T, change func(*started), test func(*testing.T, *program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		km, editor := keymap.Default(), &tuitest.Editor{}
		s := started{w: 120, h: 35, core: typical()}
		s.c = inbox.Config{Keys: km, Editor: editor, Names: map[memory.SystemID]string{"planner": "Planner"}}
		if change != nil {
			change(&s)
		}
		s.c.Library = s.core
		p := inbox.New(ctx, s.c)
		stores := follows{new(atomic.Int32)}
		looked := memory.Survey{Looked: []memory.Looked{{Where: "~"}}}
		app := tui.New(ctx, tui.Config{
			Keys: km, Theme: theme.Options{Name: theme.Mono}, Follower: stores, Survey: looked, Now: time.Now,
			Pages: []page.Page{
				p,
				home.New(ctx, home.Config{Keys: km, Surveyor: stores, Summarizer: stores, Survey: looked}),
			},
		})
		d := &program{core: s.core, page: p, edit: editor, looks: stores.looks, Driver: tuitest.New(t, app, s.w, s.h)}
		d.Advance(time.Millisecond)
		test(t, d)
	})
}

// cursor returns the row under the cursor.
func cursor(p *program) string {
	for l := range strings.Lines(p.Screen()) {
		if strings.HasPrefix(l, "│>") {
			return l
		}
	}
	return ""
}

func wantCursor(t *testing.T, p *program, title string) {
	t.Helper()
	if !strings.Contains(cursor(p), title) {
		t.Fatalf("the cursor is not on %q:\n%s", title, p.Screen())
	}
}

// wantOrders compares what was ordered, as "approve p1,p2".
func wantOrders(t *testing.T, p *program, want ...string) {
	t.Helper()
	var got []string
	for _, o := range p.core.did() {
		got = append(got, strings.TrimSpace(string(o.Do)+" "+strings.Join(o.IDs, ",")))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("ordered %q, want %q", got, want)
	}
}

func TestInboxIsOfUseWithoutAStore(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.WantText("1 Inbox 6", "PROPOSED (in no store yet)", "CAME BACK", "R restores")
		p.WantText("Planner, session s_p1, steps 2, 5", `{"line":"p1"}`)
		wantCursor(t, p, "Run the tests")
	})
}

func TestLessonIsMadeOfAFailure(t *testing.T) {
	failure := memory.Failure{
		ID:       "f1",
		Called:   "rtk bun",
		Error:    "rtk: command not found",
		Sessions: 62,
		Of:       97,
		Calls:    68,
		Worked:   "bun test",
		Command:  "rtk bun test",
		When:     "command: rtk",
		Told:     &memory.Told{Path: "AGENTS.md", Line: 3, Text: "No rtk."},
		Places:   []memory.FailurePlace{{Agent: "planner", Session: "s9", Step: 4, Command: "rtk bun test"}},
	}
	change := func(s *started) { s.core.failures = []memory.Failure{failure} }
	start(t, change, func(t *testing.T, p *program) {
		p.WantText("FAILED IN SESSIONS", "rtk bun", "told 62/97", "1 Inbox 6")
		p.Press("G")
		p.WantText("in 62 of 97 sessions, 68 calls", "rtk: command not found", "then worked: bun test", "AGENTS.md:3",
			"Planner, session s9, step 4", "make a lesson of it")
		p.Press("x", "e", "p", "s")
		wantOrders(t, p)
		p.Press("a")
		p.WantText("The lesson waits for you")
		wantCursor(t, p, "Running rtk")
		if !slices.Equal(p.core.learnt, []string{"f1"}) {
			t.Errorf("lessons of %q", p.core.learnt)
		}
	})
}

func TestDecisionMovesToTheNextEntry(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("a")
		p.WantText("Done: approve 1 - u to undo", "1 Inbox 5")
		wantCursor(t, p, "Deploy the docs")
		p.Press("x", "x")
		wantCursor(t, p, "Rotate the token")
		p.Press("s", "G", "k")
		p.Press("p")
		wantOrders(t, p, "approve p1", "reject p2", "later p3", "pin b1")
	})
}

// TestTwoDecisionsInQuickOrder: the second is about the next entry, not about the one that is
// being saved, and both are carried out in their order.
func TestTwoDecisionsInQuickOrder(t *testing.T) {
	start(t, func(s *started) { s.core.gate = make(chan struct{}) }, func(t *testing.T, p *program) {
		p.Press("a", "x", "x")
		p.WantText("approving…", "rejecting…")
		wantCursor(t, p, "Rotate the token")
		wantOrders(t, p)
		p.Press("q")
		if p.Quit() {
			t.Fatal("the program ends while decisions are under way")
		}
		p.WantText("A change is being saved")
		p.core.gate <- struct{}{}
		p.Advance(time.Millisecond)
		wantOrders(t, p, "approve p1")
		p.core.gate <- struct{}{}
		p.Advance(time.Millisecond)
		wantOrders(t, p, "approve p1", "reject p2")
		if !p.Quit() {
			t.Error("the program does not end when they are done")
		}
	})
}

func TestRefusalKeepsTheProgramRunning(t *testing.T) {
	start(t, func(s *started) {
		s.core.gate, s.core.reject = make(chan struct{}), map[string]error{"p1": errors.New("the disk is full")}
	}, func(t *testing.T, p *program) {
		p.Press("a", "q")
		p.core.gate <- struct{}{}
		p.Advance(time.Millisecond)
		p.WantText("inbox approve: left as it was: the disk is full", "Run the tests")
		if p.Quit() {
			t.Error("the program ended, and nobody saw why nothing was approved")
		}
	})
}

func TestUndoTakesBackTheLastDecisionOfTheInbox(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j", "x", "x")
		wantCursor(t, p, "Rotate the token")
		p.Press("G", "u")
		p.WantText(`Undid reject: "Deploy the docs"`)
		wantCursor(t, p, "Deploy the docs")
		p.Press("u")
		p.WantText("Nothing to undo in the inbox")
		p.Press("ctrl+r")
		p.WantText(`Rejected "Deploy the docs" again - u to undo`)
		p.WantNoText("failed  Deploy the docs")
		p.Press("ctrl+r")
		p.WantText("Nothing to redo in the inbox")
		wantOrders(t, p, "reject p2", "undo", "undo", "redo", "redo")
	})
}

// TestIdleInboxReadsNothing: what waits is read when it changes, and when something that was put off is due.
func TestIdleInboxReadsNothing(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.core.change(func(c *core) { c.entries[1].Later = time.Now().Add(30 * time.Minute) })
		p.Advance(time.Millisecond)
		before := p.core.reads
		p.Advance(29 * time.Minute)
		if p.core.reads != before {
			t.Errorf("read %d times in 29 minutes", p.core.reads-before)
		}
		p.Advance(3 * time.Minute)
		if p.core.reads != before+1 {
			t.Errorf("read %d times when something was due", p.core.reads-before)
		}
	})
}

// TestOpeningTheInboxApprovesNothing, not even what the settings let be approved without a person.
func TestOpeningTheInboxApprovesNothing(t *testing.T) {
	start(t, func(s *started) { s.core.entries[0].Alone = true }, func(t *testing.T, p *program) {
		p.WantText("Run the tests")
		p.Advance(time.Minute)
		wantOrders(t, p)
		p.WantText("Run the tests")
	})
}

// TestArrivingProposalLeavesTheCursorAndTheMarks, and comes by itself while the inbox is visible.
func TestArrivingProposalLeavesTheCursorAndTheMarks(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j", "space")
		wantCursor(t, p, "Rotate the token")
		p.core.change(func(c *core) {
			c.entries = append([]memory.InboxEntry{entry("p0", memory.Proposal, "Arrived just now")}, c.entries...)
		})
		p.Advance(3 * time.Second)
		p.WantText("Arrived just now", "1 Inbox 7", " x failed  Deploy the docs")
		wantCursor(t, p, "Rotate the token")
	})
}

// TestProposalThatArrivesDuringADecision: what was read before the decision ended does not bring
// the entry back.
func TestProposalThatArrivesDuringADecision(t *testing.T) {
	start(t, func(s *started) { s.core.gate = make(chan struct{}) }, func(t *testing.T, p *program) {
		p.Press("a")
		p.core.change(func(c *core) { c.entries = append(c.entries, entry("p9", memory.Proposal, "Came meanwhile")) })
		p.Advance(3 * time.Second)
		p.WantText("approving…")
		p.core.gate <- struct{}{}
		p.Advance(time.Millisecond)
		p.WantText("Came meanwhile")
		p.WantNoText("Run the tests", "approving…")
		wantCursor(t, p, "Deploy the docs")
	})
}

// TestDecisionIsNamedWhenTheListIsReadBeforeItEnds: a reading that began before the decision can end after the
// inbox was changed, and before the page is told.
func TestDecisionIsNamedWhenTheListIsReadBeforeItEnds(t *testing.T) {
	change := func(s *started) {
		s.core.gate, s.core.readGate = make(chan struct{}), make(chan struct{})
		s.core.what = "Approved 1 lesson"
		s.core.entries[0].Target = places[1].Store // which the approval makes
	}
	start(t, change, func(t *testing.T, p *program) {
		p.core.readGate <- struct{}{}
		p.Advance(time.Millisecond)
		p.core.change(func(c *core) { c.notes = []string{"read again"} })
		p.Advance(3 * time.Second)
		p.Press("a")
		p.WantText("approving…")
		p.core.change(func(c *core) { c.entries = c.entries[1:] })
		p.core.readGate <- struct{}{}
		p.Advance(time.Millisecond)
		p.WantNoText("Learnt by p1")
		before := p.looks.Load()
		p.core.gate <- struct{}{}
		p.Advance(time.Millisecond)
		p.WantText(`Approved "Run the tests"`)
		if p.looks.Load() == before {
			t.Error("the store that the approval made was not looked for")
		}
	})
}

func TestInboxIsNotReadAgainAndAgainWhileItIsHidden(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("2")
		before := p.core.reads
		p.Advance(20 * time.Second)
		p.core.change(func(c *core) { c.entries = c.entries[1:] })
		p.Advance(20 * time.Second)
		p.WantText("1 Inbox 5") // which counts proposals alone
		if p.core.reads != before {
			t.Errorf("read %d times", p.core.reads-before)
		}
	})
}

func TestSlowReadingBlocksNoKeys(t *testing.T) {
	start(t, func(s *started) { s.core.readGate = make(chan struct{}) }, func(t *testing.T, p *program) {
		p.Advance(time.Second)
		p.WantText("Reading the inbox; keys work meanwhile.")
		p.Press("a")
		p.WantText("the inbox has not been read yet")
		p.core.readGate <- struct{}{}
		p.Advance(time.Millisecond)
		p.WantText("Run the tests")
		p.Advance(3 * time.Second) // a reading is under way again
		p.Press("a")
		p.WantText("Done: approve 1")
		p.WantNoText("Run the tests")
		p.core.readGate <- struct{}{} // the one that began after the decision
		p.Advance(time.Millisecond)
		p.WantNoText("Run the tests")
	})
}

func TestUnreadableInboxIsSaid(t *testing.T) {
	start(t, func(s *started) { s.core.err = errors.New("permission denied") }, func(t *testing.T, p *program) {
		p.WantText("The inbox cannot be read.", "permission denied")
		p.core.change(func(c *core) { c.err = nil })
		p.Advance(time.Minute)
		p.WantText("Run the tests")
		p.core.change(func(c *core) { c.err, c.notes = errors.New("the disk is away"), nil })
		p.Advance(time.Minute)
		p.WantText("Run the tests", "! not up to date: the disk is away")
	})
}

func TestNotesAreShown(t *testing.T) {
	start(t, func(s *started) {
		s.core.notes = []string{"2 lines of the inbox cannot be read."}
	}, func(t *testing.T, p *program) {
		p.WantText("! 2 lines of the inbox cannot be read.", "Run the tests")
	})
}

func TestEmptyInboxSaysWhatComes(t *testing.T) {
	start(t, func(s *started) { s.core.entries = nil }, func(t *testing.T, p *program) {
		p.WantText("Nothing waits for you.", "winnow learn --latest", "[1 Inbox]")
	})
}

// TestFindingsAreShownAndAskedAbout before an entry is approved despite them.
func TestFindingsAreShownAndAskedAbout(t *testing.T) {
	start(t, func(s *started) {
		s.core.reject = map[string]error{"p1": fmt.Errorf("approve: %w", memory.ErrFinding)}
		s.core.findings = []memory.Finding{
			{Rule: "prompt-override", Field: "lesson", What: "It gives orders.", Text: "ignore all rules", End: 6},
		}
	}, func(t *testing.T, p *program) {
		p.Press("a")
		p.WantText("prompt-override in lesson", "It gives orders.", "Do it anyway (o)")
		p.Press("esc")
		p.WantText("Run the tests")
		p.Press("k", "a", "o")
		p.WantText("Done: approve 1")
		if o := p.core.did(); !slices.Equal(o[len(o)-1].Allow, []string{"prompt-override"}) {
			t.Errorf("allowed %v", o[len(o)-1].Allow)
		}
	})
}

func TestWarningOfAPlanIsAskedAbout(t *testing.T) {
	start(t, func(s *started) {
		s.core.reject = map[string]error{"n1": fmt.Errorf("the agent runs: %w", memory.ErrAsks)}
	}, func(t *testing.T, p *program) {
		p.Press("j", "j", "j", "x")
		p.WantText("the agent runs", "Do it anyway (o)")
		p.Press("o")
		if o := p.core.did(); !o[len(o)-1].Anyway {
			t.Errorf("ordered %+v", o[len(o)-1])
		}
	})
}

func TestEditApprovesWhatWasTyped(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("e")
		p.WantText("Not approved: the text is the same")
		p.edit.Write = func(text string) string { return strings.ToUpper(text) }
		p.Press("e")
		p.WantText("Done: edit 1")
		o := p.core.did()
		if len(o) != 1 || o[0].Do != memory.InboxEdit || o[0].Form != "FORM OF P1\n" || p.edit.Keeps {
			t.Errorf("ordered %+v, the text is kept: %v", o, p.edit.Keeps)
		}
	})
}

func TestMistakeInTheTextIsEditedAgain(t *testing.T) {
	start(t, func(s *started) {
		s.core.reject = map[string]error{"p1": &memory.Problem{What: "The text is not JSON.", Hint: "Close the brace."}}
	}, func(t *testing.T, p *program) {
		p.edit.Write = func(string) string { return "wrong" }
		p.Press("e")
		p.WantText("The text is not JSON.", "Close the brace.", "Your text is in drafts/lesson.txt")
		p.core.change(func(c *core) { c.reject = nil })
		p.edit.Write = func(text string) string { return text + " and right" }
		p.Press("e")
		p.WantText("Done: edit 1")
		if o := p.core.did(); o[1].Form != "wrong and right" {
			t.Errorf("ordered %+v", o)
		}
	})
}

func TestSeveralAreAskedAbout(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("space", "space")
		p.WantText("2 marked: keys decide about these")
		p.Press("a")
		p.WantText("Approve these 2 entries?", "Run the tests", "Deploy the docs")
		p.Press("enter") // Cancel has the focus
		wantOrders(t, p)
		p.Press("x", "x")
		wantOrders(t, p, "reject p1,p2")
		p.Press("A")
		p.WantText("Approve these 4 entries?")
		p.Press("y")
		wantOrders(t, p, "reject p1,p2", "approve p3,n1,c1,b1")
	})
}

func TestProposalSaysHowOftenItWouldHaveBeenTold(t *testing.T) {
	change := func(s *started) { s.core.entries[0].Record.When = "command: rtk bun" }
	start(t, change, func(t *testing.T, p *program) {
		p.WantText("Told at command: rtk bun", "Would have fired in 11 of 97 sessions", "in 2 not")
	})
}

func TestRejectionAsksForAReasonOfOneKey(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("x")
		p.WantText("Reject it: why?", "1  not true", "4  harmful", "No reason (x)")
		p.Press("esc")
		wantOrders(t, p)
		p.Press("x", "2")
		wantOrders(t, p, "reject p1")
		if got := p.core.did()[0].Why; got != memory.NotGeneral {
			t.Errorf("the reason is %q", got)
		}
		p.Press("j", "j", "x") // a record: it is deleted, and undone, as before
		wantOrders(t, p, "reject p1", "reject n1")
	})
}

func TestRangeIsMarked(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("v", "j", "j", "v", "x", "x")
		wantOrders(t, p, "reject p1,p2,p3")
		p.Press("shift+down", "esc", "x")
		wantOrders(t, p, "reject p1,p2,p3", "reject c1")
	})
}

// TestRangeHoldsNoProposalThatCameLater: a proposal arrives among those of a range that was begun.
func TestRangeHoldsNoProposalThatCameLater(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("v", "j")
		p.core.change(func(c *core) {
			c.entries = slices.Insert(c.entries, 1, entry("p9", memory.Proposal, "Came meanwhile"))
		})
		p.Advance(3 * time.Second)
		p.WantText("Came meanwhile")
		p.Press("x", "x")
		wantOrders(t, p, "reject p1,p2")
	})
}

func TestPersonChoosesWhereAProposalGoes(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.WantText("Planner ~/shop/lessons")
		p.Press("t")
		p.WantText("Where would it go?")
		p.Press("down", "enter")
		p.WantText("Planner ~/mine (made by the first approval)")
		p.Press("a")
		if o := p.core.did(); o[0].Store != "planner:/s/mine" {
			t.Errorf("ordered %+v", o)
		}
	})
}

func TestMergeAndRestore(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("m")
		p.WantText("nothing similar is known")
		p.Press("j", "j", "m", "G", "R")
		wantOrders(t, p, "merge p3", "restore g1")
	})
}

func TestWhatIsDoubtedIsSaidToBeStillTrue(t *testing.T) {
	doubted := func(s *started) {
		s.core.entries = []memory.InboxEntry{entry("d1", memory.DoubtedRecord, "Seed the tables")}
	}
	start(t, doubted, func(t *testing.T, p *program) {
		p.WantText("[a] still true", "a still true")
		p.WantNoText("keep it")
		p.Press("a")
		wantOrders(t, p, "approve d1")
	})
}

// TestBothSidesAreDecidedInTheConflictDialog: what was changed on both sides is asked about one by one, and ordered as
// winnow sync --take orders it.
func TestBothSidesAreDecidedInTheConflictDialog(t *testing.T) {
	shared := func(s *started) {
		for i := range s.core.entries[:3] {
			e := &s.core.entries[i]
			mine, was := e.Record, e.Record
			mine.Body, mine.Raw, was.Body = "Mine of "+e.ID, "{mine}", "Both had "+e.ID
			e.Both = true
			e.Mine = &mine
			e.Was = &was
			e.Origin = memory.Origin{Door: memory.DoorShare, Person: "Ada <a@b>", Machine: "laptop"}
		}
	}
	for key, want := range map[string]string{"m": "reject p1", "t": "approve p1", "b": "both p1"} {
		start(t, shared, func(t *testing.T, p *program) {
			p.WantText("Ada on laptop", "by Ada <a@b> on laptop", "a take theirs", "x keep mine", "m mine or theirs")
			p.Press("m")
			p.WantText("! Ada <a@b> on laptop changed it too. Nothing was changed yet.", "= Both had p1",
				"- Mine of p1", "+ Learnt by p1", "[ Cancel (Esc) ]")
			p.Press("enter")
			wantOrders(t, p)
			p.Press("m", key)
			wantOrders(t, p, want)
			p.WantText("u to undo")
			p.Press("u")
			wantOrders(t, p, want, "undo")
			wantCursor(t, p, "Run the tests")
		})
	}
	start(t, shared, func(t *testing.T, p *program) {
		p.Press("space", "space", "space", "space", "m")
		p.WantText("Conflict 1 of 3")
		p.Press("t", "m", "t")
		wantOrders(t, p, "approve p1", "reject p2", "approve p3")
	})
}

func TestNarrowTerminalShowsOneEntryAtATime(t *testing.T) {
	start(t, func(s *started) { s.w, s.h = 80, 24 }, func(t *testing.T, p *program) {
		p.WantText("1 of 7", "Ask yourself: true? still true? general?", "next: Deploy the docs", "[a] approve")
		p.Press("j")
		p.WantText("2 of 7", "Its session read the web.")
		p.Press("a")
		p.WantText("2 of 6", "next: Rename the keys")
		p.Press("l")
		wantCursor(t, p, "Rotate the token")
		p.Press("enter")
		p.WantText("2 of 6")
		p.Press("esc")
		wantCursor(t, p, "Rotate the token")
	})
}

func TestMouseChoosesAndOpens(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Send(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft})
		wantCursor(t, p, "Deploy the docs")
		p.Send(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft})
		p.WantText("next: Rotate the token")
		p.Press("q")
		p.Send(tea.MouseWheelMsg{X: 5, Y: 5, Button: tea.MouseWheelUp})
		wantCursor(t, p, "Run the tests")
	})
}

// TestEachKeyOfInboxDoesSomethingOrSaysWhyNot, in every state that the page can be in.
func TestEachKeyOfInboxDoesSomethingOrSaysWhyNot(t *testing.T) {
	km := keymap.Default()
	keys := append(section(km), km.Select.Mark, km.Select.Range, km.Select.ExtendDown, km.Global.Undo, km.Global.Redo,
		km.Global.NextPane, km.Global.Layout, km.Global.ShrinkList, km.Global.GrowList, km.Global.Back)
	press := func(keys ...string) func(*program) { return func(p *program) { p.Press(keys...) } }
	for name, state := range map[string]struct {
		start func(*started)
		then  func(*program)
	}{
		"proposal":            {},
		"similar":             {then: press("j", "j")},
		"new record":          {then: press("j", "j", "j")},
		"changed record":      {then: press("j", "j", "j", "j")},
		"record that is gone": {then: press("G")},
		"marked":              {then: press("space", "space")},
		"narrow":              {start: func(s *started) { s.w, s.h = 80, 24 }},
		"narrow list":         {start: func(s *started) { s.w, s.h = 80, 24 }, then: press("l")},
		"in the detail":       {then: press("tab")},
		"detail alone":        {then: press("enter")},
		"list alone":          {then: press("\\", "\\")},
		"nothing waits":       {start: func(s *started) { s.core.entries = nil }},
		"cannot be read":      {start: func(s *started) { s.core.err = errors.New("no") }},
		"started read-only":   {start: func(s *started) { s.c.ReadOnly = true }},
		"one store":           {start: func(s *started) { s.core.entries[0].Targets = places[:1] }},
		"without an editor":   {start: func(s *started) { s.c.Editor = nil }},
		"decided":             {start: func(s *started) { s.core.gate = make(chan struct{}); s.core.entries = s.core.entries[:1] }, then: press("a")},
	} {
		t.Run(name, func(t *testing.T) {
			tuitest.WantEffects(t, keys, func(test func(*tuitest.Driver, func() string)) {
				start(t, state.start, func(t *testing.T, p *program) {
					if state.then != nil {
						state.then(p)
					}
					p.Send(tea.KeyPressMsg{Code: tea.KeyF12}) // takes the toast away
					test(p.Driver, func() string { return fmt.Sprint(p.core.did(), p.edit.Opened, p.page.Saving()) })
				})
			})
		})
	}
}

// TestEachKeyOfInboxIsOnOrOff: no key is both or neither.
func TestEachKeyOfInboxIsOnOrOff(t *testing.T) {
	for _, ids := range []int{0, 7} {
		start(t, func(s *started) { s.core.entries = s.core.entries[:ids] }, func(t *testing.T, p *program) {
			p.WantExplained(t, p.page, keymap.Section{Bindings: section(keymap.Default())})
		})
	}
}

func section(km keymap.Map) []keymap.Binding {
	for _, s := range km.Sections() {
		if s.Title == "Inbox" {
			return s.Bindings
		}
	}
	return nil
}
