package views

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/safe"
	"winnow/views/theme"
)

// wideHeader is the width from which the header has the program's name.
const wideHeader = 100

// Header is the data of the first line: the tabs, and the store that is open.
type Header struct {
	Tabs   []string
	Active int

	Path      string // of the store; empty when none is open
	Held, Cap int    // lessons that an agent would hold, and the most it keeps; 0 before they are known
	State     string // "* live"
	Warn      bool   // State is a warning
}

// Render returns one line of w cells.
func (v Header) Render(t theme.Theme, w int) string {
	if w <= 0 {
		return ""
	}
	left, leftWidth := v.left(t, w)
	return Cell(left+v.right(t, w-leftWidth), w)
}

func (v Header) left(t theme.Theme, w int) (line string, width int) {
	var b strings.Builder
	intro := v.intro(w)
	b.WriteString(t.Strong.Render(intro))
	width = len(intro)
	for i, tab := range v.Tabs {
		text := tabText(i, tab, i == v.Active)
		width += len(text)
		if i == v.Active {
			b.WriteString(t.Active.Render(text))
			continue
		}
		b.WriteString(t.Dim.Render(text))
	}
	return b.String(), width
}

func (v Header) intro(w int) string {
	if w >= wideHeader {
		return " winnow "
	}
	return " "
}

// tabText is as wide for the active tab as for the others, so that tabs stay
// where they are.
func tabText(i int, title string, active bool) string {
	label := strconv.Itoa(i+1) + " " + title
	if active {
		return "[" + label + "] "
	}
	return " " + label + "  "
}

// right returns what fits into w cells, the path cut first.
func (v Header) right(t theme.Theme, w int) string {
	if v.Path == "" {
		return ""
	}
	count, said := "", v.State
	if v.Cap > 0 {
		count = strconv.Itoa(v.Held) + "/" + strconv.Itoa(v.Cap)
	}
	if w < len(count)+len(said)+3 {
		said, _, _ = strings.Cut(said, ",") // without when it was written
	}
	fixed := len(count) + len(said) + 3
	if w < fixed {
		return ""
	}
	path := cutStart(safe.Line(v.Path), w-fixed-4)
	gap := w - fixed
	if path != "" {
		gap -= Width(path) + 2
		path += "  "
	}
	state := t.OK
	if v.Warn {
		state = t.Warn
	}
	return pad(gap) + t.Text.Render(path) + t.Strong.Render(count) + "  " + state.Render(said)
}

// cutStart returns the end of s in at most w cells: the end of a path tells more
// than its beginning. It returns nothing when too little would be left.
func cutStart(s string, w int) string {
	n := Width(s)
	switch {
	case n <= w:
		return s
	case w < 8:
		return ""
	}
	return ".." + ansi.TruncateLeft(s, n-w+2, "")
}

// TabAt returns the tab that stands at column x of a header of w cells.
func (v Header) TabAt(w, x int) (int, bool) {
	at := len(v.intro(w))
	for i, tab := range v.Tabs {
		next := at + len(tabText(i, tab, false))
		if x >= at && x < next-1 {
			return i, true
		}
		at = next
	}
	return 0, false
}
