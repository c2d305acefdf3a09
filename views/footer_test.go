package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/keymap"
	"winnow/views/theme"
)

func footerText(v Footer, w int) []string {
	return strings.Split(ansi.Strip(v.Render(theme.New(theme.Options{Name: theme.Mono}), w)), "\n")
}

// TestALongToastIsShownWhole: it may say where a text is kept. It takes the lines of the
// hints for that, and no more than these.
func TestALongToastIsShownWhole(t *testing.T) {
	k := keymap.Default()
	path := "/home/someone/.local/state/winnow/drafts/lesson-3029230823.txt"
	v := Footer{Toast: "Nothing was changed; the text is in " + path, Page: []keymap.Binding{k.Lessons.Full}}
	lines := footerText(v, 80)
	if len(lines) != 2 || !strings.Contains(strings.Join(lines, ""), path) {
		t.Errorf("%q", lines)
	}
	v.Toast = strings.Repeat("endless words ", 100)
	if lines = footerText(v, 60); len(lines) != 2 || !strings.HasSuffix(strings.TrimRight(lines[1], " "), "…") {
		t.Errorf("%q", lines)
	}
}

// TestNewsBesideAToastCutsNothingOfIt: an ellipsis says that there is more to read.
func TestNewsBesideAToastCutsNothingOfIt(t *testing.T) {
	for _, w := range []int{60, 80, 120} {
		text := strings.Join(
			footerText(
				Footer{Toast: "Deleted 1 lesson - u to undo, or look at the history", News: "Esc lists all 7 stores"},
				w,
			),
			"\n",
		)
		if strings.Contains(text, "…") || !strings.Contains(text, "history") || !strings.Contains(text, "7 stores") {
			t.Errorf("%d cells:\n%s", w, text)
		}
	}
}

// TestHintsTakeOneRow: what does not fit is left out, the least important first, and the list of all keys stays.
func TestHintsTakeOneRow(t *testing.T) {
	k := keymap.Default()
	d, g := k.Dialog, k.Global
	v := Footer{
		Page: []keymap.Binding{d.Confirm, d.Cancel, d.Press, d.Again, d.Always, d.AlwaysAll},
		Last: []keymap.Binding{g.Help, g.Quit},
	}
	for w := 60; w < 140; w++ {
		lines := footerText(v, w)
		if strings.TrimSpace(lines[0]) != "" {
			t.Fatalf("at %d a second row: %q", w, lines)
		}
		for _, b := range []keymap.Binding{d.Confirm, d.Cancel, g.Help, g.Quit} {
			if !strings.Contains(lines[1], b.Help().Desc) {
				t.Errorf("at %d no %q: %q", w, b.Help().Desc, lines[1])
			}
		}
	}
}

// TestASentenceIsShownWholeOrNot: no dialog shows the end of a note without its
// beginning.
func TestASentenceIsShownWholeOrNot(t *testing.T) {
	v := Confirm{Planned{Plan: prunePlan(), Warn: "Written 4 s ago: an agent at work may undo this when it saves."}}
	v.Plan.Notes = []string{
		"An agent then holds 11 of at most 100 lessons, and that is as long as a note can be: 89 places are free.",
	}
	th := theme.New(theme.Options{Name: theme.Mono})
	for h := 3; h < 24; h++ {
		out := ansi.Strip(drawn(v.Dialog, "Cancel", "Prune 14 (y)")(th, 60, h))
		for begin, end := range map[string]string{"An agent then": "are free", "Written 4 s": "it saves"} {
			if strings.Contains(out, begin) != strings.Contains(out, end) {
				t.Errorf("in %d lines %q and %q are not shown together:\n%s", h, begin, end, out)
			}
		}
	}
}
