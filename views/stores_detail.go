package views

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

func (v Stores) detailTitle(w int) string {
	l, ok := v.Chosen()
	switch {
	case !ok:
		return "Where Winnow looked"
	case l.Heading != "":
		return v.Mask.line(l.Heading, max(w-20, 8))
	}
	return "Health of " + v.name(&v.Rows[l.Row], l, max(w-20, 8))
}

// detail returns the lines of the lower box: the chosen store, its health, and
// where Winnow looked.
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
	v.contents(t, d, r)
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
		d.add(t.OK, "", "ok   Nothing is wrong.")
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
	parts := []string{v.system(r), r.path()}
	if r.Place.Store == v.Open {
		parts = append(parts, "open now")
	}
	parts = append(parts, r.Place.Why)
	if s := &r.Summary; r.Loaded && s.Problem == nil {
		parts = append(parts, s.Noun.Count(s.Counted()), unused(s), byteSize(s.Size), v.writer(s), "git "+s.Git.String(), watchText(s.Watch))
		if s.Mode != 0 {
			parts = append(parts, modeText(s.Mode))
		}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return v.Mask.line(strings.Join(parts, "   "), 2000)
}

// unused says how many of the records that an agent holds were never recalled.
func unused(s *memory.Snapshot) string {
	if s.Held <= 0 || s.Cap <= 0 {
		return ""
	}
	return strconv.Itoa(s.Unused) + " of " + strconv.Itoa(s.Held) + " never recalled (" + strconv.Itoa(s.Unused*100/s.Held) + "%)"
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

// group describes the stores below a heading.
func (v Stores) group(t theme.Theme, d *prose, l StoreLine) {
	s := v.sum(l.Of)
	parts := []string{count(len(l.Of), "store")}
	if records := strings.TrimSpace(s.records()); records != "" {
		parts = append(parts, records)
	}
	if s.running > 0 {
		parts = append(parts, strconv.Itoa(s.running)+" running")
	}
	d.add(t.Text, "", strings.Join(parts, "   "))
	if s.size.Bytes > 0 {
		d.add(t.Text, "", "injected at every start, in all: "+byteSize(int64(s.size.Bytes))+", at most "+short(s.size.TokensHigh)+" tokens")
	}
	if s.tallied > 0 {
		d.add(t.Text, "", "findings: "+strings.TrimSuffix(s.findings(), "..")+" ("+strconv.Itoa(s.tallied)+" of "+strconv.Itoa(s.of)+" audited)")
	}
	shown := 0
	for _, i := range l.Of {
		r := &v.Rows[i]
		problem := ""
		switch {
		case r.Failed != "":
			problem = r.Failed
		case r.Loaded && r.Summary.Problem != nil:
			problem = r.Summary.Problem.What
		default:
			continue
		}
		if shown++; shown <= 5 {
			d.add(t.Danger, "", "! "+v.Mask.line(r.path()+": "+problem, 1000))
		}
	}
}

// contents says what a store adds to each session, how full it is, who runs, and its parts.
func (v Stores) contents(t theme.Theme, d *prose, r *StoreRow) {
	s := &r.Summary
	if !r.Loaded || s.Problem != nil {
		return
	}
	if s.ReadOnly != "" {
		d.add(t.Warn, "", "read-only: "+v.Mask.line(s.ReadOnly, 1000))
	}
	if n := s.Start; n.Bytes > 0 {
		d.add(t.Text, "", "at every start: "+byteSize(int64(n.Bytes))+", about "+strconv.Itoa(n.TokensLow)+"-"+
			strconv.Itoa(n.TokensHigh)+" tokens, models differ")
	}
	for _, u := range s.Usage {
		d.add(t.Text, "", v.Mask.line(usageText(u), 1000))
	}
	if r.Tallied {
		findings := storeSum{tallied: 1, of: 1, tally: r.Tally}.findings()
		if r.Tally.Files > 0 {
			findings += ", " + strconv.Itoa(r.Tally.Files) + " about its files"
		}
		d.add(t.Text, "", "findings: "+findings)
	}
	for i := range s.Running {
		d.add(t.Info, "", v.Mask.line(RunningText(s.Running[i], v.Now), 1000))
	}
	for i, sc := range s.Scopes {
		if i == maxScopes {
			d.add(t.Dim, "  ", strconv.Itoa(len(s.Scopes)-i)+" more parts")
			break
		}
		d.add(t.Dim, "  ", v.Mask.line(sc.Name+": "+s.Noun.Count(sc.Records)+withNote(sc.Note), 1000))
	}
	for _, f := range s.Facts {
		d.add(t.Dim, "", v.Mask.line(f.Name+": "+f.Text, 1000))
	}
}

// maxScopes is how many parts of a store are listed.
const maxScopes = 12

func withNote(note string) string {
	if note == "" {
		return ""
	}
	return ", " + note
}

// usageText says how full a part of a store is, in the words of its system where it has
// any.
func usageText(u memory.Usage) string {
	if u.Text != "" {
		return strings.TrimPrefix(u.Name+": "+u.Text, ": ")
	}
	text := u.Name + ": " + strconv.Itoa(u.Used)
	if u.Limit > 0 {
		text += " of " + strconv.Itoa(u.Limit) + " (" + strconv.Itoa(u.Used*100/u.Limit) + "%)"
	}
	return text
}

// RunningText says which agent runs, where and since when. It is not safe yet.
func RunningText(r memory.Running, now time.Time) string {
	parts := []string{"running"}
	if r.State != "" {
		parts = append(parts, r.State)
	}
	if r.PID > 0 {
		parts = append(parts, "pid "+strconv.Itoa(r.PID))
	}
	if r.Session != "" {
		parts = append(parts, "session "+r.Session)
	}
	if r.Folder != "" {
		parts = append(parts, "in "+r.Folder)
	}
	if !r.Since.IsZero() && !now.IsZero() {
		parts = append(parts, "since "+Age(now.Sub(r.Since)))
	}
	return strings.Join(parts, ", ")
}
