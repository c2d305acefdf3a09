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

// maxOutcome is how many cells of an outcome are shown.
const maxOutcome = 20

// LessonDetail is the data of the pane that shows one lesson whole.
type LessonDetail struct {
	Record *memory.Record // nil when no row is chosen
	Now    time.Time
	// Held is how many lessons an agent would hold, LoadCap how many it reads.
	Held, LoadCap int
	// Undone is how often another writer undid a change of ours to this lesson.
	Undone int
	Raw    bool // show the stored line
	// Shape is that of records which are not lessons, else nil. Stores are what other
	// stores are called.
	Shape  *Shape
	Stores map[memory.StoreID]string
	Mask   Mask
	Reveal bool
	Match  Spans
}

// Title returns the id of the lesson, for the frame of the pane.
func (v LessonDetail) Title() string {
	if v.Record == nil {
		if v.Shape != nil {
			return v.Shape.title()
		}
		return "Lesson"
	}
	return v.shown(memory.InID, string(v.Record.ID), 40)
}

// shown returns a short field of the record, what cells can show.
func (v LessonDetail) shown(in memory.Field, s string, cells int) string {
	return field(v.Record, in, 0, s, cells, v.Reveal)
}

// Lines returns all lines of the detail, none wider than w cells.
func (v LessonDetail) Lines(t theme.Theme, w int) []string {
	p := paper{t: t, w: max(w, 1), match: v.Match}
	switch {
	case v.Record == nil:
		p.add(t.Dim, "", "No lesson is chosen.")
	case v.Raw:
		v.raw(&p)
	case v.Shape != nil:
		v.record(&p)
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
	if v.Shape != nil {
		v.recordBrief(&p)
		return p.lines
	}
	head := []string{v.Title(), v.outcomeWord(), "rel " + v.countText(), v.usedText()}
	if len(r.Tools) > 0 {
		head = append(head, "tools "+v.toolText())
	}
	p.lines = append(p.lines, t.Dim.Render(Cell(strings.Join(head, "  "), p.w)))
	v.problem(&p)
	p.text(t.Text, "", safe.Masked(cut(r.Body), memory.Places(r.Secrets, memory.InBody, 0), v.Reveal))
	for _, s := range v.Why() {
		p.add(t.Info, "", s)
	}
	for _, s := range v.flagNotes() {
		p.add(t.Warn, "", s)
	}
	v.undone(&p)
	return p.lines
}

func (v LessonDetail) facts(p *paper) {
	r := v.Record
	p.pair("id", v.shown(memory.InID, string(r.ID), 80), "session", orDash(v.shown(memory.InSession, r.Session, 80)))
	p.pair("outcome", v.outcomeWord(), "created", v.dateText(r.Created, memory.InCreated))
	p.fact("tools", v.toolText())
	p.pair("relevance", v.countText(), "recalled", v.dateText(r.Used, memory.InUsed))
	p.fact("stored", "line "+strconv.Itoa(r.Line)+", "+strconv.Itoa(r.RawLen)+" bytes")
	v.curated(p)
	v.problem(p)
}

func (v LessonDetail) problem(p *paper) {
	pr := v.Record.Problem
	if pr == nil {
		return
	}
	p.blank()
	p.add(p.t.Danger, "", "! "+v.Mask.whole(pr.What))
	if pr.Hint != "" {
		p.add(p.t.Info, "  ", v.Mask.whole(pr.Hint))
	}
}

func (v LessonDetail) texts(p *paper) {
	r := v.Record
	if r.Title != "" || r.Problem == nil {
		p.section("Task summary (" + characters(r.Title) + ")")
		p.text(p.t.Text, "  ", safe.Masked(cut(r.Title), memory.Places(r.Secrets, memory.InTitle, 0), v.Reveal))
		p.beyond(r.Title)
	}
	if r.Body != "" || r.Problem == nil {
		p.section("Lesson (" + characters(r.Body) + ")")
		p.text(p.t.Text, "  ", safe.Masked(cut(r.Body), memory.Places(r.Secrets, memory.InBody, 0), v.Reveal))
		p.beyond(r.Body)
	}
}

// raw shows the stored line as it is, tokens for what cannot be seen.
func (v LessonDetail) raw(p *paper) {
	r := v.Record
	if v.Shape != nil {
		v.rawLines(p)
		return
	}
	p.add(p.t.Strong, "", "Line "+strconv.Itoa(r.Line)+" as it is stored ("+strconv.Itoa(r.RawLen)+" bytes)")
	p.blank()
	p.text(p.t.Text, "", safe.Masked(cut(r.Raw), memory.Places(r.Secrets, memory.InRaw, 0), v.Reveal))
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
	meaning := map[byte]string{
		'S': "holds something that looks like a secret" + rules(v.Record.Secrets),
		'I': "hidden text, a delimiter or a heading reaches the prompt",
		'!': "pruned within 3 days unless it is recalled",
		'N': "arrived since the store was opened",
		'2': "shares its id with another lesson",
		'P': "pinned here; no agent knows of it",
		'D': "says nearly the same as another lesson",
		'B': "past the lessons that an agent loads",
		'X': "cannot be decoded; lost at the agent's next save",
		'H': "makes the agent stop",
		'R': "removed by the agent's next load",
		'U': "no agent ever reads it where it is",
		'O': "old: its own system warns the model of its age",
		'C': "contradicts a record of another store of the project",
	}
	if v.Shape != nil {
		meaning = ownFlags()
		meaning['S'] += rules(v.Record.Secrets)
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
	return orDash(v.shown(memory.InOutcome, string(v.Record.Outcome), maxOutcome))
}

func (v LessonDetail) usedText() string {
	switch m := v.Record.Used; {
	case m.Time.IsZero() && m.Text == "":
		return "never recalled"
	case m.Time.IsZero():
		return "recalled at a date that cannot be read"
	}
	return "recalled " + momentAgo(v.Now, v.Record.Used)
}

func (v LessonDetail) countText() string {
	c := v.Record.Count
	if c.Odd != "" {
		return "? " + v.shown(memory.InCount, c.Odd, 20)
	}
	return strconv.Itoa(c.N)
}

func (v LessonDetail) toolText() string {
	const most = 12
	r := v.Record
	var names []string
	for i, tool := range r.Tools {
		if i == most {
			names = append(names, strconv.Itoa(len(r.Tools)-most)+" more")
			break
		}
		names = append(names, field(r, memory.InTools, i, tool, 40, v.Reveal))
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
func (v LessonDetail) dateText(m memory.Moment, in memory.Field) string {
	switch {
	case !m.Time.IsZero():
		return m.Time.In(v.Now.Location()).Format("2006-01-02 15:04") + " (" + Age(v.Now.Sub(m.Time)) + ")"
	case m.Text == "":
		return "never"
	}
	return "? " + v.shown(in, m.Text, 24)
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
