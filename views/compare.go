package views

import (
	"cmp"
	"image"
	"strings"

	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/safe"
	"winnow/views/theme"
)

// CompareSide is one of two compared recalls.
type CompareSide struct {
	Name   string // name of the store
	Recall memory.Recall
	Pieces []compare.Piece
	Ready  bool
	Failed string
	Scroll int
}

// Compare is the data of the screen that shows what two stores recall for the same task.
type Compare struct {
	Keyed
	Box    TextBox
	Typing bool
	Sides  [2]CompareSide
	Focus  int // the side with the focus
	Mask   Mask
	Reveal bool
}

const compareTask = " Same task for both: "

// Render returns the screen as text of exactly w by h cells.
func (v Compare) Render(t theme.Theme, w, h int) string {
	return paneUnder(t, v.head(t, w), w, h, func() string {
		a, b := v.panes(w, h)
		left, right := v.side(t, 0, a), v.side(t, 1, b)
		switch {
		case w >= layout.SplitWidth:
			return beside(left, right)
		case b.Empty():
			return left
		}
		return left + "\n" + right
	})
}

// panes returns where both sides are on a screen of w by h cells.
func (v Compare) panes(w, h int) (a, b image.Rectangle) {
	if w >= layout.SplitWidth {
		return image.Rect(0, 1, w/2, h), image.Rect(w/2, 1, w, h)
	}
	middle := h - (h-1)/2
	return image.Rect(0, 1, w, middle), image.Rect(0, middle, w, h)
}

func (v Compare) head(t theme.Theme, w int) string {
	room := max(w-len(compareTask), 0)
	if v.Box.Text == "" && !v.Typing {
		return Cell(t, t.Strong.Render(compareTask)+t.Dim.Render(truncate(t, "none: what is there at every start ("+keyOf(v.keys().Recall.Edit)+" writes one)", room)), w)
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

func (v Compare) side(t theme.Theme, i int, at image.Rectangle) string {
	w, h := at.Dx(), at.Dy()
	p := Pane{Title: cutFront(t, v.Mask.line(v.Sides[i].Name, 4*max(w, 1)), max(w-6, 1)), Focused: i == v.Focus}
	p.Lines, p.Right = window(v.lines(t, i, max(w-2, 0)), v.Sides[i].Scroll, max(h-2, 0))
	return p.Render(t, w, h)
}

// MaxScroll returns the largest useful Scroll of a side on a screen of w by h cells.
func (v Compare) MaxScroll(i, w, h int) int {
	at, other := v.panes(w, h)
	if i == 1 {
		at = other
	}
	return max(len(v.lines(theme.Theme{}, i, max(at.Dx()-2, 0)))-max(at.Dy()-2, 0), 0)
}

// SideAt returns the side at a cell of a screen of w by h cells.
func (v Compare) SideAt(w, h, x, y int) int {
	if _, right := v.panes(w, h); image.Pt(x, y).In(right) {
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
		p.add(t.Danger, "", "! "+v.Mask.longText(s.Failed))
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

// summary says how much text a side gets, and how much of it the other side gets too.
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
	p.add(p.t.Strong, "", joined(", ", memory.Counted(len(s.Pieces), "text"), ByteSize(int64(bytes)), textIf(sent > 0, "%s sent", memory.Counted(sent, "hit"))))
	switch {
	case bytes == 0:
		p.add(p.t.Warn, "", safe.Line(cut(cmp.Or(s.Recall.Empty, "Nothing is injected."))))
	case shared == 0:
		p.add(p.t.Info, "", "nothing of it is on the other side")
	default:
		p.add(p.t.Info, "", ByteSize(int64(shared))+" of it on the other side too, "+memory.Counted(same, "text")+" whole")
	}
	p.add(p.t.Warn, "", textIf(s.Recall.Estimate != "", "estimate: %s", safe.Line(cut(s.Recall.Estimate))))
}

// piece adds one text. Lines that the other side has too are marked with =.
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
	p.addMoreBytes(x.Text)
}

// sharedLines reports for each of n lines whether the other side has it. It is nil if masking
// changed the number of lines.
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
