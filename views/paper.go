package views

import (
	"fmt"
	"slices"
	"strings"

	"winnow/views/safe"
	"winnow/views/theme"
)

// joined joins the parts that are not empty.
func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// when returns a formatted text, or nothing unless it applies.
func when(applies bool, format string, args ...any) string {
	if !applies {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// plural returns the word for one or for several.
func plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// wrapped returns a text of ours, or one that is safe, as styled lines of w cells.
func wrapped(st theme.Style, text string, w int) []string {
	lines := Wrap(text, max(w, 1))
	for i, l := range lines {
		lines[i] = st.Render(l)
	}
	return lines
}

// paper gathers lines of at most w cells.
type paper struct {
	t     theme.Theme
	w     int
	match Spans
	lines []string
}

// prose returns paper for a pane of w cells: a cell stays free on each side.
func prose(t theme.Theme, w int) paper { return paper{t: t, w: w - 1} }

// blank adds an empty line, but none at the start or after another.
func (p *paper) blank() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.lines = append(p.lines, "")
	}
}

func (p *paper) section(title string) {
	p.blank()
	p.put(p.t.Strong.Render(fit(p.t, title, p.w)))
}

// put adds a line that is as long as it may be.
func (p *paper) put(line string) { p.lines = append(p.lines, line) }

// add wraps a text of ours, or one that is safe. It adds nothing for an empty one.
func (p *paper) add(style theme.Style, indent, text string) {
	if text != "" {
		p.hanging(indent, style.Render, text)
	}
}

// indented adds lines behind an indent.
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

// hanging adds a text behind a sign, each of its lines drawn by draw. Lines after the first are indented as far.
func (p *paper) hanging(sign string, draw func(line string) string, text string) {
	width := Width(sign)
	for _, l := range Wrap(text, max(p.w-width, 1)) {
		p.put(sign + draw(l))
		sign = pad(width)
	}
}

// found returns what draws a line in a style, with what is looked for in it marked.
func (p *paper) found(style theme.Style, title bool) func(line string) string {
	return func(line string) string { return highlight(p.t, line, style, spansOf(p.match, line, title)) }
}

// changedLines adds the lines that only one of two texts has, and a line around each: those that went
// behind a minus sign, new ones behind a plus.
func (p *paper) changedLines(indent string, was, now []string) {
	ops := compared(was, now)
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

// beyond says how much of a long text is not shown.
func (p *paper) beyond(s string) {
	n := len(s) - maxDetail
	p.add(p.t.Dim, "  ", when(n > 0, "%d more bytes are not shown", n))
}

// labelWidth is the width of the names of facts.
const labelWidth = 10

// fact adds a name and a value. It adds nothing for an empty value.
func (p *paper) fact(label, value string) {
	if value != "" {
		p.hanging(p.t.Dim.Render(Cell(p.t, label, labelWidth)), p.t.Text.Render, value)
	}
}

// pair puts two facts on one line where there is room for both.
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
