package views

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// whereLooked adds the places where stores were searched.
func (v Stores) whereLooked(p *paper) {
	t := p.t
	p.blank()
	p.add(t.Strong, "", textIf(len(v.Looked) > 0, "Looked in"))
	for _, l := range v.Looked {
		style, where := t.Text, safe.Line(l.Where)
		if l.Found == 0 {
			style = t.Dim
		}
		p.add(style, "  ", where+pad(max(min(p.w/2, 44)-Width(where), 2))+safe.Line(lookedNote(l)))
	}
	if v.Ready && len(v.Rows) == 0 {
		p.blank()
		p.add(t.Info, "", "winnow PATH opens a file, or looks below a folder. winnow --demo has sample data.")
	}
}

// stored adds a text of a store after a label. It adds nothing if the text is empty.
func (v Stores) stored(p *paper, style theme.Style, indent, label, text string) {
	const most = 1000 // cells
	if text != "" {
		p.add(style, indent, label+v.Mask.line(text, most))
	}
}

// levelStyle returns the style for a level.
func levelStyle(t theme.Theme, level memory.Level) theme.Style {
	return [...]theme.Style{
		memory.Good: t.OK,
		memory.Note: t.Info,
		memory.Warn: t.Warn,
		memory.Stop: t.Danger,
	}[min(level, memory.Stop)]
}

// about describes one store, with the next step for each health line.
func (v Stores) about(p *paper, r *StoreRow) {
	s, t := &r.Summary, p.t
	p.add(t.Dim, "", v.facts(r))
	if r.Loaded && s.Problem == nil {
		v.contents(p, r)
	}
	p.blank()
	switch {
	case r.Failed != "":
		v.stored(p, t.Danger, "", "! ", r.Failed)
		p.add(t.Info, "  ", "next: "+keyOf(v.keys().Home.Refresh)+" looks again")
		return
	case !r.Loaded:
		p.add(t.Dim, "", "reading"+t.Borders.Cut)
		return
	case s.Problem != nil:
		v.stored(p, t.Danger, "", "! ", s.Problem.What)
		v.stored(p, t.Info, "  ", "next: ", s.Problem.Hint)
	case len(s.Health) == 0:
		p.add(t.OK, "", "ok   Nothing is wrong.")
	}
	for i := range s.Health {
		h := &s.Health[i]
		p.add(levelStyle(t, h.Level), "", Cell(t, h.Level.String(), 5)+v.Mask.line(h.What, 1000)+healthLines(h))
		v.stored(p, t.Text, "     ", "next: ", h.Next)
	}
}

// healthLines names the lines of a store that a health line refers to.
func healthLines(h *memory.Health) string {
	if len(h.Lines) == 0 {
		return ""
	}
	numbers := strings.ReplaceAll(strings.Trim(fmt.Sprint(h.Lines), "[]"), " ", ", ")
	more := h.Count - len(h.Lines)
	return " (line" + textIf(len(h.Lines) > 1, "s") + " " + numbers +
		textIf(more > 0 && len(h.Lines) > 1, " and %d more", more) + ")"
}

// facts returns what is known of a store in one line.
func (v Stores) facts(r *StoreRow) string {
	known := ""
	if s := &r.Summary; r.Loaded && s.Problem == nil {
		watch := map[memory.WatchMode]string{
			memory.WatchLive: "watched",
			memory.WatchPoll: "checked every 2 s",
		}[s.Watch]
		mode := textIf(s.Mode != 0, "%s", cmp.Or(textIf(s.Mode.IsDir(), "folder"), s.Mode.Perm().String()[1:]))
		known = joined(
			"   ",
			s.Noun.Count(s.Counted()),
			unused(s),
			ByteSize(s.Size),
			v.writer(s),
			"git "+s.Git.String(),
			watch,
			mode,
		)
	}
	open := textIf(r.Place.Store == v.Open, "open now")
	return v.Mask.line(joined("   ", v.system(r), r.path(), open, r.Place.Why, known), 2000)
}

// unused says how many of the records an agent holds were never recalled.
func unused(s *memory.Snapshot) string {
	return textIf(
		s.Held > 0 && s.Cap > 0,
		"%d of %d never recalled (%d%%)",
		s.Unused,
		s.Held,
		s.Unused*100/max(s.Held, 1),
	)
}

// ByteSize formats a size: "812 B", "6.1 kB".
func ByteSize(n int64) string {
	const unit = 1000
	if n < unit {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, names := float64(n)/unit, []string{"kB", "MB", "GB", "TB"}
	for f >= unit && len(names) > 1 {
		f, names = f/unit, names[1:]
	}
	return fmt.Sprintf("%.1f %s", f, names[0])
}

// group describes the stores under a heading.
func (v Stores) group(p *paper, l StoreLine) {
	s, t := v.sum(l.Of), p.t
	p.add(
		t.Text,
		"",
		joined(
			"   ",
			memory.Counted(len(l.Of), "store"),
			strings.TrimSpace(s.records()),
			textIf(s.running > 0, "%d running", s.running),
		),
	)
	p.add(
		t.Text,
		"",
		textIf(
			s.size.Bytes > 0,
			"injected at every start, in all: %s, at most %s tokens",
			ByteSize(int64(s.size.Bytes)),
			short(s.size.TokensHigh),
		),
	)
	p.add(t.Text, "", textIf(s.tallied > 0, "findings: %s (%d of %d audited)", s.findings(), s.tallied, s.of))
	shown := 0
	for _, i := range l.Of {
		r := &v.Rows[i]
		problem := r.Failed
		if problem == "" && r.Loaded && r.Summary.Problem != nil {
			problem = r.Summary.Problem.What
		}
		if problem != "" && shown < 5 {
			shown++
			v.stored(p, t.Danger, "", "! ", r.path()+": "+problem)
		}
	}
}

// maxScopes limits the parts of a store that are listed.
const maxScopes = 12

// contents says what a store adds to each session, how full it is, which agents run, and what its
// parts are.
func (v Stores) contents(p *paper, r *StoreRow) {
	s, t := &r.Summary, p.t
	v.stored(p, t.Warn, "", "read-only: ", s.ReadOnly)
	n := s.Start
	p.add(
		t.Text,
		"",
		textIf(
			n.Bytes > 0,
			"at every start: %s, about %d-%d tokens, models differ",
			ByteSize(int64(n.Bytes)),
			n.TokensLow,
			n.TokensHigh,
		),
	)
	for _, u := range s.Usage {
		v.stored(p, t.Text, "", "", usageText(u))
	}
	findings := storeSum{tallied: 1, of: 1, tally: r.Tally}.findings()
	p.add(
		t.Text,
		"",
		textIf(r.Tallied, "findings: %s", findings+textIf(r.Tally.Files > 0, ", %d about its files", r.Tally.Files)),
	)
	for i := range s.Running {
		v.stored(p, t.Info, "", "", runningText(s.Running[i], v.Now))
	}
	for i, sc := range s.Scopes {
		if i == maxScopes {
			p.add(t.Dim, "  ", strconv.Itoa(len(s.Scopes)-i)+" more parts")
			break
		}
		v.stored(p, t.Dim, "  ", "", joined(", ", sc.Name+": "+s.Noun.Count(sc.Records), sc.Note))
	}
	for _, f := range s.Facts {
		v.stored(p, t.Dim, "", "", f.Name+": "+f.Text)
	}
}

// usageText says how full a part of a store is, in the words of its system if it has its own.
func usageText(u memory.Usage) string {
	text := strconv.Itoa(u.Used)
	if u.Limit > 0 {
		text += fmt.Sprintf(" of %d (%d%%)", u.Limit, u.Used*100/u.Limit)
	}
	return joined(": ", u.Name, cmp.Or(u.Text, text))
}

// runningText says which agent runs, where and since when. The text is not safe to print yet.
func runningText(r memory.Running, now time.Time) string {
	since := !r.Since.IsZero() && !now.IsZero()
	return joined(
		", ",
		"running",
		r.State,
		textIf(r.PID > 0, "pid %d", r.PID),
		textIf(r.Session != "", "session %s", r.Session),
		textIf(r.Folder != "", "in %s", r.Folder),
		textIf(since, "since %s", Age(now.Sub(r.Since))),
	)
}
