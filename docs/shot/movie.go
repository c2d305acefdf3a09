//go:build unix

package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/charmbracelet/x/vt"
)

// frame is one picture of a movie: its painted rows, and a note, which is the last of them.
type frame struct {
	columns int
	rows    []string
}

// frameOf paints a screen and a note below it.
func frameOf(screen *vt.Emulator, note string) frame {
	f := frame{columns: screen.Width()}
	for y := range screen.Height() {
		var b strings.Builder
		paintRow(&b, screen, y)
		f.rows = append(f.rows, b.String())
	}
	top := margin + (len(f.rows)+1)*cellH
	text := fmt.Sprintf(`<text x="%d" y="%d" fill="#7dcfff" font-weight="bold">%s</text>`+"\n",
		left(1), top+base, html.EscapeString(note))
	f.rows = append(f.rows, text)
	return f
}

// seconds is how long a frame is shown.
const seconds = 4

// movie returns an image that shows one frame after another, by rules of CSS that need no script. A row that stays
// the same is painted once. Where a person wants less motion, the first frame stays.
func movie(frames []frame) string {
	var b, rules, body strings.Builder
	n := len(frames)
	begin(&b, frames[0].columns, len(frames[0].rows)+1)
	known := map[string]bool{}
	for y := range frames[0].rows {
		for from := 0; from < n; {
			to := from + 1
			for to < n && frames[to].rows[y] == frames[from].rows[y] {
				to++
			}
			class := fmt.Sprintf("f%d-%d", from, to)
			if !known[class] {
				known[class] = true
				rules.WriteString(rule(class, from, to, n))
			}
			fmt.Fprintf(&body, `<g class="%s">`+"\n%s</g>\n", class, frames[from].rows[y])
			from = to
		}
	}
	rules.WriteString("@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n")
	fmt.Fprintf(&b, "<style>\n%s</style>\n", &rules)
	b.WriteString(body.String() + "</svg>\n")
	return b.String()
}

// rule returns the rules of what is seen from one frame to another of n.
func rule(class string, from, to, n int) string {
	if from == 0 && to == n {
		return ""
	}
	percent := func(frame int) float64 { return 100 * float64(frame) / float64(n) }
	first := "hidden"
	if from == 0 {
		first = "visible"
	}
	return fmt.Sprintf(".%s{visibility:%s;animation:%s %ds step-end infinite}\n", class, first, class, n*seconds) +
		fmt.Sprintf("@keyframes %s{0%%{visibility:%s}%.3f%%{visibility:visible}%.3f%%{visibility:hidden}}\n",
			class, first, percent(from), percent(to))
}
