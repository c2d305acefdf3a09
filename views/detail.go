package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// The most that the detail shows: bytes of one text (no agent reads more than a part of
// it), cells of an outcome, facts of a record, records of other stores.
const (
	maxDetail  = 64 << 10
	maxOutcome = 20
	maxFacts   = 40
	maxSimilar = 5
)

// RecordDetail is the data of the pane that shows one record whole.
type RecordDetail struct {
	Record  *memory.Record // nil when no row is chosen
	Display Display
	Now     time.Time
	// Held is how many records an agent would hold, LoadCap how many it reads.
	Held, LoadCap int
	// Undone is how often another writer undid a change of ours to this record.
	Undone int
	Raw    bool                      // show the stored form
	Stores map[memory.StoreID]string // what other stores are called
	Mask   Mask
	Reveal bool
	Match  Spans
}

// Title returns the id of the record, for the frame of the pane.
func (v RecordDetail) Title() string {
	if v.Record == nil {
		return Capital(v.Display.Noun.OrRecord().One)
	}
	return v.shown(memory.InID, string(v.Record.ID), 40)
}

// shown returns a short field of the record, what cells can show.
func (v RecordDetail) shown(in memory.Field, s string, cells int) string {
	return field(v.Record, in, 0, s, cells, v.Reveal)
}

// Lines returns all lines of the detail, none wider than w cells.
func (v RecordDetail) Lines(t theme.Theme, w int) []string {
	p := paper{t: t, w: max(w, 1), match: v.Match}
	switch {
	case v.Record == nil:
		p.add(t.Dim, "", "No "+v.Display.Noun.OrRecord().One+" is chosen.")
	case v.Raw:
		v.raw(&p)
	default:
		v.fields(&p)
		v.facts(&p)
		v.curated(&p)
		if v.Record.Problem != nil || len(v.Record.Notes) > 0 {
			p.blank()
		}
		v.problem(&p)
		v.texts(&p)
		p.listed("Why it is still here", t.Info, v.Why())
		p.listed("Flags", t.Warn, v.flagNotes())
	}
	return p.lines
}

// listed adds sentences below a heading, when there are any.
func (p *paper) listed(heading string, style theme.Style, sentences []string) {
	for i, s := range sentences {
		if i == 0 {
			p.section(heading)
		}
		p.add(style, "  ", s)
	}
}

// Brief returns the detail in few lines, for the pane below a list.
func (v RecordDetail) Brief(t theme.Theme, w int) []string {
	if v.Record == nil || v.Raw {
		return v.Lines(t, w)
	}
	r := v.Record
	p := paper{t: t, w: max(w, 1), match: v.Match}
	used := when(!r.Created.Time.IsZero(), "age %s", moment(v.Now, r.Created))
	if v.Display.Has("used") {
		used = v.usedText()
	}
	p.put(t.Dim.Render(Cell(joined("  ", v.Title(), v.Mask.line(r.Kind, 40), v.Mask.line(r.Scope, 40),
		when(v.wanted("outcome", r.Outcome != ""), "%s", v.outcomeWord()), when(v.Display.Has("rel"), "rel %s", v.countText()), used,
		when(len(r.Tools) > 0, "tools %s", v.toolText())), p.w)))
	v.problem(&p)
	v.similarElsewhere(&p)
	v.helped(&p)
	v.body(&p, "")
	v.unchangeable(&p)
	for _, s := range v.Why() {
		p.add(t.Info, "", s)
	}
	for _, s := range v.flagNotes() {
		p.add(t.Warn, "", s)
	}
	v.undone(&p)
	return p.lines
}

// wanted reports whether a field is shown: it has a value, or the store always shows it.
func (v RecordDetail) wanted(column string, has bool) bool {
	return has || slices.Contains(v.Display.Columns, column)
}

// fields shows what is known of the record in names and values.
func (v RecordDetail) fields(p *paper) {
	r := v.Record
	p.pair("id", v.shown(memory.InID, string(r.ID), 400), "session", v.shown(memory.InSession, r.Session, 80))
	p.pair("kind", v.Mask.line(r.Kind, 400), "scope", v.Mask.line(r.Scope, 400))
	p.fact("file", v.Mask.line(r.File, 400))
	p.pair("outcome", when(v.wanted("outcome", r.Outcome != ""), "%s", v.outcomeWord()),
		"created", when(v.wanted("age", dated(r.Created)), "%s", v.dateText(r.Created, memory.InCreated)))
	p.fact("tools", when(len(r.Tools) > 0, "%s", v.toolText()))
	p.pair("relevance", when(v.Display.Has("rel"), "%s", v.countText()),
		"recalled", when(v.wanted("used", dated(r.Used)), "%s", v.dateText(r.Used, memory.InUsed)))
	p.fact("stored", fmt.Sprintf("%s, %d bytes", v.Display.position(r.Line), r.RawLen))
}

// position names the place of a record in its store.
func (d Display) position(n int) string {
	return cmp.Or(when(d.ByLine, "line"), "number") + " " + strconv.Itoa(n)
}

func (v RecordDetail) facts(p *paper) {
	for i, f := range v.Record.Facts {
		if i == maxFacts {
			p.add(p.t.Dim, "", strconv.Itoa(len(v.Record.Facts)-i)+" more facts")
			return
		}
		name := v.Mask.line(f.Name, 20)
		text := v.Mask.whole(f.Text)
		if Width(name) < labelWidth {
			p.fact(name, text)
			continue
		}
		p.add(p.t.Dim, "", name+": "+text)
	}
}

// curated says what people and other writers did about the record: pins, similar records,
// and changes that were undone.
func (v RecordDetail) curated(p *paper) {
	r := v.Record
	p.add(p.t.Strong, "", when(r.Flags&memory.FlagPinned != 0, "PINNED (only Winnow knows)"))
	p.add(p.t.Info, "", when(len(r.Similar) > 0, "Similar: %d (D) press m", len(r.Similar)))
	v.similarElsewhere(p)
	v.helped(p)
	v.undone(p)
	v.unchangeable(p)
}

// helped says how the sessions ended that were given the record.
func (v RecordDetail) helped(p *paper) {
	if e := v.Record.Evidence; e != nil && e.Recalled > 0 {
		style := p.t.Info
		if e.Unhelpful() {
			style = p.t.Warn
		}
		p.add(style, "", e.String())
	}
}

func (v RecordDetail) undone(p *paper) {
	p.add(p.t.Warn, "", when(v.Undone == 1, "Another writer undid your change once"))
	p.add(p.t.Warn, "", when(v.Undone > 1, "Another writer undid your changes %d times", v.Undone))
}

func (v RecordDetail) unchangeable(p *paper) {
	p.add(p.t.Warn, "", when(v.Record.Fixed != "", "Cannot be changed: %s", v.Mask.whole(v.Record.Fixed)))
}

// similarElsewhere names the records of other stores that say the same or the contrary.
func (v RecordDetail) similarElsewhere(p *paper) {
	for i, k := range v.Record.Elsewhere {
		if i == maxSimilar {
			p.add(p.t.Dim, "  ", strconv.Itoa(len(v.Record.Elsewhere)-i)+" more elsewhere")
			break
		}
		style, verb := p.t.Info, "similar to"
		if k.Contrary {
			style, verb = p.t.Danger, "contradicts"
		}
		store := v.Mask.line(cmp.Or(v.Stores[k.Store], string(k.Store)), 200)
		why := when(k.Contrary && k.Why != "", " (%s)", v.Mask.line(k.Why, 120))
		p.add(style, "", fmt.Sprintf(`%s "%s" in %s%s; K jumps there`, verb, v.Mask.line(k.Title, 120), store, why))
	}
}

// problem says what is wrong with the record, and what is to be known of it.
func (v RecordDetail) problem(p *paper) {
	if pr := v.Record.Problem; pr != nil {
		p.blank()
		p.add(p.t.Danger, "", "! "+v.Mask.whole(pr.What))
		p.add(p.t.Info, "  ", v.Mask.whole(pr.Hint))
	}
	for _, n := range v.Record.Notes {
		p.add(p.t.Warn, "", "! "+v.Mask.whole(n))
	}
}

// texts shows what a record says. A title that is how the text begins is not shown twice,
// unless the store keeps the two apart.
func (v RecordDetail) texts(p *paper) {
	r, d := v.Record, v.Display
	apart := func(heading string) bool { return heading != "" && r.Problem == nil }
	if apart(d.Title) || r.Title != "" && (d.Title != "" || !strings.Contains(clip(r.Body, maxFacts), r.Title)) {
		p.section(cmp.Or(d.Title, "Title") + " (" + characters(r.Title) + ")")
		p.text(p.t.Text, "  ", safe.Masked(cut(r.Title), memory.Places(r.Secrets, memory.InTitle, 0), v.Reveal))
		p.beyond(r.Title)
	}
	if apart(d.Body) || r.Body != "" {
		p.section(cmp.Or(d.Body, "Text") + " (" + characters(r.Body) + ")")
		v.body(p, "  ")
		p.beyond(r.Body)
	}
}

// body shows what a record says, line by line.
func (v RecordDetail) body(p *paper, indent string) {
	places := memory.Places(v.Record.Secrets, memory.InBody, 0)
	for _, line := range bodyLines(v.Display.Description, v.Record.Body, places, v.Reveal) {
		p.text(p.t.Text, indent, line)
	}
}

// raw shows the stored form as it is, tokens for what cannot be seen.
func (v RecordDetail) raw(p *paper) {
	r := v.Record
	p.add(p.t.Strong, "", fmt.Sprintf("As stored (%s, %d bytes)", v.Display.position(r.Line), r.RawLen))
	p.blank()
	for _, line := range shownLines(r.Raw, memory.Places(r.Secrets, memory.InRaw, 0), v.Reveal) {
		p.text(p.t.Text, "", line)
	}
	n := r.RawLen - min(len(r.Raw), maxDetail)
	p.add(p.t.Dim, "", when(n > 0, "%d more bytes are not shown", n))
}

// shownLines returns the lines of a text that are shown, safe and with its secrets hidden.
func shownLines(text string, secrets [][2]int, reveal bool) []string {
	var lines []string
	from := 0
	for line := range strings.Lines(cut(text)) {
		shown := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		lines = append(lines, safe.Masked(shown, safe.Within(secrets, from, from+len(shown)), reveal))
		from += len(line)
	}
	return lines
}

// flagNotes explains each flag that is set.
func (v RecordDetail) flagNotes() []string {
	meaning := map[byte]string{
		'S': "holds something that looks like a secret" + rules(v.Record.Secrets),
		'I': "hidden text, a delimiter or a heading reaches the prompt",
		'!': "pruned within 3 days unless it is recalled",
		'N': "arrived since the store was opened",
		'2': "shares its id with another record",
		'P': "pinned here; no agent knows of it",
		'D': "says nearly the same as another record",
		'B': "past what an agent loads",
		'X': "cannot be decoded",
		'H': "makes the agent stop",
		'R': "removed by the agent's next load",
		'U': "no agent reads it where it is",
		'O': "old: its own system warns the model of its age",
		'C': "contradicts a record of another store of the project",
	}
	var notes []string
	for _, c := range []byte(v.Record.Flags.Letters()) {
		notes = append(notes, string(c)+"  "+meaning[c])
	}
	return notes
}

// rules names what the secrets look like, each once.
func rules(secrets []memory.Secret) string {
	const most = 4
	var names []string
	for _, s := range secrets {
		if name := safe.Line(s.Rule); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return when(len(names) > 0, ": %s", strings.Join(names[:min(len(names), most)], ", "))
}

func (v RecordDetail) outcomeWord() string {
	return orDash(v.shown(memory.InOutcome, string(v.Record.Outcome), maxOutcome))
}

func (v RecordDetail) usedText() string {
	m := v.Record.Used
	return cmp.Or(when(!dated(m), "never recalled"), when(m.Time.IsZero(), "recalled at a date that cannot be read"), "recalled "+momentAgo(v.Now, m))
}

func (v RecordDetail) countText() string {
	c := v.Record.Count
	return cmp.Or(when(c.Odd != "", "? %s", v.shown(memory.InCount, c.Odd, 20)), strconv.Itoa(c.N))
}

func (v RecordDetail) toolText() string {
	const most = 12
	r := v.Record
	var names []string
	for i, tool := range r.Tools[:min(len(r.Tools), most)] {
		names = append(names, field(r, memory.InTools, i, tool, 40, v.Reveal))
	}
	more := len(r.Tools) - most
	return orDash(joined(", ", strings.Join(names, ", "), when(more > 0, "%d more", more)))
}

func orDash(s string) string { return cmp.Or(s, "-") }

// dateText returns a date as it is, and how long ago it was.
func (v RecordDetail) dateText(m memory.Moment, in memory.Field) string {
	switch {
	case !m.Time.IsZero():
		return m.Time.In(v.Now.Location()).Format("2006-01-02 15:04") + " (" + Age(v.Now.Sub(m.Time)) + ")"
	case m.Text == "":
		return "never"
	}
	return "? " + v.shown(in, m.Text, 24)
}

func characters(s string) string { return count(utf8.RuneCountInString(s), "character") }

// cut returns what the detail shows of a text.
func cut(s string) string {
	return s[:safe.RuneStart(s, maxDetail)]
}
