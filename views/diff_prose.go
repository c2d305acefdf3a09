package views

import (
	"strings"

	"winnow/core/memory"
)

// What stands where in fieldsOf.
const (
	fieldTitle = iota
	fieldText
	fieldCreated = 6
)

// prose reports whether the records are texts of people, and not lessons: their lines
// are compared one by one.
func (d Diff) prose() bool {
	is := func(r *memory.Record) bool { return r.File != "" || r.Kind != "" }
	return is(&d.Was.Record) || is(&d.Now.Record)
}

// proseField compares a field of records that are prose. The date of a file is not in its
// text, so that a text alone has none.
func (d Diff) proseField(p *paper, i int, a, b shownField) {
	switch i {
	case fieldTitle:
		a.name, b.name = "Title", "Title"
	case fieldText:
		if d.lines(p, a, b) {
			return
		}
		a.name, b.name = "Text", "Text"
	case fieldCreated:
		if d.Was.Record.Created.Text == "" || d.Now.Record.Created.Text == "" {
			return
		}
	}
	d.field(p, a, b)
}

// lines compares two texts of several lines, line by line. It is false for others.
func (d Diff) lines(p *paper, a, b shownField) bool {
	if a.plain == b.plain || a.text == b.text || !strings.Contains(a.plain+b.plain, "\n") {
		return false
	}
	shown := func(r *memory.Record) []string {
		return shownLines(r.Body, memory.Places(r.Secrets, memory.InBody, 0), d.Reveal)
	}
	hunks := lineHunks(shown(&d.Was.Record), shown(&d.Now.Record))
	if len(hunks) == 0 {
		return false
	}
	p.add(p.t.Dim, "", "Text")
	for _, h := range hunks {
		style := p.t.OK
		switch h[0] {
		case '-':
			style = p.t.Danger
		case ' ':
			style = p.t.Dim
		}
		for k, s := range Wrap(h[2:], max(p.w-2, 1)) {
			margin := "  "
			if k == 0 {
				margin = h[:2]
			}
			p.lines = append(p.lines, style.Render(margin+s))
		}
	}
	return true
}
