package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/theme"
)

// TestAButtonIsWhereItsNameIs: the cells of a button are those that show its name.
func TestAButtonIsWhereItsNameIs(t *testing.T) {
	l := Look{Theme: theme.New(theme.Options{Name: theme.Mono}), Now: testNow}
	names := []string{"Mine (m)", "Theirs (t)", "Both (b)", "Cancel (Esc)"}
	for _, size := range [][2]int{{120, 30}, {80, 19}, {80, 60}, {66, 12}, {20, 5}} {
		for focus := range names {
			w, h := size[0], size[1]
			d := Conflict{Change: editChange()}.Dialog(l, w, h)
			d.Buttons, d.Focus = names, focus
			shown := make([]string, len(names))
			for y, line := range strings.Split(ansi.Strip(d.Render(l.Theme, h)), "\n") {
				for x := range Width(line) {
					if b := d.At(l.Theme, h, x, y).Button; b >= 0 {
						shown[b] += ansi.Cut(line, x, x+1)
					}
				}
			}
			for i, want := range names {
				if got := strings.Trim(shown[i], "[] ."); got != want && w > 20 {
					t.Errorf("%dx%d: button %d is on %q, want %q", w, h, i, got, want)
				}
			}
			if got := strings.Trim(shown[focus], "[] ."); w == 20 && !strings.HasPrefix(names[focus], got) {
				t.Errorf("%dx%d: the button with the focus is on %q, want %q", w, h, got, names[focus])
			}
		}
	}
}

// TestARowIsWhereItIsShown, also when the rows are scrolled.
func TestARowIsWhereItIsShown(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	rows := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	d, _ := newDialog("x", 80, dialogWide)
	d.setLines(rows)
	d.Head, d.First = []string{"above"}, 5
	for y, line := range strings.Split(ansi.Strip(d.Render(th, 12)), "\n") {
		p := d.At(th, 12, 2, y)
		switch shown := ansi.Cut(line, 2, 3); {
		case p.Row >= 0 && rows[p.Row] != shown:
			t.Errorf("line %d shows %q and is row %d", y, shown, p.Row)
		case y > 1 && y < 11 && p.Row != y-2+5:
			t.Errorf("line %d is row %d", y, p.Row)
		}
	}
}
