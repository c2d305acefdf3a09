package views

import (
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// The fields that a merge lets the person choose.
const (
	MergeTask = iota
	MergeLesson
	MergeOutcome
	MergeFields // how many there are
)

// OwnText is the choice of a text that the person typed.
const OwnText = -1

// Merge is the data of the dialog that makes one record of several.
type Merge struct {
	Records []memory.Record
	// Left and Right are the records that stand beside each other.
	Left, Right int
	Field       int
	// Chosen is for each field the record that it comes from, or OwnText.
	Chosen  [MergeFields]int
	Own     [MergeFields]string
	Typing  bool // Own of Field is being typed
	Notes   []string
	Pending bool
	Changed bool // the records changed since they were shown
	Warn    string
	Failed  string
	Focus   int // 0 on Cancel, 1 on merging
	Offset  int
	Reveal  bool
	Now     time.Time
}

// Render returns a box of at most w by h cells.
func (v Merge) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner, h).render(t, box, h)
}

// Last returns the largest Offset that shows more, in a box of w by h cells.
func (v Merge) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner, h).last(h)
}

// brief is how many lines a text takes when there is no room for all: that of the
// field at the cursor is shown whole in any case.
const brief = 2

func (v Merge) sheet(t theme.Theme, w, h int) sheet {
	n := strconv.Itoa(len(v.Records))
	s := sheet{title: "Merge " + n, first: v.Offset}.ofLines(v.rows(t, w, maxDetail))
	s.head = v.names(t, w)
	if v.Changed {
		s.head = append(s.head, wrapped(t.Warn, "! list changed - look again; the next yes only takes note", w)...)
	}
	s.foot = [][]string{blank}
	for _, note := range v.Notes {
		s.foot = append(s.foot, wrapped(t.Info, safe.Line(note), w))
	}
	s.foot = append(s.foot, warnings(t, v.Warn, v.Failed, w)...)
	do := "Merge " + n + " (y)"
	if v.Pending {
		do = "Merge .. (checking)"
	}
	s.foot = append(s.foot, blank)
	s = s.buttons(t, v.Focus, w, "Cancel", do)
	if s.last(h) > 0 {
		s = s.ofLines(v.rows(t, w, brief))
	}
	return s
}

// scrolls reports whether there is no room for all texts, so that they are in brief.
func (v Merge) scrolls(t theme.Theme, w, h int) bool {
	s := v.sheet(t, w, h)
	s.n = len(v.rows(t, w, maxDetail))
	return s.last(h) > 0
}

// FieldLine returns the Offset at which the field at the cursor is at the top, for
// texts that are shown in brief.
func (v Merge) FieldLine(t theme.Theme, w int) int {
	_, inner := sheetWidth(w, guardWide)
	line := 0
	for i := range v.Field {
		line += len(v.fieldRows(t, i, inner, brief))
	}
	return line
}

// names says which records stand left and right.
func (v Merge) names(t theme.Theme, w int) []string {
	name := func(side string, i int) string {
		if i >= len(v.Records) {
			return side
		}
		r := &v.Records[i]
		return side + " " + strconv.Itoa(i+1) + "/" + strconv.Itoa(len(v.Records)) + "  " +
			field(r, memory.InID, 0, string(r.ID), 24, v.Reveal)
	}
	return zipped(t, []string{t.Strong.Render(name("left", v.Left))}, []string{t.Strong.Render(name("right", v.Right))}, halfOf(w))
}

// fieldName names a field that can be chosen.
func fieldName(i int) string {
	return [...]string{"Task summary", "Lesson", "Outcome"}[i]
}

// TextOf returns a field of a record that can be chosen, as it is stored.
func TextOf(r *memory.Record, field int) string {
	return [...]string{r.Title, r.Body, string(r.Outcome)}[field]
}

// shownText is a field of a record as it is shown.
func (v Merge) shownText(r *memory.Record, i int) string {
	in := [...]memory.Field{memory.InTitle, memory.InBody, memory.InOutcome}[i]
	return safe.Masked(clip(TextOf(r, i), 2000), memory.Places(r.Secrets, in, 0), v.Reveal)
}

// rows returns the fields, left and right, and below them the result. Texts take at
// most so many lines.
func (v Merge) rows(t theme.Theme, w, most int) []string {
	var lines []string
	for i := range MergeFields {
		lines = append(lines, v.fieldRows(t, i, w, most)...)
	}
	lines = append(lines, rule(t, w, "result"))
	return append(lines, v.result(t, w, most)...)
}

func (v Merge) fieldRows(t theme.Theme, i, w, most int) []string {
	cursor, half := "  ", halfOf(w)
	if i == v.Field {
		cursor, most = "> ", maxDetail
	}
	left, right := v.side(t, i, v.Left, v.Right, half), v.side(t, i, v.Right, v.Left, half)
	lines := []string{t.Accent.Render(fit(cursor+fieldName(i), w))}
	return append(lines, zipped(t, begun(left, half, most), begun(right, half, most), half)...)
}

// begun returns at most so many lines; the last ends in dots when there are more.
func begun(lines []string, w, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], Cell(lines[most-1]+dots, w))
}

// side is a field of one record, with a star at the margin where it is chosen and the words
// marked that the record on the other side does not have.
func (v Merge) side(t theme.Theme, i, record, other, w int) []string {
	if record >= len(v.Records) {
		return nil
	}
	margin, style := "  ", t.Text
	if v.Chosen[i] == record {
		margin, style = "* ", t.Strong
	}
	text := orDash(v.shownText(&v.Records[record], i))
	var spans [][2]int
	if other < len(v.Records) {
		spans = wordsOnlyIn(text, orDash(v.shownText(&v.Records[other], i)))
	}
	lines := closed(Wrap(highlight(t, text, style, spans), max(w-2, 1)))
	for j, l := range lines {
		lines[j] = style.Render(margin) + l
	}
	return lines
}

// result is the record that will stand.
func (v Merge) result(t theme.Theme, w, most int) []string {
	p := paper{t: t, w: w}
	for i := range MergeFields {
		text := paper{t: t, w: w}
		text.fact([...]string{"task", "lesson", "outcome"}[i], v.chosen(i))
		p.lines = append(p.lines, begun(text.lines, w, most)...)
	}
	n, odd := v.counted()
	p.pair("relevance", n+odd+" (the highest)", "tools", v.tools()+" (of all)")
	created, used := v.newest()
	p.pair("created", created+" (newest)", "recalled", used+" (newest)")
	others := "The others are deleted: 1 undo step brings them back."
	if len(v.Records) == 2 {
		others = "The other is deleted: 1 undo step brings it back."
	}
	p.add(t.Dim, "", others)
	return p.lines
}

// chosen is the text of a field in the result.
func (v Merge) chosen(i int) string {
	c := v.Chosen[i]
	switch {
	case v.Typing && i == v.Field:
		return safe.Line(v.Own[i]) + "_"
	case c == OwnText:
		return safe.Line(v.Own[i])
	case c < len(v.Records):
		return orDash(v.shownText(&v.Records[c], i))
	}
	return "-"
}

// counted returns the highest count, and a sign when some cannot be read.
func (v Merge) counted() (n, odd string) {
	most := 0
	for i := range v.Records {
		most = max(most, v.Records[i].Count.N)
		if v.Records[i].Count.Odd != "" {
			odd = " ?"
		}
	}
	return strconv.Itoa(most), odd
}

// tools names the tools of all records, each once.
func (v Merge) tools() string {
	const most = 20
	var names []string
	seen := map[string]bool{}
	for i := range v.Records {
		r := &v.Records[i]
		for j, tool := range r.Tools {
			if !seen[tool] && len(names) < most {
				seen[tool] = true
				names = append(names, field(r, memory.InTools, j, tool, 40, v.Reveal))
			}
		}
	}
	return orDash(strings.Join(names, ", "))
}

// newest returns the newest dates of all records.
func (v Merge) newest() (created, used string) {
	var c, u time.Time
	for i := range v.Records {
		if at := v.Records[i].Created.Time; at.After(c) {
			c = at
		}
		if at := v.Records[i].Used.Time; at.After(u) {
			u = at
		}
	}
	day := func(at time.Time) string {
		if at.IsZero() {
			return "never"
		}
		return at.In(v.Now.Location()).Format("2006-01-02 15:04")
	}
	return day(c), day(u)
}
