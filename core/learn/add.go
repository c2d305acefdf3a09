package learn

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/trigger"
)

// Limits on what the quarantine accepts.
const (
	mostASession = 5
	mostADay     = 20
	mostText     = 64 << 10 // bytes of a text that is examined; a longer one is refused
	titleUnits   = 200      // like the engine
	bodyUnits    = 500      // what a prompt shows
	mostListed   = 20       // tools, notes, taints
)

// Added says what happened to a proposal: the ID under which it waits, or why it does not. Beside
// is the title of the record that says the same. Agents must not see it, because nobody may have
// approved that record.
type Added struct{ ID, Why, Beside string }

// Add puts proposals into the quarantine. It is the only way in. Beside are the records to compare
// each proposal with: those of the stores that it could go to. If there is no error, every proposal
// with an ID is durable.
func (q *Quarantine) Add(ctx context.Context, now time.Time, ps []Proposal, beside [][]memory.Record) ([]Added, error) {
	clean, out := slices.Clone(ps), make([]Added, len(ps))
	for i := range clean {
		out[i].Why = clean[i].Clean(now)
	}
	box, leave, err := q.Enter(ctx, now)
	if err != nil {
		return nil, err
	}
	defer leave()
	verdicts, err := q.Book.Read()
	if err != nil {
		return nil, err
	}
	for i := range clean {
		if out[i].Why == "" {
			if out[i], err = box.add(now, &clean[i], beside[i], &verdicts); err != nil {
				return nil, err
			}
		}
	}
	box.dropOld(now)
	if err := box.Save(); err != nil {
		return nil, err
	}
	return out, nil
}

// Clean redacts and cuts the texts of a proposal, and says why it is refused, or returns "". Texts
// from a share are not cut: otherwise approving them would send them back shortened.
func (p *Proposal) Clean(now time.Time) (why string) {
	if why := p.redactTexts(); why != "" {
		return why
	}
	p.Origin.Steps = p.Origin.Steps[:min(len(p.Origin.Steps), mostListed)]
	if p.Origin.At.IsZero() || p.Origin.At.After(now) {
		p.Origin.At = now
	}
	p.Arrived, p.Origin.At = now, p.Origin.At.UTC()
	if p.Deletes {
		return ""
	}
	known := p.Outcome == string(memory.Succeeded) || p.Outcome == string(memory.Failed)
	switch {
	case !known:
		return "its outcome is neither succeeded nor failed"
	case p.Title == "" || p.Body == "":
		return "it has no task or no lesson"
	case hasFrame(p):
		return echo
	case detect.Redact(p.LessonID) != p.LessonID:
		return "its id holds what looks like a secret"
	}
	if why := p.whyNoMoment(); why != "" {
		return why
	}
	if p.Origin.Door != memory.DoorShare && !isUUID(p.LessonID) {
		p.LessonID = "" // one from a share was checked when it was read
	}
	return ""
}

// whyNoMoment says why nothing may be told when a proposal says, or returns "". What is wrong in a share is told at
// no moment, and goes back as it came.
func (p *Proposal) whyNoMoment() string {
	w, err := memory.ParseWhen(p.When)
	if err == nil {
		err = trigger.Check(w)
	}
	if err == nil || p.Form != "" {
		return ""
	}
	return err.Error()
}

// isUUID reports whether an id has the form in which agents write those of lessons.
func isUUID(id string) bool {
	return len(id) == len("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx") && strings.Trim(id, "0123456789abcdef-") == ""
}

// redactTexts redacts and cuts every text of a proposal, and says which is too long, or returns "".
func (p *Proposal) redactTexts() (why string) {
	texts := []*string{
		&p.Title, &p.Body, &p.Outcome, &p.When, &p.Evidence, &p.Origin.Session, &p.Origin.Folder, &p.Origin.Model,
		&p.Origin.Door, &p.Origin.Rule,
		&p.Origin.Person, &p.Origin.Machine,
	}
	texts = append(texts, &p.Seen.Failed, &p.Seen.Worked)
	lists := []*[]string{&p.Tools, &p.Notes, &p.Origin.Taint, &p.Seen.Lines}
	for _, list := range lists {
		*list = slices.Clone((*list)[:min(len(*list), mostListed)])
		for i := range *list {
			texts = append(texts, &(*list)[i])
		}
	}
	for _, text := range texts {
		if p.Deletes {
			*text = (*text)[:min(len(*text), mostText)] // the record is here, however long it is
		}
		if len(*text) > mostText {
			return fmt.Sprintf("one of its texts has %d bytes; the limit is %d", len(*text), mostText)
		}
		most := titleUnits
		if text == &p.Body || text == &p.When {
			most = bodyUnits
		}
		if p.Form != "" && (text == &p.Body || text == &p.Title || text == &p.When) {
			most = mostText
		}
		*text = redactedText(*text, most, text == &p.Body)
	}
	if p.Form != "" {
		p.Form, _ = jsonl.Redacted(p.Form, memory.Redaction{})
	}
	p.Origin.Agent = memory.SystemID(
		redactedText(string(p.Origin.Agent[:min(len(p.Origin.Agent), titleUnits)]), titleUnits, false),
	)
	return ""
}

// redactedText returns a text fit to be written to disk: redacted, without control characters, and
// cut.
func redactedText(text string, units int, lines bool) string {
	text = withoutControls(text, map[bool]string{true: "\n"}[lines])
	text = strings.ToValidUTF8(jstext.Slice(detect.Redact(strings.TrimSpace(text)), units), "")
	return strings.TrimSpace(text)
}

// withoutControls returns a text with control characters replaced with spaces, except those in but.
func withoutControls(text, but string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !strings.ContainsRune(but, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// source returns the source of a proposal as the limits count it: its agent, or its door. All
// unknown sources count as one.
func (p *Proposal) source() string {
	if p.Origin.Agent == "" && p.Origin.Door != "clone" {
		return "unknown"
	}
	return cmp.Or(string(p.Origin.Agent), p.Origin.Door)
}

// Untainted reports whether a proposal comes from a known session that read nothing written by
// others.
func Untainted(o *memory.Origin) bool {
	return len(o.Taint) == 0 && o.Agent != "" && o.Session != ""
}

// add puts one proposal into the box, or says why not.
func (b *Box) add(now time.Time, p *Proposal, beside []memory.Record, verdicts *approvals.Decisions) (Added, error) {
	again, dropped := b.rejected(p, verdicts)
	if dropped != "" {
		return Added{Why: dropped}, nil
	}
	if i := indexAlike(p, b.records()); i >= 0 {
		w := &b.Waiting[i]
		w.corroborate(append(p.Others, p.Origin)...)
		return Added{Why: "the same proposal already waits as " + w.ID}, nil
	}
	if i := indexAlike(p, beside); i >= 0 {
		return Added{Why: "the store already says the same", Beside: detect.Redact(beside[i].Title)}, nil
	}
	if repeatsRecord(p, beside) {
		return Added{Why: echo}, nil
	}
	if why := b.whyFull(now, p); why != "" {
		return Added{Why: why}, nil
	}
	id, err := b.newID()
	if err != nil {
		return Added{}, err
	}
	p.ID = id
	same := func(w Waiting) bool { return w.LessonID == p.LessonID }
	if p.LessonID == "" || slices.ContainsFunc(b.Waiting, same) {
		if p.LessonID, err = newLessonID(b.q.random); err != nil {
			return Added{}, err
		}
	}
	b.arrivals = append(b.arrivals, arrival{Source: p.source(), Session: p.Origin.Session, At: now})
	w := Waiting{Proposal: *p, Again: again}
	w.corroborate(p.Others...)
	b.Waiting = append(b.Waiting, w)
	return Added{ID: id}, nil
}

// newLessonID returns a random id like the engine's.
func newLessonID(random io.Reader) (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", atomicfile.NoRandomness(err)
	}
	b[6], b[8] = b[6]&0x0F|0x40, b[8]&0x3F|0x80 // version 4
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}

// whyFull says which limit keeps a proposal out, or "".
func (b *Box) whyFull(now time.Time, p *Proposal) string {
	source, session, today := p.source(), 0, 0
	for _, a := range b.arrivals {
		if a.Source == source && p.Origin.Session != "" && a.Session == p.Origin.Session {
			session++
		}
		if a.Source == source && now.Sub(a.At) < 24*time.Hour {
			today++
		}
	}
	switch {
	case session >= mostASession:
		return fmt.Sprintf("its session already left %d", mostASession)
	case today >= mostADay:
		return fmt.Sprintf("%s already left %d within a day", source, mostADay)
	}
	return ""
}

// rejected checks whether a proposal was rejected before. If it came back by a different route,
// again says how; otherwise dropped says why it is dropped. Both are empty if it was not rejected.
func (b *Box) rejected(p *Proposal, verdicts *approvals.Decisions) (again, dropped string) {
	at, is := verdicts.Rejected(p.Words())
	sameRoad := false
	for i := range b.Decisions {
		d := &b.Decisions[i]
		for j := range d.Decided {
			w := d.Decided[j].Waiting
			if d.Do != memory.InboxReject || w == nil {
				continue
			}
			if _, still := verdicts.Rejected(w.Words()); still && indexAlike(p, []memory.Record{w.Record()}) >= 0 {
				at, is = d.At, true
				sameRoad = sameRoad || w.source() == p.source() && w.Origin.Door == p.Origin.Door
			}
		}
	}
	if !is {
		return "", ""
	}
	day := "rejected on " + at.Format("2 January 2006")
	if sameRoad {
		return "", "it was " + day
	}
	return day + "; now from " + p.source(), ""
}

// corroborate records that other sessions proposed the same. Tainted and unknown sessions do not
// count, nor what a model wrote of a session, and only one session a day counts.
func (w *Waiting) corroborate(others ...memory.Origin) {
	for _, o := range others {
		isOwn := w.Origin.Session == o.Session && w.Origin.Agent == o.Agent
		isKnown := func(x memory.Origin) bool { return sameDay(&x, &o) || x.Session == o.Session }
		if o.Rule == RuleDistilled {
			continue
		}
		if Untainted(&o) && !isOwn && !slices.ContainsFunc(w.Witnesses, isKnown) && len(w.Witnesses) < mostListed {
			w.Witnesses = append(w.Witnesses, o)
		}
	}
}

// Corroborated reports whether untainted sessions on two different days proposed the same.
func (w *Waiting) Corroborated() bool {
	if !Untainted(&w.Origin) || w.Origin.Rule == RuleDistilled {
		return len(w.Witnesses) > 1
	}
	return slices.ContainsFunc(w.Witnesses, func(o memory.Origin) bool { return !sameDay(&w.Origin, &o) })
}

func sameDay(a, b *memory.Origin) bool {
	return a.At.UTC().Format(time.DateOnly) == b.At.UTC().Format(time.DateOnly)
}

// Line returns the lesson that a proposal becomes in a lesson store; with when, in one that keeps the moment. It
// is dated when the proposal arrived, but not before today, so that agents do not drop it at once because of its
// age.
func (p *Proposal) Line(now time.Time, when bool) string {
	text := func(key, s string) jstext.Member { return jstext.Member{Key: key, Value: jstext.StringValue(s)} }
	tools := make([]jstext.Value, len(p.Tools))
	for i, name := range p.Tools {
		tools[i] = jstext.StringValue(name)
	}
	made := p.Arrived
	if today := now.UTC().Truncate(24 * time.Hour); made.Before(today) {
		made = today
	}
	members := []jstext.Member{
		text(lesson.KeyID, p.LessonID),
		text(lesson.KeyTitle, p.Title),
		text(lesson.KeyOutcome, p.Outcome),
		text(lesson.KeyBody, p.Body),
		{Key: lesson.KeyTools, Value: jstext.ArrayValue(tools...)},
		text(lesson.KeyCreated, lesson.ISO(made)),
		text(lesson.KeySession, p.Origin.Session),
		{Key: lesson.KeyCount, Value: jstext.NumberValue(0)},
	}
	if said := memory.SameWhen(p.When); when && said != "" {
		members = append(members, text(lesson.KeyWhen, said))
	}
	return string(jstext.ObjectValue(members...).AppendJSON(nil))
}

// Record returns a proposal as a record.
func (p *Proposal) Record() memory.Record {
	return memory.Record{
		ID:      memory.ID(p.LessonID),
		Title:   p.Title,
		Body:    p.Body,
		Outcome: memory.Outcome(p.Outcome),
		When:    p.When,
		Tools:   p.Tools,
		Session: p.Origin.Session,
	}
}

func (b *Box) records() []memory.Record {
	all := make([]memory.Record, len(b.Waiting))
	for i := range b.Waiting {
		all[i] = b.Waiting[i].Record()
	}
	return all
}

// mostBeside is the number of records that a proposal is compared with.
const mostBeside = 2000

// indexAlike returns the index of the first record whose task and lesson both say nearly the same as a
// proposal, or -1.
func indexAlike(p *Proposal, records []memory.Record) int {
	all := append([]memory.Record{p.Record()}, records[:min(len(records), mostBeside)]...)
	near := compare.Near(all)[0]
	first := -1
	for _, i := range compare.Similar(all)[0] {
		if slices.Contains(near, i) && (first < 0 || i-1 < first) {
			first = i - 1
		}
	}
	return first
}

// leastEcho is the minimum length of recalled text for its repetition to count as an echo.
const leastEcho = 40

const echo = "it repeats text that was recalled"

// hasFrame reports whether a proposal contains the frame of a recall block.
func hasFrame(p *Proposal) bool {
	text := normalized(p.Title + " " + p.Body)
	return slices.ContainsFunc(
		[]string{prompt.Begin, prompt.End, "## past experience", "consider these when planning."},
		func(frame string) bool {
			return strings.Contains(text, normalized(frame))
		},
	)
}

// repeatsRecord reports whether a proposal contains the text of a record.
func repeatsRecord(p *Proposal, records []memory.Record) bool {
	text := normalized(p.Title + " " + p.Body)
	return slices.ContainsFunc(records, func(r memory.Record) bool {
		body := normalized(r.Body)
		return len(body) >= leastEcho && strings.Contains(text, body)
	})
}

// normalized returns a text in lower case and with single spaces.
func normalized(text string) string { return strings.ToLower(spaced(text)) }

// KeepsLessons reports whether stores with that description hold lessons in the engine's form.
func KeepsLessons(d memory.Description) bool { return slices.Contains(d.FieldNames, lesson.KeyID) }

// Block returns what a task would recall from lines of lessons, as an agent reads it but with
// secrets redacted. It is empty if nothing is recalled.
func Block(lines, task string, tools []string, now time.Time) string {
	list := lesson.Load(lines, now, now.Location())
	var recalled []prompt.Memory
	for _, h := range lesson.Explain(list, memory.Task{Text: task, Tools: tools}).Hits {
		if h.Recalled {
			recalled = append(recalled, prompt.MemoryOf(h.Title, string(h.Outcome), h.Body))
		}
	}
	text, _, problem := prompt.Block(recalled)
	if len(recalled) == 0 || problem != nil {
		return ""
	}
	return detect.Redact(text)
}
