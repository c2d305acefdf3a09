package home_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/home"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// machine is a machine with stores, which counts what it is asked for.
type machine struct {
	mu       sync.Mutex // guards read
	survey   memory.Survey
	finds    int
	read     []memory.StoreID
	followed []memory.StoreID
	slow     map[memory.StoreID]time.Duration
	fail     map[memory.StoreID]error
	states   chan memory.Snapshot
}

func (m *machine) Find(context.Context) memory.Survey { m.finds++; return m.survey }

func (m *machine) Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	m.mu.Lock()
	m.read = append(m.read, id)
	n := len(m.read)
	m.mu.Unlock()
	select {
	case <-time.After(m.slow[id]):
	case <-ctx.Done():
		return memory.Snapshot{}, ctx.Err()
	}
	return summary(id, n), m.fail[id]
}

func (m *machine) Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot {
	m.followed = append(m.followed, id)
	out := make(chan memory.Snapshot)
	go func() {
		defer close(out)
		for {
			select {
			case s := <-m.states:
				out <- s
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func place(id string) memory.Place {
	return memory.Place{Store: memory.StoreID(id), System: "karnevil9", Path: id, Why: "found below .", Exists: true}
}

func summary(id memory.StoreID, held int) memory.Snapshot {
	return memory.Snapshot{Place: place(string(id)), Held: held, Cap: 100, Total: held, Unused: held, Mode: 0o600}
}

func newMachine(ids ...string) *machine {
	m := &machine{
		states: make(chan memory.Snapshot),
		slow:   map[memory.StoreID]time.Duration{},
		fail:   map[memory.StoreID]error{},
	}
	for _, id := range ids {
		m.survey.Places = append(m.survey.Places, place(id))
	}
	m.survey.Looked = []memory.Looked{
		{Where: "./sessions", Found: len(ids)},
		{Where: "KARNEVIL9_MEMORY_PATH", Note: "not set"},
	}
	return m
}

// start starts a program with the stores page alone and lets it read.
func start(t *testing.T, m *machine) *tuitest.Driver {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	km := keymap.Default()
	app := tui.New(ctx, tui.Config{
		Keys:     km,
		Theme:    theme.Options{Name: theme.Mono},
		Follower: m,
		Plots:    m,
		Survey:   m.survey,
		Store:    "/s/1",
		Now:      time.Now,
		Pages:    []page.Page{home.New(ctx, home.Config{Keys: km, Surveyor: m, Summarizer: m, Survey: m.survey})},
	})
	d := tuitest.New(t, app, 110, 24)
	m.states <- summary("/s/1", 87)
	d.Advance(time.Second)
	return d
}

// Timeline and Activity know of nothing that happened.
func (m *machine) Timeline(context.Context, memory.StoreID, memory.ID) (activity.Timeline, error) {
	return activity.Timeline{}, nil
}

func (m *machine) Activity(context.Context, memory.StoreID) (activity.Store, error) {
	return activity.Store{}, nil
}

// line returns the line of the screen that names a store in the table.
func line(d *tuitest.Driver, store string) string {
	for l := range strings.Lines(d.Screen()) {
		if strings.Contains(l, " "+store+" ") && !strings.Contains(l, "Health") {
			return l
		}
	}
	return ""
}

func TestStoresAreListedWithTheirCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2", "/s/3")
		m.fail["/s/3"] = errors.New("read /s/3: permission denied")
		d := start(t, m)
		d.WantText("3 stores", "Looked in", "KARNEVIL9_MEMORY_PATH", "permission denied")
		for store, want := range map[string]string{"/s/1": "87/100", "/s/2": "/100", "/s/3": "! read /s/3"} {
			if l := line(d, store); !strings.Contains(l, want) {
				t.Errorf("%s: no %q in %q", store, want, l)
			}
		}
	})
}

func TestOpenStoreIsNotReadTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2")
		d := start(t, m)
		m.states <- summary("/s/1", 88)
		d.Advance(0)
		if !slices.Equal(m.read, []memory.StoreID{"/s/2"}) {
			t.Errorf("read %v", m.read)
		}
		if l := line(d, "/s/1"); !strings.Contains(l, "88/100") {
			t.Errorf("the open store is not followed: %q", l)
		}
	})
}

func TestNothingIsReadBeforeTheOpenStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		km := keymap.Default()
		p := home.New(ctx, home.Config{Keys: km, Surveyor: m, Summarizer: m, Survey: m.survey})
		app := tui.New(ctx, tui.Config{Keys: km, Follower: m, Store: "/s/1", Now: time.Now, Pages: []page.Page{p}})
		d := tuitest.New(t, app, 110, 24)
		d.Advance(100 * time.Millisecond)
		if len(m.read) != 0 || m.finds != 0 {
			t.Errorf("read %v, searched %d times", m.read, m.finds)
		}
	})
}

func TestEnterOpensTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2")
		d := start(t, m)
		d.Press("j", "enter")
		if !slices.Equal(m.followed, []memory.StoreID{"/s/1", "/s/2"}) {
			t.Errorf("followed %v", m.followed)
		}
		d.WantText("open now")
	})
}

func TestLookingAgainFindsNewStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2")
		d := start(t, m)
		d.Press("j")
		m.survey.Places = append([]memory.Place{place("/s/0")}, m.survey.Places...)
		d.Press("R")
		d.WantText("3 stores", ">  /s/2")
		if m.finds != 1 {
			t.Errorf("searched %d times", m.finds)
		}
	})
}

func TestLateSummaryIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2", "/s/3")
		m.slow["/s/2"] = 5 * time.Second
		d := start(t, m)
		d.WantText("reading…")
		m.slow["/s/2"] = 0
		m.survey.Places = m.survey.Places[:2]
		d.Press("R")
		d.Advance(10 * time.Second)
		d.WantNoText("/s/3", "context canceled", "reading…")
		if l := line(d, "/s/2"); !strings.Contains(l, "3/100") {
			t.Errorf("the row shows the earlier read: %q", l)
		}
	})
}

func TestHostilePathsAreShownAsTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, newMachine("/s/1", "/s/\x1b]0;evil\x07\u202E"))
		d.Press("\\", "\\")
		d.WantText("<ESC>]0;evil<BEL><U+202E>")
		if strings.Contains(d.View().Content, "\x1b]") {
			t.Error("a sequence out of a path reaches the terminal")
		}
	})
}

func TestMouseChoosesAndOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMachine("/s/1", "/s/2")
		d := start(t, m)
		d.WantText(">* /s/1")
		d.Send(tea.MouseClickMsg{X: 5, Y: 4, Button: tea.MouseLeft})
		d.WantText(">  /s/2")
		d.Send(tea.MouseClickMsg{X: 5, Y: 4, Button: tea.MouseLeft})
		if !slices.Equal(m.followed, []memory.StoreID{"/s/1", "/s/2"}) {
			t.Errorf("followed %v", m.followed)
		}
	})
}

// TestAClickOnAColumnSortsByIt and one on the first column puts the stores back into groups.
func TestAClickOnAColumnSortsByIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, newMachine("/s/1", "/s/2"))
		d.Press("\\", "\\")
		click := func(title string) {
			t.Helper()
			for y, line := range strings.Split(d.Screen(), "\n") {
				if before, _, ok := strings.Cut(line, title); ok && strings.Contains(line, "Full") {
					d.Send(tea.MouseClickMsg{X: ansi.StringWidthWc(before), Y: y, Button: tea.MouseLeft})
					return
				}
			}
			t.Fatalf("no column %q:\n%s", title, d.Screen())
		}
		for title, order := range map[string]string{
			"Holds": "records", "Full": "fullest", "Findings": "findings", "Written": "last written",
			"At start": "size at start",
		} {
			click(title)
			d.WantText("sort "+order, "Sorted by "+order)
		}
		click("Store")
		d.WantText("In groups")
		d.WantNoText("sort size")
	})
}

func TestCopyTakesThePath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, newMachine("/s/1", "/s/2"))
		d.Press("j", "y")
		if got := d.Clipboard(); got != "/s/2" {
			t.Errorf("copied %q", got)
		}
	})
}

func TestHostilePathIsNotCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, newMachine("/s/a\n:(){ :|:& };:\n"))
		d.WantText("/s/a<LF>:(){ :|:& };:<LF>")
		d.Press("y")
		d.WantText("Not copied")
		if got := d.Clipboard(); got != "" {
			t.Errorf("the clipboard has %q", got)
		}
	})
}
