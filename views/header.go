package views

import (
	"cmp"
	"strconv"
	"strings"

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
	Short     string // in its place where it does not fit; may be empty
	Held, Cap int    // lessons that an agent would hold, and the most it keeps; 0 before they are known
	Count     string // in place of these two, where a store has no such most
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
	intro, tight := v.intro(w), v.tight(w)
	line, width = t.Strong.Render(intro), len(intro)
	for i, tab := range v.Tabs {
		text, style := tabText(i, tab, i == v.Active, tight), t.Dim
		if i == v.Active {
			style = t.Active
		}
		line, width = line+style.Render(text), width+len(text)
	}
	return line, width
}

func (v Header) intro(w int) string {
	if w >= wideHeader {
		return " winnow "
	}
	return " "
}

// tight reports whether the tabs have to be short so that there is room for the counts
// of the store.
func (v Header) tight(w int) bool {
	const counts = 25 // cells: "87/100  READ-ONLY * live "
	width := len(v.intro(w))
	for i, tab := range v.Tabs {
		width += len(tabText(i, tab, false, false))
	}
	return width+counts > w
}

// tabText is as wide for the active tab as for the others, so that tabs stay
// where they are.
func tabText(i int, title string, active, tight bool) string {
	const long, short = 6, 4
	end := " "
	if tight {
		end = ""
		if name, rest, found := strings.Cut(title, " "); len(name) > long {
			title = name[:short]
			if found {
				title += " " + rest
			}
		}
	}
	label := strconv.Itoa(i+1) + " " + title
	if active {
		return "[" + label + "]" + end
	}
	return " " + label + " " + end
}

// right returns what fits into w cells, the path cut first.
func (v Header) right(t theme.Theme, w int) string {
	if v.Path == "" {
		return ""
	}
	count, said := cmp.Or(safe.Line(v.Count), when(v.Cap > 0, "%d/%d", v.Held, v.Cap)), v.State
	fixed := func() int { return len(count) + len(said) + 3 }
	if w < fixed() {
		said, _, _ = strings.Cut(said, ",") // without when it was written
	}
	if w < fixed() {
		count = "" // how changes come, or that there can be none, matters more
	}
	if w < fixed() {
		said, _, _ = strings.Cut(said, " ")
	}
	room := w - fixed() - 4
	if room < -4 {
		return ""
	}
	path := safe.Line(v.Path)
	if short := safe.Line(v.Short); short != "" && Width(path) > room && Width(short) <= room {
		path = short
	}
	if path = cutStart(path, room); path != "" {
		path += "  "
	}
	gap := room + 4 - Width(path)
	state := t.OK
	if v.Warn {
		state = t.Warn
	}
	return pad(gap) + t.Text.Render(path) + t.Strong.Render(count) + "  " + state.Render(said)
}

// TabAt returns the tab at column x of a header of w cells.
func (v Header) TabAt(w, x int) (int, bool) {
	at, tight := len(v.intro(w)), v.tight(w)
	for i, tab := range v.Tabs {
		next := at + len(tabText(i, tab, false, tight))
		if x >= at && x < next-1 {
			return i, true
		}
		at = next
	}
	return 0, false
}
