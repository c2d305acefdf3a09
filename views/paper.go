package views

import (
	"strconv"

	"winnow/views/safe"
	"winnow/views/theme"
)

// paper gathers lines of at most w cells.
type paper struct {
	t     theme.Theme
	w     int
	match Spans
	lines []string
}

func (p *paper) blank() {
	if len(p.lines) > 0 {
		p.lines = append(p.lines, "")
	}
}

func (p *paper) section(title string) {
	p.blank()
	p.lines = append(p.lines, p.t.Strong.Render(fit(title, p.w)))
}

// add wraps a text of ours, or one that is safe.
func (p *paper) add(style theme.Style, indent, text string) {
	for _, l := range Wrap(text, max(p.w-len(indent), 1)) {
		p.lines = append(p.lines, indent+style.Render(l))
	}
}

// hunks adds the lines of a comparison (see lineHunks), each with its sign and colour.
func (p *paper) hunks(indent string, hunks []string) {
	for _, h := range hunks {
		style := p.t.OK
		switch h[0] {
		case '-':
			style = p.t.Danger
		case ' ':
			style = p.t.Dim
		}
		for i, s := range Wrap(h[2:], max(p.w-len(indent)-2, 1)) {
			sign := "  "
			if i == 0 {
				sign = h[:2]
			}
			p.lines = append(p.lines, indent+style.Render(sign+s))
		}
	}
}

// text is add for stored text: what matches the filter is marked.
func (p *paper) text(style theme.Style, indent, text string) {
	for _, l := range Wrap(text, max(p.w-len(indent), 1)) {
		p.lines = append(p.lines, indent+highlight(p.t, l, style, spansOf(p.match, l, false)))
	}
}

// beyond says how much of a long text is not shown.
func (p *paper) beyond(s string) {
	if n := len(s) - maxDetail; n > 0 {
		p.add(p.t.Dim, "  ", strconv.Itoa(n)+" more bytes are not shown")
	}
}

// labelWidth is the width of the names of facts.
const labelWidth = 10

func (p *paper) fact(label, value string) {
	lines := Wrap(value, max(p.w-labelWidth, 1))
	for i, l := range lines {
		name := ""
		if i == 0 {
			name = label
		}
		p.lines = append(p.lines, p.t.Dim.Render(Cell(name, labelWidth))+p.t.Text.Render(l))
	}
}

// pair puts two facts on one line where there is room for both. A fact without a value is
// left out.
func (p *paper) pair(label, value, label2, value2 string) {
	half := p.w / 2
	if value == "" || value2 == "" || Width(value) > half-labelWidth-1 || Width(value2) > p.w-half-labelWidth {
		if value != "" {
			p.fact(label, value)
		}
		if value2 != "" {
			p.fact(label2, value2)
		}
		return
	}
	left := p.t.Dim.Render(Cell(label, labelWidth)) + p.t.Text.Render(Cell(value, half-labelWidth))
	p.lines = append(p.lines, left+p.t.Dim.Render(Cell(label2, labelWidth))+p.t.Text.Render(safe.Line(value2)))
}
