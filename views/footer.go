package views

import (
	"strings"

	"winnow/keymap"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Footer is the data of the three bottom lines: a toast, and two lines of hints.
type Footer struct {
	Toast  string
	Failed bool // Toast reports a failure
	// News is what another writer did. It is shown to the right of the toast, which is cut first.
	News string
	// Page and Global are the bindings that currently do something. Those that do not fit into
	// their line are dropped from the end. Without Global, Page continues in the second line.
	Page, Global []keymap.Binding
	// Last is shown at the right end of the second line, whatever the width.
	Last []keymap.Binding
}

// footerLines is how many lines a Footer takes.
const footerLines = 3

// Render returns three lines of w cells. A long toast covers the hints until it is gone.
func (v Footer) Render(t theme.Theme, w int) string {
	first, left := hints(t, v.Page, nil, w)
	if len(v.Global) > 0 {
		left = v.Global
	}
	second, _ := hints(t, left, v.Last, w)
	return Fill(t, append(v.toast(t, w), first, second), w, footerLines)
}

// toast returns at most three lines. News is at the right end of the first line, or below if that
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

// hints returns one line with as many bindings as fit and last at its right end, and the bindings
// that did not fit.
func hints(t theme.Theme, list, last []keymap.Binding, w int) (string, []keymap.Binding) {
	end := ""
	for _, b := range last {
		if Width(end+hint(t, b)) > w {
			break
		}
		end += hint(t, b)
	}
	line := ""
	var left []keymap.Binding
	for _, b := range list {
		switch {
		case !b.Enabled():
		case Width(line+hint(t, b)+end) > w:
			left = append(left, b)
		default:
			line += hint(t, b)
		}
	}
	line = strings.TrimPrefix(line, " ") // one is enough before the first
	if end == "" {
		return Cell(t, line, w), left
	}
	return Cell(t, Cell(t, line, max(w-Width(end)-1, 0))+end, w), left
}

// hint returns a key and what it does, behind a gap.
func hint(t theme.Theme, b keymap.Binding) string {
	h := b.Help()
	return "  " + t.Accent.Render(h.Key) + " " + t.Dim.Render(h.Desc)
}
