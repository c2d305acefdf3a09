package tui_test

import (
	"testing"
	"time"
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
		p.WantText("Delete: 1 lessons")
		p.Press("u")
		p.Advance(400 * time.Millisecond)
		p.WantNoText("Planning", "Saving")
	})
}
