package tui_test

import (
	"context"
	"errors"
	"fmt"
	"image/color"
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
	"winnow/tui/tuitest"
	"winnow/views"
	"winnow/views/theme"
)

// fakePage shows what it was sent.
type fakePage struct {
	title  string
	typing bool
	inner  bool // a view within the page is open
	input  []string
	facts  []string
	theme  string
	clocks int
}

func (p *fakePage) Init() tea.Cmd { return nil }

func (p *fakePage) Update(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case tea.KeyPressMsg:
		p.input = append(p.input, m.String())
	case msg.Wheel:
		p.input = append(p.input, fmt.Sprintf("wheel %d", m.Lines))
	case msg.Click:
		p.input = append(p.input, fmt.Sprintf("click %d,%d", m.X, m.Y))
	case msg.Theme:
		p.theme = fmt.Sprint(m.Theme.Name, " ", m.Reveal)
	case msg.Snapshot:
		p.facts = append(p.facts, fmt.Sprintf("snapshot %s %d", m.Place.Store, m.Seq))
	case msg.Clock:
		p.clocks++
	case msg.Recall:
		p.facts = append(p.facts, "recall "+m.Text)
	case msg.Lesson:
		p.facts = append(p.facts, fmt.Sprint("lesson ", m.ID, " ", m.Quiet))
	}
	return nil
}

func (p *fakePage) Render(w, h int) string {
	return views.Fill(
		theme.Theme{},
		[]string{
			p.title + " page",
			"input " + strings.Join(p.input, " "),
			"facts " + strings.Join(p.facts, ", "),
			"theme " + p.theme,
		},
		w,
		h,
	)
}

func (p *fakePage) Actions() page.Actions {
	return page.Text(keymap.Default().Lessons.Sort, keymap.Default().Lessons.Raw)
}
func (p *fakePage) Typing() bool  { return p.typing }
func (p *fakePage) Title() string { return p.title }
func (p *fakePage) Back() bool    { was := p.inner; p.inner = false; return was }

// fakeFollower hands out a channel for each store that is followed.
type fakeFollower struct {
	states map[memory.StoreID]chan memory.Snapshot
	ended  []memory.StoreID
}

func (f *fakeFollower) Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot {
	ch := make(chan memory.Snapshot, 1)
	f.states[id] = ch
	go func() {
		<-ctx.Done()
		f.ended = append(f.ended, id)
		close(ch)
	}()
	return ch
}

type program struct {
	*tuitest.Driver
	f     *fakeFollower
	pages []*fakePage
}

func start(t *testing.T, w, h int, change func(*tui.Config)) *program {
	p := &program{f: &fakeFollower{states: map[memory.StoreID]chan memory.Snapshot{}}}
	c := p.config()
	if change != nil {
		change(&c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	p.Driver = tuitest.New(t, tui.New(ctx, c), w, h)
	return p
}

// config is that of a program with three pages and two stores.
func (p *program) config() tui.Config {
	c := tui.Config{Keys: keymap.Default(), Follower: p.f, Store: "/a", Now: time.Now, Recall: 1,
		Survey: memory.Survey{
			Places: []memory.Place{
				{Store: "/a", Path: "~/alpha", Exists: true},
				{Store: "/b", Path: "~/beta", Exists: true},
			},
		}}
	for _, title := range []string{"Lessons", "Recall", "Stores"} {
		fp := &fakePage{title: title}
		p.pages = append(p.pages, fp)
		c.Pages = append(c.Pages, page.Page(fp))
	}
	return c
}

func (p *program) snapshot(s memory.Snapshot) {
	p.f.states[s.Place.Store] <- s
	p.Advance(time.Millisecond)
}

func at(t *testing.T, change func(*tui.Config), fn func(t *testing.T, p *program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { fn(t, start(t, 120, 24, change)) })
}

func TestScreensAreSwitchedByNumberBracketAndMouse(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.WantText("Lessons page", "[1 Lessons]")
		p.Press("2")
		p.WantText("Recall page", "[2 Recall]")
		p.Press("]")
		p.WantText("Stores page")
		p.Press("]")
		p.WantText("Lessons page")
		p.Press("[")
		p.WantText("Stores page")
		x := strings.Index(p.Screen(), "Recall")
		p.Send(tea.MouseClickMsg{X: x, Y: 0, Button: tea.MouseLeft})
		p.WantText("Recall page")
	})
}

func TestInputGoesToTheVisiblePageOnly(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Press("2", "j", "esc")
		if len(p.pages[0].input) != 0 || strings.Join(p.pages[1].input, " ") != "j esc" {
			t.Errorf("pages got %v", []any{p.pages[0].input, p.pages[1].input})
		}
	})
}

func TestFactsGoToAllPages(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}, Seq: 1})
		for _, fp := range p.pages {
			if len(fp.facts) != 1 || fp.theme != "auto false" {
				t.Errorf("%s got %v, theme %q", fp.title, fp.facts, fp.theme)
			}
		}
	})
}

func TestTypingTakesAllKeysButAbort(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.pages[0].typing = true
		p.Press("2", "q", "?", "T")
		p.WantText("Lessons page", "input 2 q ? T")
		p.Press("ctrl+c")
		if !p.Quit() {
			t.Error("ctrl-c did not quit")
		}
	})
}

func TestQuitGoesBackFirst(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.pages[0].inner = true
		p.Press("q")
		if p.Quit() {
			t.Fatal("q quit though a view within the page was open")
		}
		p.Press("q")
		if !p.Quit() {
			t.Error("q did not quit")
		}
	})
}

func TestHelpListsWhatActsAndRunsIt(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Press("?")
		p.WantText("Keys: Lessons", "sort", "as stored", "reveal or mask secrets")
		p.WantNoText("edit task", "copy path")
		p.Type("as stored")
		p.WantNoText("reveal or mask")
		p.Press("enter")
		p.WantNoText("Keys: Lessons")
		p.WantText("input J")
		p.Press("?", "esc")
		p.WantNoText("Keys: Lessons")
	})
}

func TestHelpTakesInputWhileOpen(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Press("?", "j", "2", "k")
		p.WantText("Keys: Lessons")
		if len(p.pages[0].input) != 0 {
			t.Errorf("the page got %v", p.pages[0].input)
		}
		p.Press("esc")
		p.WantNoText("Keys: Lessons")
	})
}

func TestSwitcherOpensAnotherStoreAndDropsTheFirst(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a", Path: "~/alpha"}, Seq: 1})
		p.WantText("~/alpha")
		p.Press("S")
		p.WantText("Open a store", "~/beta")
		p.Type("bta")
		p.Press("enter")
		if len(p.f.ended) != 1 || p.f.ended[0] != "/a" {
			t.Errorf("ended %v", p.f.ended)
		}
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/b", Path: "~/beta"}, Seq: 1})
		p.WantText("~/beta", "snapshot /b 1")
	})
}

func TestLateStateOfTheFirstStoreIsDropped(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.f.states["/a"] <- memory.Snapshot{Place: memory.Place{Store: "/a", Path: "~/alpha"}, Seq: 7}
		p.Send(msg.OpenStore{Store: "/b"}) // is handled before the state arrives
		p.WantNoText("snapshot /a", "~/alpha")
	})
}

func TestRecallShowsItsPage(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Send(msg.Recall{Text: "fix it"})
		p.WantText("Recall page", "recall fix it")
	})
}

func TestWithoutAStoreTheScreenSaysWhereWasLooked(t *testing.T) {
	none := func(c *tui.Config) {
		c.Store = ""
		c.Survey = memory.Survey{
			Looked: []memory.Looked{
				{Where: "KARNEVIL9_MEMORY_PATH", Note: "not set"},
				{Where: "./sessions", Note: "does not exist"},
			},
		}
	}
	at(t, none, func(t *testing.T, p *program) {
		p.WantText("No store was found", "looked in 2 places")
		p.WantNoText("KARNEVIL9_MEMORY_PATH")
		p.Press("space")
		p.WantText("KARNEVIL9_MEMORY_PATH", "not set", "./sessions", "does not exist")
		p.Press("j", "?")
		p.WantText("Keys: No store")
		p.Press("esc", "q")
		if !p.Quit() || len(p.pages[0].input) != 0 {
			t.Errorf("quit %v, the hidden page got %v", p.Quit(), p.pages[0].input)
		}
	})
}

func TestSmallTerminalSaysSoAndResumes(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		for _, size := range [][2]int{{59, 24}, {80, 14}, {10, 3}, {1, 1}, {0, 0}} {
			p.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			p.WantNoText("Lessons page")
			for _, l := range strings.Split(p.Screen(), "\n") {
				if len(l) > size[0] {
					t.Errorf("%v: line %q", size, l)
				}
			}
		}
		p.Send(tea.WindowSizeMsg{Width: 10, Height: 3})
		p.WantText("too small")
		p.Send(tea.WindowSizeMsg{Width: 60, Height: 15})
		p.WantText("Lessons page")
	})
}

func TestFrameIsExactlyTheTerminal(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		for _, size := range [][2]int{{60, 15}, {80, 24}, {99, 30}, {120, 35}, {300, 100}} {
			for _, keys := range [][]string{nil, {"?"}, {"esc", "S"}, {"esc"}} {
				p.Send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				p.Press(keys...)
				lines := strings.Split(p.Screen(), "\n")
				if len(lines) != size[1] {
					t.Fatalf("%v: %d lines", size, len(lines))
				}
				for _, l := range lines {
					if views.Width(l) != size[0] {
						t.Fatalf("%v: line of %d cells %q", size, views.Width(l), l)
					}
				}
			}
		}
	})
}

func TestToastGoesWithTheNextKeyOrAfterSixSeconds(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Send(msg.Toast{Text: "first"})
		p.Advance(4 * time.Second)
		p.Send(msg.Toast{Text: "second"})
		p.Advance(4 * time.Second) // the end of the first has passed
		p.WantText("second")
		p.Advance(3 * time.Second)
		p.WantNoText("second")
		p.Send(msg.Failed{Op: "load notes", Err: errors.New("disk on fire")})
		p.Advance(time.Minute)
		p.WantText("! load notes: disk on fire")
		p.Press("j")
		p.WantNoText("disk on fire")
	})
}

func TestThemesGoRoundAndReachThePages(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		for _, want := range []string{"light", "dark", "ansi", "mono", "contrast", "auto"} {
			p.Press("T")
			p.WantText("Theme: "+want, "theme "+want+" false")
		}
		p.Press("X")
		p.WantText("theme auto true", "Secrets are shown")
	})
}

func TestBackgroundOfTheTerminalChoosesThePalette(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Send(tea.BackgroundColorMsg{Color: color.White})
		light := p.View().Content
		p.Send(tea.BackgroundColorMsg{Color: color.Black})
		if light == p.View().Content {
			t.Error("the frame is the same on white and on black")
		}
	})
}

func TestWithoutColoursThereAreNone(t *testing.T) {
	plain := func(c *tui.Config) { c.Theme = theme.Options{NoColor: true} }
	at(t, plain, func(t *testing.T, p *program) {
		if c := p.View().Content; strings.Contains(c, "38;") || strings.Contains(c, "48;") ||
			!strings.Contains(c, "\x1b[1m") {
			t.Errorf("colours, or nothing bold: %q", c[:200])
		}
	})
}

func TestWriteShowsInTheHeaderForAMinute(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		s := memory.Snapshot{Place: memory.Place{Store: "/a"}, Seq: 1, Watch: memory.WatchLive, ModTime: time.Now()}
		p.snapshot(s)
		p.WantText("* live ")
		p.WantNoText("written")
		p.Advance(time.Minute)
		s.Seq, s.ModTime = 2, time.Now()
		p.snapshot(s)
		p.WantText("* live, written 0s ago")
		p.Advance(3 * time.Second)
		p.WantText("written 3s ago")
		p.Advance(2 * time.Minute)
		p.WantNoText("written")
		s.Seq, s.Watch = 3, memory.WatchPoll
		p.snapshot(s)
		p.WantText("* poll")
	})
}

func TestManyStatesLeaveOneClock(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		for seq := range 20 {
			p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}, Seq: seq + 1})
		}
		before := p.pages[0].clocks
		p.Advance(10*time.Minute + time.Second)
		if got := p.pages[0].clocks - before; got != 10 {
			t.Errorf("%d ticks in 10 minutes, want 10", got)
		}
	})
}

func TestIdleDrawsNothing(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.snapshot(
			memory.Snapshot{Place: memory.Place{Store: "/a"}, Seq: 1, Watch: memory.WatchLive, ModTime: time.Now()},
		)
		before := p.View().Content
		p.Advance(59 * time.Second)
		p.Send(tea.MouseMotionMsg{X: 3, Y: 3})
		if p.View().Content != before {
			t.Error("the frame changed while nothing happened")
		}
	})
}

func TestMouseIsLeftToTheTerminalOnDemand(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		if p.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse is off")
		}
		p.Press("M")
		if p.View().MouseMode != tea.MouseModeNone {
			t.Error("the mouse is on")
		}
	})
}

func TestTitleOfTheWindowIsOurs(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a", Path: "\x1b]0;evil\a"}, Seq: 1})
		if got := p.View().WindowTitle; got != "winnow" {
			t.Errorf("title %q", got)
		}
		if strings.Contains(p.View().Content, "\x1b]") {
			t.Error("an escape sequence of the path reaches the terminal")
		}
	})
}

func TestCopyGoesToTheTerminalAsCharacters(t *testing.T) {
	at(t, nil, func(t *testing.T, p *program) {
		p.Send(msg.Copy{Text: "a\xed\xa0\x80b", What: "a task"})
		if got := p.Clipboard(); got != "a\uFFFDb" {
			t.Errorf("clipboard %q", got)
		}
		p.WantText("Sent to the clipboard, if the terminal allows: a task, 5 bytes")
	})
}
