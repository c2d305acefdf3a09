package learn

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
)

const (
	// recursFrom is in how many sessions an error must be to recur, and refusedFrom how often a person must refuse a
	// call.
	recursFrom, refusedFrom = 2, 3
	mostPlaces              = 50
	// sentenceUnits is the length of a lesson.
	sentenceUnits = 200
)

// group collects the places of one failure.
type group struct {
	memory.Failure
	sessions map[string]bool
	hows     map[How]int
}

// FailuresOf returns the failures of sessions, those of the most sessions first, and those that are left out last.
func FailuresOf(traces []Trace) []memory.Failure {
	groups := map[string]*group{}
	for i := range traces {
		t := &traces[i]
		for j := range t.Failed {
			groupOf(groups, t.Failed[j].Called, alike(t.Failed[j].Error)).fail(t, &t.Failed[j])
		}
		for j := range t.Denied {
			groupOf(groups, t.Denied[j].Command, refusedByPerson).deny(t, &t.Denied[j])
		}
	}
	var all []memory.Failure
	for _, g := range groups {
		g.conclude(len(traces))
		all = append(all, g.Failure)
	}
	slices.SortFunc(all, func(a, b memory.Failure) int {
		return cmp.Or(
			cmp.Compare(min(len(a.Left), 1), min(len(b.Left), 1)), cmp.Compare(b.Sessions, a.Sessions),
			cmp.Compare(b.Calls, a.Calls), b.Last.Compare(a.Last), cmp.Compare(a.ID, b.ID),
		)
	})
	return all
}

// refusedByPerson is the error of calls that the person refused.
const refusedByPerson = "refused by the person"

// groupOf returns the group of a failure.
func groupOf(groups map[string]*group, called, failure string) *group {
	key := called + "\x00" + failure
	g := groups[key]
	if g == nil {
		id := fmt.Sprintf("f%x", sha256.Sum256([]byte(key)))[:7]
		g = &group{sessions: map[string]bool{}, hows: map[How]int{}}
		g.Failure = memory.Failure{ID: id, Called: called, Error: failure}
		groups[key] = g
	}
	return g
}

// fail adds a failed call.
func (g *group) fail(t *Trace, f *Failed) {
	g.Left = cmp.Or(g.Left, f.Left)
	g.hows[f.How]++
	g.add(t, memory.FailurePlace{
		Step: f.Step, Then: f.Then, At: cmp.Or(f.At, t.Ended), Command: f.Command, Worked: f.Worked, Lines: f.Around,
		How: string(f.How),
	})
}

// deny adds a refused call.
func (g *group) deny(t *Trace, d *Denied) {
	g.add(t, memory.FailurePlace{Step: d.Step, At: cmp.Or(d.At, t.Ended), Command: d.Command})
}

// add adds a place.
func (g *group) add(t *Trace, p memory.FailurePlace) {
	p.Agent, p.Session, p.Tainted = t.Agent, t.ID, len(t.Taint) > 0
	g.sessions[string(t.Agent)+"\x00"+t.ID] = true
	g.Calls++
	g.Places = append(g.Places, p)
}

// conclude sets what is known when all places are there.
func (g *group) conclude(of int) {
	f := &g.Failure
	f.Sessions, f.Of = len(g.sessions), of
	slices.SortStableFunc(f.Places, func(a, b memory.FailurePlace) int { return b.At.Compare(a.At) })
	f.Last, f.Command = f.Places[0].At, f.Places[0].Command
	for i := range f.Places { // the newest of the surest way
		if p := &f.Places[i]; p.Worked != "" && (f.Worked == "" || How(f.How) == Near && p.How != f.How) {
			f.Command, f.Worked, f.How = p.Command, p.Worked, p.How
		}
	}
	f.When = g.when()
	f.Places = f.Places[:min(len(f.Places), mostPlaces)]
	switch {
	case f.Left != "":
	case f.Error == refusedByPerson && f.Calls >= refusedFrom:
		f.Rule = RuleDenied
	case f.Worked == "":
	case How(f.How).variant():
		f.Rule = RuleVariant
	case f.Sessions >= recursFrom && g.hows[Near]+g.hows[Renamed]+g.hows[Elsewhere] > g.hows[Again]:
		f.Rule = RuleRecurring
	}
}

// when returns the moment before such a call: the words with which all commands that failed so begin.
func (g *group) when() string {
	if g.Command == "" {
		return ""
	}
	words := strings.Fields(g.Command)
	switch How(g.How) {
	case FirstWord, Renamed: // it is wrong whatever follows
		return memory.When{Kind: memory.WhenCommand, Text: words[0]}.String()
	case Elsewhere: // whichever program looks for it
		return memory.When{Kind: memory.WhenError, Text: g.Command + ": " + noSuchFile}.String()
	}
	for _, p := range g.Places {
		others := strings.Fields(p.Command)
		n := 0
		for n < min(len(words), len(others)) && words[n] == others[n] {
			n++
		}
		words = words[:n]
	}
	if least := len(strings.Fields(g.Called)); len(words) < least {
		words = strings.Fields(g.Called)
	}
	when := memory.When{Kind: memory.WhenCommand, Text: strings.Join(words, " ")}
	if _, err := memory.ParseWhen(when.String()); err != nil {
		return ""
	}
	return when.String()
}

// Lessons returns the proposals that rules make of failures, which a session since the last time had. Of says which
// trace that is; nil for none.
func Lessons(fs []memory.Failure, of func(p *memory.FailurePlace) *Trace, now time.Time) []Proposal {
	var out []Proposal
	for i := range fs {
		f := &fs[i]
		if f.Rule == "" || f.Told != nil {
			continue
		}
		var place *memory.FailurePlace
		for j := range f.Places {
			if p := &f.Places[j]; of(p) != nil && (place == nil || place.How != f.How && p.How == f.How) {
				place = p
			}
		}
		if place != nil {
			out = append(out, LessonOf(f, of(place), place, now))
		}
	}
	return out
}

// LessonOf returns the proposal of a failure as a session met it at a place: what to run instead or, if a source says
// that already, the source's own words at the moment before the call.
func LessonOf(f *memory.Failure, t *Trace, at *memory.FailurePlace, now time.Time) Proposal {
	p := Proposal{Arrived: now, Outcome: string(memory.Succeeded), When: f.When, Title: topicOf("Running ", f.Called)}
	said := *f // as that session met it, since only what it read is known
	if at.How == f.How {
		said.Command, said.Worked = at.Command, at.Worked
	}
	f = &said
	if How(f.How) == Elsewhere {
		p.Title = topicOf("Reading ", path.Base(f.Command))
	}
	rule := cmp.Or(f.Rule, RuleRecurring)
	switch {
	case f.Told != nil:
		rule = RuleTold
		p.Body = f.Told.Text
		p.Notes = []string{fmt.Sprintf(
			"%s:%d says it already, and it fails all the same: this only tells it before the call.",
			f.Told.Path, f.Told.Line,
		)}
	case f.Error == refusedByPerson:
		p.Title, p.Outcome = topicOf("Refused ", f.Called), string(memory.Failed)
		p.Body = fmt.Sprintf("Do not run `%s`: the person refused it %d times.", f.Command, f.Calls)
	case f.Worked != "":
		p.Body = sentence(insteadOf(f), f.Error)
	default:
		p.Outcome = string(memory.Failed)
		p.Body = sentence(fmt.Sprintf("Do not run `%s` as it is: it "+failsHere, f.Command), f.Error)
	}
	p.Tools = []string{toolOf(t, at)}
	p.Origin = memory.Origin{
		Agent: t.Agent, Session: t.ID, Folder: t.Folder, Model: t.Model, Door: "learn", At: t.Ended, Rule: rule,
		Taint: slices.Clone(t.Taint), Steps: []int{at.Step},
	}
	if at.Then > 0 {
		p.Origin.Steps = append(p.Origin.Steps, at.Then)
	}
	p.Seen = memory.Seen{
		Sessions: f.Sessions, Of: f.Of, Calls: f.Calls, Last: f.Last, Failed: f.Command, Worked: f.Worked,
		Lines: at.Lines,
	}
	p.Others = othersOf(f, t)
	p.polish()
	p.identify()
	return p
}

// othersOf returns the untainted sessions besides t in which the same worked.
func othersOf(f *memory.Failure, t *Trace) (all []memory.Origin) {
	for i := range f.Places {
		p := &f.Places[i]
		if p.Session != t.ID && !p.Tainted && p.Worked == f.Worked {
			all = append(all, memory.Origin{Agent: p.Agent, Session: p.Session, At: p.At})
		}
	}
	return all
}

// What a lesson says before the error that it quotes, by which the error is found in it again.
const (
	failsHere = "fails here"
	callFails = "the call fails"
	notThere  = "which is not there"
)

// insteadOf returns the beginning of a lesson: what to call instead.
func insteadOf(f *memory.Failure) string {
	was, now := strings.Fields(f.Command), strings.Fields(f.Worked)
	switch How(f.How) {
	case FirstWord:
		return fmt.Sprintf("Leave out `%s` before `%s`: with it "+callFails, was[0], f.Worked)
	case Variable:
		variables := strings.TrimSpace(strings.TrimSuffix(f.Worked, f.Command))
		return fmt.Sprintf("Set `%s` for `%s`: without it "+callFails, variables, f.Command)
	case Elsewhere:
		return fmt.Sprintf("Read `%s`, not `%s`, "+notThere, f.Worked, f.Command)
	case Renamed:
		return fmt.Sprintf("Call `%s`, not `%s`, which "+failsHere, now[0], was[0])
	}
	return fmt.Sprintf("Run `%s`, not `%s`, which "+failsHere, f.Worked, f.Command)
}

// toolOf returns the tool of a call.
func toolOf(t *Trace, at *memory.FailurePlace) string {
	for i := range t.Failed {
		if t.Failed[i].Step == at.Step {
			return t.Failed[i].Tool
		}
	}
	for i := range t.Denied {
		if t.Denied[i].Step == at.Step {
			return t.Denied[i].Tool
		}
	}
	return ""
}

// sentence returns a beginning with a reason, of which it leaves out what is too long.
func sentence(begin, why string) string {
	room := sentenceUnits - jstext.Len(begin) - len(`: "".`)
	const least = 20
	if room < least {
		return begin + "."
	}
	if jstext.Len(why) > room {
		why = fitted(why, room-2) + " …"
	}
	return begin + `: "` + why + `".`
}

// topicOf returns a topic of at most four words.
func topicOf(begin, called string) string {
	const most = 3
	words := strings.Fields(called)
	return begin + strings.Join(words[:min(len(words), most)], " ")
}

// ToldBy returns the statement of a text that says what worked, or nil: the line that names the program and each word
// that is only in the command that worked.
func ToldBy(f *memory.Failure, path, text string) *memory.Told {
	if f.Worked == "" {
		return nil
	}
	was, now := shellCommands(f.Command), shellCommands(f.Worked)
	if len(was) == 0 || len(now) == 0 {
		return nil
	}
	onlyWas, wanted := difference(was[0].words, now[0].words)
	leftOut := len(wanted) == 0
	if leftOut { // then the text must say so
		wanted = onlyWas
	}
	wanted = append(wanted, now[0].bare()[0])
	n := 0
	for line := range strings.Lines(text) {
		n++
		if !slices.ContainsFunc(wanted, func(w string) bool { return !mentions(line, w) }) &&
			(!leftOut || forbids().MatchString(line)) {
			return &memory.Told{Path: path, Line: n, Text: fitted(strings.Trim(oneLine(line), "-*# "), sentenceUnits)}
		}
	}
	return nil
}

// forbids matches a line that says what not to do.
var forbids = expression(`(?i)\b(?:not|never|without|don't|instead|avoid|no longer|rather)\b`)

// mentions reports whether a text contains a word on its own.
func mentions(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 || word == "" {
			return false
		}
		at += from
		if !partOfWord(text[:at], true) && !partOfWord(text[at+len(word):], false) {
			return true
		}
		from = at + len(word)
	}
}

// partOfWord reports whether a text ends, or begins, with a character of a word.
func partOfWord(text string, end bool) bool {
	if text == "" {
		return false
	}
	c := text[0]
	if end {
		c = text[len(text)-1]
	}
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
