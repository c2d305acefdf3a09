package views

import (
	"cmp"
	"strconv"
	"strings"

	"winnow/views/safe"
	"winnow/views/theme"
)

// wideHeader is the width from which the header shows the program's name.
const wideHeader = 100

// Header is the data of the first line: the tabs and the open store.
type Header struct {
	Tabs   []string
	Active int

	Path      string // path of the store; empty if none is open
	Short     string // name of the store, used if the path does not fit; may be empty
	Brief     string // that name without its system, used if Short does not fit; may be empty
	Held, Cap int    // lessons an agent would hold, and its maximum; 0 while unknown
	Count     string // replaces these two if the store has no maximum
	State     string // "* live"
	Warn      bool   // State is a warning
}

// Render returns one line of w cells. Where the names of all tabs fit, they stay whole, and the path of the store
// and the counters give way. On narrower lines the tabs lose their names before the store loses its own.
func (v Header) Render(t theme.Theme, w int) string {
	if w <= 0 {
		return ""
	}
	words, intro, name := v.fitted(t, w)
	line := t.Strong.Render(intro) + t.Text.Render(name)
	width := Width(intro) + Width(name)
	for i := range v.Tabs {
		text, style := v.tab(i, words), t.Dim
		if i == v.Active {
			style = t.Accent
		}
		line, width = line+style.Render(text), width+len(text)
	}
	least := 0
	if name == "" {
		least = v.leastName()
	}
	if words == closeWords {
		least = min(least, briefName)
	}
	return Cell(t, line+v.right(t, w-width, least), w)
}

// tabWords says how much of their titles the tabs show.
type tabWords uint8

const (
	allWords    tabWords = iota
	closeWords           // all titles, close to each other
	activeWords          // only the title of the active tab, and counts
	noWords
)

const (
	mostName  = 24 // the maximum width of the name of a store in a narrow line
	briefName = 14 // the width it has at least beside the whole names of all tabs, including the gap after it
)

// fitted returns how much the tabs show in w cells, the text before them, and the name of the store
// if that comes before them because its path does not fit after them.
func (v Header) fitted(t theme.Theme, w int) (words tabWords, intro, name string) {
	const counts, state = 25, 12 // cells: "87/100  READ-ONLY * live " and " READ-ONLY"
	const brief = 4 + 9 + 8      // gaps, "READ-ONLY", and a few letters of a name
	intro = cmp.Or(textIf(w >= wideHeader, " winnow "), " ")
	short, room := v.shortName(), w-len(intro)
	if short == "" {
		for words < noWords && v.tabsWidth(words) > room {
			words++
		}
		return words, intro, ""
	}
	switch {
	case v.tabsWidth(allWords)+v.leastName()+counts <= room:
		return allWords, intro, ""
	case v.tabsWidth(closeWords)+brief <= room:
		return closeWords, intro, ""
	}
	words = activeWords
	if v.tabsWidth(words)+v.leastName()+counts > room {
		words = noWords
	}
	return words, intro, v.nameIn(t, max(min(w-v.tabsWidth(words)-state-1, max(mostName, w/2)), 8)) + "  "
}

// shortName returns the name of the store in few cells.
func (v Header) shortName() string { return safe.Line(cmp.Or(v.Short, v.Path)) }

// leastName returns the minimum width of the name of the store, including the gap after it.
func (v Header) leastName() int {
	return min(Width(v.shortName()), Width(safe.Line(v.Path)), mostName) + 2
}

// tabsWidth returns the cells that all tabs take.
func (v Header) tabsWidth(words tabWords) int {
	width := 0
	for i := range v.Tabs {
		width += len(v.tab(i, words))
	}
	return width
}

// tab returns the label of a tab. The active one is as wide as the others so that tabs do not move,
// unless only the active one shows its title.
func (v Header) tab(i int, words tabWords) string {
	title, active := v.Tabs[i], i == v.Active
	_, badge, counted := strings.Cut(title, " ")
	label := strconv.Itoa(i + 1)
	switch {
	case words == noWords:
		label += textIf(strings.HasSuffix(badge, "!"), "!")
	case words == activeWords && !active:
		label += textIf(counted, ":%s", badge)
	default:
		label += " " + title
	}
	if active {
		return "[" + label + "]" + textIf(words == allWords, " ")
	}
	return " " + label + " " + textIf(words == allWords, " ")
}

// right returns the right end of the line in w cells. It includes the path of the store if least is above 0, and
// shortens that to least cells before the rest, and below that last.
func (v Header) right(t theme.Theme, w, least int) string {
	if v.Path == "" {
		return ""
	}
	count, state := cmp.Or(safe.Line(v.Count), textIf(v.Cap > 0, "%d/%d", v.Held, v.Cap)), v.State
	room := func() int { return w - len(count) - len(state) - 4 }
	if room() < least {
		state, _, _ = strings.Cut(state, ",") // without the time of the last write
	}
	if room() < least {
		count = "" // how changes arrive, or that none can, matters more
	}
	if room() < least {
		state, _, _ = strings.Cut(state, " ")
	}
	path := ""
	if least > 0 {
		path = v.pathIn(t, max(room()-2, 0)) + "  "
	}
	style := t.OK
	if v.Warn {
		style = t.Warn
	}
	return pad(room()-Width(path)) + " " + t.Text.Render(path) + t.Strong.Render(count) + "  " + style.Render(state)
}

// pathIn returns the path of the store in at most w cells, or else its name.
func (v Header) pathIn(t theme.Theme, w int) string {
	if path := safe.Line(v.Path); Width(path) <= w {
		return path
	}
	return v.nameIn(t, w)
}

// nameIn returns the name of the store in at most w cells. It loses its system first, and then its end.
func (v Header) nameIn(t theme.Theme, w int) string {
	if short := v.shortName(); Width(short) <= w {
		return short
	}
	return truncate(t, cmp.Or(safe.Line(v.Brief), v.shortName()), w)
}

// TabAt returns the tab at column x of a header of w cells.
func (v Header) TabAt(t theme.Theme, w, x int) (int, bool) {
	words, intro, name := v.fitted(t, w)
	at := Width(intro) + Width(name)
	for i := range v.Tabs {
		next := at + len(v.tab(i, words))
		if x >= at && x < max(next-1, at+1) {
			return i, true
		}
		at = next
	}
	return 0, false
}
