package tui_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// fakeFinder finds what a test puts into it.
type fakeFinder struct {
	asked []string
	paths map[string][]string // completions
	slow  chan struct{}       // what completions wait for, unless it is nil

	mu     sync.Mutex // guards the rest: searches go on beside the test
	survey memory.Survey
	store  memory.StoreID
	finds  int
}

func (f *fakeFinder) Find(context.Context) (memory.Survey, memory.StoreID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finds++
	return f.survey, f.store
}

// appear has the next search find stores, and open one of them unless open is empty.
func (f *fakeFinder) appear(open memory.StoreID, stores ...memory.StoreID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.store = open
	for _, id := range stores {
		f.survey.Places = append(f.survey.Places, memory.Place{Store: id, Path: string(id), Exists: true})
	}
}

// looked returns how many searches there were.
func (f *fakeFinder) looked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.finds
}

func (f *fakeFinder) Complete(_ context.Context, typed string) []string {
	if f.slow != nil {
		<-f.slow
	}
	return f.paths[typed]
}

func (f *fakeFinder) FindAt(_ context.Context, typed string) (memory.Survey, error) {
	f.asked = append(f.asked, typed)
	if strings.HasSuffix(typed, ".jsonl") {
		return memory.Survey{Places: []memory.Place{{Store: memory.StoreID(typed), Path: typed, Exists: true}}}, nil
	}
	if strings.HasSuffix(typed, "/") {
		return memory.Survey{
			Places: []memory.Place{
				{Store: "/d/1", Path: "/d/1", Exists: true},
				{Store: "/d/2", Path: "/d/2", Exists: true},
			},
		}, nil
	}
	return memory.Survey{}, errors.New("that is \x1bno store")
}

// withStores has the list of stores known as such.
func withStores(c *tui.Config) { c.Home, c.HasHome = 2, true }

func withoutStores(f *fakeFinder) func(*tui.Config) {
	return func(c *tui.Config) {
		c.Home, c.HasHome, c.Store, c.Finder = 2, true, "", f
		c.Survey = memory.Survey{Looked: []memory.Looked{{Where: "./sessions", Note: "does not exist"}}}
	}
}

func TestEscLeadsFromAStoreToTheList(t *testing.T) {
	at(t, withStores, func(t *testing.T, p *program) {
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}})
		p.WantText("Lessons page", "q quit", "Esc home")
		p.Press("esc")
		p.WantText("Stores page")
		p.WantNoText("Esc home")
		p.Press("q")
		if !p.Quit() {
			t.Error("q on the list of stores does not quit")
		}
	})
}

// TestQGoesBackToTheListThatAStoreWasChosenFrom, and then quits.
func TestQGoesBackToTheListThatAStoreWasChosenFrom(t *testing.T) {
	at(t, withStores, func(t *testing.T, p *program) {
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}})
		p.Press("3")
		p.Send(msg.OpenStore{Store: "/b"})
		p.Send(msg.Show{Page: 0})
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/b"}})
		p.WantText("q back")
		p.Press("2", "q") // from whatever screen of it
		p.WantText("Stores page", "q quit")
		if p.Quit() {
			t.Fatal("q quits where it should go back")
		}
		p.Press("1")
		p.WantText("q quit") // a person who goes there by number came from nowhere
		p.Press("q")
		if !p.Quit() {
			t.Error("q does not quit")
		}
	})
}

// TestEscLeavesWhatIsOpenInThePageFirst: only then it goes to the list of stores.
func TestEscLeavesWhatIsOpenInThePageFirst(t *testing.T) {
	open := func(c *tui.Config) {
		withStores(c)
		c.Pages[0] = backPage{c.Pages[0].(*fakePage)}
	}
	at(t, open, func(t *testing.T, p *program) {
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}})
		p.pages[0].inner = true
		p.Press("esc")
		p.WantText("Lessons page", "input esc")
		p.pages[0].inner = false
		p.Press("esc")
		p.WantText("Stores page")
	})
}

// backPage takes Esc while a view within it is open.
type backPage struct{ *fakePage }

func (p backPage) Actions() page.Actions {
	return page.Actions{
		{
			Binding: keymap.Default().Global.Back,
			Off:     page.Unless(p.inner, "nothing is open"),
			Run:     func() tea.Cmd { return nil },
		},
	}
}

func TestStoreThatAppearsIsOpened(t *testing.T) {
	f := &fakeFinder{}
	at(t, withoutStores(f), func(t *testing.T, p *program) {
		p.WantText("No store was found")
		p.Advance(time.Minute)
		if n := f.looked(); n < 20 || n > 31 {
			t.Errorf("looked %d times in a minute", n)
		}
		f.appear("/new", "/new")
		p.Advance(3 * time.Second)
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/new"}, Seq: 7})
		p.WantText("snapshot /new 7")
		was := f.looked()
		p.Advance(time.Minute)
		if f.looked() != was {
			t.Error("it goes on looking")
		}
	})
}

// TestStoreThatAppearsLeavesAPageInUse: the first approval in the inbox makes a store, and the rest waits there.
func TestStoreThatAppearsLeavesAPageInUse(t *testing.T) {
	f := &fakeFinder{}
	inbox := func(c *tui.Config) {
		withoutStores(f)(c)
		c.Pages[2] = storeless{&fakePage{title: "Inbox"}}
	}
	at(t, inbox, func(t *testing.T, p *program) {
		p.Press("3")
		p.WantText("[3 Inbox]")
		p.Press("?")
		p.WantText("Keys: Inbox")
		f.appear("/new", "/new")
		p.Advance(3 * time.Second)
		p.WantText("Keys: Inbox")
		p.Press("esc")
		p.Advance(time.Minute)
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/new"}, Seq: 7})
		p.WantText("[3 Inbox]")
		p.Press("1")
		p.WantText("snapshot /new 7")
	})
}

func TestSeveralStoresThatAppearAreListed(t *testing.T) {
	f := &fakeFinder{}
	at(t, withoutStores(f), func(t *testing.T, p *program) {
		f.appear("", "/x", "/y")
		p.Advance(3 * time.Second)
		p.WantText("[3 Stores]")
	})
}

func TestTypedPathIsCompletedAndOpened(t *testing.T) {
	f := &fakeFinder{paths: map[string][]string{"": {"work/"}, "~/w": {"~/work/", "~/work.jsonl", "~/wo\x1brk"}}}
	at(t, withoutStores(f), func(t *testing.T, p *program) {
		p.Press("O")
		p.WantText("Open a path", "work/")
		p.Type("~/w")
		p.WantText("~/work.jsonl", "~/wo<ESC>rk")
		p.Press("tab") // to what all have in common
		p.WantText("> ~/wo_")
		p.Type("l")
		p.Press("enter")
		p.WantText("That is <ESC>no store.")
		p.Press("ctrl+u")
		p.Type("~/w")
		p.Press("down", "down", "down", "enter") // a name that cannot be typed can be chosen
		p.Press("up", "enter")
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "~/work.jsonl"}, Seq: 3})
		p.WantText("Lessons page", "snapshot ~/work.jsonl 3")
		if want := []string{"~/wol", "~/wo\x1brk", "~/work.jsonl"}; !slices.Equal(f.asked, want) {
			t.Errorf("asked for %q, want %q", f.asked, want)
		}
	})
}

// TestTabBeforeTheFolderIsReadCompletes of the paths that were offered before those that the text can go on with.
func TestTabBeforeTheFolderIsReadCompletes(t *testing.T) {
	f := &fakeFinder{paths: map[string][]string{"": {"notes.txt", "work/"}}}
	at(t, withoutStores(f), func(t *testing.T, p *program) {
		p.Press("O")
		p.WantText("notes.txt", "work/")
		f.slow = make(chan struct{})
		p.Press("n", "tab")
		p.WantText("> notes.txt_")
		p.WantNoText("work/")
		close(f.slow)
	})
}

func TestFolderOfSeveralStoresIsListed(t *testing.T) {
	f := &fakeFinder{}
	at(t, withoutStores(f), func(t *testing.T, p *program) {
		p.Press("O")
		p.Type("d/")
		p.Press("enter")
		p.WantText("[3 Stores]")
		p.WantNoText("Open a path")
	})
}

// TestTheWayToTheListIsToldOnce, and not again in later runs.
func TestTheWayToTheListIsToldOnce(t *testing.T) {
	var saved config.State
	keep := func(c *tui.Config) {
		withStores(c)
		c.State = saved
		c.Save = func(_ context.Context, _, now config.State) error { saved = now; return nil }
	}
	at(t, keep, func(t *testing.T, p *program) {
		p.WantText("Esc lists all 2 stores")
		p.Press("j")
		p.WantNoText("Esc lists")
		p.Advance(5 * time.Second)
	})
	at(t, keep, func(t *testing.T, p *program) {
		p.WantNoText("Esc lists")
		p.Press("j")
		p.Advance(5 * time.Second)
	})
	if len(saved.Seen) != 1 {
		t.Errorf("remembered %q", saved.Seen)
	}
}

// TestTheRecordOfTheLastRunIsLookedForOnce, when its store is opened.
func TestTheRecordOfTheLastRunIsLookedForOnce(t *testing.T) {
	last := func(c *tui.Config) { c.State = config.State{Store: "/a", Record: "r1"} }
	at(t, last, func(t *testing.T, p *program) {
		want := []string{"lesson r1 true"}
		got := slices.DeleteFunc(slices.Clone(p.pages[0].facts), func(s string) bool {
			return !strings.HasPrefix(s, "lesson")
		})
		if !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
		p.Send(msg.OpenStore{Store: "/b"})
		p.Send(msg.OpenStore{Store: "/a"})
		if n := strings.Count(strings.Join(p.pages[0].facts, " "), "lesson r1"); n != 1 {
			t.Errorf("told %d times", n)
		}
	})
}
