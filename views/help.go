package views

import (
	"strconv"
	"strings"

	"winnow/keymap"
	"winnow/views/safe"
	"winnow/views/theme"
)

// HelpKey is a binding in the help.
type HelpKey struct {
	Binding keymap.Binding
	Off     string // why it does nothing now; empty when it does something
}

// OffText says what a key does, and why it does nothing now: "Edit: the store is
// read-only". It only names the action when there is no reason.
func OffText(b keymap.Binding, why string) string {
	if why == "" {
		return b.Help().Desc
	}
	return sentence(b.Help().Desc) + ": " + why
}

// Help is the data of the help overlay: the bindings of the place that it was opened in.
type Help struct {
	Place  string // "Lessons"
	Keys   []HelpKey
	Cursor int
	Filter string
	Typing bool // the filter is being typed
	// Legend explains letters and signs of the place, below the list where there is
	// room for both.
	Legend []string
}

// Render returns a box of at most w by h cells.
func (v Help) Render(t theme.Theme, w, h int) string { return v.box(t).render(t, w, h) }

// SpotAt returns what stands at a cell of the box that Render returns for w and h. A
// row is a binding.
func (v Help) SpotAt(t theme.Theme, w, h, x, y int) Spot { return v.box(t).at(t, w, h, x, y) }

func (v Help) box(t theme.Theme) listBox {
	return listBox{
		title:  "Keys: " + v.Place,
		filter: v.Filter, typing: v.Typing, cursor: v.Cursor, n: len(v.Keys),
		row:    func(i, w int) string { return v.row(t, i, w) },
		foot:   "Enter does it   / filter   Esc close",
		legend: v.Legend,
	}
}

func (v Help) row(t theme.Theme, i, w int) string {
	const keys = 16
	b := v.Keys[i].Binding
	names := keyNames(b)
	if len(names) > keys {
		names = b.Help().Key
	}
	desc, style := b.Help().Desc, t.Text
	if why := v.Keys[i].Off; why != "" {
		desc, style = "off: "+why+" ("+desc+")", t.Dim
	}
	if i == v.Cursor {
		return t.Selection.Render(Cell("> "+Cell(names, keys)+"  "+desc, w))
	}
	return Cell("  "+t.Accent.Render(Cell(names, keys))+"  "+style.Render(desc), w)
}

// keyNames returns the names of all keys of a binding as they are printed.
func keyNames(b keymap.Binding) string {
	named := strings.NewReplacer("enter", "Enter", "esc", "Esc", "tab", "Tab", "ctrl+", "ctrl-", "shift+", "shift-",
		"alt+", "alt-", "pgdown", "PgDn", "pgup", "PgUp", "home", "Home", "end", "End")
	return named.Replace(strings.Join(b.Keys(), " "))
}

// listBox is a box with a list that one can filter: help and the switcher.
type listBox struct {
	title, filter, foot, empty string
	typing                     bool
	cursor, n                  int
	row                        func(i, w int) string
	legend                     []string
}

// listHead is how many lines of a listBox stand above its rows.
const listHead = 3

// window returns the size of the box, the first of its rows and how many it shows, and
// the legend below them when there is room for it.
func (v listBox) window(t theme.Theme, w, h int) (bw, bh, first, rows int, legend []string) {
	const least = 6 // rows that a legend leaves
	bw = min(76, w)
	legend = legendLines(t, v.legend, max(bw-2, 0))
	if h < least+5+len(legend) {
		legend = nil
	}
	bh = min(max(v.n, 1)+5+len(legend), h)
	rows = max(bh-5-len(legend), 0)
	return bw, bh, min(max(v.cursor-rows/2, 0), max(v.n-rows, 0)), rows, legend
}

// at returns the row at a cell.
func (v listBox) at(t theme.Theme, w, h, x, y int) Spot {
	bw, _, first, rows, _ := v.window(t, w, h)
	row := y - listHead
	if row < 0 || row >= rows || first+row >= v.n || x < 1 || x >= bw-1 {
		return nowhere
	}
	return Spot{Button: -1, Row: first + row}
}

func (v listBox) render(t theme.Theme, w, h int) string {
	bw, bh, first, rows, legend := v.window(t, w, h)
	inner := max(bw-2, 0)
	lines := []string{v.filterLine(t), ""}
	for i := first; i < min(first+rows, v.n); i++ {
		lines = append(lines, v.row(i, inner))
	}
	if v.n == 0 {
		lines = append(lines, " "+t.Warn.Render(v.nothing()))
	}
	for len(lines) < rows+2 {
		lines = append(lines, "")
	}
	lines = append(append(lines, legend...), " "+t.Dim.Render(v.foot))
	right := ""
	if v.n > rows {
		right = strconv.Itoa(v.cursor+1) + " of " + strconv.Itoa(v.n)
	}
	return Pane{Title: v.title, Right: right, Focused: true, Lines: lines}.Render(t, bw, bh)
}

// legendLines returns a legend in lines of w cells, below a rule.
func legendLines(t theme.Theme, legend []string, w int) []string {
	if len(legend) == 0 {
		return nil
	}
	lines := []string{rule(t, w, "what letters and signs mean")}
	for _, l := range legend {
		name, text, _ := strings.Cut(l, " ")
		for i, s := range Wrap(text, max(w-9, 1)) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, " "+t.Accent.Render(Cell(name, 7))+" "+t.Text.Render(s))
		}
	}
	return lines
}

func (v listBox) filterLine(t theme.Theme) string {
	if v.filter == "" && !v.typing {
		return " " + t.Dim.Render("/ to filter")
	}
	line := " " + t.Accent.Render("/") + " " + t.Text.Render(safe.Line(v.filter))
	if v.typing {
		line += t.Selection.Render(" ")
	}
	return line
}

func (v listBox) nothing() string {
	if v.filter == "" && v.empty != "" {
		return v.empty
	}
	return "Nothing matches"
}
