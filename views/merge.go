package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Fields that the user chooses in a merge.
const (
	mergeTask = iota
	mergeLesson
	mergeOutcome
	MergeFields // number of fields
)

// OwnText is the choice of a text that the user typed.
const OwnText = -1

// Merge is the dialog that combines several records into one. The first record is on the left.
type Merge struct {
	Planned
	Records []memory.Record
	Right   int // index of the record on the right
	Field   int
	// Chosen is, for each field, the index of the record it comes from, or OwnText.
	Chosen [MergeFields]int
	Own    [MergeFields]string
	Typing bool // the user is typing Own of Field
}

// shortLines is how many lines of each text are shown if there is no room for all. The field at the
// cursor is always shown in full.
const shortLines = 2

// Dialog returns the dialog in a room of w cells.
func (v Merge) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog("Merge "+strconv.Itoa(len(v.Records)), w, dialogWider)
	d.setLines(v.rows(l, w, maxDetail))
	d.Short = v.rows(l, w, shortLines)
	d.Head = append(v.names(l, w), v.changed(l.Theme, w)...)
	p := v.Planned
	p.Pending = true // the result says how to undo it
	p.addEffects(&d, l, w)
	for i := range v.Field {
		d.Follow += len(v.fieldRows(l, i, w, shortLines))
	}
	return d
}

// FieldAt returns the field at a cell of the dialog in a room of w by h cells, or -1, and whether
// the cell belongs to the record on the right.
func (v Merge) FieldAt(l Look, w, h int, s DialogCell, buttons []string) (i int, right bool) {
	d := v.Dialog(l, w, h)
	d.Buttons = buttons
	d.dropLines(h)
	_, w = newDialog("", w, dialogWider)
	most, line := maxDetail, 0
	if d.Short == nil { // the dialog shows the short form
		most = shortLines
	}
	for i := range MergeFields {
		first := line + 1 // below the name of the field
		line += len(v.fieldRows(l, i, w, most))
		if s.Row >= first && s.Row < line {
			return i, s.X > halfOf(w)
		}
	}
	return -1, false
}

// names says which records are on the left and on the right.
func (v Merge) names(l Look, w int) []string {
	name := func(side string, i int) []string {
		if i < len(v.Records) {
			r := &v.Records[i]
			side += fmt.Sprintf(" %d/%d  %s", i+1, len(v.Records), field(r, memory.InID, 0, string(r.ID), 24, l.Reveal))
		}
		return []string{l.Theme.Strong.Render(side)}
	}
	return zipped(l.Theme, name("left", 0), name("right", v.Right), halfOf(w))
}

// mergeField is a field to choose.
type mergeField struct {
	name, label string
	in          memory.Field
}

func mergeFields() [MergeFields]mergeField {
	return [...]mergeField{
		mergeTask: {"Task summary", "task", memory.InTitle}, mergeLesson: {"Lesson", "lesson", memory.InBody},
		mergeOutcome: {"Outcome", "outcome", memory.InOutcome},
	}
}

// TextOf returns the stored text of a field of a merge.
func TextOf(r *memory.Record, field int) string {
	return [...]string{r.Title, r.Body, string(r.Outcome)}[field]
}

// shownText returns the displayed text of a field.
func shownText(l Look, r *memory.Record, i int) string {
	return orDash(field(r, mergeFields()[i].in, 0, TextOf(r, i), 2000, l.Reveal))
}

// rows returns the fields, left and right, and the result below them. A text takes at most `most`
// lines.
func (v Merge) rows(l Look, w, most int) []string {
	var lines []string
	for i := range MergeFields {
		lines = append(lines, v.fieldRows(l, i, w, most)...)
	}
	lines = append(lines, rule(l.Theme, w, "result"))
	return append(lines, v.result(l, w, most)...)
}

func (v Merge) fieldRows(l Look, i, w, most int) []string {
	cursor, half := "  ", halfOf(w)
	if i == v.Field {
		cursor, most = "> ", maxDetail
	}
	left, right := v.fieldLines(l, i, 0, v.Right, half), v.fieldLines(l, i, v.Right, 0, half)
	lines := []string{l.Theme.Accent.Render(truncate(l.Theme, cursor+mergeFields()[i].name, w))}
	return append(
		lines,
		zipped(l.Theme, firstLines(l.Theme, left, half, most), firstLines(l.Theme, right, half, most), half)...)
}

// firstLines returns at most `most` lines. The last one is cut if there are more.
func firstLines(t theme.Theme, lines []string, w, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], Cell(t, lines[most-1]+t.Borders.Cut, w))
}

// fieldLines is a field of one record. A star in the margin marks the chosen one, and words that the
// other record lacks are highlighted.
func (v Merge) fieldLines(l Look, i, record, other, w int) []string {
	t := l.Theme
	if record >= len(v.Records) {
		return nil
	}
	margin, style := "  ", t.Text
	if v.Chosen[i] == record {
		margin, style = "* ", t.Strong
	}
	text := shownText(l, &v.Records[record], i)
	var spans [][2]int
	if other < len(v.Records) {
		spans = wordsOnlyIn(text, shownText(l, &v.Records[other], i))
	}
	lines := closed(Wrap(highlight(t, text, style, spans), max(w-2, 1)))
	for j, line := range lines {
		lines[j] = style.Render(margin) + line
	}
	return lines
}

// result is the record that the merge makes.
func (v Merge) result(l Look, w, most int) []string {
	p := paper{t: l.Theme, w: w}
	for i, f := range mergeFields() {
		text := paper{t: l.Theme, w: w}
		text.fact(f.label, cmp.Or(v.chosen(l, i), " "))
		p.lines = append(p.lines, firstLines(l.Theme, text.lines, w, most)...)
	}
	const mostTools = 20
	most, odd := 0, ""
	var created, used time.Time
	var tools []string
	for i := range v.Records {
		r := &v.Records[i]
		most = max(most, r.Count.N)
		odd = cmp.Or(odd, textIf(r.Count.Odd != "", " ?"))
		created, used = later(created, r.Created.Time), later(used, r.Used.Time)
		for j, tool := range r.Tools {
			if name := field(r, memory.InTools, j, tool, 40, l.Reveal); len(tools) < mostTools &&
				!slices.Contains(tools, name) {
				tools = append(tools, name)
			}
		}
	}
	p.pair(
		"relevance",
		fmt.Sprintf("%d%s (the highest)", most, odd),
		"tools",
		orDash(strings.Join(tools, ", "))+" (of all)",
	)
	p.pair("created", newest(l, created), "recalled", newest(l, used))
	p.add(p.t.Dim, "", plural(len(v.Records)-1, "The other is deleted: 1 undo step brings it back.",
		"The others are deleted: 1 undo step brings them back."))
	return p.lines
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// newest names a time of a record, the newest of all.
func newest(l Look, at time.Time) string {
	return cmp.Or(textIf(at.IsZero(), "never"), minute(l.Now, at)) + " (newest)"
}

// chosen returns the text of a field in the result.
func (v Merge) chosen(l Look, i int) string {
	c := v.Chosen[i]
	switch {
	case v.Typing && i == v.Field:
		return safe.Line(v.Own[i]) + "_"
	case c == OwnText:
		return safe.Line(v.Own[i])
	case c < len(v.Records):
		return shownText(l, &v.Records[c], i)
	}
	return "-"
}
