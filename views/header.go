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
	Held, Cap int    // lessons an agent would hold, and its maximum; 0 while unknown
	Count     string // replaces these two if the store has no maximum
	State     string // "* live"
	Warn      bool   // State is a warning
}

// Render returns one line of w cells. The tabs lose their titles before the store loses its name.
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
	return Cell(t, line+v.right(t, w-width, name == ""), w)
}

// tabWords says how much of their titles the tabs show.
type tabWords uint8

const (
	allWords    tabWords = iota
	shortWords           // the first letters of long ones
	activeWords          // only the title of the active tab, and counts
	noWords
)

// mostName is the maximum width of the name of a store in a narrow line.
const mostName = 24

// fitted returns how much the tabs show in w cells, the text before them, and the name of the store
// if that comes before them because its path does not fit after them.
func (v Header) fitted(t theme.Theme, w int) (words tabWords, intro, name string) {
	const counts, state = 25, 12 // cells: "87/100  READ-ONLY * live " and " READ-ONLY"
	intro = cmp.Or(textIf(w >= wideHeader, " winnow "), " ")
	short, room := v.shortName(), w-len(intro)
	if short != "" {
		room -= leastShort(short) + counts
	}
	for words < noWords && v.tabsWidth(words) > room {
		words++
	}
	if words < activeWords || short == "" {
		return words, intro, ""
	}
	return words, intro, cutFront(t, short, max(min(w-v.tabsWidth(words)-state-1, max(mostName, w/2)), 8)) + "  "
}

// shortName returns the name of the store in few cells.
func (v Header) shortName() string { return safe.Line(cmp.Or(v.Short, v.Path)) }

// leastShort returns the minimum width of the name of a store, including the gap after it.
func leastShort(short string) int { return min(Width(short), mostName) + 2 }

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
	const long, short = 6, 4
	title, active := v.Tabs[i], i == v.Active
	name, badge, counted := strings.Cut(title, " ")
	label := strconv.Itoa(i + 1)
	switch {
	case words == noWords:
		label += textIf(strings.HasSuffix(badge, "!"), "!")
	case words == activeWords && !active:
		label += textIf(counted, ":%s", badge)
	case words == shortWords && len(name) > long:
		label += " " + name[:short] + textIf(counted, " %s", badge)
	default:
		label += " " + title
	}
	if active {
		return "[" + label + "]" + textIf(words == allWords, " ")
	}
	return " " + label + " " + textIf(words == allWords, " ")
}

// right returns the right end of the line in w cells. If named is set, it includes the path of the
// store, which is shortened last.
func (v Header) right(t theme.Theme, w int, named bool) string {
	if v.Path == "" {
		return ""
	}
	short, least := v.shortName(), 0
	if named {
		least = leastShort(short)
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
	if named {
		if path = safe.Line(v.Path); Width(path)+2 > room() {
			path = cutFront(t, short, max(room()-2, 0))
		}
		path += "  "
	}
	style := t.OK
	if v.Warn {
		style = t.Warn
	}
	return pad(room()-Width(path)) + " " + t.Text.Render(path) + t.Strong.Render(count) + "  " + style.Render(state)
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
