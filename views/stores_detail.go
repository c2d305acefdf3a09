package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

func (v Stores) detailTitle(w int) string {
	l, ok := v.Chosen()
	switch {
	case !ok:
		return "Where was looked"
	case l.Heading != "":
		return v.Mask.line(l.Heading, max(w-20, 8))
	case v.Grouped:
		return "Health of " + v.name(&v.Rows[l.Row], l, max(w-20, 8))
	}
	return "Health of " + cutFront(v.Mask.line(v.Rows[l.Row].path(), 4*max(w, 1)), max(w-20, 8))
}

// detail returns the lines of the lower box: the chosen store, its health, and
// where was looked.
func (v Stores) detail(t theme.Theme, w int) []string {
	d := prose{w: w}
	if l, ok := v.Chosen(); ok && l.Heading != "" {
		v.group(t, &d, l)
		d.gap()
	} else if ok {
		v.about(t, &d, &v.Rows[l.Row])
		d.gap()
	}
	if len(v.Looked) > 0 {
		d.add(t.Strong, "", "Looked in")
	}
	for _, l := range v.Looked {
		what := lookedNote(l)
		style := t.Text
		if l.Found == 0 {
			style = t.Dim
		}
		where := safe.Line(l.Where)
		d.add(style, "  ", where+pad(max(min(w/2, 44)-Width(where), 2))+safe.Line(what))
	}
	if v.Ready && len(v.Rows) == 0 {
		d.gap()
		d.add(t.Info, "", "winnow PATH opens a file, or looks below a folder. winnow --demo has sample data.")
	}
	return d.lines
}

// about describes one store, with the next step of each health line.
func (v Stores) about(t theme.Theme, d *prose, r *StoreRow) {
	s := &r.Summary
	d.add(t.Dim, "", v.facts(r))
	v.more(t, d, r)
	d.gap()
	switch {
	case r.Failed != "":
		d.add(t.Danger, "", "! "+v.Mask.line(r.Failed, 1000))
		d.add(t.Info, "  ", "next: r looks again")
		return
	case !r.Loaded:
		d.add(t.Dim, "", "reading..")
		return
	case s.Problem != nil:
		d.add(t.Danger, "", "! "+v.Mask.line(s.Problem.What, 1000))
		if s.Problem.Hint != "" {
			d.add(t.Info, "  ", "next: "+v.Mask.line(s.Problem.Hint, 1000))
		}
	}
	for i := range s.Health {
		h := &s.Health[i]
		style := [...]theme.Style{memory.Good: t.OK, memory.Note: t.Info, memory.Warn: t.Warn, memory.Stop: t.Danger}[min(h.Level, memory.Stop)]
		d.add(style, "", Cell(h.Level.String(), 5)+v.Mask.line(h.What, 1000)+healthLines(h))
		if h.Next != "" {
			d.add(t.Text, "     ", "next: "+v.Mask.line(h.Next, 1000))
		}
	}
	if len(s.Health) == 0 && s.Problem == nil {
		d.add(t.OK, "", "ok   Nothing stands out.")
	}
}

// healthLines names the lines of a store that a health line is about.
func healthLines(h *memory.Health) string {
	if len(h.Lines) == 0 {
		return ""
	}
	numbers := make([]string, len(h.Lines))
	for i, n := range h.Lines {
		numbers[i] = strconv.Itoa(n)
	}
	text := " (line " + numbers[0] + ")"
	if len(numbers) > 1 {
		text = " (lines " + strings.Join(numbers, ", ")
		if more := h.Count - len(numbers); more > 0 {
			text += " and " + strconv.Itoa(more) + " more"
		}
		text += ")"
	}
	return text
}

// facts returns what is known of a store in one line.
func (v Stores) facts(r *StoreRow) string {
	parts := []string{string(r.Place.System)}
	if v.Grouped {
		parts = []string{v.system(r), r.path()}
	}
	if r.Place.Store == v.Open {
		parts = append(parts, "open now")
	}
	if r.Place.Why != "" {
		parts = append(parts, r.Place.Why)
	}
	if s := &r.Summary; r.Loaded && s.Problem == nil {
		parts = append(parts, v.lines(s), byteSize(s.Size), v.writer(s),
			"git "+s.Git.String())
		if !v.Grouped || s.Mode != 0 {
			parts = append(parts, modeText(s.Mode))
		}
	}
	return v.Mask.line(strings.Join(parts, "   "), 2000)
}

// lines returns how many records a store holds.
func (v Stores) lines(s *memory.Snapshot) string {
	if !v.Grouped {
		return count(s.Counted(), "line")
	}
	return s.Noun.Count(s.Counted())
}

func byteSize(n int64) string {
	const unit = 1000
	if n < unit {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, names := float64(n)/unit, []string{"kB", "MB", "GB", "TB"}
	i := 0
	for f >= unit && i < len(names)-1 {
		f, i = f/unit, i+1
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + " " + names[i]
}

// prose gathers wrapped lines of at most w cells.
type prose struct {
	w     int
	lines []string
}

func (p *prose) add(style theme.Style, indent, text string) {
	for _, s := range Wrap(text, max(p.w-1-len(indent), 1)) {
		p.lines = append(p.lines, " "+indent+style.Render(s))
	}
}

// gap adds an empty line, but none at the start or after another.
func (p *prose) gap() {
	if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
		p.lines = append(p.lines, "")
	}
}
