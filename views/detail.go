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

// Limits of the detail: bytes of a text (no agent reads all of a longer one), cells of an outcome,
// facts of a record, records of other stores.
const (
	maxDetail  = 64 << 10
	maxOutcome = 20
	maxWhen    = 100
	maxFacts   = 40
	maxSimilar = 5
	longID     = 24 // bytes from which only the first part of an ID is shown in folded facts
)

// RecordDetail is the data of the pane for one record: its text, then why it is still in the store,
// then other facts, folded into two lines.
type RecordDetail struct {
	Keyed
	Record  *memory.Record // nil when no row is chosen
	Display Display
	Now     time.Time
	// Held is how many records an agent would hold, and LoadCap how many it reads.
	Held, LoadCap int
	// Undone is how often another writer undid our changes to this record.
	Undone int
	Raw    bool                      // show the stored form
	Stores map[memory.StoreID]string // names of other stores
	Mask   Mask
	Reveal bool
	Match  Spans

	// Findings are those of the store. Those in the record are marked beside its text.
	Findings []memory.Finding
	Numbers  bool // number the lines of the text
	// Whole unfolds all facts about the record. Room is how many lines are visible; a longer text
	// is cut so that what follows it is visible too. 0 means no limit.
	Whole bool
	Room  int
	Tight bool // without empty lines, below a list
}

// frameRoom is how many cells of the title line the frame takes.
const frameRoom = 8

// title splits the record's title into the part that fits into a frame of w cells, and the rest.
func (v RecordDetail) title(w int) (head, rest string) {
	r := v.Record
	text := safe.Masked(cut(r.Title), memory.Places(r.Secrets, memory.InTitle, 0), v.Reveal)
	if text == "" {
		return v.shown(memory.InID, string(r.ID), 40), ""
	}
	head = Wrap(text, max(w-frameRoom, 1))[0]
	if v.repeats() {
		return head, ""
	}
	return head, strings.TrimLeft(text[len(head):], " ")
}

// repeats reports whether the text begins with the title, because the store does not keep them
// apart.
func (v RecordDetail) repeats() bool {
	r := v.Record
	return v.Display.Title == "" && strings.Contains(clip(r.Body, maxFacts), r.Title)
}

// Title returns the part of the title for a frame of w cells; Lines begins with the rest.
func (v RecordDetail) Title(w int) string {
	if v.Record == nil {
		return Capital(v.Display.Noun.OrRecord().One)
	}
	head, _ := v.title(w)
	return head
}

// shown returns as much of a short field as fits into cells.
func (v RecordDetail) shown(in memory.Field, s string, cells int) string {
	return field(v.Record, in, 0, s, cells, v.Reveal)
}

// Lines returns the lines of the detail in a frame of w cells, none wider than its inside.
func (v RecordDetail) Lines(t theme.Theme, w int) []string {
	text, about := prose(t, w-3), prose(t, w-3)
	text.match, about.match = v.Match, v.Match
	switch {
	case v.Record == nil:
		text.add(t.Dim, "", "No "+v.Display.Noun.OrRecord().One+" is chosen.")
		return text.inset()
	case v.Raw:
		v.addRaw(&text)
		return text.inset()
	}
	v.problem(&text)
	v.texts(&text, w)
	v.addReasons(&about)
	if !v.Tight && len(about.lines) > 0 {
		about.put("")
	}
	v.addFacts(&about)
	if !v.Tight {
		text.blank()
	}
	if over := len(text.lines) + len(about.lines) - v.Room; v.Room > 0 && over > 0 {
		const least = 2 // lines of the text
		keep := max(len(text.lines)-over-1, least)
		if hidden := len(text.lines) - keep; hidden > 1 {
			text.lines = append(
				text.lines[:keep],
				t.Dim.Render(
					truncate(
						t,
						memory.Counted(hidden, "more line")+": "+keyOf(v.keys().Lessons.Full)+" shows all",
						text.w,
					),
				),
			)
		}
	}
	return append(text.inset(), about.inset()...)
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

// showsField reports whether to show a field: it has a value, or the store always shows it.
func (v RecordDetail) showsField(column string, has bool) bool {
	return has || slices.Contains(v.Display.Columns, column)
}

// foldedLines is the number of lines for folded facts.
const foldedLines = 2

// addFacts adds other facts about the record, side by side.
func (v RecordDetail) addFacts(p *paper) {
	r := v.Record
	short := func(name string, in memory.Field, s string, cells int) string {
		text := v.shown(in, s, cells)
		if first, _, more := strings.Cut(text, "-"); more && !v.Whole && len(text) > longID {
			text = first // the first part of a long ID, which is unique
		}
		return textIf(s != "", name+" %s", truncate(p.t, text, cells))
	}
	facts := []string{
		textIf(v.showsField("outcome", r.Outcome != ""), "%s", v.outcomeWord()),
		textIf(v.Display.Has("rel"), "relevance %s", v.countText()),
		textIf(v.Whole && dated(r.Used), "recalled %s", v.dateText(r.Used, memory.InUsed)),
		textIf(v.showsField("used", false) && !v.Whole && len(v.why()) == 0, "%s", v.usedText()),
		textIf(dated(r.Created), "created %s", v.dateText(r.Created, memory.InCreated)),
		v.Mask.line(r.Kind, 40), v.Mask.line(r.Scope, 40),
		short("session", memory.InSession, r.Session, 80),
		v.Display.position(r.Line) + textIf(v.Whole, ", %d bytes", r.RawLen),
		textIf(len(r.Tools) > 0, "tools %s", v.toolText()),
		textIf(r.When != "", "told %s", v.shown(memory.InWhen, r.When, maxWhen)),
		short("id", memory.InID, string(r.ID), 400),
		textIf(r.File != "", "file %s", v.Mask.line(r.File, 400)),
	}
	for _, f := range r.Facts[:min(len(r.Facts), maxFacts)] {
		facts = append(facts, v.Mask.line(f.Name, 20)+" "+v.Mask.longText(f.Text))
	}
	if e := r.Evidence; e != nil && v.Whole {
		facts = append(facts, e.Unknown)
	}
	more := len(r.Facts) - maxFacts
	facts = append(
		facts,
		textIf(more > 0, "%d more facts", more),
		textIf(v.Whole, "title %s", characters(r.Title)),
		textIf(v.Whole, "text %s", characters(r.Body)),
	)
	lines := flowed(facts, p.t.Borders.Between, p.w)
	if !v.Whole {
		lines = lines[:min(len(lines), foldedLines)]
	}
	for _, l := range lines {
		p.put(p.t.Dim.Render(l))
	}
}

// flowed joins the non-empty texts into lines of w cells.
func flowed(texts []string, between string, w int) []string {
	var lines []string
	line := ""
	for _, text := range texts {
		switch {
		case text == "":
		case line == "":
			line = text
		case Width(line)+Width(between)+Width(text) <= w:
			line += between + text
		default:
			lines = append(lines, Wrap(line, w)...)
			line = text
		}
	}
	return append(lines, Wrap(line, w)...)
}

// position names the place of a record in its store.
func (d Display) position(n int) string {
	return cmp.Or(textIf(d.ByLine, "line"), "number") + " " + strconv.Itoa(n)
}

// addReasons adds why the record is still there, how useful it was, and what people and other writers did
// about it.
func (v RecordDetail) addReasons(p *paper) {
	if e := v.Record.Evidence; e != nil && e.Recalled > 0 {
		style := p.t.Info
		if e.Unhelpful() {
			style = p.t.Warn
		}
		p.add(style, "", e.String())
	}
	if c := recurrenceOf(v.Record); c.String() != "" {
		style := p.t.Info
		if c.FiredInVain() {
			style = p.t.Warn
		}
		p.add(style, "", c.String())
	}
	if e := v.Record.Evidence; e != nil && !slices.Contains(v.Display.Columns, "rel") {
		p.add(p.t.Info, "", e.Use.String())
	}
	for _, s := range v.why() {
		p.add(p.t.Info, "", s)
	}
	for _, n := range v.Record.Notes {
		p.add(p.t.Warn, "", "! "+v.Mask.longText(n))
	}
	v.similarElsewhere(p)
	p.add(
		p.t.Warn,
		"",
		textIf(
			v.Undone > 0,
			"Another writer undid your %s",
			plural(v.Undone, "change once", fmt.Sprintf("changes %d times", v.Undone)),
		),
	)
	p.add(p.t.Warn, "", textIf(v.Record.Fixed != "", "Cannot be changed: %s", v.Mask.longText(v.Record.Fixed)))
	for _, s := range v.flagNotes() {
		p.add(p.t.Warn, "", s)
	}
}

// similarElsewhere names records in other stores that say the same, or contradict it.
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
		why := textIf(k.Contrary && k.Why != "", " (%s)", v.Mask.line(k.Why, 120))
		p.add(
			style,
			"",
			fmt.Sprintf(
				`%s "%s" in %s%s; %s jumps there`,
				verb,
				v.Mask.line(k.Title, 120),
				store,
				why,
				keyOf(v.keys().Lessons.Kin),
			),
		)
	}
}

// problem says what is wrong with the record.
func (v RecordDetail) problem(p *paper) {
	if pr := v.Record.Problem; pr != nil {
		p.add(p.t.Danger, "", "! "+v.Mask.longText(pr.What))
		p.add(p.t.Info, "  ", v.Mask.longText(pr.Hint))
	}
}

// texts adds the rest of the title, which begins in the frame, and the text.
func (v RecordDetail) texts(p *paper, w int) {
	r := v.Record
	_, rest := v.title(w)
	if rest != "" {
		p.hanging("", p.drawMatches(p.t.Strong, true), rest)
	}
	p.addMoreBytes(r.Title)
	if !v.Tight {
		p.blank()
	}
	v.body(p)
	p.addMoreBytes(r.Body)
}

// body shows what a record says, line by line.
func (v RecordDetail) body(p *paper) {
	places := memory.Places(v.Record.Secrets, memory.InBody, 0)
	lines := bodyLines(v.Display.Description, v.Record.Body, places, v.Reveal)
	marks := v.marks(strings.Split(cut(v.Record.Body), "\n"), len(lines))
	for i, line := range lines {
		sign := ""
		if marks != nil {
			sign = p.t.Danger.Render(Cell(p.t, marks[i], 2))
		}
		if v.Numbers {
			sign += p.t.Dim.Render(Right(p.t, strconv.Itoa(i+1), len(strconv.Itoa(len(lines)))) + " ")
		}
		p.hanging(sign, p.drawMatches(p.t.Text, false), line)
	}
}

// marks returns a sign for the findings in each of n lines, or nil if there are none.
func (v RecordDetail) marks(lines []string, n int) []string {
	var marks []string
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.ID != v.Record.ID || f.ID == "" || f.Start < 0 || f.End <= f.Start || f.End > len(f.Text) {
			continue
		}
		found, _, _ := strings.Cut(f.Text[f.Start:f.End], "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return found != "" && strings.Contains(l, found) })
		if at < 0 {
			continue
		}
		if marks == nil {
			marks = make([]string, n)
		}
		if at = min(at, n-1); at >= 0 {
			marks[at] = "!"
		}
	}
	return marks
}

// addRaw adds the stored form, with tokens for invisible characters.
func (v RecordDetail) addRaw(p *paper) {
	r := v.Record
	p.add(p.t.Strong, "", fmt.Sprintf("As stored (%s, %d bytes)", v.Display.position(r.Line), r.RawLen))
	p.blank()
	for _, line := range shownLines(r.Raw, memory.Places(r.Secrets, memory.InRaw, 0), v.Reveal) {
		p.indented("", closed(Wrap(jsonColours(p.t, line, p.match), p.w)))
	}
	n := r.RawLen - min(len(r.Raw), maxDetail)
	p.add(p.t.Dim, "", textIf(n > 0, "%d more bytes are not shown", n))
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
	meaning := map[memory.Flags]string{
		memory.FlagSecret:     "holds something that looks like a secret" + rules(v.Record.Secrets),
		memory.FlagInjection:  "hidden text, a delimiter or a heading reaches the prompt",
		memory.FlagPrunesSoon: "pruned within 3 days unless it is recalled",
		memory.FlagNew:        "arrived since the store was opened",
		memory.FlagDuplicate:  "shares its id with another record",
		memory.FlagPinned:     "in Winnow only; no agent knows of it",
		memory.FlagSimilar: "says nearly the same as another record; " + keyOf(v.keys().Curate.Merge) +
			" merges them",
		memory.FlagBeyond:      "past what an agent loads",
		memory.FlagDamaged:     "cannot be decoded",
		memory.FlagStops:       "makes the agent stop",
		memory.FlagPruned:      "removed by the agent's next load",
		memory.FlagUnseen:      "no agent reads it where it is",
		memory.FlagStale:       "its own system warns the model of its age",
		memory.FlagContradicts: "contradicts a record of another store of the project",
		memory.FlagNamesGone:   "names what the project no longer has",
	}
	var notes []string
	for _, f := range v.Record.Flags.WorstFirst() {
		notes = append(notes, f.Word()+": "+meaning[f])
	}
	return notes
}

// rules names the rules that found secrets, each once.
func rules(secrets []memory.Secret) string {
	const most = 4
	var names []string
	for _, s := range secrets {
		if name := safe.Line(s.Rule); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return textIf(len(names) > 0, ": %s", strings.Join(names[:min(len(names), most)], ", "))
}

func (v RecordDetail) outcomeWord() string {
	return orDash(v.shown(memory.InOutcome, string(v.Record.Outcome), maxOutcome))
}

func (v RecordDetail) usedText() string {
	m := v.Record.Used
	return cmp.Or(
		textIf(!dated(m) && v.Record.Count.N > 0, "no date of a recall"),
		textIf(!dated(m), "never recalled"),
		textIf(m.Time.IsZero(), "recalled at a date that cannot be read"),
		"recalled "+momentAgo(v.Now, m),
	)
}

func (v RecordDetail) countText() string {
	c := v.Record.Count
	return cmp.Or(textIf(c.Odd != "", "? %s", v.shown(memory.InCount, c.Odd, 20)), strconv.Itoa(c.N))
}

func (v RecordDetail) toolText() string {
	const most = 12
	r := v.Record
	var names []string
	for i, tool := range r.Tools[:min(len(r.Tools), most)] {
		names = append(names, field(r, memory.InTools, i, tool, 40, v.Reveal))
	}
	more := len(r.Tools) - most
	return orDash(joined(", ", strings.Join(names, ", "), textIf(more > 0, "%d more", more)))
}

func orDash(s string) string { return cmp.Or(s, "-") }

// dateText returns how long ago a date is, followed by the date if there is room.
func (v RecordDetail) dateText(m memory.Moment, in memory.Field) string {
	switch {
	case m.Time.IsZero():
		return "? " + v.shown(in, m.Text, 24)
	case v.Whole:
		return minute(v.Now, m.Time) + " (" + Age(v.Now.Sub(m.Time)) + ")"
	}
	return momentAgo(v.Now, m)
}

func characters(s string) string { return memory.Counted(utf8.RuneCountInString(s), "character") }

// cut returns the part of a text that the detail shows.
func cut(s string) string {
	return s[:safe.RuneStart(s, maxDetail)]
}
