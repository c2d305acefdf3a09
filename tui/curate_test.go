package tui_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// curated is a started program with the lessons page and a store that can be
// changed.
type curated struct {
	*tuitest.Driver
	b *tuitest.Bench
	e *tuitest.Editor
}

// curate runs test on a program with the lessons "fetch", "tests" and "docs", and
// the cursor on the first. change may be nil.
func curate(t *testing.T, change func(*tui.Config), test func(*testing.T, *curated)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		p := &curated{b: tuitest.NewBench(some("fetch", "tests", "docs")...), e: &tuitest.Editor{}}
		km := keymap.Default()
		c := tui.Config{
			Keys:     km,
			Theme:    theme.Options{Name: theme.Mono},
			Pages:    []page.Page{lessons.New(ctx, lessons.Config{Keys: km})},
			Follower: p.b,
			Curator:  p.b,
			Editor:   p.e,
			Store:    "/s",
			Now:      time.Now,
		}
		if change != nil {
			change(&c)
		}
		p.Driver = tuitest.New(t, tui.New(ctx, c), 120, 24)
		p.Advance(time.Millisecond)
		test(t, p)
	})
}

// some returns lessons by their titles, in the order of the screen.
func some(titles ...string) []memory.Record {
	var list []memory.Record
	for i, title := range titles {
		raw := fmt.Sprintf(`{"task_summary":%q}`, title)
		list = append(list, memory.Record{
			ID: memory.ID(title), Line: i + 1, Title: title, Body: "learnt", Count: memory.Count{N: 9 - i},
			Raw: raw, RawLen: len(raw),
		})
	}
	return list
}

// wantOrders fails the test unless the orders were for these acts.
func (p *curated) wantOrders(t *testing.T, acts ...memory.Act) []memory.Order {
	t.Helper()
	got := p.b.Orders()
	var list []memory.Act
	for _, o := range got {
		list = append(list, o.Do)
	}
	if fmt.Sprint(list) != fmt.Sprint(acts) {
		t.Fatalf("orders were %q, want %q", list, acts)
	}
	return got
}

// wantApplied fails the test unless so many plans were applied.
func (p *curated) wantApplied(t *testing.T, n int) []memory.Plan {
	t.Helper()
	got := p.b.Applied()
	if len(got) != n {
		t.Fatalf("%d plans were applied, want %d\n%s", len(got), n, p.Screen())
	}
	return got
}

func (p *curated) change(fn func(*memory.Snapshot)) {
	p.b.Change(fn)
	p.Advance(time.Millisecond)
}

func TestDeleteOfOneIsDoneAtOnceAndUndone(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("d")
		p.WantText(`Delete: "fetch" - u to undo`)
		p.WantNoText("  fetch")
		if got := p.wantOrders(t, memory.Delete); got[0].Base[0] != `{"task_summary":"fetch"}` {
			t.Errorf("base %q", got[0].Base)
		}
		p.Press("u")
		p.WantText("Undid: delete: 1 lesson - ctrl-r to redo", "fetch")
		p.Press("ctrl+r")
		p.WantText("Did again: delete: 1 lesson - u to undo")
		p.WantNoText("  fetch")
		p.Press("u", "u")
		p.WantText("Nothing to undo", "fetch")
		p.Press("ctrl+r", "ctrl+r")
		p.WantText("Nothing to redo")
	})
}

func TestChangesInQuickSuccessionAreNamedTogether(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("d", "d")
		p.WantText(`Delete: "fetch" and "tests" - u to undo, one at a time`)
		p.wantApplied(t, 2)
		p.Advance(10 * time.Second)
		p.Press("d")
		p.WantText(`Delete: "docs" - u to undo`)
		p.WantNoText("one at a time")
	})
}

func TestDeletingARowThatStandsForSeveralRecordsAsks(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.change(func(s *memory.Snapshot) { s.Records[0].Kind = "index" })
		p.Press("d")
		p.WantText("Cancel")
		p.wantApplied(t, 0)
	})
}

func TestChangeOfMoreThanOneAsksWithCancelFirst(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("space", "space", "d", "enter")
		p.wantApplied(t, 0)
		p.WantText("fetch", "2 marked")
		p.Press("d", "esc")
		p.wantApplied(t, 0)
		p.Press("d", "y")
		p.wantApplied(t, 1)
		p.WantText(`Delete: 2 lessons, first "fetch" - u to undo`, "docs")
		p.WantNoText("  fetch", "marked")
		p.Press("u")
		p.WantText("fetch")
	})
}

func TestPinnedIsAskedAboutAndUnpinIsNot(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("p")
		p.WantText(`Pin: "fetch"`)
		p.Press("d")
		p.wantApplied(t, 1)
		p.Press("esc", "p")
		p.WantText(`Unpin: "fetch"`)
		p.wantOrders(t, memory.Pin, memory.Delete, memory.Unpin)
		p.wantApplied(t, 2)
	})
}

func TestMarksAreClearedByWhatIsDone(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("space", "space", "p")
		p.WantText("2 marked")
		p.Press("y")
		p.wantApplied(t, 1)
		p.WantNoText("marked")
	})
}

func TestListThatChangesUnderADialogIsPlannedAgain(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("a", "d")
		p.change(func(s *memory.Snapshot) { s.Records = s.Records[1:] })
		got := p.wantOrders(t, memory.Delete, memory.Delete)[1]
		if len(got.IDs) != 2 || len(got.Base) != 2 || got.IDs[0] != "tests" || !strings.Contains(got.Base[0], "tests") {
			t.Errorf("planned again: %q %q", got.IDs, got.Base)
		}
		p.WantText("The list changed from 3 to 2")
		p.Press("y")
		p.wantApplied(t, 0)
		p.Press("y")
		if got := p.wantApplied(t, 1)[0]; len(got.Changes) != 2 {
			t.Errorf("applied %d changes, want the 2 that are left", len(got.Changes))
		}
	})
}

func TestSecondOrderWaitsForTheFirst(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Gate = make(chan struct{})
		p.Press("d", "j", "j", "u")
		p.WantText("> ")
		p.wantOrders(t, memory.Delete)
		close(p.b.Gate)
		p.Advance(time.Millisecond)
		p.wantOrders(t, memory.Delete, memory.Undo)
		p.wantApplied(t, 2)
		p.WantText("Undid: delete: 1 lesson", "fetch")
	})
}

func TestOrderWaitsWhileADialogAsks(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("a", "d")
		p.Send(msg.Order{Order: memory.Order{Do: memory.Undo}})
		p.wantOrders(t, memory.Delete)
		p.Press("esc")
		p.wantOrders(t, memory.Delete, memory.Undo)
	})
}

func TestQuitWaitsForAChangeThatIsBeingSaved(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Gate = make(chan struct{})
		p.Press("d", "q")
		p.WantText("A change is being saved")
		if p.Quit() {
			t.Fatal("quit before the change was saved")
		}
		close(p.b.Gate)
		p.Advance(time.Millisecond)
		if p.wantApplied(t, 1); !p.Quit() {
			t.Error("did not quit after the change was saved")
		}
	})
}

func TestQuitIsTakenBackByAFailureAndForcedByASecond(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Gate = make(chan struct{}, 1)
		p.b.ApplyErr = &memory.Problem{Code: "no-space", What: "no space left for /s", Hint: "free some space"}
		p.Press("d", "q")
		p.b.Gate <- struct{}{}
		p.Advance(time.Millisecond)
		p.WantText("! delete: no space left for /s; free some space")
		if p.Quit() {
			t.Fatal("quit though the change was not saved")
		}
		p.Press("d", "ctrl+c", "ctrl+c")
		if !p.Quit() {
			t.Error("a second ctrl-c did not quit at once")
		}
	})
}

func TestConflictAndFindingsOpenTheirDialogs(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.b.ApplyErr = fmt.Errorf("delete fetch: %w", memory.ErrConflict)
		p.b.Refused = memory.Result{Changes: []memory.Applied{{ID: "fetch", Fate: memory.Refused, Theirs: "{}"}}}
		p.Press("d")
		p.wantDialog(t, true)
		p.WantText("fetch")
		p.Press("esc")
		p.wantDialog(t, false)
		p.b.ApplyErr = nil
		p.b.Findings = []memory.Finding{{ID: "fetch", Field: "lesson", Rule: "hidden-text", What: "it hides text"}}
		p.e.Write = func(string) string { return "other" }
		p.Press("e")
		p.wantDialog(t, true)
		p.WantText("it hides text")
		p.wantApplied(t, 1)
	})
}

func TestNothingToDoIsSaid(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Send(msg.Order{Order: memory.Order{Do: memory.Delete, IDs: []memory.ID{"unknown"}}})
		p.WantText("Delete: 0 lessons")
		p.wantApplied(t, 0)
	})
}

func TestLateResultsAreDroppedAndLateFailuresTold(t *testing.T) {
	late := func(t *testing.T, err error, test func(*testing.T, *curated)) {
		curate(t, nil, func(t *testing.T, p *curated) {
			p.b.Gate, p.b.ApplyErr = make(chan struct{}), err
			p.Press("d")
			p.Send(msg.OpenStore{Store: "/other"})
			close(p.b.Gate)
			p.Advance(time.Millisecond)
			p.wantApplied(t, 1)
			test(t, p)
		})
	}
	late(t, nil, func(t *testing.T, p *curated) { p.WantNoText("to undo") })
	late(t, fmt.Errorf("delete: %w", memory.ErrConflict), func(t *testing.T, p *curated) {
		p.wantDialog(t, false)
		p.WantText("! delete in /s:")
	})
}

func TestOrderThatWaitsIsNotDoneInAnotherStore(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Gate = make(chan struct{})
		p.Press("d")
		p.Send(msg.Order{Order: memory.Order{Do: memory.Delete, IDs: []memory.ID{"docs"}}})
		p.Send(msg.OpenStore{Store: "/other"})
		close(p.b.Gate)
		p.Advance(time.Millisecond)
		p.wantApplied(t, 1)
		p.WantText("another store was opened first")
	})
}

func TestRedactionIsAskedAbout(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.change(func(s *memory.Snapshot) {
			s.Records = some("fetch")
			s.Records[0].Secrets = []memory.Secret{{Field: memory.InTitle, End: 2}}
		})
		p.Press("r")
		p.wantApplied(t, 0)
		p.Press("y")
		p.wantApplied(t, 1)
		p.WantNoText("u to undo")
	})
}

// TestKeysOfMotionNeverChangeData presses whatever moves or looks, and every ctrl
// with a letter, on a marked lesson and on a dialog that asks.
func TestKeysOfMotionNeverChangeData(t *testing.T) {
	km := keymap.Default()
	var keys []string
	for _, s := range km.Sections() {
		for _, b := range s.Bindings {
			if s.Title == "Move" || s.Title == "Everywhere" || s.Title == "Select" {
				keys = append(keys, b.Keys()...)
			}
		}
	}
	for r := 'a'; r <= 'z'; r++ {
		keys = append(keys, "ctrl+"+string(r))
	}
	changing := append(km.Global.Undo.Keys(), km.Global.Redo.Keys()...)
	for _, k := range keys {
		if slices.Contains(changing, k) {
			continue
		}
		curate(t, nil, func(t *testing.T, p *curated) {
			p.Press("space", k, "esc")
			if got := p.b.Orders(); len(got) > 0 {
				t.Errorf("%s orders %q", k, got[0].Do)
			}
			p.Press("a", "d", k)
			if got := p.b.Applied(); len(got) > 0 {
				t.Errorf("%s confirms %q", k, got[0].What)
			}
		})
	}
}

func TestLatestPreviewWins(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("P")
		p.b.PlanGate = make(chan struct{})
		p.Press("j", "k", "j")
		p.WantText("counting")
		close(p.b.PlanGate)
		p.Advance(time.Millisecond)
		p.WantNoText("counting")
		orders := p.b.Orders()
		if last := orders[len(orders)-1]; last.Rule != (memory.Rule{Unused: true}) || len(orders) != 3 {
			t.Errorf("planned %d orders, the last by %+v; want the first, one that was overtaken and the chosen one", len(orders), last.Rule)
		}
	})
}

// wantDialog fails the test unless a dialog is open, or none is.
func (p *curated) wantDialog(t *testing.T, open bool) {
	t.Helper()
	if got := !strings.Contains(p.Screen(), "q quit"); got != open {
		t.Fatalf("a dialog is open: %v, want %v\n%s", got, open, p.Screen())
	}
}

func TestPreviewOfADialogThatIsGoneIsDropped(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.PlanGate = make(chan struct{})
		p.Press("P", "j", "esc")
		p.Send(msg.Prune{})
		close(p.b.PlanGate)
		p.Advance(time.Millisecond)
		got := p.wantOrders(t, memory.Prune, memory.Prune)
		if got[1].Rule != got[0].Rule {
			t.Errorf("the second dialog got the plan of %+v", got[1].Rule)
		}
		p.wantDialog(t, true)
	})
}

// TestRecordThatMovedIsStillMeant: what has no id of its own is named after its
// line, and told by its bytes.
func TestRecordThatMovedIsStillMeant(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("space", "space", "d")
		p.change(func(s *memory.Snapshot) {
			s.Records = slices.Clone(s.Records)
			s.Records[0].ID, s.Records[1].ID = "line 1", "other"
			s.Records[1].Raw = "other"
		})
		if got := p.wantOrders(t, memory.Delete, memory.Delete)[1]; fmt.Sprint(got.IDs) != "[fetch]" {
			t.Errorf("planned again: %q", got.IDs)
		}
	})
}

func TestPruneOffersARuleWhoseRecordsAreJudgedLater(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Send(msg.Prune{})
		p.Advance(time.Second)
		p.WantNoText("( ) twice")
		p.b.Change(func(s *memory.Snapshot) {
			s.Records = slices.Clone(s.Records)
			s.Records[1].Flags |= memory.FlagSimilar
		})
		p.Advance(time.Second)
		p.WantText("( ) twice")
	})
}
