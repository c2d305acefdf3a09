package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/theme"
)

// spotted is a dialog in which one can click.
type spotted interface {
	Render(t theme.Theme, w, h int) string
	SpotAt(t theme.Theme, w, h, x, y int) Spot
}

func spottedDialogs() map[string]struct {
	view    spotted
	buttons []string
} {
	deleting := memory.Plan{Order: memory.Order{Do: memory.Delete}, Changes: deletions(60), Kept: keptLessons()}
	guard := Guard{Undone: undoneLessons(), Now: testNow}
	compared := guard
	compared.Compare = true
	return map[string]struct {
		view    spotted
		buttons []string
	}{
		"confirm":  {Confirm{Plan: deleting, Now: testNow, Offset: 3}, []string{"Cancel", "Delete 60 (y)"}},
		"findings": {Findings{Findings: typedFindings(), Edit: true}, []string{"Edit again (e)", "Store as it is (o)", "Cancel"}},
		"typed":    {Findings{Findings: typedFindings(), Focus: 2}, []string{"", "Store as it is (o)", "Cancel"}},
		"mistake":  {Mistake{What: "line 3"}, []string{"Edit again (e)", "Leave it (Esc)"}},
		"conflict": {Conflict{Change: editChange(), Both: true}, []string{"Mine (m)", "Theirs (t)", "Both (b)", "Cancel (Esc)"}},
		"merge":    {mergeOf(3), []string{"Cancel", "Merge 3 (y)"}},
		"prune":    {Prune{Days: 30, Keep: 60, Plan: prunePlan(), Focus: 1, Now: testNow}, []string{"Cancel", "Remove 14 (y)"}},
		"guard":    {guard, []string{"Do mine again (a)", "Keep theirs (t)", "Always (w)", "Later (Esc)"}},
		"compared": {compared, []string{"Mine (m)", "Theirs (t)", "Back (Esc)"}},
		"history":  {History{History: typicalHistory(), Now: testNow}, nil},
		"ignore":   {Ignoring{Finding: typedFindings()[0]}, []string{"Cancel (Esc)", "Ignore it (Enter)"}},
		"ignored":  {Ignoring{Finding: typedFindings()[0], Ignored: &memory.Ignore{Reason: "x"}, Focus: IgnoreCancel}, []string{"Cancel (Esc)", "Take it back (y)"}},
		"export":   {Exporting{Formats: []string{"md", "json"}, Path: "a.md"}, []string{"Cancel (Esc)", "Write (Enter)"}},
		"help":     {Help{}, nil},
		"switcher": {Switcher{Places: []memory.Place{{Path: "a"}, {Path: "b"}}}, nil},
	}
}

// TestAButtonIsWhereItsNameIs: the cells of a button are those that show its name.
func TestAButtonIsWhereItsNameIs(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	for name, d := range spottedDialogs() {
		for _, size := range [][2]int{{120, 30}, {80, 19}, {80, 60}, {66, 12}} {
			shown := make([]string, len(d.buttons))
			w, h := size[0], size[1]
			lines := strings.Split(ansi.Strip(d.view.Render(th, w, h)), "\n")
			for y, line := range lines {
				if y != 1 && y < len(lines)-3 {
					continue // no button is up there, and looking takes time
				}
				for x := range Width(line) {
					if b := d.view.SpotAt(th, w, h, x, y).Button; b >= 0 {
						shown[b] += ansi.Cut(line, x, x+1)
					}
				}
			}
			for i, want := range d.buttons {
				if got := strings.Trim(shown[i], "[] "); got != want {
					t.Errorf("%s %dx%d: button %d is on %q, want %q", name, w, h, i, got, want)
				}
			}
		}
	}
}

// TestEveryCellCanBeClicked in a room of any size, and near it.
func TestEveryCellCanBeClicked(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	for name, d := range spottedDialogs() {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {20, 5}, {60, 12}} {
			for y := -1; y <= size[1]; y++ {
				for x := -1; x <= size[0]; x++ {
					if s := d.view.SpotAt(th, size[0], size[1], x, y); s.Button >= max(len(d.buttons), 4) {
						t.Fatalf("%s: button %d", name, s.Button)
					}
				}
			}
		}
	}
}
