package lessons_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// fakeFollower hands out the snapshots that a test sends, and counts what it is
// asked for.
type fakeFollower struct {
	states  chan memory.Snapshot
	follows int
	turns   []memory.Window
}

func (f *fakeFollower) Follow(ctx context.Context, _ memory.StoreID) <-chan memory.Snapshot {
	f.follows++
	out := make(chan memory.Snapshot)
	go func() {
		defer close(out)
		for {
			select {
			case s := <-f.states:
				select {
				case out <- s:
				case <-ctx.Done():
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (f *fakeFollower) Page(_ context.Context, _ memory.StoreID, w memory.Window) {
	f.turns = append(f.turns, w)
}

// driver is a started program with the lessons page alone.
type driver struct {
	*tuitest.Driver
	f   *fakeFollower
	seq int
}

func start(t *testing.T, w, h int) *driver {
	f := &fakeFollower{states: make(chan memory.Snapshot, 4)}
	km := keymap.Default()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	app := tui.New(ctx, tui.Config{
		Keys: km, Theme: theme.Options{Name: theme.Dark}, Pages: []page.Page{lessons.New(ctx, km)},
		Follower: f, Store: "/s/memory.jsonl", Now: time.Now,
	})
	return &driver{Driver: tuitest.New(t, app, w, h), f: f}
}

// show sends a state of the store and lets it arrive.
func (d *driver) show(records ...memory.Record) {
	d.seq++
	d.send(memory.Snapshot{
		Place: memory.Place{Path: "sessions/memory.jsonl"}, Seq: d.seq, Records: records,
		Total: len(records), Held: len(records), Cap: 100, LoadCap: 200, Watch: memory.WatchLive,
	})
}

func (d *driver) send(s memory.Snapshot) {
	d.f.states <- s
	d.Advance(time.Millisecond)
}

// lesson returns a lesson whose relevance puts n=9 before n=1.
func lesson(n int, title string) memory.Record {
	at := time.Date(1999, 12, 1, 0, 0, 0, 0, time.UTC)
	return memory.Record{
		ID: memory.ID(fmt.Sprintf("id%d", n)), Line: n, Title: title, Body: "Learnt: " + title,
		Outcome: memory.Failed, Tools: []string{"shell"}, Count: memory.Count{N: n},
		Created: memory.Moment{Text: "x", Time: at}, Raw: fmt.Sprintf(`{"id":"id%d"}`, n), RawLen: 12,
		Forecast: memory.Forecast{Rank: n, LeavesAfter: n},
	}
}

func three() []memory.Record {
	return []memory.Record{lesson(9, "fetch notes"), lesson(5, "run tests"), lesson(1, "build docs")}
}

// cursorRow returns the row of the list that has the cursor.
func (d *driver) cursorRow() string {
	for l := range strings.Lines(d.Screen()) {
		if i := strings.IndexAny(l, "│|"); i >= 0 {
			if body := strings.TrimLeft(l[i:], "│|"); strings.HasPrefix(body, ">") {
				return body
			}
		}
	}
	return ""
}

func (d *driver) wantCursor(t *testing.T, title string) {
	t.Helper()
	if !strings.Contains(d.cursorRow(), title) {
		t.Fatalf("the cursor is not on %q:\n%s", title, d.Screen())
	}
}

func TestScreenShowsLessonsAndTheOneUnderTheCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 35)
		d.show(three()...)
		d.WantText("[1 Lessons]", "sessions/memory.jsonl", "3/100", "* live", "fetch notes", "build docs",
			"Learnt: fetch notes", "Why it is still here", "3 of 3", "? help")
		d.wantCursor(t, "fetch notes")
		d.Press("j")
		d.WantText("Learnt: run tests")
		t.Log("\n" + d.Screen())
	})
}

func TestNarrowScreenHasTheDetailBelow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 80, 24)
		d.show(three()...)
		d.WantText("fetch notes", "Learnt: fetch notes", "leaves when 9 more arrive")
		t.Log("\n" + d.Screen())
	})
}
