package tui_test

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui"
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
