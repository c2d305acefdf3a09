package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// record shows a record of a system whose records are not lessons.
func (v LessonDetail) record(p *paper) {
	r := v.Record
	p.fact("id", v.shown(memory.InID, string(r.ID), 400))
	for _, f := range []struct{ name, text string }{
		{"kind", r.Kind}, {"scope", r.Scope}, {"file", r.File},
	} {
		if f.text != "" {
			p.fact(f.name, v.Mask.line(f.text, 400))
		}
	}
	if r.Outcome != "" {
		p.fact("outcome", v.outcomeWord())
	}
	if len(r.Tools) > 0 {
		p.fact("tools", v.toolText())
	}
	if r.Session != "" {
		p.fact("session", v.shown(memory.InSession, r.Session, 80))
	}
	if r.Created.Text != "" || !r.Created.Time.IsZero() {
		p.fact("date", v.dateText(r.Created, memory.InCreated))
	}
	if r.Used.Text != "" || !r.Used.Time.IsZero() {
		p.fact("used", v.dateText(r.Used, memory.InUsed))
	}
	if v.Shape.Count {
		p.fact("count", v.countText())
	}
	p.fact("stored", "number "+strconv.Itoa(r.Line)+", "+strconv.Itoa(r.RawLen)+" bytes")
	v.ownFacts(p)
	v.curated(p)
	v.fixed(p)
	v.problem(p)
	v.ownNotes(p)
	v.ownTexts(p)
	v.remarks(p)
}

// maxFacts is how many facts of a record are shown.
const maxFacts = 40

func (v LessonDetail) ownFacts(p *paper) {
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

func (v LessonDetail) fixed(p *paper) {
	if v.Record.Fixed != "" {
		p.add(p.t.Warn, "", "Cannot be changed: "+v.Mask.whole(v.Record.Fixed))
	}
}

func (v LessonDetail) ownNotes(p *paper) {
	for i, n := range v.Record.Notes {
		if i == 0 {
			p.blank()
		}
		p.add(p.t.Warn, "", "! "+v.Mask.whole(n))
	}
}

// ownTexts shows what a record says. A title that is how the text begins is not shown
// twice.
func (v LessonDetail) ownTexts(p *paper) {
	r := v.Record
	if r.Title != "" && !strings.Contains(clip(r.Body, maxFacts), r.Title) {
		p.section("Title")
		p.text(p.t.Text, "  ", safe.Masked(cut(r.Title), memory.Places(r.Secrets, memory.InTitle, 0), v.Reveal))
	}
	if r.Body != "" {
		p.section("Text (" + characters(r.Body) + ")")
		v.lines(p)
		p.beyond(r.Body)
	}
}

// lines shows the body line by line, as it is written.
func (v LessonDetail) lines(p *paper) {
	for _, line := range shownLines(v.Record.Body, memory.Places(v.Record.Secrets, memory.InBody, 0), v.Reveal) {
		p.text(p.t.Text, "  ", line)
	}
}

// rawLines shows the stored form as it is.
func (v LessonDetail) rawLines(p *paper) {
	r := v.Record
	p.add(p.t.Strong, "", "As it is stored ("+strconv.Itoa(r.RawLen)+" bytes)")
	p.blank()
	for _, line := range shownLines(r.Raw, memory.Places(r.Secrets, memory.InRaw, 0), v.Reveal) {
		p.text(p.t.Text, "", line)
	}
	if n := r.RawLen - min(len(r.Raw), maxDetail); n > 0 {
		p.add(p.t.Dim, "", strconv.Itoa(n)+" more bytes are not shown")
	}
}

// shownLines returns the lines of a text that are shown, safe and with its secrets hidden.
func shownLines(text string, secrets [][2]int, reveal bool) []string {
	var lines []string
	text = cut(text)
	for from := 0; from < len(text); {
		end := strings.IndexByte(text[from:], '\n')
		if end < 0 {
			end = len(text) - from
		}
		line := strings.TrimSuffix(text[from:from+end], "\r")
		lines = append(lines, safe.Masked(line, shifted(secrets, from, len(line)), reveal))
		from += end + 1
	}
	return lines
}

// shifted returns the spans as far as they are in n bytes from at on, counted from there.
// A secret over several lines is hidden in each.
func shifted(spans [][2]int, at, n int) [][2]int {
	var in [][2]int
	for _, s := range spans {
		if s[1] > at && s[0] < at+n {
			in = append(in, [2]int{max(s[0]-at, 0), min(s[1]-at, n)})
		}
	}
	return in
}

// recordBrief is the record in few lines.
func (v LessonDetail) recordBrief(p *paper) {
	r := v.Record
	head := []string{v.Title()}
	for _, s := range []string{r.Kind, r.Scope} {
		if s != "" {
			head = append(head, v.Mask.line(s, 40))
		}
	}
	if r.Outcome != "" {
		head = append(head, v.outcomeWord())
	}
	if !r.Created.Time.IsZero() {
		head = append(head, "age "+moment(v.Now, r.Created))
	}
	p.lines = append(p.lines, p.t.Dim.Render(Cell(strings.Join(head, "  "), p.w)))
	v.problem(p)
	for _, n := range r.Notes {
		p.add(p.t.Warn, "", "! "+v.Mask.whole(n))
	}
	v.kin(p)
	v.lines(p)
	v.fixed(p)
	for _, s := range v.flagNotes() {
		p.add(p.t.Warn, "", s)
	}
	v.undone(p)
}

// maxKin is how many records of other stores are named.
const maxKin = 5

// kin names the records of other stores that say the same or the contrary.
func (v LessonDetail) kin(p *paper) {
	for i, k := range v.Record.Elsewhere {
		if i == maxKin {
			p.add(p.t.Dim, "  ", strconv.Itoa(len(v.Record.Elsewhere)-i)+" more elsewhere")
			break
		}
		where := v.store(k.Store)
		title := v.Mask.line(k.Title, 120)
		if k.Contrary {
			why := ""
			if k.Why != "" {
				why = " (" + v.Mask.line(k.Why, 120) + ")"
			}
			p.add(p.t.Danger, "", `contradicts "`+title+`" in `+where+why+", K goes there")
			continue
		}
		p.add(p.t.Info, "", `like "`+title+`" in `+where+", K goes there")
	}
}

// store returns what a store is called.
func (v LessonDetail) store(id memory.StoreID) string {
	if name := v.Stores[id]; name != "" {
		return v.Mask.line(name, 200)
	}
	return v.Mask.line(string(id), 200)
}

// ownFlags says what the flags mean where records are not lessons.
func ownFlags() map[byte]string {
	return map[byte]string{
		'S': "holds something that looks like a secret",
		'I': "hidden text or a delimiter that acts on the model",
		'!': "leaves the store within 3 days",
		'N': "arrived since the store was opened",
		'2': "shares its id with another one",
		'P': "pinned here; no agent knows of it",
		'D': "says nearly the same as another one",
		'B': "past what an agent loads",
		'X': "cannot be read as what it should be",
		'H': "makes the agent stop",
		'R': "removed by the agent's next load",
		'U': "no agent ever reads it where it is",
		'O': "old: its own system warns the model of its age",
		'C': "contradicts a record of another store of the project",
	}
}

// RecordLegend explains the columns of a list of records that are not lessons.
func RecordLegend(s *Shape) []string {
	if s == nil {
		return LessonLegend()
	}
	var lines []string
	switch {
	case s.endedWidth > 0:
		lines = append(lines, "Ended how the session ended, in the word of its system")
	case s.Outcome:
		lines = append(lines, "O session: S succeeded, F failed, ? neither")
	}
	if s.Count || s.Used {
		lines = append(lines, "Rel how often it counted or was recalled   Used last recall")
	}
	if s.Kind || s.Scope {
		lines = append(lines, "Kind, Scope what it is, and the part of the store that it is for; s goes on")
	}
	return append(lines,
		"Age since it was written",
		"Flags S secret   I injection   N new   2 same id   X damaged   B never loaded",
		" U no agent reads it   O old: its system warns   C contradicts another store",
		" P pinned: only Winnow knows   D says nearly the same as another",
	)
}
