package tui_test

import (
	"context"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui"
	"winnow/tui/msg"
)

// slowFollower delivers the first state of a store after a while.
type slowFollower struct{ tui.Follower }

func (f slowFollower) Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot {
	out := make(chan memory.Snapshot)
	in := f.Follower.Follow(ctx, id)
	go func() {
		defer close(out)
		for wait := 5 * time.Second; ; wait = 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
			s, ok := <-in
			if !ok {
				return
			}
			select {
			case out <- s:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func TestKeysTypedWhileAStoreOpensAreNotLost(t *testing.T) {
	slow := func(c *tui.Config) { c.Follower = slowFollower{c.Follower} }
	curate(t, slow, func(t *testing.T, p *curated) {
		p.Press("/")
		p.Type("tests")
		p.Press("enter", "d")
		p.WantNoText("tests")
		p.Advance(6 * time.Second)
		p.wantApplied(t, 1)
		if got := p.b.Applied()[0].Changes[0].ID; got != "tests" {
			t.Errorf("deleted is %q", got)
		}
	})
	curate(t, slow, func(t *testing.T, p *curated) {
		p.Press("/")
		p.Send(tea.PasteMsg{Content: "doc"})
		p.Press("?") // is a part of the text by now
		p.Advance(6 * time.Second)
		p.WantText("/ doc?")
	})
	curate(t, slow, func(t *testing.T, p *curated) {
		p.Press("?") // help needs no store
		p.WantText("Keys: Records")
	})
}

// notedFollower notes which stores are opened.
type notedFollower struct {
	tui.Follower
	opened *[]memory.StoreID
}

func (f notedFollower) Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot {
	*f.opened = append(*f.opened, id)
	return f.Follower.Follow(ctx, id)
}

func TestStoresAreChosenByKeysTypedBeforeTheyWereFound(t *testing.T) {
	var opened []memory.StoreID
	nothingYet := func(c *tui.Config) {
		c.Store, c.Follower = "", notedFollower{c.Follower, &opened}
	}
	began := msg.Began{Store: "/s", Survey: memory.Survey{Places: []memory.Place{
		{Store: "/s", System: "first", Exists: true},
		{Store: "/other", System: "second", Path: "/other", Exists: true},
	}}}
	curate(t, nothingYet, func(t *testing.T, p *curated) {
		p.Press("S")
		p.Type("other")
		p.Press("enter")
		p.Send(began)
		p.Advance(time.Second)
		if want := []memory.StoreID{"/s", "/other"}; !slices.Equal(opened, want) {
			t.Errorf("opened were %q, want %q", opened, want)
		}
	})
	curate(t, nothingYet, func(t *testing.T, p *curated) {
		p.Press("?")
		p.Send(began)
		p.Advance(time.Second)
		p.WantText("Keys: No store") // it was not about another store
	})
}
