package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

const (
	rowLabel = 11 // cells of the name of a row
	rowSums  = 14 // cells of the numbers after it
)

// bars draws the newest w weeks, one cell each. A full cell is the highest count.
func bars(t theme.Theme, counts []int, w int) string {
	counts = counts[max(len(counts)-max(w, 0), 0):]
	steps, most := t.Borders.Heights, slices.Max(append([]int{1}, counts...))
	var b strings.Builder
	for _, n := range counts {
		switch {
		case n < 0:
			b.WriteString(steps[0])
		case n == 0:
			b.WriteString(steps[1])
		default:
			b.WriteString(steps[1+(n*(len(steps)-2)+most-1)/most])
		}
	}
	return b.String()
}

// bar draws part of whole as a bar of some cells, or nothing in plain mode. Any part above 0 is
// visible.
func bar(t theme.Theme, part, whole, cells int) string {
	signs := []rune(t.Borders.Bar)
	most := len(signs) - 1 // steps in a cell
	if most < 1 {
		return ""
	}
	steps := min((part*cells*most+whole-1)/whole, cells*most)
	var b strings.Builder
	for cell := range cells {
		b.WriteRune(signs[max(min(steps-cell*most, most), 0)])
	}
	return b.String()
}

// plot adds rows of the newest weeks, one cell for each week, with the sum and the highest week of
// each row. In plain mode the cells are left out.
func plot(p *paper, cells int, rows ...activity.Row) {
	t := p.t
	for _, r := range rows {
		sum, most := orUnknown(r.Sum()), orUnknown(slices.Max(r.Counts))
		if t.Plain {
			all := textIf(r.Sum() >= 0, "%s in all", sum) +
				textIf(slices.Max(r.Counts) > 0, ", at most %s in a week", most)
			p.add(t.Text, "", r.Name+": "+cmp.Or(all, "not known"))
			continue
		}
		row := t.Dim.Render(Cell(t, r.Name, rowLabel)) + t.Accent.Render(Cell(t, bars(t, r.Counts, cells), cells))
		p.put(row + Right(t, sum, rowSums/2) + Right(t, most, rowSums/2))
	}
}

// orUnknown returns a number, or a question mark if it is unknown.
func orUnknown(n int) string {
	if n < 0 {
		return "?"
	}
	return strconv.Itoa(n)
}

// fewWeeks is the minimum number of weeks shown.
const fewWeeks = 12

// weeksIn returns how many weeks to show in w cells, starting with the first one that has data.
func weeksIn(w int, rows ...activity.Row) int {
	known := fewWeeks
	for _, r := range rows {
		if i := slices.IndexFunc(r.Counts, func(n int) bool { return n >= 0 }); i >= 0 {
			known = max(known, len(r.Counts)-i)
		}
	}
	return max(min(w-rowLabel-rowSums, known), 1)
}

// plotHeader adds the heading above rows of weeks: the first day shown, and this week.
func plotHeader(p *paper, from time.Time, cells int) {
	first := from.AddDate(0, 0, 7*(activity.Weeks-cells)).Format(time.DateOnly)
	if !p.t.Plain {
		now := textIf(cells > 2*len(first), "now")
		weeks := leftAndRight(p.t, Cell(p.t, first, min(len(first), cells)), now, cells)
		sums := Right(p.t, "all", rowSums/2) + Right(p.t, "most", rowSums/2)
		p.put(p.t.Dim.Render(Cell(p.t, "weeks", rowLabel) + weeks + sums))
	}
}

// Activity is what happened in a store.
type Activity struct{ activity.Store }

// Lines returns the activity in lines of w cells.
func (v Activity) Lines(l Look, w int) []string {
	t := l.Theme
	p := paper{t: t, w: w}
	cells := weeksIn(w, slices.Concat(v.Rows, v.Outcomes)...)
	plotHeader(&p, v.From, cells)
	plot(&p, cells, v.Rows...)
	if !t.Plain {
		p.add(t.Dim, "", "Each cell is a week. "+t.Borders.Heights[1]+" is none, a blank is not known.")
	}
	if len(v.Outcomes) > 0 {
		p.section("Outcomes of " + v.OutcomesOf)
		plot(&p, cells, v.Outcomes...)
	}
	p.blank()
	p.fact("Fill", v.Fill.Text)
	notes(&p, l, v.Notes)
	return p.lines
}

// notes adds what is unknown.
func notes(p *paper, l Look, all []string) {
	p.blank()
	for _, n := range all {
		p.hanging("- ", p.t.Dim.Render, l.Mask.longText(n))
	}
}

// Dialog returns the activity as a dialog in a room of w cells.
func (v Activity) Dialog(l Look, w, _ int) Dialog {
	d, inner := newDialog("Activity", w, dialogWide+2)
	d.setLines(v.Lines(l, inner))
	return d
}

// Timeline is what happened to a record.
type Timeline struct {
	activity.Timeline
	Names  map[memory.SystemID]string
	Cursor int
}

// Dialog returns the dialog in a room of w cells.
func (v Timeline) Dialog(l Look, w, _ int) Dialog {
	d, inner := newDialog("Timeline: "+l.Mask.line(cmp.Or(v.Title, string(v.Record)), w), w, historyWide)
	p := paper{t: l.Theme, w: inner}
	v.head(&p)
	p.blank()
	d.Head, d.Rows, d.Cursor = p.lines, len(v.Events), v.Cursor
	d.Row = func(i int) string {
		return rowLine(l.Theme, l.Theme.Text, i == v.Cursor, " "+v.eventLine(l, i, inner), inner)
	}
	if len(v.Events) == 0 {
		d.setLines(wrapped(l.Theme.Dim, "Nothing is known of it.", inner))
	}
	if p = (paper{t: l.Theme, w: inner}); len(v.Notes) > 0 {
		notes(&p, l, v.Notes)
		d.Foot = [][]string{blank, p.lines}
	}
	return d
}

// Lines returns the timeline in lines of w cells.
func (v Timeline) Lines(l Look, w int) []string {
	p := paper{t: l.Theme, w: w}
	p.add(l.Theme.Strong, "", l.Mask.line(cmp.Or(v.Title, string(v.Record)), w))
	v.head(&p)
	p.blank()
	for i := range v.Events {
		p.put(truncate(l.Theme, v.eventLine(l, i, w), w))
	}
	notes(&p, l, v.Notes)
	return p.lines
}

// head adds the weeks and the number of recalls.
func (v Timeline) head(p *paper) {
	cells := weeksIn(p.w, v.Weeks)
	plotHeader(p, v.From, cells)
	plot(p, cells, v.Weeks)
	if v.Recalled < 0 {
		p.add(p.t.Text, "", "How often it was recalled is not known.")
		return
	}
	p.add(
		p.t.Text,
		"",
		"Recalled "+memory.Counted(
			v.Recalled,
			"time",
		)+textIf(
			v.Sessions > 0,
			", in %s",
			memory.Counted(v.Sessions, "known session"),
		)+".",
	)
}

// shortID is how much of a session ID is shown, enough to refer to it.
const shortID = 8

// eventLine returns an event as one line: the day, what happened, who did it, and the rest.
func (v Timeline) eventLine(l Look, i, w int) string {
	e := &v.Events[i]
	at := cmp.Or(textIf(e.At.IsZero(), "?"), day(l.Now, e.At))
	who := cmp.Or(string(e.Who), systemName(v.Names, e.Agent))
	detail := joined(
		"  ",
		textIf(e.Times > 1, "%d times", e.Times),
		textIf(e.Session != "", "session %s", e.Session[:safe.RuneStart(e.Session, shortID)]),
		e.State,
		e.Detail,
	)
	who, detail = l.Mask.line(who, w), l.Mask.line(detail, w)
	if l.Theme.Plain {
		return joined(", ", at, string(e.Kind), who, detail)
	}
	return strings.TrimRight(Cell(l.Theme, at, 12)+Cell(l.Theme, string(e.Kind), 11)+Cell(l.Theme, who, 16)+detail, " ")
}
