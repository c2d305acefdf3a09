package recall_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	r.Block = memory.Block{Text: text, Marks: a.marks, TokensLow: 10, TokensHigh: 20}
	r.Prompt = memory.Block{Text: "## Task\n" + t.Text + text + string(t.Mode), TokensLow: 20, TokensHigh: 30}
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

func (d *driver) Page(context.Context, memory.StoreID, memory.Window) {}

// snap delivers a state of a store.
func (d *driver) snap(id string, partial bool) {
	d.states <- memory.Snapshot{Place: memory.Place{Store: memory.StoreID(id), System: "karnevil9", Path: id}, Held: 87, Cap: 100, Partial: partial}
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
			Keys: km, Theme: theme.Options{Name: theme.Mono}, Pages: []page.Page{d.page}, Follower: d, Store: "/s/1", Now: time.Now,
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

func TestTypingFiveKeysAsksOnce(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.Press("i")
		for _, k := range []string{"f", "e", "t", "c", "h"} {
			d.Press(k)
			d.Advance(79 * time.Millisecond)
		}
		d.wantAsked(0)
		d.Advance(time.Millisecond)
		d.wantAsked(1)
		if got := d.a.asked[0]; got.Text != "fetch" || got.Mode != memory.Single {
			t.Errorf("asked for %+v", got)
		}
		d.WantText("Lesson 0 of answer 1", "words used 1 of 50: fetch", "5/2000 chars")
	})
}

func TestLateRecallIsDropped(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.slow, d.a.deaf = time.Second, true
		d.Press("i")
		d.Type("first")
		d.Advance(100 * time.Millisecond)
		d.a.slow = 0
		d.Type(" second")
		d.Advance(100 * time.Millisecond)
		d.WantText("answer 2")
		d.Advance(10 * time.Second)
		d.WantText("answer 2", `Task "first second"`)
		d.WantNoText("answer 1", "canceled")
	})
}

func TestChangedTaskCancelsTheRequest(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.a.slow = time.Minute
		d.Press("m", "i", "x")
		d.WantText("answer 1")
		d.WantNoText("canceled")
		if d.a.cancelled != 1 {
			t.Errorf("%d requests were cancelled", d.a.cancelled)
		}
		d.a.slow = 0
		d.Advance(time.Second)
		d.WantText("answer 3")
	})
}

func TestSnapshotAsksAgain(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.wantAsked(1)
		d.snap("/s/1", true)
		d.wantAsked(1)
		d.snap("/s/1", false)
		d.wantAsked(2)
		d.WantText("answer 2")
	})
}

func TestNoTaskAsksNothing(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.snap("/s/1", false)
		d.Press("m", "b", "x", "y", "tab", "j")
		d.wantAsked(0)
		d.WantText("press i and write a task", "dry run  agentic")
		d.write("a")
		d.Press("i", "backspace")
		d.Advance(time.Second)
		d.wantAsked(1)
		d.WantText("appears here")
	})
}

func TestOtherStoreForgetsTheAnswerAndKeepsTheTask(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.a.slow = time.Minute
		d.Send(msg.OpenStore{Store: "/s/2"})
		d.WantNoText("answer 1")
		d.a.slow = 0
		d.snap("/s/2", false)
		d.WantText("fetch", "answer 2")
		d.a.slow = time.Minute
		d.snap("/s/3", false)
		d.WantNoText("answer 2")
		d.Advance(time.Minute)
		d.WantText("answer 3")
		if got := fmt.Sprint(d.a.stores); got != "[/s/1 /s/2 /s/3]" {
			t.Errorf("asked %s", got)
		}
	})
}

func TestWordIsLeftOutAndPutBack(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch notes from it")
		d.Press("x")
		d.WantText("Leave words out", ">      from") // the word that is noise is offered
		d.Press("x")
		if got := d.a.asked[1].Without; len(got) != 1 || got[0] != "from" {
			t.Errorf("left out %q", got)
		}
		d.WantText("without: from", "> out  from")
		d.Press("x")
		if got := d.a.asked[2].Without; len(got) != 0 {
			t.Errorf("left out %q", got)
		}
		d.WantNoText("without:")
		d.Press("esc")
		d.WantText("Exact block")
	})
}

func TestToolHintsAreTyped(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("t")
		d.Type("http-get, shell")
		d.wantAsked(1)
		d.Press("enter")
		if got := strings.Join(d.a.asked[1].Tools, "|"); got != "http-get|shell" {
			t.Errorf("tools %q", got)
		}
		d.WantText("tools: http-get, shell (+2 each")
		d.Press("t", "ctrl+u", "esc")
		d.WantText("tools: http-get, shell (+2 each")
		d.Press("t", "ctrl+u", "enter")
		d.WantNoText("tools:")
		d.wantAsked(3)
	})
}

func TestModeIsAskedFor(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("m")
		if got := d.a.asked[1].Mode; got != memory.Agentic {
			t.Errorf("mode %q", got)
		}
		d.WantText("dry run  agentic")
		d.Press("m")
		d.WantText("dry run  single")
	})
}

func TestCopyTakesTheExactBytes(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = "\n## Past\tExperience\n- \x1b[31m\u202E<<<\u200Bé日本 \xED\xA0\xBD\xED\xA0\xBD\n"
		d.write("fetch")
		d.Press("y")
		if want := strings.ReplaceAll(d.a.block, "\xED\xA0\xBD", "\uFFFD"); d.Clipboard() != want {
			t.Errorf("copied %+q, want %+q", d.Clipboard(), want)
		}
		d.WantText("the block", fmt.Sprintf("%d bytes", len(d.Clipboard())))
		d.Press("b", "b", "y")
		if !strings.HasPrefix(d.Clipboard(), "## Task\nfetch\n## Past\tExperience") {
			t.Errorf("copied %+q of the prompt", d.Clipboard())
		}
	})
}

func TestCopyMasksSecretsUntilTheyAreShown(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.a.block = "use " + token + "\n"
		d.a.marks = []memory.Mark{{Kind: memory.MarkSecret, Start: 4, End: 4 + len(token)}}
		d.write("fetch")
		d.WantText("ghp_************")
		d.Press("y")
		if got := d.Clipboard(); got != "use ghp_************\n" {
			t.Errorf("copied %q", got)
		}
		d.WantText("secrets masked")
		d.Press("X", "y")
		if got := d.Clipboard(); got != d.a.block {
			t.Errorf("copied %q", got)
		}
		d.WantText(token)
	})
}

func TestCopyOfTheJSONIsTheCommandLines(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("Y")
		if got := d.Clipboard(); got != `{"fetch":false}` {
			t.Errorf("copied %q", got)
		}
	})
}

func TestPasteOpensTheBox(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.Send(tea.PasteMsg{Content: "fetch\r\nthe notes\r\x1b]52;c;eA==\x07"})
		d.Advance(time.Second)
		if got := d.a.asked[0].Text; got != "fetch\nthe notes\n\x1b]52;c;eA==\x07" {
			t.Errorf("asked for %q", got)
		}
		d.WantText("<ESC>]52;c;eA==<BEL>")
		if !d.page.Typing() {
			t.Error("the box is not open")
		}
	})
}

func TestPasteIsBounded(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.Send(tea.PasteMsg{Content: strings.Repeat("日本 ", 30000)})
		d.WantText("The box is full")
		d.Advance(time.Second)
		if n := len(d.a.asked[0].Text); n > 64<<10 || n < 64<<10-4 {
			t.Errorf("asked for %d bytes", n)
		}
	})
}

func TestEditorHandsBackTheTask(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.e.give = "fetch all\r\nof it\n"
		d.Press("ctrl+g")
		if d.e.got != "fetch" || d.a.asked[1].Text != "fetch all\nof it" {
			t.Errorf("gave %q, asked for %q", d.e.got, d.a.asked[1].Text)
		}
		d.e.err = errors.New("exit status 1")
		d.Press("i", "ctrl+g")
		d.WantText("edit the task: exit status 1", "of it")
		d.wantAsked(2)
	})
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
		d.WantText("Exact block")
		if d.Quit() {
			t.Error("q quit instead of going back")
		}
	})
}

func TestBlockGoesFullScreenThenWhole(t *testing.T) {
	start(t, 80, 24, func(d *driver) {
		d.write("fetch")
		d.WantText("exact block (b: full screen)", "Lesson 0")
		d.Press("b")
		d.WantText("Exact block sent to the planner")
		d.WantNoText("Lesson 0")
		d.Press("b")
		d.WantText("Whole prompt", "|## Task")
		d.Press("b")
		d.WantText("Lesson 0")
		d.Press("tab", "esc")
		d.WantText("Lesson 0")
	})
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

func TestRecallOfALessonsTask(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		d.write("fetch")
		d.Press("x", "x")
		d.Send(msg.Recall{Text: "other\u202E task"})
		if got := d.a.asked[2]; got.Text != "other\u202E task" || len(got.Without) != 0 {
			t.Errorf("asked for %+v", got)
		}
		d.WantText("other<U+202E> task", "Exact block")
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

func TestEditingKeys(t *testing.T) {
	for name, tc := range map[string]struct {
		keys []string
		want string
	}{
		"delete word":     {[]string{"ctrl+w"}, "one two "},
		"delete line":     {[]string{"ctrl+u"}, ""},
		"start and back":  {[]string{"ctrl+a", "delete", "ctrl+e", "!"}, "ne two three!"},
		"new line":        {[]string{"ctrl+j", "x"}, "one two three\nx"},
		"up and down":     {[]string{"ctrl+j", "x", "up", "Y", "down", "Z"}, "oYne two three\nxZ"},
		"left and right":  {[]string{"left", "left", "right", "-"}, "one two thre-e"},
		"word left":       {[]string{"alt+left", "alt+left", "X"}, "one Xtwo three"},
		"word right":      {[]string{"home", "ctrl+right", "X"}, "oneX two three"},
		"beyond the ends": {[]string{"right", "delete", "home", "left", "backspace"}, "one two three"},
	} {
		t.Run(name, func(t *testing.T) {
			start(t, 120, 35, func(d *driver) {
				d.Press("i")
				d.Type("one two three")
				d.Press(tc.keys...)
				d.Advance(time.Second)
				got := ""
				if n := len(d.a.asked); n > 0 {
					got = d.a.asked[n-1].Text
				}
				if got != tc.want {
					t.Errorf("the task is %q, want %q", got, tc.want)
				}
			})
		})
	}
}

func TestTextCursorFollowsTheText(t *testing.T) {
	start(t, 120, 35, func(d *driver) {
		if d.View().Cursor != nil {
			t.Error("a cursor is shown while nobody types")
		}
		d.Press("i")
		d.Type("日本\u202E")
		d.Send(tea.PasteMsg{Content: "\nab"})
		c := d.View().Cursor
		if c == nil {
			t.Fatal("no cursor while typing")
		}
		line := []rune(strings.Split(d.Screen(), "\n")[c.Y])
		if got := string(line[:c.X]); !strings.HasSuffix(got, "│ab") {
			t.Errorf("the cursor stands after %q", got)
		}
	})
}

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{120, 31}, {80, 20}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			start(t, size[0], size[1]+4, func(d *driver) {
				d.write("fetch notes from it")
				golden.RequireEqual(d.t, ansi.Strip(d.page.Render(size[0], size[1]))+"\n")
			})
		})
	}
}

func TestNoOrphanGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, f := range files {
		if base := filepath.Base(f); base != "120x31.golden" && base != "80x20.golden" {
			t.Errorf("%s: no test writes this file", f)
		}
		if info, err := os.Stat(f); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty", f)
		}
	}
}
