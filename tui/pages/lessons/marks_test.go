package lessons_test

import (
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/pages/lessons"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

// TestMarkMadeWhileAStateIsFilteredIsKept: the state arrives, its rows are being
// made, and a key marks a row of the state before.
func TestMarkMadeWhileAStateIsFilteredIsKept(t *testing.T) {
	p := lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})
	p.Update(msg.Theme{Theme: theme.New(theme.Options{Name: theme.Mono})})
	p.Update(tea.WindowSizeMsg{Width: 120, Height: 24})
	p.Update(p.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: three(), Total: 3})})())
	later := append([]memory.Record{lesson(99, "just in")}, three()...)
	filter := p.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 2, Records: later, Total: 4})})
	rows := filter()
	p.Update(msg.Press("space")) // marks "fetch notes"
	p.Update(rows)
	screen := ansi.Strip(p.Render(120, 20))
	for l := range strings.Lines(screen) {
		if marked := strings.Contains(l, " x "); marked != strings.Contains(l, "fetch notes       ") {
			t.Errorf("marked %v: %s", marked, l)
		}
	}
	if !strings.Contains(screen, "1 marked") || !strings.Contains(screen, "just in") {
		t.Error("the mark or the new state is not shown")
	}
}

// TestRangeHoldsWhatItHeldWhenTheOrderChanges: the rows are sorted anew under a range that was begun, as when
// the sessions were read that say how often each record was used.
func TestRangeHoldsWhatItHeldWhenTheOrderChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		first, second, third := lesson(9, "first"), lesson(7, "second"), lesson(5, "third")
		d.show(first, second, third, lesson(3, "fourth"), lesson(1, "fifth"))
		d.Press("G", "v", "k")
		used := lesson(3, "fourth")
		used.Count.N = 99
		d.show(first, second, third, used, lesson(1, "fifth"))
		d.WantText("2 marked", "x fifth", "x fourth")
		d.WantNoText("x second", "x third", "v fourth")
	})
}

// TestRangeGoesOnWhenItHoldsTheSame: other rows came, none of them among those of the range.
func TestRangeGoesOnWhenItHoldsTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(three()...)
		d.Press("j", "v", "j")
		d.show(append(three(), lesson(20, "came first"))...)
		d.Press("v")
		d.WantText("2 marked", "x run tests", "x build docs")
	})
}

// TestOrderIsThatOfTheRowsShown: the filter line names the new order only once the rows stand in it.
func TestOrderIsThatOfTheRowsShown(t *testing.T) {
	p := lessons.New(t.Context(), lessons.Config{Keys: keymap.Default()})
	p.Update(msg.Theme{Theme: theme.New(theme.Options{Name: theme.Mono})})
	p.Update(tea.WindowSizeMsg{Width: 120, Height: 24})
	p.Update(p.Update(msg.Snapshot{Snapshot: tuitest.OfLessons(memory.Snapshot{Seq: 1, Records: three(), Total: 3})})())
	p.Update(msg.Press("o"))
	sort := p.Update(msg.Press("t"))
	if screen := ansi.Strip(p.Render(120, 20)); strings.Contains(screen, "sort Title") {
		t.Error("the order is named before the rows are sorted")
	}
	p.Update(sort())
	if screen := ansi.Strip(p.Render(120, 20)); !strings.Contains(screen, "sort Title") {
		t.Error("the order of the rows is not named")
	}
}

// TestMarksOutliveASlowReading: a state of which only a part was read replaces none
// that was read whole.
func TestMarksOutliveASlowReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		all := many(10)
		d.send(memory.Snapshot{Seq: 1, Records: all, Total: 10})
		d.Press("G", "space")
		d.send(memory.Snapshot{Seq: 2, Records: all[:5], Total: 5, Partial: true})
		d.WantText("1 marked", "10 of 10")
		d.send(memory.Snapshot{Seq: 3, Records: all, Total: 10})
		d.WantText("1 marked", ">x ")
	})
}

func TestAllAreMarkedAndInverted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(many(200)...)
		d.Press("space", "a")
		d.WantText("200 marked")
		d.Press("g", "space", "A")
		d.WantText("1 marked")
		d.Press("/")
		d.Type("7")
		d.Press("enter", "a")
		d.WantText("38 of 200  39 marked")
		d.Press("A") // takes those with a 7 away, and not the one that is hidden
		d.WantText("38 of 200  1 marked")
	})
}

func TestTasksScrollSideways(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, 120, 20)
		d.show(lesson(2, strings.Repeat("word ", 12)+"the end"), lesson(1, "short"))
		d.WantNoText("the end││")
		d.Press("l", "l", "l", "l", "l", "l", "l", "l", "l", "l")
		d.WantText("word the end  failed    2", "   …  ")
		d.Press("h", "h", "h", "h", "h", "h", "h", "h", "h", "h")
		d.WantText("short")
		d.Press("tab")
		d.WantNoText("sideways") // the detail is wrapped
	})
}
