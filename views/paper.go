package views

import (
	"fmt"
	"slices"
	"strings"

	"winnow/views/safe"
	"winnow/views/theme"
)

// joined joins the non-empty parts.
func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// textIf returns a formatted text if applies is set, and otherwise nothing.
func textIf(applies bool, format string, args ...any) string {
	if !applies {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// plural returns one if n is 1, and otherwise several.
func plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// wrapped wraps a safe text into styled lines of w cells.
func wrapped(st theme.Style, text string, w int) []string {
	lines := Wrap(text, max(w, 1))
	for i, l := range lines {
		lines[i] = st.Render(l)
	}
	return lines
}

// paper collects lines of at most w cells.
type paper struct {
	t     theme.Theme
	w     int
	match Spans
	lines []string
}

// prose returns paper for a pane of w cells, with one cell free on each side.
func prose(t theme.Theme, w int) paper { return paper{t: t, w: w - 1} }

// blank adds an empty line, but not at the start or after another one.
func (p *paper) blank() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.lines = append(p.lines, "")
	}
}

func (p *paper) section(title string) {
	p.blank()
	p.put(p.t.Strong.Render(truncate(p.t, title, p.w)))
}

// put adds a line without wrapping it.
func (p *paper) put(line string) { p.lines = append(p.lines, line) }

// add wraps and adds a safe text. It adds nothing if the text is empty.
func (p *paper) add(style theme.Style, indent, text string) {
	if text != "" {
		p.hanging(indent, style.Render, text)
	}
}

// indented adds lines with an indent before each.
func (p *paper) indented(indent string, lines []string) {
	for _, l := range lines {
		p.put(indent + l)
	}
}

// inset returns the lines with a blank before each.
func (p *paper) inset() []string {
	for i, l := range p.lines {
		p.lines[i] = " " + l
	}
	return p.lines
}

// hanging adds a text after a sign. Each line is drawn by draw, and further lines are indented to
// the end of the sign.
func (p *paper) hanging(sign string, draw func(line string) string, text string) {
	width := Width(sign)
	for _, l := range Wrap(text, max(p.w-width, 1)) {
		p.put(sign + draw(l))
		sign = pad(width)
	}
}

// drawMatches returns a function that draws a line in a style, with the matches of the search
// highlighted.
func (p *paper) drawMatches(style theme.Style, title bool) func(line string) string {
	return func(line string) string { return highlight(p.t, line, style, spansOf(p.match, line, title)) }
}

// changedLines adds the lines that only one of two texts has, with one line of context. Removed
// lines get a minus sign, new ones a plus sign.
func (p *paper) changedLines(indent string, was, now []string) {
	ops := diffWords(was, now)
	near, shown := nearby(ops, 1), -1
	for i, o := range ops {
		if !near[i] {
			continue
		}
		if shown >= 0 && shown < i-1 {
			p.put(indent + "  " + p.t.Dim.Render(p.t.Borders.Cut))
		}
		shown = i
		style := map[byte]theme.Style{'-': p.t.Danger, ' ': p.t.Dim, '+': p.t.OK}[o.kind]
		p.hanging(indent+style.Render(string(o.kind)+" "), style.Render, o.word)
	}
}

// addMoreBytes says how much of a long text is not shown.
func (p *paper) addMoreBytes(s string) {
	n := len(s) - maxDetail
	p.add(p.t.Dim, "  ", textIf(n > 0, "%d more bytes are not shown", n))
}

// labelWidth is the width of the labels of facts.
const labelWidth = 10

// fact adds a label and a value. It adds nothing if the value is empty.
func (p *paper) fact(label, value string) {
	if value != "" {
		p.hanging(p.t.Dim.Render(Cell(p.t, label, labelWidth)), p.t.Text.Render, value)
	}
}

// pair adds two facts, on one line if they fit.
func (p *paper) pair(label, value, label2, value2 string) {
	half := p.w / 2
	if value == "" || value2 == "" || Width(value) > half-labelWidth-1 || Width(value2) > p.w-half-labelWidth {
		p.fact(label, value)
		p.fact(label2, value2)
		return
	}
	left := p.t.Dim.Render(Cell(p.t, label, labelWidth)) + p.t.Text.Render(Cell(p.t, value, half-labelWidth))
	p.put(left + p.t.Dim.Render(Cell(p.t, label2, labelWidth)) + p.t.Text.Render(safe.Line(value2)))
}
