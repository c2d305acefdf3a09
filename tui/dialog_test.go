package tui

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

func pressKeys(s *dialogStack, keys ...string) tea.Msg {
	var last tea.Msg
	for _, k := range keys {
		if cmd := s.update(msg.Press(k)); cmd != nil {
			last = cmd()
		}
	}
	return last
}

func stackScreen(s *dialogStack) string {
	line := strings.Repeat(" ", 80)
	s.setScreen(views.Look{Theme: theme.New(theme.Options{})}, 80, 24)
	return ansi.Strip(s.render(strings.Repeat(line+"\n", 23) + line))
}

// cursorLine returns the row that has the cursor.
func cursorLine(s *dialogStack) string {
	for l := range strings.Lines(stackScreen(s)) {
		if _, rest, ok := strings.Cut(l, "> "); ok {
			return rest
		}
	}
	return ""
}

func helpStack() *dialogStack {
	k := keymap.Default()
	s := &dialogStack{}
	s.push(
		newPalette(k, paletteOffer{
			Kind: kindCommands, Place: "Lessons", Legend: []string{"S holds a secret"},
			Commands: helpKeys(k.Lessons.Sort, k.Lessons.Copy, k.Lessons.Raw, k.Global.Quit),
		}),
	)
	return s
}

func TestHelpRunsTheChosenAction(t *testing.T) {
	s := helpStack()
	got := pressKeys(s, "down", "down", "up", "enter")
	if k, ok := got.(tea.KeyPressMsg); !ok || k.String() != "y" || !s.empty() {
		t.Errorf("got %v, open %v", got, !s.empty())
	}
}

func TestHelpFindsByLettersAndByKey(t *testing.T) {
	for _, typed := range []string{"qui", "q"} {
		s := helpStack()
		pressKeys(s, strings.Split(typed, "")...)
		if !strings.Contains(cursorLine(s), "quit") {
			t.Errorf("%s: cursor on %q", typed, cursorLine(s))
		}
	}
	s := helpStack()
	if got := pressKeys(s, "z", "z", "enter"); got != nil || s.empty() {
		t.Errorf("Enter on nothing gives %v", got)
	}
	if pressKeys(s, "esc"); !s.empty() {
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
	s := &dialogStack{}
	s.push(newPalette(k, paletteOffer{Kind: kindCommands, Place: "Lessons", Commands: keys}))
	lines := strings.Split(stackScreen(s), "\n")
	order := []string{"Look", "sort", "Change", "edit", "off: read-only (delete)"}
	for _, l := range lines {
		if len(order) > 0 && strings.Contains(l, order[0]) {
			order = order[1:]
		}
	}
	if len(order) > 0 {
		t.Errorf("no %q in its place:\n%s", order[0], strings.Join(lines, "\n"))
	}
	if pressKeys(s, "down"); !strings.Contains(cursorLine(s), "edit") {
		t.Errorf("the cursor is on %q", cursorLine(s))
	}
	if pressKeys(s, "e"); strings.Contains(stackScreen(s), "Change") {
		t.Errorf("headings stay among what was found:\n%s", stackScreen(s))
	}
}

func TestWheelMovesWithinTheList(t *testing.T) {
	s := helpStack()
	s.update(msg.Wheel{Lines: 3})
	if !strings.Contains(cursorLine(s), "quit") {
		t.Errorf("cursor on %q", cursorLine(s))
	}
	s.update(msg.Wheel{Lines: -300})
	if !strings.Contains(cursorLine(s), "sort") {
		t.Errorf("cursor on %q", cursorLine(s))
	}
}

func switcherStack() *dialogStack {
	s := &dialogStack{}
	s.push(newPalette(keymap.Default(), paletteOffer{Open: "/a", Places: []memory.Place{
		{Store: "/a", Path: "~/projects/alpha/memory.jsonl", Exists: true},
		{Store: "/b", Path: "~/projects/beta/memory.jsonl", Exists: true},
	}}))
	return s
}

func TestSwitcherFindsByWhatIsTypedOrPasted(t *testing.T) {
	s := switcherStack()
	if got := pressKeys(s, "b", "t", "a", "enter"); got != (msg.OpenStore{Store: "/b"}) {
		t.Errorf("got %v", got)
	}
	s = switcherStack()
	s.update(tea.PasteMsg{Content: "beta\n"})
	if got := pressKeys(s, "enter"); got != (msg.OpenStore{Store: "/b"}) {
		t.Errorf("pasted: got %v", got)
	}
}

func TestSwitcherMovesAndForgetsItsFilter(t *testing.T) {
	s := switcherStack()
	if got := pressKeys(s, "z", "z", "enter"); got != nil || s.empty() {
		t.Errorf("Enter on nothing gives %v", got)
	}
	if got := pressKeys(s, "ctrl+u", "down", "enter"); got != (msg.OpenStore{Store: "/b"}) {
		t.Errorf("got %v", got)
	}
	s = switcherStack()
	if pressKeys(s, "esc"); !s.empty() {
		t.Error("Esc did not close")
	}
}

func TestHintsAreThoseOfTheTopDialog(t *testing.T) {
	var s dialogStack
	if s.keys() != nil {
		t.Error("an empty stack has keys")
	}
	s.push(newPalette(keymap.Default(), paletteOffer{}))
	if len(s.keys()) == 0 {
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
