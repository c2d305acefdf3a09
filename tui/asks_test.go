package tui_test

import (
	"testing"
	"time"

	"winnow/core/memory"
)

const runs = "Claude Code runs here (pid 4711)."

// TestStoreInUseAsksForOneMoreKey: and for no more than that.
func TestStoreInUseAsksForOneMoreKey(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Asks = runs
		p.Press("d")
		p.WantText(runs, "Do it anyway (o)")
		p.Press("y")
		p.WantText("Yes, do it: o does it despite the warning", runs)
		if n := len(p.b.Applied()); n != 0 {
			t.Fatalf("%d plans applied", n)
		}
		p.Press("o")
		p.WantNoText(runs)
		if all := p.b.Applied(); len(all) != 1 || !all[0].Order.Anyway {
			t.Fatalf("applied %+v", all)
		}
		p.WantText("u to undo")
	})
}

// TestManyInAStoreInUseAreAskedAboutTwice: the one is no answer to the other.
func TestManyInAStoreInUseAreAskedAboutTwice(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Asks = runs
		p.Press("a", "d", "o")
		p.WantText("Delete 3 (y)")
		p.WantNoText(runs)
		p.Press("y")
		if all := p.b.Applied(); len(all) != 1 || !all[0].Order.Anyway || len(all[0].Changes) != 3 {
			t.Fatalf("applied %+v", all)
		}
	})
}

// TestStoreTakenIntoUseMeanwhileAsks: an agent that began after the plan was made.
func TestStoreTakenIntoUseMeanwhileAsks(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("a", "d")
		p.WantText("Delete 3 (y)")
		p.b.Asks = runs
		p.Press("y")
		p.WantText(runs)
		p.Press("esc")
		p.WantText("3 of 3")
	})
}

// TestWhatComesAlongIsNotAskedAbout: one record was chosen, and the toast tells the rest.
func TestWhatComesAlongIsNotAskedAbout(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Along = []memory.Change{{Do: memory.Deleting, ID: "docs", Companion: true}}
		p.Press("d")
		p.WantText("1 more changed with it", "1 of 1")
	})
}

// TestVerifiedEditSaysSo, also when the text was as it should be.
func TestVerifiedEditSaysSo(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.inEditor()
		p.b.Change(func(s *memory.Snapshot) {
			s.Dated = true
			s.Records[0].Created = memory.Moment{Text: "x", Time: time.Now()}
		})
		p.Advance(time.Millisecond)
		p.Press("V")
		if o := p.wantOrders(t, memory.EditOne)[0]; !o.Verified {
			t.Errorf("order %+v", o)
		}
		p.Press("e")
		p.WantText("Nothing changed: the text is the same")
	})
}

func TestFixedRecordSaysWhyItStays(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.b.Change(func(s *memory.Snapshot) { s.Records[0].Fixed = "It is written by another program." })
		p.Advance(time.Millisecond)
		for _, k := range []string{"d", "e", "E", "r"} {
			p.Press(k)
			p.WantText(": It is written by another program.")
		}
		p.wantOrders(t)
	})
}
