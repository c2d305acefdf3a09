package views

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// maxDetail is how many bytes of one text the detail shows; what is beyond is
// named. No agent reads more than a part of it.
const maxDetail = 64 << 10

// LessonDetail is the data of the pane that shows one lesson whole.
type LessonDetail struct {
	Record *memory.Record // nil when no row is chosen
	Fresh  bool           // arrived while the store was open here
	Now    time.Time
	// Held is how many lessons an agent would hold, LoadCap how many it reads.
	Held, LoadCap int
	Raw           bool // show the stored line
	Reveal        bool
	Match         Spans
}

// Title returns the id of the lesson, for the frame of the pane.
func (v LessonDetail) Title() string {
	if v.Record == nil {
		return "Lesson"
	}
	return safe.Line(clip(string(v.Record.ID), 40))
}

// Lines returns all lines of the detail, none wider than w cells.
func (v LessonDetail) Lines(t theme.Theme, w int) []string {
	p := paper{t: t, w: max(w, 1), match: v.Match}
	switch {
	case v.Record == nil:
		p.add(t.Dim, "", "No lesson is chosen.")
	case v.Raw:
		v.raw(&p)
	default:
		v.facts(&p)
		v.texts(&p)
		v.forecast(&p)
		v.remarks(&p)
	}
	return p.lines
}

// Brief returns the detail in few lines, for the pane below a list.
func (v LessonDetail) Brief(t theme.Theme, w int) []string {
	if v.Record == nil || v.Raw {
		return v.Lines(t, w)
	}
	r := v.Record
	p := paper{t: t, w: max(w, 1), match: v.Match}
	head := []string{v.Title(), v.outcomeWord(), "rel " + countText(r.Count), v.usedText()}
	if len(r.Tools) > 0 {
		head = append(head, "tools "+toolText(r))
	}
	p.lines = append(p.lines, t.Dim.Render(Cell(strings.Join(head, "  "), p.w)))
	v.problem(&p)
	p.text(t.Text, "", safe.Masked(cut(r.Body), secretSpans(r, memory.InBody), v.Reveal))
	for _, s := range v.Why() {
		p.add(t.Info, "", s)
	}
	for _, s := range v.flagNotes() {
		p.add(t.Warn, "", s)
	}
	return p.lines
}

func (v LessonDetail) facts(p *paper) {
	r := v.Record
	p.pair("id", safe.Line(clip(string(r.ID), 80)), "session", safe.Line(clip(orDash(r.Session), 80)))
	p.pair("outcome", v.outcomeWord(), "created", dateText(v.Now, r.Created))
	p.fact("tools", toolText(r))
	p.pair("relevance", countText(r.Count), "recalled", dateText(v.Now, r.Used))
	p.fact("stored", "line "+strconv.Itoa(r.Line)+", "+strconv.Itoa(r.RawLen)+" bytes")
	v.problem(p)
}

func (v LessonDetail) problem(p *paper) {
	pr := v.Record.Problem
	if pr == nil {
		return
	}
	p.blank()
	p.add(p.t.Danger, "", "! "+safe.Line(pr.What))
	if pr.Hint != "" {
		p.add(p.t.Info, "  ", safe.Line(pr.Hint))
	}
}

func (v LessonDetail) texts(p *paper) {
	r := v.Record
	if r.Title != "" || r.Problem == nil {
		p.section("Task summary (" + characters(r.Title) + ")")
		p.text(p.t.Text, "  ", safe.Masked(cut(r.Title), secretSpans(r, memory.InTitle), v.Reveal))
		p.beyond(r.Title)
	}
	if r.Body != "" || r.Problem == nil {
		p.section("Lesson (" + characters(r.Body) + ")")
		p.text(p.t.Text, "  ", safe.Masked(cut(r.Body), secretSpans(r, memory.InBody), v.Reveal))
		p.beyond(r.Body)
	}
}

// raw shows the stored line as it is, tokens for what cannot be seen.
func (v LessonDetail) raw(p *paper) {
	r := v.Record
	p.add(p.t.Strong, "", "Line "+strconv.Itoa(r.Line)+" as it is stored ("+strconv.Itoa(r.RawLen)+" bytes)")
	p.blank()
	p.text(p.t.Text, "", safe.Masked(cut(r.Raw), secretSpans(r, memory.InRaw), v.Reveal))
	if n := r.RawLen - min(len(r.Raw), maxDetail); n > 0 {
		p.add(p.t.Dim, "", strconv.Itoa(n)+" more bytes are not shown")
	}
}

func (v LessonDetail) remarks(p *paper) {
	notes := v.flagNotes()
	if len(notes) == 0 {
		return
	}
	p.section("Flags")
	for _, s := range notes {
		p.add(p.t.Warn, "  ", s)
	}
}

// flagNotes explains each flag that is set.
func (v LessonDetail) flagNotes() []string {
	f := v.Record.Flags
	if v.Fresh {
		f |= memory.FlagNew
	}
	meaning := map[byte]string{
		'S': "holds something that looks like a secret" + rules(v.Record.Secrets),
		'I': "hidden text, a delimiter or a heading reaches the prompt",
		'!': "pruned within 3 days unless it is recalled",
		'N': "arrived since the store was opened",
		'D': "shares its id with another lesson",
		'B': "past the lessons that an agent loads",
		'X': "cannot be decoded; lost at the agent's next save",
		'H': "makes the agent stop",
		'R': "removed by the agent's next load",
	}
	var notes []string
	for _, c := range []byte(f.Letters()) {
		notes = append(notes, string(c)+"  "+meaning[c])
	}
	return notes
}

// rules names what the secrets look like, each once.
func rules(secrets []memory.Secret) string {
	var names []string
	seen := map[string]bool{}
	for _, s := range secrets {
		if s.Rule != "" && !seen[s.Rule] && len(names) < 4 {
			seen[s.Rule] = true
			names = append(names, safe.Line(s.Rule))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

func (v LessonDetail) outcomeWord() string {
	return safe.Line(clip(orDash(string(v.Record.Outcome)), 20))
}

func (v LessonDetail) usedText() string {
	switch m := v.Record.Used; {
	case m.Time.IsZero() && m.Text == "":
		return "never recalled"
	case m.Time.IsZero():
		return "recalled at a date that cannot be read"
	}
	return "recalled " + moment(v.Now, v.Record.Used) + " ago"
}

func countText(c memory.Count) string {
	if c.Odd != "" {
		return "? " + safe.Line(clip(c.Odd, 20))
	}
	return strconv.Itoa(c.N)
}

func toolText(r *memory.Record) string {
	const most = 12
	var names []string
	for i, tool := range r.Tools {
		if i == most {
			names = append(names, strconv.Itoa(len(r.Tools)-most)+" more")
			break
		}
		names = append(names, safe.Line(clip(tool, 40)))
	}
	return orDash(strings.Join(names, ", "))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// dateText returns a date as it is, and how long ago it was.
func dateText(now time.Time, m memory.Moment) string {
	switch {
	case !m.Time.IsZero():
		return m.Time.In(now.Location()).Format("2006-01-02 15:04") + " (" + Age(now.Sub(m.Time)) + ")"
	case m.Text == "":
		return "never"
	}
	return "? " + safe.Line(clip(m.Text, 24))
}

func characters(s string) string {
	n := utf8.RuneCountInString(s)
	if n == 1 {
		return "1 character"
	}
	return strconv.Itoa(n) + " characters"
}

// cut returns what the detail shows of a text.
func cut(s string) string {
	if len(s) <= maxDetail {
		return s
	}
	return clip(s[:maxDetail+utf8.UTFMax], maxDetail/16-1)
}
