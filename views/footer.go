package views

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/keymap"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Footer is the data of the three bottom lines: a toast, and two lines of hints.
type Footer struct {
	Toast  string
	Failed bool // Toast tells of a failure
	// Page and Global are the bindings that do something now. Those that do not
	// fit into their line are left out from the end.
	Page, Global []keymap.Binding
	// Last is shown at the right end of the second line, whatever the width.
	Last []keymap.Binding
}

// Render returns three lines of w cells.
func (v Footer) Render(t theme.Theme, w int) string {
	return strings.Join([]string{
		v.toast(t, w),
		hints(t, v.Page, nil, w),
		hints(t, v.Global, v.Last, w),
	}, "\n")
}

func (v Footer) toast(t theme.Theme, w int) string {
	if v.Toast == "" {
		return Cell("", w)
	}
	text, style := safe.Line(v.Toast), t.Info
	if v.Failed {
		text, style = "! "+text, t.Danger
	}
	return Cell(" "+style.Render(ansi.Truncate(text, max(w-2, 0), "..")), w)
}

// hints returns one line: as many bindings as fit, and last at its right end.
func hints(t theme.Theme, list, last []keymap.Binding, w int) string {
	end, endWidth := "", 0
	for _, b := range last {
		text, n := hint(t, b)
		if endWidth+n+2 > w {
			break
		}
		end, endWidth = end+"  "+text, endWidth+n+2
	}
	line, used := " ", 1
	for _, b := range list {
		text, n := hint(t, b)
		if !b.Enabled() || used+n+endWidth+1 > w {
			continue
		}
		line, used = line+text+"  ", used+n+2
	}
	line = strings.TrimRight(line, " ")
	if end == "" {
		return Cell(line, w)
	}
	return Cell(Cell(line, max(w-endWidth-1, 0))+end, w)
}

func hint(t theme.Theme, b keymap.Binding) (text string, width int) {
	h := b.Help()
	return t.Accent.Render(h.Key) + " " + t.Dim.Render(h.Desc), Width(h.Key) + 1 + Width(h.Desc)
}
