package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/theme"
)

// TestOtherProjectsNameTheirAgentsAndTheWorst found there, at every width.
func TestOtherProjectsNameTheirAgentsAndTheWorst(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	v := homeWith(0, func(v *Home) {
		v.Names = map[memory.SystemID]string{"karnevil9": "KarnEvil9"}
		v.Rows[0].Tally, v.Rows[0].Tallied = memory.Tally{High: 3}, true
		systems := []memory.SystemID{"karnevil9", "codex"}
		v.Others = []OtherProject{{Folder: "/home/u/src/api", Systems: systems, Rows: []int{0}}}
		v.Lines = nil
		v.Arrange()
	})
	for _, w := range []int{60, 80, 120, 160} {
		out := ansi.Strip(v.Render(th, w, 60))
		for _, want := range []string{"Other projects", "~/src/api", "KarnEvil9", "3 high"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in %d cells:\n%s", want, w, out)
			}
		}
	}
}
