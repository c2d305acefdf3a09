package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/theme"
)

func TestTheBannerSaysFirstWhatIsMostUrgent(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	for _, c := range []struct {
		banner Banner
		want   string
	}{
		{Banner{Secrets: 1}, " A redacted secret is back in 1 record - ! to look"},
		{Banner{Secrets: 2, Undone: 3}, " A redacted secret is back in 2 records, 3 undone - ! to look"},
		{Banner{Undone: 2, Unsure: 1}, " 2 of your changes were undone by another writer - ! to look"},
		{Banner{Unsure: 1}, " It is unclear whether 1 change of yours is undone - ! to look"},
		{Banner{Unsure: 2}, " It is unclear whether 2 changes of yours are undone - ! to look"},
	} {
		c.banner.Key = "!"
		for _, w := range []int{80, 24, 8} {
			out := ansi.Strip(c.banner.Render(th, w))
			if Width(out) != w || w == 80 && strings.TrimRight(out, " ") != c.want {
				t.Errorf("%+v at %d says %q, want %q", c.banner, w, out, c.want)
			}
		}
	}
}
