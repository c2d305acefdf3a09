package views

import (
	"slices"
	"strings"

	"winnow/views/layout"
	"winnow/views/theme"
)

// pane is a box with a title, and lines in it.
type pane struct {
	Title   string
	Right   string // at the right end of the top border; may be empty
	Focused bool
	Lines   []string // styled; cut or padded to the box
}

// render returns the box as text of exactly w by h cells. If there is no room for a border, it is
// omitted.
func (p pane) render(t theme.Theme, w, h int) string {
	if w < 2 || h < 2 {
		return Fill(t, p.Lines, w, h)
	}
	side := p.edge(t).Render(t.Borders.Vertical)
	var b strings.Builder
	b.Grow(h * (w + 2*len(side) + 24))
	b.WriteString(p.top(t, w))
	for i := range h - 2 {
		b.WriteByte('\n')
		b.WriteString(side)
		if i < len(p.Lines) && t.Plain {
			b.WriteString(p.Lines[i]) // uncut, because nothing is beside it
		} else if i < len(p.Lines) {
			b.WriteString(Cell(t, p.Lines[i], w-2))
		} else {
			b.WriteString(pad(w - 2))
		}
		b.WriteString(side)
	}
	b.WriteByte('\n')
	x := t.Borders
	b.WriteString(p.edge(t).Render(x.BottomLeft + strings.Repeat(x.Horizontal, w-2) + x.BottomRight))
	return b.String()
}

func (p pane) edge(t theme.Theme) theme.Style {
	if p.Focused {
		return t.Accent
	}
	return t.Border
}

// top returns the upper border with the title in it.
func (p pane) top(t theme.Theme, w int) string {
	x, edge := t.Borders, p.edge(t)
	title, right := "", ""
	if p.Title != "" && w > 6 {
		title = " " + truncate(t, p.Title, w-5) + " "
	}
	if p.Right != "" && Width(title)+Width(p.Right)+5 <= w {
		right = " " + p.Right + " "
	}
	rule := strings.Repeat(x.Horizontal, w-2-Width(title)-Width(right))
	name := t.Text
	if p.Focused {
		name = t.Accent
	}
	return edge.Render(x.TopLeft) + name.Render(title) + edge.Render(rule) + t.Dim.Render(right) +
		edge.Render(x.TopRight)
}

// window returns at most n lines starting at from. If there are more, which says which ones they
// are: "3-20 of 45".
func window(lines []string, from, n int) (shown []string, which string) {
	from = max(min(from, len(lines)-n), 0)
	to := max(min(from+n, len(lines)), from)
	return lines[from:to], textIf(to-from < len(lines) && n > 0, "%d-%d of %d", from+1, to, len(lines))
}

// truncate cuts a line to at most w cells without padding.
func truncate(t theme.Theme, s string, w int) string {
	if Width(s) <= w {
		return s
	}
	return Cell(t, s, w)
}

// ListDetail is a list with the detail of its selected entry: beside it, below it in the same box,
// or only one of the two.
type ListDetail struct {
	Panes         layout.Panes
	Title, Right  string // of the list
	List          []string
	DetailTitle   string
	Detail        []string
	Scroll        int  // first visible line of the detail
	DetailFocused bool // the detail has the focus
}

// Render returns as many lines as both panes have.
func (v ListDetail) Render(t theme.Theme) string {
	p, h := v.Panes, v.Panes.DetailLines()
	shown, which := window(v.Detail, v.Scroll, h)
	list := pane{Title: v.Title, Right: v.Right, Focused: !v.DetailFocused || p.Below, Lines: v.List}
	if t.Plain && p.Below { // show the detail in full
		return list.render(t, p.List.Dx(), p.List.Dy()+1) + "\n" +
			pane{Title: v.DetailTitle, Lines: v.Detail}.render(t, p.List.Dx(), len(v.Detail)+2)
	}
	if p.Below {
		w, above := p.Inside()
		list.Lines = slices.Concat(
			list.Lines,
			make([]string, max(above-len(list.Lines), 0)),
			[]string{rule(t, w, v.DetailTitle)},
			shown,
		)
		return list.render(t, p.List.Dx(), p.List.Dy()+p.Detail.Dy())
	}
	detail := pane{Title: v.DetailTitle, Right: which, Focused: v.DetailFocused || p.List.Empty(), Lines: shown}
	return listAndDetail(
		p,
		func(w, h int) string { return list.render(t, w, h) },
		func(w, h int) string { return detail.render(t, w, h) },
	)
}

// listAndDetail draws a list and its detail side by side, or only one of them.
func listAndDetail(p layout.Panes, list, detail func(w, h int) string) string {
	switch {
	case p.Detail.Empty():
		return list(p.List.Dx(), p.List.Dy())
	case p.List.Empty():
		return detail(p.Detail.Dx(), p.Detail.Dy())
	}
	return beside(list(p.List.Dx(), p.List.Dy()), detail(p.Detail.Dx(), p.Detail.Dy()))
}

// paneUnder returns a screen of exactly w by h cells: a line, and body in the space below it.
func paneUnder(t theme.Theme, head string, w, h int, body func() string) string {
	switch {
	case w <= 0 || h <= 0:
		return Fill(t, nil, w, h)
	case h == 1:
		return head
	}
	return head + "\n" + body()
}

// beside joins two blocks of the same height, line by line.
func beside(left, right string) string {
	var b strings.Builder
	b.Grow(len(left) + len(right))
	other := strings.Split(right, "\n")
	for y, line := range strings.Split(left, "\n") {
		if y > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line + at(other, y))
	}
	return b.String()
}
