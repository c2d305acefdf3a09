package dialog

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

func press(s *Stack, keys ...string) tea.Msg {
	var last tea.Msg
	for _, k := range keys {
		if cmd := s.Update(msg.Press(k)); cmd != nil {
			last = cmd()
		}
	}
	return last
}

func screen(s *Stack) string {
	line := strings.Repeat(" ", 80)
	s.SetScreen(views.Look{Theme: theme.New(theme.Options{})}, 80, 24)
	return ansi.Strip(s.Render(strings.Repeat(line+"\n", 23) + line))
}

// cursorLine returns the row that has the cursor.
func cursorLine(s *Stack) string {
	for l := range strings.Lines(screen(s)) {
		if _, rest, ok := strings.Cut(l, "> "); ok {
			return rest
		}
	}
	return ""
}

func helpStack() *Stack {
	k := keymap.Default()
	s := &Stack{}
	s.Push(
		NewPalette(k, Offer{
			Kind: Commands, Place: "Lessons", Legend: []string{"S holds a secret"},
			Commands: helpKeys(k.Lessons.Sort, k.Lessons.Copy, k.Lessons.Raw, k.Global.Quit),
		}),
	)
	return s
}

func TestHelpRunsTheChosenAction(t *testing.T) {
	s := helpStack()
	got := press(s, "down", "down", "up", "enter")
	if k, ok := got.(tea.KeyPressMsg); !ok || k.String() != "y" || !s.Empty() {
		t.Errorf("got %v, open %v", got, !s.Empty())
	}
}

func TestHelpFindsByLettersAndByKey(t *testing.T) {
	for _, typed := range []string{"qui", "q"} {
		s := helpStack()
		press(s, strings.Split(typed, "")...)
		if !strings.Contains(cursorLine(s), "quit") {
			t.Errorf("%s: cursor on %q", typed, cursorLine(s))
		}
	}
	s := helpStack()
	if got := press(s, "z", "z", "enter"); got != nil || s.Empty() {
		t.Errorf("Enter on nothing gives %v", got)
	}
	if press(s, "esc"); !s.Empty() {
		t.Error("Esc did not close")
	}
}

// TestHelpIsGrouped by what a person wants to do, until they look for something. The cursor passes headings by.
func TestHelpIsGrouped(t *testing.T) {
	k := keymap.Default()
	keys := helpKeys(k.Lessons.Sort, k.Curate.Delete, k.Curate.Edit)
	for i := range keys {
		keys[i].Group = k.Group(keys[i].Binding)
	}
	keys[1].Off = "read-only"
	s := &Stack{}
	s.Push(NewPalette(k, Offer{Kind: Commands, Place: "Lessons", Commands: keys}))
	lines := strings.Split(screen(s), "\n")
	order := []string{"Look", "sort", "Change", "edit", "off: read-only (delete)"}
	for _, l := range lines {
		if len(order) > 0 && strings.Contains(l, order[0]) {
			order = order[1:]
		}
	}
	if len(order) > 0 {
		t.Errorf("no %q in its place:\n%s", order[0], strings.Join(lines, "\n"))
	}
	if press(s, "down"); !strings.Contains(cursorLine(s), "edit") {
		t.Errorf("the cursor is on %q", cursorLine(s))
	}
	if press(s, "e"); strings.Contains(screen(s), "Change") {
		t.Errorf("headings stay among what was found:\n%s", screen(s))
	}
}

func TestWheelMovesWithinTheList(t *testing.T) {
	s := helpStack()
	s.Update(msg.Wheel{Lines: 3})
	if !strings.Contains(cursorLine(s), "quit") {
		t.Errorf("cursor on %q", cursorLine(s))
	}
	s.Update(msg.Wheel{Lines: -300})
	if !strings.Contains(cursorLine(s), "sort") {
		t.Errorf("cursor on %q", cursorLine(s))
	}
}

func switcherStack() *Stack {
	s := &Stack{}
	s.Push(NewPalette(keymap.Default(), Offer{Open: "/a", Places: []memory.Place{
		{Store: "/a", Path: "~/projects/alpha/memory.jsonl", Exists: true},
		{Store: "/b", Path: "~/projects/beta/memory.jsonl", Exists: true},
	}}))
	return s
}

func TestSwitcherFindsByWhatIsTypedOrPasted(t *testing.T) {
	s := switcherStack()
	if got := press(s, "b", "t", "a", "enter"); got != (msg.OpenStore{Store: "/b"}) {
		t.Errorf("got %v", got)
	}
	s = switcherStack()
	s.Update(tea.PasteMsg{Content: "beta\n"})
	if got := press(s, "enter"); got != (msg.OpenStore{Store: "/b"}) {
		t.Errorf("pasted: got %v", got)
	}
}

func TestSwitcherMovesAndForgetsItsFilter(t *testing.T) {
	s := switcherStack()
	if got := press(s, "z", "z", "enter"); got != nil || s.Empty() {
		t.Errorf("Enter on nothing gives %v", got)
	}
	if got := press(s, "ctrl+u", "down", "enter"); got != (msg.OpenStore{Store: "/b"}) {
		t.Errorf("got %v", got)
	}
	s = switcherStack()
	if press(s, "esc"); !s.Empty() {
		t.Error("Esc did not close")
	}
}

func TestHintsAreThoseOfTheTopDialog(t *testing.T) {
	var s Stack
	if s.Keys() != nil {
		t.Error("an empty stack has keys")
	}
	s.Push(NewPalette(keymap.Default(), Offer{}))
	if len(s.Keys()) == 0 {
		t.Error("the switcher has no keys")
	}
}

// helpKeys are keys that do something.
func helpKeys(bindings ...keymap.Binding) []views.HelpKey {
	var list []views.HelpKey
	for _, b := range bindings {
		list = append(list, views.HelpKey{Binding: b})
	}
	return list
}
