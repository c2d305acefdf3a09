package recall_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/tui/pages/recall"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

const token = "ghp_0123456789abcdefghij0123456789abcdef"

// agent answers requests with a recall that names its task, and remembers them.
type agent struct {
	asked     []memory.Task
	stores    []memory.StoreID
	slow      time.Duration
	cancelled int
	deaf      bool // goes on after it is told to stop
	fail      error
	block     string
	marks     []memory.Mark
	change    func(*memory.Recall)
}

func (a *agent) Recall(ctx context.Context, id memory.StoreID, t memory.Task) (memory.Recall, error) {
	a.asked, a.stores = append(a.asked, t), append(a.stores, id)
	n := len(a.asked)
	if a.deaf {
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-time.After(a.slow):
	case <-ctx.Done():
		a.cancelled++
		return memory.Recall{}, ctx.Err()
	}
	return a.answer(t, n), a.fail
}

func (a *agent) answer(t memory.Task, n int) memory.Recall {
	r := memory.Recall{Task: t, Units: len(t.Text), UnitCap: 2000, WordCap: 50, Limit: 5, Found: 7}
	for _, w := range strings.Fields(t.Text) {
		word := memory.Word{Text: w}
		if len(w) <= 3 {
			word.State = memory.WordShort
		}
		for _, out := range t.Without {
			if w == out {
				word.State = memory.WordLeftOut
			}
		}
		if word.State == memory.WordUsed {
			r.Used++
		}
		r.Words = append(r.Words, word)
	}
	for i := range 7 {
		r.Hits = append(r.Hits, memory.Hit{
			ID: memory.ID(fmt.Sprint("id", i)), Rank: i + 1, Score: 7 - i, Recalled: i < 5, Line: i + 1, Outcome: "failed",
			Title: fmt.Sprintf("Lesson %d of answer %d", i, n), Body: "Failed: timeout",
			Matches: []memory.Match{{Word: "fetch", Times: 1}, {Word: "from", Kind: memory.StopWord, Times: 1}},
		})
	}
	text := a.block
	if text == "" {
		text = "\n## Past Experience\n- [failed] Task \"" + t.Text + "\"\n"
	}
	r.Block = memory.Block{Name: "Past Experience", Text: text, Marks: a.marks, TokensLow: 10, TokensHigh: 20}
	r.Prompt = memory.Block{
		Name:       "User prompt",
		Text:       "## Task\n" + t.Text + text + string(t.Mode),
		TokensLow:  20,
		TokensHigh: 30,
	}
	if a.change != nil {
		a.change(&r)
	}
	return r
}

// editor stands for the user's editor: it hands back what a test wants.
type editor struct {
	got, give string
	err       error
}

func (e *editor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	e.got = text
	return func() tea.Msg { return done(e.give, e.err) }
}

// driver is a started program with the recall page alone.
type driver struct {
	*tuitest.Driver
	t      *testing.T
	a      *agent
	e      *editor
	page   *recall.Page
	states chan memory.Snapshot
}

func (d *driver) Follow(ctx context.Context, _ memory.StoreID) <-chan memory.Snapshot {
	out := make(chan memory.Snapshot)
	go func() {
		defer close(out)
		for {
			select {
			case s := <-d.states:
				out <- s
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// snap delivers a state of a store.
func (d *driver) snap(id string, partial bool) {
	d.states <- tuitest.OfLessons(memory.Snapshot{
		Place:   memory.Place{Store: memory.StoreID(id), Path: id},
		Held:    87,
		Cap:     100,
		Partial: partial,
	})
	d.Advance(0)
}

// write opens the box, writes a task and lets it rest.
func (d *driver) write(task string) {
	d.t.Helper()
	d.Press("i")
	d.Type(task)
	d.Press("esc")
	d.Advance(time.Second)
}

func start(t *testing.T, w, h int, test func(*driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		d := &driver{t: t, a: &agent{}, e: &editor{}, states: make(chan memory.Snapshot)}
		km := keymap.Default()
		d.page = recall.New(ctx, recall.Config{
			Keys: km, Recaller: d.a, Editor: d.e,
			JSON: func(r memory.Recall, reveal bool) (string, error) {
				return fmt.Sprintf("{%q:%v}", r.Task.Text, reveal), nil
			},
		})
		app := tui.New(ctx, tui.Config{
			Keys:     km,
			Theme:    theme.Options{Name: theme.Mono},
			Pages:    []page.Page{d.page},
			Follower: d,
			Store:    "/s/1",
			Now:      time.Now,
		})
		d.Driver = tuitest.New(t, app, w, h)
		d.snap("/s/1", false)
		d.Screen()
		test(d)
	})
}

// wantAsked fails the test unless so many requests were made in all.
func (d *driver) wantAsked(n int) {
	d.t.Helper()
	if len(d.a.asked) != n {
		d.t.Fatalf("asked %d times, want %d: %q", len(d.a.asked), n, d.a.asked)
	}
}

func TestFailureIsShownAndGoesAway(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.fail = errors.New("read /s/1: permission denied")
		d.write("fetch")
		d.WantText("! read /s/1: permission denied", "It is tried again")
		d.a.fail = nil
		d.snap("/s/1", false)
		d.WantNoText("permission denied")
		d.WantText("answer 2")
	})
}

func TestCursorStaysOnItsLesson(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("j", "j")
		d.WantText(">3    5")
		d.a.change = func(r *memory.Recall) {
			r.Hits[0], r.Hits[2] = r.Hits[2], r.Hits[0]
			r.Hits[0].Rank, r.Hits[2].Rank = 1, 3
		}
		d.snap("/s/1", false)
		d.WantText(">1    5")
		d.Press("enter")
		d.WantText("Why number 1 is recalled", "fetch  whole word", "from~  stop word")
		d.Press("j")
		d.WantText("Why number 2 is recalled")
		d.Press("q")
		d.WantText("1/2 Past Experience")
		if d.Quit() {
			t.Error("q quit instead of going back")
		}
	})
}

func TestBlockGoesFullScreenThenWhole(t *testing.T) {
	start(t, 80, 24, func(d *driver) {
		d.write("fetch")
		d.WantText("1/2 Past Experience (b: full screen)", "Lesson 0")
		d.Press("b")
		d.WantText("1/2 Past Experience")
		d.WantNoText("Lesson 0")
		d.Press("b")
		d.WantText("2/2 User prompt", "|## Task")
		d.Press("b")
		d.WantText("Lesson 0")
		d.Press("tab", "esc")
		d.WantText("Lesson 0")
	})
}

func TestWhatIsTypedIsSeenAfterTheBlockInFull(t *testing.T) {
	for key, want := range map[string]string{"i": "fetch now", "t": "Tools:  now"} {
		start(t, 120, 35, func(d *driver) {
			d.write("fetch")
			d.Press("b")
			d.WantNoText("Draft task")
			d.Press(key)
			d.Type(" now")
			d.WantText("Draft task", want)
		})
	}
}

func TestMarkersCanBeSwitchedOff(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = "- one\n## Task\n"
		d.a.marks = []memory.Mark{{Kind: memory.MarkHeading, Start: 5, End: 6}}
		d.write("fetch")
		d.WantText("|- one<LF>## Task", "!! a line break here prints a fake heading", "injection risk: 1 heading")
		d.Press("H")
		d.WantText("|- one ", "|## Task", "injection risk: 1 heading")
		d.WantNoText("<LF>", "fake heading")
	})
}

func TestLinesOfTheBlockAreNumberedOnRequest(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = "- one\n- two\n"
		d.write("fetch")
		d.WantText("|- one")
		d.Press("#")
		d.WantText("|1 - one", "|2 - two")
		d.Press("#")
		d.WantText("|- one")
	})
}

func TestRecallOfALessonsTask(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("x", "x")
		d.Send(msg.Recall{Text: "other\u202E task"})
		if got := d.a.asked[2]; got.Text != "other\u202E task" || len(got.Without) != 0 {
			t.Errorf("asked for %+v", got)
		}
		d.WantText("other<U+202E> task", "1/2 Past Experience")
		d.Press("i", "up", "up")
		d.Advance(time.Second)
		if got := d.a.asked[3].Text; got != "fetch" {
			t.Errorf("the earlier task came back as %q", got)
		}
	})
}

func TestMouseChoosesExplainsAndScrolls(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = strings.Repeat("line\n", 100)
		d.write("fetch")
		d.Screen()
		y := 0
		for i, l := range strings.Split(d.Screen(), "\n") {
			if strings.Contains(l, "Lesson 3") {
				y = i
			}
		}
		click := tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft}
		d.Send(click)
		d.WantText(">4    4")
		d.Send(click)
		d.WantText("Why number 4 is recalled")
		d.Press("esc")
		d.Send(tea.MouseWheelMsg{X: 100, Y: 10, Button: tea.MouseWheelDown})
		d.WantText(">4    4", " 4-")
	})
}

// TestScreen has the page in one size: the goldens of the views have the others.
func TestScreen(t *testing.T) {
	start(t, 80, 24, func(d *driver) {
		d.write("fetch notes from it")
		golden.RequireEqual(d.t, ansi.Strip(d.page.Render(80, 20))+"\n")
	})
}
