package views

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// side is one side of a comparison: a record, and the form in which it is stored.
// The zero Side is no record.
type side struct {
	Record memory.Record
	Stored string
}

// none reports whether there is no record.
func (s side) none() bool { return s.Stored == "" && !s.decoded() }

// decoded reports whether the record is known, and with it the places of secrets.
func (s side) decoded() bool {
	r := s.Record
	return r.ID != "" || r.Title != "" || r.Raw != "" || r.Problem != nil
}

// diff compares two forms of a record word by word, field by field. Lines with removed words have a
// minus sign in the margin, lines with new words a plus sign.
type diff struct {
	Was, Now side
	Before   *memory.Record // the form that both were derived from, if it is shown too
	Reveal   bool
	Columns  bool // show the sides next to each other
}

// diffOf returns the comparison for a change. A pin has nothing to compare.
func diffOf(c memory.Change, reveal bool) diff {
	d := diff{Reveal: reveal}
	switch c.Do {
	case memory.Deleting:
		d.Was = side{c.Record, c.Before}
	case memory.Adding:
		d.Now = side{c.Record, c.After}
	case memory.Editing:
		d.Was, d.Now = side{c.Record, c.Before}, side{c.Edited, c.After}
	}
	return d
}

// Lines returns the comparison in lines of at most w cells.
func (d diff) Lines(t theme.Theme, w int) []string {
	p := paper{t: t, w: max(w, 1)}
	for _, s := range []side{d.Was, d.Now} {
		if !s.none() && !s.decoded() && !d.Reveal {
			p.add(t.Dim, "", "This form was not checked for secrets: it is shown when secrets are revealed.")
			return p.lines
		}
	}
	d.fields(&p)
	if len(p.lines) == 0 && d.Was.Stored != d.Now.Stored {
		d.stored(&p)
	}
	return p.lines
}

// fields compares what the records say.
func (d diff) fields(p *paper) {
	was, now := fieldsOf(d.Was, d.Reveal), fieldsOf(d.Now, d.Reveal)
	var before []shownField
	if d.Before != nil {
		before = fieldsOf(side{Record: *d.Before}, d.Reveal)
	}
	for i := range max(len(was), len(now)) {
		a, b := at(was, i), at(now, i)
		name := cmp.Or(a.name, b.name)
		if d.prose() {
			undated := d.Was.Record.Created.Text == "" || d.Now.Record.Created.Text == ""
			if i == fieldText && d.lines(p, a, b) || i == fieldCreated && undated {
				continue // the date of a file is not part of its text
			}
			if i == fieldCount && (d.Was.Record.Count.Odd != "" || d.Now.Record.Count.Odd != "") {
				continue // sessions say how often a file was read, and what is to be written was not read yet
			}
		}
		switch {
		case a.plain == b.plain:
		case a.text == b.text:
			p.add(p.t.Dim, "", name)
			p.add(p.t.Warn, "  ", "differs in a masked part, or is too long to show")
		default:
			p.add(p.t.Dim, "", name)
			if i < len(before) {
				p.signed(p.t.Dim, "= ", before[i].text, nil)
			}
			d.compare(p, a.text, b.text)
		}
	}
}

// stored compares the stored forms if they differ in something that no field shows.
func (d diff) stored(p *paper) {
	p.add(p.t.Dim, "", "stored line")
	a, b := d.Was.shownRaw(d.Reveal), d.Now.shownRaw(d.Reveal)
	if a == b {
		p.add(p.t.Warn, "  ", "they differ in a part that is not shown")
		return
	}
	d.compare(p, a, b)
}

// shownRaw returns the stored form as the record knows it.
func (s side) shownRaw(reveal bool) string {
	raw := s.Record.Raw
	if !s.decoded() {
		raw = s.Stored
	}
	return safe.Masked(cut(raw), memory.Places(s.Record.Secrets, memory.InRaw, 0), reveal)
}

// compare adds the lines of two safe texts that differ.
func (d diff) compare(p *paper, was, now string) {
	left, right := p, p
	if d.Columns {
		half := halfOf(p.w)
		left, right = &paper{t: p.t, w: half}, &paper{t: p.t, w: half}
	}
	for _, h := range hunks(p.t.Borders.Cut, was, now) {
		if was != "" {
			left.signed(p.t.Danger, "- ", h.was, h.wasSpans)
		}
		if now != "" {
			right.signed(p.t.OK, "+ ", h.now, h.nowSpans)
		}
	}
	if d.Columns {
		p.lines = append(p.lines, zipped(p.t, left.lines, right.lines, halfOf(p.w))...)
	}
}

// halfOf returns the width of one of two columns in w cells.
func halfOf(w int) int { return max((w-3)/2, 1) }

// zipped puts two columns next to each other with a line between them. The left column has the
// given width.
func zipped(t theme.Theme, left, right []string, cells int) []string {
	lines := make([]string, max(len(left), len(right)))
	for i := range lines {
		a, b := at(left, i), at(right, i)
		lines[i] = Cell(t, a, cells) + " " + t.Border.Render(t.Borders.Vertical) + " " + b
	}
	return lines
}

// at returns an element of a list, or the zero value if the index is out of range.
func at[T any](list []T, i int) (x T) {
	if i >= 0 && i < len(list) {
		x = list[i]
	}
	return x
}

// signed adds a text with a sign in the margin of each line, and its spans highlighted.
func (p *paper) signed(sign theme.Style, margin, text string, spans [][2]int) {
	if len(spans) == 1 && spans[0] == [2]int{0, len(text)} {
		spans = nil // all of it is new, as the margin says already
	}
	p.indented(sign.Render(margin), closed(Wrap(highlight(p.t, text, p.t.Text, spans), max(p.w-len(margin), 1))))
}

// closed ends a style that continues on the next line at the end of the line, and starts it again
// there.
func closed(lines []string) []string {
	open := ""
	for i, l := range lines {
		l, open = open+l, ""
		if at := strings.LastIndexByte(l, 0x1b); at >= 0 {
			if seq := l[at : at+escape(l[at:])]; seq != reset {
				l, open = l+reset, seq
			}
		}
		lines[i] = l
	}
	return lines
}

// shownField is a field as it is stored and as it is shown.
type shownField struct{ name, plain, text string }

// fieldsOf returns what a record says, always the same fields in the same order.
func fieldsOf(s side, reveal bool) []shownField {
	r := &s.Record
	if s.none() || !s.decoded() || r.Problem != nil && r.Title == "" {
		return nil
	}
	long := func(name string, in memory.Field, text string) shownField {
		return shownField{name, text, safe.Masked(cut(text), memory.Places(r.Secrets, in, 0), reveal)}
	}
	short := func(name string, in memory.Field, text string, cells int) shownField {
		return shownField{name, text, orDash(field(r, in, 0, text, cells, reveal))}
	}
	v, text := RecordDetail{Record: r, Reveal: reveal}, r.Outcome == "" // and no lesson
	return []shownField{
		long(
			cmp.Or(textIf(text, "Title"), "Task summary"),
			memory.InTitle,
			textIf(!text || !strings.HasPrefix(r.Body, r.Title), "%s", r.Title),
		),
		long(cmp.Or(textIf(text, "Text"), "Lesson"), memory.InBody, r.Body),
		short("Outcome", memory.InOutcome, string(r.Outcome), maxOutcome),
		{"Tools", strings.Join(r.Tools, "\x00"), v.toolText()},
		{"Relevance", r.Count.Odd + " " + v.countText(), v.countText()},
		short("Session", memory.InSession, r.Session, 80),
		short("Created", memory.InCreated, r.Created.Text, 40),
		short("Recalled", memory.InUsed, r.Used.Text, 40),
	}
}

// Positions in fieldsOf.
const (
	fieldText    = 1
	fieldCount   = 4
	fieldCreated = 6
)

// prose reports whether the records are free text instead of lessons. Their lines are compared one
// by one.
func (d diff) prose() bool {
	is := func(r *memory.Record) bool { return r.File != "" || r.Kind != "" }
	return is(&d.Was.Record) || is(&d.Now.Record)
}

// lines compares two texts of several lines, line by line. It is false for others.
func (d diff) lines(p *paper, a, b shownField) bool {
	if a.plain == b.plain || a.text == b.text || !strings.Contains(a.plain+b.plain, "\n") {
		return false
	}
	shown := func(r *memory.Record) []string {
		return shownLines(r.Body, memory.Places(r.Secrets, memory.InBody, 0), d.Reveal)
	}
	was, now := shown(&d.Was.Record), shown(&d.Now.Record)
	if slices.Equal(was, now) {
		return false
	}
	p.add(p.t.Dim, "", "Text")
	p.changedLines("", was, now)
	return true
}
