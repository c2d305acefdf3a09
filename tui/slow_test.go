package tui_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/tuitest"
)

// TestLongChangeIsToldOf until it ends; one that is quick is not.
func TestLongChangeIsToldOf(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.PlanGate = make(chan struct{})
		p.Press("d")
		p.Advance(200 * time.Millisecond)
		p.WantNoText("Planning")
		p.Advance(200 * time.Millisecond)
		p.WantText("Planning the change… Keys still work.")
		p.b.Gate = make(chan struct{})
		close(p.b.PlanGate)
		p.Advance(time.Millisecond)
		p.WantNoText("Planning")
		p.Advance(400 * time.Millisecond)
		p.WantText("Saving… Keys still work.")
		close(p.b.Gate)
		p.Advance(time.Millisecond)
		p.WantNoText("Saving… Keys still work.")
		p.WantText(`Delete: "fetch"`)
		p.Press("u")
		p.Advance(400 * time.Millisecond)
		p.WantNoText("Planning", "Saving")
	})
}

// gated reads sessions once its gate is closed.
type gated struct {
	*fakes
	gate chan struct{}
}

func (g gated) SessionsOf(ctx context.Context, id memory.StoreID) ([]memory.SessionSummary, error) {
	select {
	case <-g.gate:
		return g.fakes.SessionsOf(ctx, id)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestTheListOfSessionsOpensBeforeTheyAreRead, and one that was closed meanwhile stays closed.
func TestTheListOfSessionsOpensBeforeTheyAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		app, _ := wholeProgram(
			t,
			keymap.Default(),
			func(c *tui.Config) { c.Sessions = gated{c.Sessions.(*fakes), gate} },
		)
		d := tuitest.New(t, app, 100, 30)
		d.Advance(time.Second)
		d.Press("W")
		d.Advance(time.Millisecond)
		d.WantText("Reading the sessions of this project …")
		d.Press("esc")
		d.Advance(time.Millisecond)
		d.WantNoText("Reading the sessions", "1 session")
		d.Press("W")
		close(gate)
		d.Advance(time.Millisecond)
		d.WantText("1 session", "succeeded", "deploy")
	})
}
