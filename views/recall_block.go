package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// literalEdge marks the left edge of text that is shown literally. It is not part of the text.
const literalEdge = "|"

// piece is a part of a block in one style.
type piece struct {
	text  string // safe to print
	style theme.Style
	// brk ends the line. warning is shown below the line of the piece.
	brk     bool
	warning string
}

// pieces splits a block at its marks.
func (v Recall) pieces(t theme.Theme, b memory.Block) []piece {
	out := make([]piece, 0, 2*len(b.Marks)+strings.Count(b.Text, "\n")*2+2)
	at := 0
	for _, m := range v.marks(b) {
		out = literal(t, out, b.Text[at:m.Start])
		out = append(out, v.marked(t, m, b.Text[m.Start:m.End]))
		at = m.End
	}
	return literal(t, out, b.Text[at:])
}

// literal appends unmarked text, split at its line breaks.
func literal(t theme.Theme, out []piece, s string) []piece {
	for {
		line, rest, more := strings.Cut(s, "\n")
		if line != "" {
			out = append(out, piece{text: safe.Line(line), style: t.Text})
		}
		if !more {
			return out
		}
		out = append(out, piece{brk: true})
		s = rest
	}
}

// marks returns the marks to show, sorted and not overlapping. No other mark is shown inside a
// masked secret.
func (v Recall) marks(b memory.Block) []memory.Mark {
	out := make([]memory.Mark, 0, len(b.Marks))
	if !v.Reveal {
		out = secretMarks(out, b)
	}
	secrets := len(out)
	for _, m := range b.Marks {
		inSecret := func(s memory.Mark) bool { return m.Start < s.End && m.End > s.Start }
		if v.Markers && m.Kind != memory.MarkSecret && inside(m, b.Text) &&
			!slices.ContainsFunc(out[:secrets], inSecret) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b memory.Mark) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(importance(a.Kind), importance(b.Kind)))
	})
	at := 0
	return slices.DeleteFunc(out, func(m memory.Mark) bool {
		if m.Start < at {
			return true
		}
		at = m.End
		return false
	})
}

// secretMarks appends the secrets of a block, joining those that touch.
func secretMarks(out []memory.Mark, b memory.Block) []memory.Mark {
	for _, m := range b.Marks {
		if m.Kind != memory.MarkSecret || !inside(m, b.Text) {
			continue
		}
		if n := len(out); n > 0 && m.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, m.End)
			continue
		}
		out = append(out, m)
	}
	return out
}

func inside(m memory.Mark, text string) bool {
	return m.Start >= 0 && m.Start <= m.End && m.End <= len(text)
}

// importance orders marks that begin at the same place.
func importance(k memory.MarkKind) int {
	return map[memory.MarkKind]int{
		memory.MarkSecret:    -4,
		memory.MarkCut:       -3,
		memory.MarkHeading:   -2,
		memory.MarkDelimiter: -1,
		memory.MarkFiltered:  -1,
	}[k]
}

// marked returns a marked part of a block in the form in which it is shown.
func (v Recall) marked(t theme.Theme, m memory.Mark, text string) piece {
	switch m.Kind {
	case memory.MarkSecret:
		return piece{text: safe.Masked(text, [][2]int{{0, len(text)}}, false), style: t.Warn}
	case memory.MarkFiltered:
		return piece{text: "<<filtered>>", style: t.Warn}
	case memory.MarkCut:
		return piece{text: "[cut]", style: t.Dim}
	case memory.MarkHeading:
		return piece{
			text:    safe.Line(text),
			style:   t.Danger,
			warning: cmp.Or(safe.Line(m.Note), "a line break here prints a fake heading"),
		}
	case memory.MarkDelimiter:
		return piece{
			text:    safe.Line(text),
			style:   t.Danger,
			warning: cmp.Or(safe.Line(m.Note), "a delimiter that the agent does not filter"),
		}
	}
	return piece{text: safe.Line(text), style: t.Match}
}

// blockLines returns a block as lines of at most w cells, with a bar at the left edge and, if lines
// are numbered, a number. Long lines continue after a sign, or are cut if wrapping is off.
func (v Recall) blockLines(t theme.Theme, b memory.Block, w int) []string {
	if b.Text == "" {
		return nil
	}
	var lines, warnings []string
	var line strings.Builder
	edge, w, n, gutter := t.Border.Render(literalEdge), max(w-1, 1), 0, 0
	if v.Numbers {
		gutter = min(len(strconv.Itoa(strings.Count(b.Text, "\n")+1))+1, w-1)
	}
	for _, p := range append(v.pieces(t, b), piece{brk: true}) {
		line.WriteString(p.style.Render(p.text))
		if p.warning != "" && !slices.Contains(warnings, p.warning) {
			warnings = append(warnings, p.warning)
		}
		if !p.brk {
			continue
		}
		n++
		number := Right(t, strconv.Itoa(n)+" ", gutter)
		for _, l := range v.setLine(t, line.String(), w-gutter) {
			lines = append(lines, edge+t.Dim.Render(number)+l)
			number = pad(gutter)
		}
		for _, text := range warnings {
			for _, l := range wrapped(t.Danger, "!! "+text, w-2) {
				lines = append(lines, edge+"  "+l)
			}
		}
		line.Reset()
		warnings = nil
	}
	return lines
}

// onward is the width of the sign before a continued line.
const onward = 2

// setLine wraps a styled line into lines of w cells. If wrapping is off, it returns the visible
// part.
func (v Recall) setLine(t theme.Theme, s string, w int) []string {
	if !v.Wrap {
		return []string{truncate(t, ansi.WcWidth.TruncateLeft(s, v.Left, ""), w)}
	}
	lead := min(onward, w-1)
	lines := closed(wrapLine(nil, s, w, w-lead))
	for i := range lines[1:] {
		lines[i+1] = t.Dim.Render(Cell(t, t.Borders.Onward, lead)) + lines[i+1]
	}
	return lines
}
