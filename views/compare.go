package views

import (
	"cmp"
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// CompareSide is one of two recalls that are compared.
type CompareSide struct {
	Name   string // of the store
	Recall memory.Recall
	Pieces []compare.Piece
	Ready  bool
	Failed string
	Scroll int
}

// Compare is the data of the screen that shows what two stores recall for the same task.
type Compare struct {
	Box    TextBox
	Typing bool
	Sides  [2]CompareSide
	Focus  int // the side that has the keys
	Mask   Mask
	Reveal bool
}

const compareTask = " Same task for both: "

// Render returns the screen as text of exactly w by h cells.
func (v Compare) Render(t theme.Theme, w, h int) string {
	if w <= 0 || h <= 0 {
		return Fill(t, nil, w, h)
	}
	head := v.head(t, w)
	if h == 1 {
		return head
	}
	a, b := v.split(w, h-1)
	left, right := v.side(t, 0, a[0], a[1]), v.side(t, 1, b[0], b[1])
	if w >= layout.SplitWidth {
		return head + "\n" + beside(left, right)
	}
	if b[1] == 0 {
		return head + "\n" + left
	}
	return head + "\n" + left + "\n" + right
}

// split returns width and height of both sides.
func (v Compare) split(w, h int) (a, b [2]int) {
	if w >= layout.SplitWidth {
		return [2]int{w / 2, h}, [2]int{w - w/2, h}
	}
	return [2]int{w, h - h/2}, [2]int{w, h / 2}
}

func (v Compare) head(t theme.Theme, w int) string {
	room := max(w-len(compareTask), 0)
	if v.Box.Text == "" && !v.Typing {
		return Cell(t, t.Strong.Render(compareTask)+t.Dim.Render(fit(t, "none: what is there at every start (i writes one)", room)), w)
	}
	lines, _, _ := v.Box.Show(max(room, 1), 1)
	return Cell(t, t.Strong.Render(compareTask)+t.Text.Render(strings.Join(lines, "")), w)
}

// CursorAt returns where the text cursor is on a screen of w cells.
func (v Compare) CursorAt(w int) (x, y int, ok bool) {
	_, x, _ = v.Box.Show(max(w-len(compareTask), 1), 1)
	x += len(compareTask)
	return x, 0, v.Typing && x < w
}

func (v Compare) side(t theme.Theme, i, w, h int) string {
	p := Pane{Title: v.Mask.line(v.Sides[i].Name, 4*max(w, 1)), Focused: i == v.Focus}
	if Width(p.Title) > w-6 {
		p.Title = cutFront(t, p.Title, max(w-6, 1))
	}
	p.Lines, p.Right = window(v.lines(t, i, max(w-2, 0)), v.Sides[i].Scroll, max(h-2, 0))
	return p.Render(t, w, h)
}

// MaxScroll returns the largest useful Scroll of a side on a screen of w by h cells.
func (v Compare) MaxScroll(i, w, h int) int {
	a, b := v.split(w, h-1)
	if i == 1 {
		a = b
	}
	return max(len(v.lines(theme.Theme{}, i, max(a[0]-2, 0)))-max(a[1]-2, 0), 0)
}

// SideAt returns the side at a cell of a screen of w by h cells.
func (v Compare) SideAt(w, h, x, y int) int {
	a, _ := v.split(w, h-1)
	if w >= layout.SplitWidth && x >= a[0] || w < layout.SplitWidth && y-1 >= a[1] {
		return 1
	}
	return 0
}

// lines returns the inside of a side.
func (v Compare) lines(t theme.Theme, i, w int) []string {
	s := v.Sides[i]
	p := paper{t: t, w: max(w, 1)}
	switch {
	case s.Failed != "":
		p.add(t.Danger, "", "! "+v.Mask.whole(s.Failed))
		return p.lines
	case !s.Ready:
		p.add(t.Dim, "", "reading"+t.Borders.Cut)
		return p.lines
	}
	v.summary(&p, s)
	const most = 5
	shown := 0
	for _, h := range s.Recall.Hits {
		if h.Recalled || shown == most {
			continue
		}
		if shown++; shown == 1 {
			p.section("Found, but not sent")
		}
		p.add(t.Dim, "  ", safe.Masked(clip(h.Title, w), memory.Places(h.Secrets, memory.InTitle, 0), v.Reveal))
	}
	for k := range s.Pieces {
		v.piece(&p, &s.Pieces[k])
	}
	return p.lines
}

// summary says how much a side gets, and how much of it the other has as well.
func (v Compare) summary(p *paper, s CompareSide) {
	bytes, shared, same := 0, 0, 0
	for i := range s.Pieces {
		bytes += len(s.Pieces[i].Text)
		for _, sp := range s.Pieces[i].Shared {
			shared += sp[1] - sp[0]
		}
		if s.Pieces[i].Same {
			same++
		}
	}
	sent := recalled(s.Recall)
	p.add(p.t.Strong, "", joined(", ", count(len(s.Pieces), "text"), ByteSize(int64(bytes)), when(sent > 0, "%s sent", count(sent, "hit"))))
	switch {
	case bytes == 0:
		p.add(p.t.Warn, "", safe.Line(cut(cmp.Or(s.Recall.Empty, "Nothing is injected."))))
	case shared == 0:
		p.add(p.t.Info, "", "nothing of it is on the other side")
	default:
		p.add(p.t.Info, "", ByteSize(int64(shared))+" of it on the other side too, "+count(same, "text")+" whole")
	}
	p.add(p.t.Warn, "", when(s.Recall.Estimate != "", "estimate: %s", safe.Line(cut(s.Recall.Estimate))))
}

// piece adds one text: = comes before lines that the other side has as well.
func (v Compare) piece(p *paper, x *compare.Piece) {
	sign := "  "
	switch {
	case x.Same:
		sign = "= "
	case len(x.Shared) > 0:
		sign = "~ "
	}
	name := v.Mask.line(x.Name, 120)
	if x.Path != "" {
		name += "  " + cutFront(p.t, v.Mask.line(x.Path, 400), max(p.w-Width(name)-14, 12))
	}
	p.section(sign + name + "  (" + ByteSize(int64(len(x.Text))) + ")")
	if x.Same {
		p.add(p.t.Dim, "  ", "the same on the other side")
		return
	}
	text := v.Mask.lines(x.Text)
	shared := sharedLines(x, len(text))
	for i, line := range text {
		sign, style := "| ", p.t.Text
		if shared != nil && shared[i] {
			sign, style = "= ", p.t.Dim
		}
		p.indented(p.t.Border.Render(sign), wrapped(style, line, p.w-2))
	}
	p.beyond(x.Text)
}

// sharedLines says which of n lines the other side has. It is nil when masking changed
// how many lines there are.
func sharedLines(x *compare.Piece, n int) []bool {
	all := make([]bool, 0, n)
	at, k := 0, 0
	for line := range strings.Lines(cut(x.Text)) {
		for k < len(x.Shared) && x.Shared[k][1] <= at {
			k++
		}
		all = append(all, k < len(x.Shared) && x.Shared[k][0] <= at)
		at += len(line)
	}
	if len(all) != n {
		return nil
	}
	return all
}

// CompareLegend explains the signs of the comparison.
func CompareLegend() []string {
	return []string{
		"= the other side has this line, or the whole text, as well",
		"~ the other side has some lines of this text",
		"| only this side has it",
	}
}
