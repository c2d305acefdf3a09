package views

import (
	"strings"

	"winnow/keymap"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Footer is the data of the two bottom lines: a toast, and the hints.
type Footer struct {
	Toast  string
	Failed bool // Toast reports a failure
	// News is what another writer did. It is shown to the right of the toast, which is cut first.
	News string
	// Page are the bindings that matter now, the most important first. Those that do not fit are left out.
	Page []keymap.Binding
	// Then follow them, and are left out after them.
	Then []keymap.Binding
	// Last is shown at the right end of the last line, whatever the width.
	Last []keymap.Binding
}

// footerLines is how many lines a Footer takes.
const footerLines = 2

// Render returns two lines of w cells. A long toast covers the hints until it is gone.
func (v Footer) Render(t theme.Theme, w int) string {
	return Fill(t, append(v.toast(t, w), v.hints(t, w)), w, footerLines)
}

// toast returns at most two lines. News is at the right end of the first line, or below if that
// is too narrow.
func (v Footer) toast(t theme.Theme, w int) []string {
	news := textIf(v.News != "", " %s ", t.Info.Render(truncate(t, safe.Line(v.News), max(w-2, 1))))
	if v.Toast == "" {
		return []string{Cell(t, "", w-Width(news)) + news}
	}
	text, style := safe.Line(v.Toast), t.Info
	if v.Failed {
		text, style = "! "+text, t.Danger
	}
	room, most, apart := max(w-2, 1), footerLines, false
	if beside := room - Width(news); beside >= toastLeast {
		room = beside
	} else if news != "" {
		most, apart = footerLines-1, true
	}
	lines := wrapAtMost(t, text, room, most)
	for i, l := range lines {
		lines[i] = " " + style.Render(l)
	}
	if apart {
		return append(lines, news)
	}
	lines[0] = Cell(t, lines[0], w-Width(news)) + news
	return lines
}

// toastLeast is the minimum width of a toast beside news.
const toastLeast = 30

// hints returns one line with as many bindings as fit, and the last ones at its right end.
func (v Footer) hints(t theme.Theme, w int) string {
	end := hintsIn(t, v.Last, w)
	then := hintsIn(t, v.Then, w-Width(end))
	line := hintsIn(t, v.Page, w-Width(end)-Width(then)) + then
	line = strings.TrimPrefix(line, " ") // one is enough before the first
	if end == "" {
		return Cell(t, line, w)
	}
	return Cell(t, Cell(t, line, max(w-Width(end)-1, 0))+end, w)
}

// hintsIn returns the bindings that fit into w cells, each behind a gap.
func hintsIn(t theme.Theme, list []keymap.Binding, w int) (line string) {
	for _, b := range list {
		if b.Enabled() && Width(line+hint(t, b)) <= w {
			line += hint(t, b)
		}
	}
	return line
}

// hint returns a key and what it does, behind a gap.
func hint(t theme.Theme, b keymap.Binding) string {
	h := b.Help()
	return "  " + t.Accent.Render(h.Key) + " " + t.Dim.Render(h.Desc)
}
