package tui

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
)

// click clicks on the first place of the screen that shows text.
func click(t *testing.T, d *tuitest.Driver, text string) {
	t.Helper()
	for y, line := range strings.Split(d.Screen(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			d.Send(msg.Click{X: ansi.StringWidthWc(before), Y: y})
			return
		}
	}
	t.Fatalf("nowhere on the screen: %q\n%s", text, d.Screen())
}

func TestAClickPressesAButton(t *testing.T) {
	mistake := msg.Edit{ID: "a", Text: "{"}
	guard := func(do memory.Act, ids ...memory.ID) tea.Msg { return msg.Order{Order: memory.Order{Do: do, IDs: ids}} }
	for _, tc := range []struct {
		name   string
		dialog dialog
		clicks []string
		want   []tea.Msg
	}{
		{
			"confirm",
			confirmOf(deleting("a", "b")),
			[]string{"Delete 2 (y)"},
			[]tea.Msg{msg.Apply{Plan: deleting("a", "b")}},
		},
		{"cancel", confirmOf(deleting("a", "b")), []string{"Cancel"}, nil},
		{"prune", prepared(), []string{"Remove 2 (y)"}, []tea.Msg{msg.Apply{Plan: planOf(prepared())}}},
		{"findings", found("typed"), []string{"Cancel"}, nil},
		{"mistake", newMistake(keymap.Default(), memory.ErrNotFound, mistake), []string{"Edit again"}, []tea.Msg{mistake}},
		{
			"guard",
			newGuard(keymap.Default(), threeUndone()[1:2]),
			[]string{"Keep theirs"},
			[]tea.Msg{guard(memory.Accept, "a")},
		},
		{"guard later", newGuard(keymap.Default(), threeUndone()), []string{"Later"}, nil},
		{"conflict", refusedEdit("a"), []string{"Theirs (t)"}, []tea.Msg{msg.LeftToThem{}}},
		{"conflict left", refusedEdit("a"), []string{"Cancel"}, nil},
		{"merge", merging("a", "b"), []string{"Cancel"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			drive(t, tc.dialog, func(t *testing.T, d *tuitest.Driver, s *shell) {
				for _, text := range tc.clicks {
					click(t, d, text)
				}
				if s.asks(t, tc.want...); !s.stack.empty() {
					t.Error("the dialog stays open")
				}
			})
		})
	}
}

func TestAClickBesideTheButtonsDoesNothing(t *testing.T) {
	for _, at := range []string{"Title of a", "Delete 2 ", "An agent is at work"} {
		drive(t, confirmOf(deleting("a", "b")), func(t *testing.T, d *tuitest.Driver, s *shell) {
			click(t, d, at)
			d.Send(msg.Click{X: 0, Y: 0}) // behind the dialog
			if s.asks(t); s.stack.empty() {
				t.Errorf("a click on %q closes", at)
			}
		})
	}
}

// TestAClickThatCameTooEarlyIsLost: it was meant for what stood there before.
func TestAClickThatCameTooEarlyIsLost(t *testing.T) {
	var s dialogStack
	s.push(confirmOf(deleting("a", "b")))
	for y := range 40 {
		for x := range 120 {
			if s.update(msg.Click{X: x, Y: y}); s.empty() {
				t.Fatalf("closed by a click at %d, %d", x, y)
			}
		}
	}
}

func TestAClickChoosesARow(t *testing.T) {
	drive(t, newGuard(keymap.Default(), threeUndone()), func(t *testing.T, d *tuitest.Driver, _ *shell) {
		click(t, d, "Title of b")
		d.WantText("> [ ] edited by both")
		click(t, d, "Title of b")
		d.WantText("> [x] edited by both")
		click(t, d, "Title of r")
		d.WantText("> [ ] evicted")
	})
	drive(t, newHistory(keymap.Default(), twoEntries(), ""), func(t *testing.T, d *tuitest.Driver, _ *shell) {
		click(t, d, "Another writer")
		d.WantText("> r ", "> delete Title of c")
	})
}

func TestAClickChoosesARuleOrAText(t *testing.T) {
	spare := map[memory.ID]string{"x": "not seen yet"}
	p := newPrune(keymap.Default(), nil, lessonsOf(87), spare, "")
	drive(t, p, func(t *testing.T, d *tuitest.Driver, s *shell) {
		click(t, d, "by current filter")
		s.asks(t) // no filter is set
		click(t, d, "failed only")
		d.WantText("(o) failed only")
		s.asks(t, msg.Preview{})
		got, want := p.order(), (memory.Order{Do: memory.Prune, Spare: spare, Rule: memory.Rule{Failed: true}})
		if !reflect.DeepEqual(
			got,
			want,
		) {
			t.Errorf("orders %+v, want %+v", got, want)
		}
	})
	drive(t, merging("a", "b"), func(t *testing.T, d *tuitest.Driver, s *shell) {
		click(t, d, "Body of b")
		d.WantText("* Body of b", "> Lesson")
		if s.asked = nil; s.stack.empty() {
			t.Error("closed")
		}
		click(t, d, "Body of b")
		s.asks(t) // it is chosen already
	})
}

func TestTheSecondClickOnARowOfAListDoesIt(t *testing.T) {
	drive(
		t,
		newPalette(keymap.Default(), paletteOffer{
			Kind: kindCommands, Commands: helpKeys(keymap.Default().Lessons.Sort, keymap.Default().Lessons.Raw),
		}),
		func(t *testing.T, d *tuitest.Driver, s *shell) {
			click(t, d, "as stored")
			if d.WantText("> J"); s.stack.empty() {
				t.Fatal("the first click runs it")
			}
			if click(t, d, "as stored"); !s.stack.empty() {
				t.Error("the second click does not run it")
			}
		},
	)
}
