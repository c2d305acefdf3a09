package tui_test

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
)

// counted counts what wakes a model.
type counted struct {
	tea.Model
	woken int
}

func (c *counted) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	c.woken++
	_, cmd := c.Model.Update(m)
	return c, cmd
}

// TestIdleWakesOnceAMinute: however many states came before, nothing but the
// minute wakes the program.
func TestIdleWakesOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &program{f: &fakeFollower{states: map[memory.StoreID]chan memory.Snapshot{}}}
		c := &counted{Model: tui.New(t.Context(), p.config())}
		p.Driver = tuitest.New(t, c, 120, 24)
		for seq := range 20 {
			p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}, Seq: seq + 1, ModTime: time.Now()})
		}
		p.Advance(2 * time.Minute)
		c.woken = 0
		p.Advance(30 * time.Minute)
		if c.woken != 30 {
			t.Errorf("woken %d times in 30 minutes, want 30", c.woken)
		}
	})
}

func TestSearchThatRunsIsNotOneThatFoundNothing(t *testing.T) {
	late := func(c *tui.Config) { c.Store, c.Survey = "", memory.Survey{} }
	at(t, late, func(t *testing.T, p *program) {
		p.WantText("Looking for stores")
		p.WantNoText("No store")
		p.Send(msg.Found{Survey: memory.Survey{Looked: []memory.Looked{{Where: "/big"}}}})
		p.Press("space")
		p.WantText("No store was found", "/big", "searched, and no store in it")
		p.WantNoText("Looking for")
	})
}

// storeless is a page that is of use without a store.
type storeless struct{ *fakePage }

func (storeless) Storeless() bool { return true }

func TestPageThatNeedsNoStoreIsShownWithoutOne(t *testing.T) {
	none := func(c *tui.Config) {
		c.Store = ""
		c.Survey = memory.Survey{Looked: []memory.Looked{{Where: "/big"}}}
		c.Pages[2] = storeless{&fakePage{title: "Stores"}}
	}
	at(t, none, func(t *testing.T, p *program) {
		p.WantText("No store was found")
		p.Press("3", "r")
		p.WantText("Stores page", "input r")
		p.Press("2")
		p.WantText("No store was found")
	})
}
