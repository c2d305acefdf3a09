package lessons_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
	"winnow/views"
	"winnow/views/theme"
)

// fakeFollower hands out the snapshots that a test sends, and counts what it is
// asked for.
type fakeFollower struct {
	states  chan memory.Snapshot
	follows int
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
		Keys:     km,
		Theme:    theme.Options{Name: theme.Dark},
		Pages:    []page.Page{lessons.New(ctx, lessons.Config{Keys: km})},
		Follower: f,
		Store:    "/s/memory.jsonl",
		Now:      time.Now,
	})
	return &driver{Driver: tuitest.New(t, app, w, h), f: f}
}

// show sends a state of the store and lets it arrive.
func (d *driver) show(records ...memory.Record) {
	d.seq += 10
	d.send(memory.Snapshot{
		Place: memory.Place{Path: "sessions/memory.jsonl"}, Seq: d.seq, Records: records,
		Total: len(records), Held: len(records), Cap: 100, LoadCap: 200, Watch: memory.WatchLive,
	})
}

func (d *driver) send(s memory.Snapshot) {
	d.f.states <- tuitest.OfLessons(s)
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

// arrived returns the lesson as one that came while the store was open.
func arrived(r memory.Record) memory.Record {
	r.Flags |= memory.FlagNew
	return r
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

// cursorLine returns the line of the screen that has the cursor.
func (d *driver) cursorLine() int {
	before, _, _ := strings.Cut(d.Screen(), d.cursorRow())
	return strings.Count(before, "\n")
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
			"Learnt: fetch notes", "age alone never removes it", "3 of 3", "? help")
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
		d.WantText("fetch notes", "Learnt: fetch notes", "pushed out when 9 more arrive")
		t.Log("\n" + d.Screen())
	})
}

// many returns n lessons, the first of them with the highest relevance.
func many(n int) []memory.Record {
	list := make([]memory.Record, n)
	for i := range list {
		list[i] = lesson(n-i, fmt.Sprintf("lesson number %d", n-i))
	}
	return list
}

func TestCursorMarksFilterAndScrollAreKeptByID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(many(50)...)
		d.Press(append(slices.Repeat([]string{"j"}, 30), "space")...)
		d.wantCursor(t, "number 19 ")
		above := d.cursorLine()
		d.Press("/")
		d.Type("number")
		d.Press("enter")
		d.wantCursor(t, "number 19 ")

		list := append(many(50), arrived(lesson(77, "lesson number 77")), arrived(lesson(78, "lesson number 78")))
		d.show(list[5:]...) // five gone, two arrived, all rows elsewhere
		d.wantCursor(t, "number 19 ")
		d.WantText("/ number", "1 marked", "2 new from an agent", "47 of 47")
		if got := d.cursorLine(); got != above {
			t.Errorf("the row moved on the screen from line %d to %d:\n%s", above, got, d.Screen())
		}
		d.Press("g")
		d.WantText(" new ")
	})
}

func TestMarkOfALessonThatWentAwayIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("a")
		d.WantText("3 marked")
		d.show(three()[:2]...)
		d.WantText("2 marked", "2 of 2")
	})
}

func TestCursorStaysInPlaceWhenItsLessonGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("j")
		d.show(three()[0], three()[2])
		d.wantCursor(t, "build docs")
	})
}

func TestKeysLoadNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(many(50)...)
		for range 50 {
			d.Press("j", "k", "G", "g", "ctrl+d", "space")
			d.Screen()
		}
		if d.f.follows != 1 {
			t.Errorf("followed %d times", d.f.follows)
		}
	})
}

func TestMoving(t *testing.T) {
	tests := []struct {
		keys string
		want int // the lesson; 50 is the first row
	}{
		{"j j", 48}, {"down up", 50}, {"G", 1}, {"end home", 50},
		{"ctrl+d ctrl+u", 50}, {"pgdown pgup", 50}, {"G j", 1}, {"k", 50}, {"5 j", 49},
	}
	for _, tt := range tests {
		t.Run(tt.keys, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := start(t, 120, 20)
				d.show(many(50)...)
				d.Press(strings.Fields(tt.keys)...)
				d.wantCursor(t, fmt.Sprintf("number %d ", tt.want))
			})
		})
	}
}

func TestFilteringAsOneTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/")
		d.Type("docs")
		d.WantText("1 of 3", "build docs")
		d.WantNoText("run tests")
		d.Type("zzzz")
		d.WantText(`0 of 3 match "docszzzz"`, "Esc  clears the filter")
		d.Press("esc")
		d.WantText("3 of 3", "run tests")
	})
}

func TestLettersAreTextWhileTyping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/")
		d.Type("q?1T")
		if d.Quit() {
			t.Fatal("q quit")
		}
		d.WantText("/ q?1T")
		d.Press("ctrl+c")
		if !d.Quit() {
			t.Error("ctrl-c did not quit")
		}
	})
}

func TestPasteIntoTheFilterHasNoLineBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/")
		d.Send(tea.PasteMsg{Content: "build\ndocs\n"})
		d.WantText("/ build docs", "1 of 3")
	})
}

func TestWordThatIsNowhereSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/")
		d.Type("ftchnts")
		d.WantText("1 of 3", `"ftchnts" is nowhere`, "best match")
		d.Type("qqqq")
		d.WantText("0 of 3 match", "is nowhere, nor is anything like it")
		d.WantNoText("showing what is like it")
	})
}

func TestCopyingTakesTheRangeThatWasBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("v", "j", "Y")
		d.WantText("2 lessons", "2 marked")
		if got := strings.Count(d.Clipboard(), "\n"); got != 2 {
			t.Errorf("clipboard %q", d.Clipboard())
		}
	})
}

func TestSuggestionIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/")
		d.Type("outcome:fialed")
		d.WantText("0 of 3", "Did you mean outcome:failed ?")
	})
}

// TestLateFilteringIsDropped types faster than results are handled: the rows are
// those of the last query, whatever arrives when.
func TestLateFilteringIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		km := keymap.Default()
		p := lessons.New(t.Context(), lessons.Config{Keys: km})
		p.Update(tea.WindowSizeMsg{Width: 120, Height: 20})
		first := p.Update(msg.Snapshot{
			Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: three(), Total: 3}),
		})
		late := first()
		p.Update(late)
		p.Update(msg.Press("/"))
		slow := p.Update(msg.Press("n")) // its result is taken before the next key, and delivered after
		result := slow()
		last := p.Update(msg.Press("o"))
		p.Update(last())
		want := p.Render(120, 16)
		p.Update(result)
		if got := p.Render(120, 16); got != want {
			t.Errorf("a late result changed the screen:\n%s", got)
		}
	})
}

// TestCursorThatMovedMeanwhileIsKept moves between a change of the store and the
// moment that its rows are ready.
func TestCursorThatMovedMeanwhileIsKept(t *testing.T) {
	p := lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})
	p.Update(tea.WindowSizeMsg{Width: 120, Height: 20})
	p.Update(p.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: three(), Total: 3})})())
	change := p.Update(msg.Snapshot{
		Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 2, Records: append(three(), lesson(7, "second")), Total: 4}),
	})
	p.Update(msg.Press("j"))
	p.Update(change())
	if got := p.Update(msg.Press("i"))(); got != (msg.Recall{Text: "run tests"}) {
		t.Errorf("the cursor is on %v", got)
	}
}

func TestSortMenu(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 24)
		d.show(three()...)
		d.Press("o")
		d.WantText("Sort by", "relevance")
		d.Press("t")
		d.WantText("sort Title ", "▲Task summary")
		d.Press("g")
		d.wantCursor(t, "build docs")
		d.Press("o", "t", "g")
		d.WantText("sort Title desc")
		d.wantCursor(t, "run tests")
		d.Press("o", "esc")
		d.WantNoText("Sort by")
	})
}

func TestMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(many(10)...)
		d.Press("space", "space")
		d.WantText("2 marked")
		d.Press("v", "j", "j", "v")
		d.WantText("5 marked")
		d.Press("A")
		d.WantText("5 marked")
		d.Press("shift+down")
		d.WantText("6 marked")
		d.Press("esc")
		d.WantNoText("marked")
	})
}

func TestCopying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		list := three()
		list[0].Title = "fetch with ghp_0123456789abcdefghij"
		list[0].Secrets = []memory.Secret{{Field: memory.InTitle, Start: 11, End: len(list[0].Title)}}
		d.show(list...)
		d.Press("y")
		if got := d.Clipboard(); got != "[failed] fetch with ghp_************\nLearnt: fetch notes\n\n" {
			t.Errorf("clipboard %q", got)
		}
		d.WantText("the text of 1 lesson, secrets masked", "bytes", "if the terminal allows")
		d.Press("X", "y")
		if !strings.Contains(d.Clipboard(), "ghp_0123456789abcdefghij") {
			t.Errorf("revealed: clipboard %q", d.Clipboard())
		}
		d.Press("a", "Y")
		if got := d.Clipboard(); got != "{\"id\":\"id9\"}\n{\"id\":\"id5\"}\n{\"id\":\"id1\"}\n" {
			t.Errorf("clipboard %q", got)
		}
		d.Advance(7 * time.Second)
		d.WantNoText("if the terminal allows")
	})
}

func TestEscGoesBackStepByStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/")
		d.Type("tes")
		d.Press("enter", "a", "enter")
		d.WantNoText("Lessons ─")
		d.Press("esc")
		d.WantText("Lessons ─", "2 marked")
		d.Press("esc")
		d.WantNoText("marked")
		d.WantText("2 of 3")
		d.Press("esc")
		d.WantText("3 of 3")
		d.Press("enter", "q")
		if d.Quit() {
			t.Fatal("q in the full view quit")
		}
		d.Press("q")
		if !d.Quit() {
			t.Error("q did not quit")
		}
	})
}

func TestLayouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 35)
		d.show(three()...)
		d.Press("\\")
		d.WantNoText("Lessons ─")
		d.Press("\\")
		d.WantNoText("age alone never removes it")
		d.Press("\\", "<", "<")
		d.WantText("Lessons ─", "age alone never removes it")
		d.Press("J")
		d.WantText("As stored (line 9, 12 bytes)", `{"id":"id9"}`)
		d.Press("tab", "j", "j")
		d.wantCursor(t, "fetch notes") // the detail scrolls instead
	})
}

func TestCursorMarksAndScrollReturnWithTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(many(50)...)
		d.Press(append(slices.Repeat([]string{"j"}, 30), "space")...)
		d.wantCursor(t, "number 19 ")
		above := d.cursorLine()

		d.seq += 10
		d.send(memory.Snapshot{Seq: d.seq, Problem: &memory.Problem{What: "the file does not exist"}})
		d.WantText("the file does not exist")
		d.show(many(50)...)
		d.wantCursor(t, "number 19 ")
		d.WantText("1 marked")
		d.WantNoText("new from an agent")
		if got := d.cursorLine(); got != above {
			t.Errorf("the row moved on the screen from line %d to %d:\n%s", above, got, d.Screen())
		}
	})
}

func TestAStoreOverTheLimitShowsItsFirstRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 140, 20)
		d.send(memory.Snapshot{Seq: 1, Records: many(200), Total: 1000})
		d.WantText("200 of the first 200 of 1000")
	})
}

func TestCursorStaysAtTheTopWhileRowsComeIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.send(memory.Snapshot{Seq: 1, Records: three()[1:], Total: 2, Partial: true})
		d.wantCursor(t, "run tests")
		d.show(three()...)
		d.wantCursor(t, "fetch notes")
		d.show(append(three(), lesson(99, "newest"))...)
		d.wantCursor(t, "fetch notes")
	})
}

func TestPageIsExactAtEverySize(t *testing.T) {
	p := lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})
	p.Update(msg.Theme{Theme: theme.New(theme.Options{Name: theme.Dark})})
	step := 13
	if os.Getenv("WINNOW_LONG") != "" {
		step = 5
	}
	check := func() {
		t.Helper()
		for w := 0; w <= 300; w += step {
			for h := 1 + w%9; h <= 100; h += 2 * step {
				p.Update(tea.WindowSizeMsg{Width: w, Height: h + 4})
				lines := strings.Split(p.Render(w, h), "\n")
				if len(lines) != h {
					t.Fatalf("%dx%d: %d lines", w, h, len(lines))
				}
				for _, l := range lines {
					if views.Width(l) != w {
						t.Fatalf("%dx%d: line of %d cells: %q in\n%s", w, h, views.Width(l), l, p.Render(w, h))
					}
				}
			}
		}
	}
	check()
	p.Update(p.Update(msg.Snapshot{
		Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: many(200), Total: 200}),
	})())
	for _, k := range []string{"", "J", "enter", "q", "o", "esc", "\\", "\\", "/"} {
		if k != "" {
			p.Update(msg.Press(k))
		}
		check()
	}
}

func TestStatesOfAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 80, 24)
		d.WantNoText("Reading")
		d.Advance(200 * time.Millisecond)
		d.WantText("Reading the store")
		d.send(memory.Snapshot{
			Seq:     8,
			Place:   memory.Place{Path: "s/memory.jsonl"},
			Problem: &memory.Problem{What: "s/memory.jsonl is a folder", Hint: "name the file in it"},
		})
		d.WantText("is a folder", "name the file in it")
		d.send(memory.Snapshot{Seq: 9, Place: memory.Place{Path: "s/memory.jsonl"}})
		d.WantText("No lessons yet in s/memory.jsonl", "updates by itself", "winnow --demo")
		d.show(three()...)
		d.WantText("fetch notes")
	})
}

func TestWhatStopsAnAgentStandsOverTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, w := range []int{80, 120} {
			d := start(t, w, 24)
			d.send(memory.Snapshot{Seq: 1, Records: three(), Total: 3, Health: []memory.Health{
				{Level: memory.Warn, What: "2 lines are odd"},
				{Level: memory.Stop, What: "line 3 is null\x1b: an agent stops"},
			}})
			d.WantText("! line 3 is null<ESC>: an agent stops", "Stores: next step")
			d.WantNoText("are odd")
			d.Send(tea.MouseClickMsg{X: 10, Y: d.cursorLine() + 1, Button: tea.MouseLeft})
			d.wantCursor(t, three()[1].Title)
		}
	})
}

// TestMouseSortsOpensAndMarks: rows are at lines 4 to 6, the names of the columns at line 3.
func TestMouseSortsOpensAndMarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 35)
		d.show(three()...)
		press := func(x, y int) { d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
		drag := func(y int) { d.Send(tea.MouseMotionMsg{X: 12, Y: y, Button: tea.MouseLeft}) }
		press(8, 3)
		d.WantText("sort Title", "▲Task")
		d.wantCursor(t, "fetch notes")
		press(8, 3)
		d.WantText("sort Title desc", "▼Task")
		press(66, 3) // behind the last column
		d.WantText("sort Title desc")
		d.Advance(time.Second)
		press(12, 4)
		drag(4)
		d.WantNoText("marked")
		drag(6)
		d.WantText("3 marked")
		drag(5)
		d.WantText("2 marked")
		drag(30)
		d.WantText("3 marked")
		d.Press("esc")
		d.Advance(time.Second)
		press(12, 4)
		d.WantText("╭ Lessons")
		d.Advance(time.Second)
		press(12, 4)
		d.WantText("╭ Lessons")
		press(12, 4)
		d.WantNoText("╭ Lessons")
		d.Press("esc")
		d.WantText("╭ Lessons")
	})
}

func TestMouse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(many(50)...)
		d.Send(tea.MouseClickMsg{X: 10, Y: 6, Button: tea.MouseLeft})
		d.wantCursor(t, "number 48 ")
		for range 200 {
			d.Send(tea.MouseWheelMsg{X: 10, Y: 6, Button: tea.MouseWheelDown})
		}
		d.Advance(time.Second)
		d.wantCursor(t, "number 1 ")
		d.Send(tea.MouseClickMsg{X: 10, Y: 1, Button: tea.MouseLeft})
		d.Type("x")
		d.WantText("/ x")
	})
}

func TestRecallOfTheTaskIsAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})
		p.Update(tea.WindowSizeMsg{Width: 120, Height: 20})
		p.Update(p.Update(msg.Snapshot{
			Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: three(), Total: 3}),
		})())
		if got := p.Update(msg.Press("i"))(); got != (msg.Recall{Text: "fetch notes"}) {
			t.Errorf("got %#v", got)
		}
	})
}

// TestKeysAreThoseThatAct pins that help lists no key that does nothing here.
func TestKeysAreThoseThatAct(t *testing.T) {
	p := lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})
	p.Update(tea.WindowSizeMsg{Width: 120, Height: 20})
	has := func(desc string) bool {
		return slices.ContainsFunc(p.Actions().On(), func(b keymap.Binding) bool { return b.Help().Desc == desc })
	}
	if has("filter") || has("copy text") {
		t.Error("before anything is loaded there is nothing to filter or copy")
	}
	p.Update(p.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: three(), Total: 3})})())
	if !has("filter") || !has("copy text") || has("next part") || has("back") {
		t.Errorf("keys %v", p.Actions().On())
	}
	p.Update(msg.Press("space"))
	if !has("back") {
		t.Error("Esc clears the marks and is not listed")
	}
}

func TestNextFindingIsALessonWithAFlag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		list := many(10)
		list[4].Flags, list[8].Flags = memory.FlagInjection, memory.FlagSecret
		d.show(list...)
		d.Press("n")
		d.wantCursor(t, "number 6 ")
		d.Press("n", "n")
		d.wantCursor(t, "number 2 ")
		d.Press("N")
		d.wantCursor(t, "number 6 ")
	})
}

func TestNextMatchScrollsALongLesson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		list := three()
		list[0].Body = strings.Repeat("filler ", 400) + "needle " + strings.Repeat("more ", 400)
		d.show(list...)
		d.Press("/")
		d.Type("needle")
		d.Press("enter", "enter")
		d.WantNoText("filler needle")
		d.Press("n")
		d.WantText("needle more")
		d.Press("g")
		d.WantText("filler filler", "╭ fetch notes ─")
		d.Press("G")
		d.WantText("age alone never removes it")
	})
}

func TestArrowsMoveWhileTheFilterIsTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("/", "down", "down", "up")
		d.wantCursor(t, "run tests")
		d.Press("esc")
		d.WantText("3 of 3")
	})
}

func TestWheelOverTheDetailScrollsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		list := three()
		list[0].Body = strings.Repeat("filler ", 400)
		d.show(list...)
		d.Send(tea.MouseWheelMsg{X: 100, Y: 6, Button: tea.MouseWheelDown})
		d.wantCursor(t, "fetch notes")
		d.WantNoText("id        id9")
	})
}

// TestOpeningAnotherStoreForgetsTheFirst pins that marks and filter of one store
// do not act on another.
func TestOpeningAnotherStoreForgetsTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("a", "/")
		d.Type("docs")
		d.Press("enter")
		d.Send(msg.OpenStore{Store: "/other"})
		d.WantNoText("build docs", "marked")
		d.show(three()...)
		d.WantText("3 of 3")
		d.WantNoText("marked", "new from an agent")
	})
}

// TestWheelBesideAnEmptyList does nothing.
func TestWheelBesideAnEmptyList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show()
		d.Send(tea.MouseWheelMsg{X: 100, Y: 6, Button: tea.MouseWheelDown})
		d.Advance(time.Second)
		d.WantText("No lessons yet")
	})
}
