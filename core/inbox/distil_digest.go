package inbox

// The files distil*.go have a program of the person's own make proposals of a session: they say what the program is
// given, run it, and drop of its answer whatever the session does not show.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"winnow/core/jstext"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/session"
)

// mostDigest is the number of bytes of a digest.
const mostDigest = 60_000

// sessionDigest is what the program is given of a session. Its texts are redacted, of one line each, and without
// homes and the project's folder.
type sessionDigest struct {
	Project  string          `json:"project"` // the name of its folder
	Agent    string          `json:"agent"`
	Ended    time.Time       `json:"ended,omitzero"`
	State    string          `json:"state"`
	Known    []string        `json:"known"`   // lessons that are told already
	Sources  []string        `json:"sources"` // statements of the files that the agent reads
	Failures []digestFailure `json:"failures"`
	Refusals []digestRefusal `json:"refusals"`
	Turns    []digestTurn    `json:"turns"`
}

// digestFailure is a call that failed.
type digestFailure struct {
	Turn   int    `json:"turn"`
	Call   string `json:"call"`
	Error  string `json:"error"`
	Worked string `json:"worked,omitempty"` // what worked later
}

// digestRefusal is a call that the person did not allow.
type digestRefusal struct {
	Turn int    `json:"turn"`
	Call string `json:"call"`
}

// Who wrote a turn.
const (
	byPerson = "person"
	byAgent  = "agent"
	byTool   = "tool"
)

// digestTurn is what one of them wrote, or a call of a tool.
type digestTurn struct {
	N      int    `json:"n"` // its place among all turns of the session, from 1; others may be left out
	By     string `json:"by"`
	Tool   string `json:"tool,omitempty"`
	Call   string `json:"call,omitempty"`
	Status string `json:"status,omitempty"`
	Text   string `json:"text,omitempty"` // of a call, what it printed as far as that is kept
	Step   int    `json:"step,omitempty"` // of the session, from 1; 0 for no call
}

// Limits of the parts of a digest, in units of a text or in bytes of all.
const (
	entryUnits  = 300
	mostKnown   = 8_000
	mostSources = 12_000
	mostCalls   = 6_000
	// mostTurns is how many turns are looked at, the latest, and mostRaw how many bytes of an argument or an output.
	mostTurns = 600
	mostRaw   = 2 << 10
)

// digestDetail is how much of each turn is given.
type digestDetail struct {
	person, agent, failed, call int // units of a text; 0 leaves such turns out
	worked                      bool
}

// details are tried in this order until a digest fits.
var details = []digestDetail{
	{person: 2000, agent: 800, failed: 800, call: 300, worked: true},
	{person: 2000, agent: 400, failed: 400, call: 160, worked: true},
	{person: 1500, agent: 300, failed: 300, call: 160},
	{person: 1000, failed: 200, call: 120},
}

// digestOf returns the digest of a session. Known are the lessons that are told in its project already, and said the
// statements of its sources.
func digestOf(s *session.Session, known, said []string) sessionDigest {
	d := sessionDigest{
		Project: learn.Quotable(s, path.Base(strings.ReplaceAll(s.Folder, `\`, "/")), entryUnits),
		Agent:   string(s.System), Ended: s.Ended.UTC(), State: string(s.State),
		Known: fitting(s, known, mostKnown), Sources: fitting(s, said, mostSources),
	}
	all := eventsOf(s)
	d.addCalls(s, all)
	whole := turnsOf(s, all)
	for i := range details {
		if d.Turns = shortened(whole, &details[i]); len(d.json()) <= mostDigest {
			return d
		}
	}
	over, n := len(d.json())-mostDigest, 0
	for ; over > 0 && n < len(d.Turns); n++ { // the oldest first: what was corrected last holds
		over -= sizeOf(d.Turns[n]) + 1
	}
	d.Turns = d.Turns[n:]
	return d
}

// json returns the digest as it is given to the program, on one line.
func (d *sessionDigest) json() []byte { return encoded(d) }

// encoded returns the JSON of texts and numbers, without the escapes that only HTML needs.
func encoded(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // fails only for dates that no session has, and for a writer that fails
	return bytes.TrimSpace(out.Bytes())
}

func sizeOf(v any) int { return len(encoded(v)) }

// fitting returns texts fit to be given, as many as fit into most bytes.
func fitting(s *session.Session, all []string, most int) []string {
	out := []string{}
	for _, text := range all {
		text = learn.Quotable(s, text, entryUnits)
		if most -= sizeOf(text) + 1; most < 0 {
			break
		}
		out = append(out, text)
	}
	return out
}

// digestEvent is a text or a call of a session.
type digestEvent struct {
	at   time.Time
	turn *session.Turn // nil for a call
	step int           // from 1; 0 for a text
}

// eventsOf returns the texts and the calls of a session in the order of time.
func eventsOf(s *session.Session) (all []digestEvent) {
	for i := range s.Turns {
		all = append(all, digestEvent{at: s.Turns[i].At, turn: &s.Turns[i]})
	}
	var last time.Time
	for i := range s.Steps {
		last = cmp.Or(s.Steps[i].At, last)
		all = append(all, digestEvent{at: last, step: i + 1})
	}
	slices.SortStableFunc(all, func(a, b digestEvent) int { return a.at.Compare(b.at) })
	return all
}

// addCalls adds the calls that failed and those that the person refused.
func (d *sessionDigest) addCalls(s *session.Session, all []digestEvent) {
	turn := map[int]int{}
	for i := range all {
		turn[all[i].step] = i + 1
	}
	d.Failures, d.Refusals = []digestFailure{}, []digestRefusal{}
	left, trace := mostCalls, learn.TraceOf(s)
	for _, f := range slices.Backward(trace.Failed) {
		said := digestFailure{Turn: turn[f.Step], Call: cmp.Or(f.Command, f.Called), Error: f.Error, Worked: f.Worked}
		if left -= sizeOf(said); f.Left == "" && left > 0 {
			d.Failures = append(d.Failures, said)
		}
	}
	for _, r := range slices.Backward(trace.Denied) {
		said := digestRefusal{Turn: turn[r.Step], Call: r.Command}
		if left -= sizeOf(said); left > 0 {
			d.Refusals = append(d.Refusals, said)
		}
	}
}

// turnsOf returns the latest turns with as much as is ever given of them.
func turnsOf(s *session.Session, all []digestEvent) (out []digestTurn) {
	most := &details[0]
	for i := max(0, len(all)-mostTurns); i < len(all); i++ {
		t := digestTurn{N: i + 1, By: byAgent, Step: all[i].step}
		switch e := &all[i]; {
		case e.turn == nil:
			step := &s.Steps[e.step-1]
			t.By, t.Tool, t.Status = byTool, learn.Quotable(s, step.Tool, entryUnits), string(step.Status)
			t.Call = learn.Quotable(s, session.CutAtSpace(learn.Called(s, step), mostRaw), most.call)
			t.Text = learn.Quotable(s, session.CutAtSpace(cmp.Or(step.Error, step.Output), mostRaw), most.failed)
		case e.turn.Person:
			t.By, t.Text = byPerson, learn.Quotable(s, e.turn.Text, most.person)
		default:
			t.Text = learn.Quotable(s, e.turn.Text, most.agent)
		}
		out = append(out, t)
	}
	return out
}

// shortened returns the turns in some detail.
func shortened(all []digestTurn, how *digestDetail) []digestTurn {
	out := []digestTurn{}
	for _, t := range all {
		units := how.agent
		switch {
		case t.By == byPerson:
			units = how.person
		case t.By == byTool && t.Status == string(session.OK) && !how.worked:
			continue
		case t.By == byTool:
			units = how.failed
		case units == 0:
			continue
		}
		t.Text, t.Call = jstext.Slice(t.Text, units), jstext.Slice(t.Call, how.call)
		out = append(out, t)
	}
	return out
}

// knownLesson returns a lesson as a digest names it.
func knownLesson(r *memory.Record) string { return fmt.Sprintf("%s: %s", r.Title, r.Body) }
