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
	s.Push(NewHelp(k, "Lessons", helpKeys(k.Lessons.Sort, k.Lessons.Copy, k.Lessons.Raw, k.Global.Quit), []string{"S holds a secret"}))
	return s
}

func TestHelpRunsTheChosenAction(t *testing.T) {
	s := helpStack()
	got := press(s, "j", "j", "k", "enter")
	if k, ok := got.(tea.KeyPressMsg); !ok || k.String() != "y" || !s.Empty() {
		t.Errorf("got %v, open %v", got, !s.Empty())
	}
}

func TestHelpFilterTakesLettersAndIsLeftFirst(t *testing.T) {
	s := helpStack()
	press(s, "/", "q", "u")
	if !strings.Contains(cursorLine(s), "quit") {
		t.Errorf("cursor on %q", cursorLine(s))
	}
	press(s, "backspace", "backspace", "z", "z")
	if got := press(s, "enter"); got != nil || s.Empty() {
		t.Errorf("Enter on nothing gives %v", got)
	}
	press(s, "esc")
	if s.Empty() || !strings.Contains(screen(s), "copy text") {
		t.Error("Esc did not only clear the filter")
	}
	press(s, "esc")
	if !s.Empty() {
		t.Error("Esc did not close")
	}
}

func TestHelpIsClosedByItsOwnKeyAndByQuit(t *testing.T) {
	for _, k := range []string{"?", "q", "esc"} {
		s := helpStack()
		if press(s, k); !s.Empty() {
			t.Errorf("%s does not close help", k)
		}
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
