package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/theme"
)

// TestNamesInALegendAreWhole: a name of two words, and one longer than the others, is shown in full before its text.
func TestNamesInALegendAreWhole(t *testing.T) {
	shown := ansi.Strip(strings.Join(legendLines(theme.New(theme.Options{Plain: true}), StoresLegend(), 80), "\n"))
	for _, want := range []string{" Findings  the worst", " At start  what every session is given"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
}
