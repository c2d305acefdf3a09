package codex

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"winnow/core/git"
	"winnow/core/session"
)

// mostTurns is the number of turns kept of a session: the first and the latest.
const mostTurns = 2000

// turn is everything from a request to the end of the work on it.
type turn struct {
	typed, sent []string       // requests according to events, and according to what the model saw
	said        []session.Turn // by the agent
	steps       []*session.Step
	begun       bool // a mark says so
	answered    bool // the agent had the last word
	ended       bool // a mark says so
	aborted     bool
	failure     string
	from, to    time.Time
}

// reader builds a session from its lines.
type reader struct {
	s          session.Session
	root       string // of the project
	steps      session.Steps
	calls      map[string]*session.Step
	background map[string]*session.Step // commands that keep running after their call returned
	writes     map[*session.Step]string // calls that query such a command -> its number
	servers    map[*session.Step]string // calls -> their MCP server
	turns      []*turn
	at         time.Time
	headed     bool // the first line has been read
	exec       bool // one turn per process
	marked     bool // marks begin and end the turns
}

func newReader(head session.Head) *reader {
	return &reader{
		s: session.Session{Head: head}, calls: map[string]*session.Step{}, background: map[string]*session.Step{},
		writes: map[*session.Step]string{}, servers: map[*session.Step]string{},
	}
}

// line reads one line. A nil line was too long.
func (r *reader) line(b []byte) {
	var l line
	var p payload
	if !r.s.DecodeLine(b, &l) {
		return
	}
	if at := session.Time(l.Timestamp); !at.IsZero() {
		r.at, r.s.Ended = at, at
		r.s.Began = cmp.Or(r.s.Began, at)
	}
	kind := l.Type
	if l.Payload == nil { // the form of the oldest versions
		l.Payload, kind = b, unframedType(l.Type)
	}
	if !session.Decode(l.Payload, &p) {
		r.s.AddUnknown(kind)
		return
	}
	switch kind {
	case "session_meta":
		r.meta(&p)
	case "response_item":
		r.item(&p)
	case "event_msg":
		r.event(&p)
	case "turn_context":
		r.s.Model = cmp.Or(p.Model, r.s.Model)
	default:
		r.unknown("", kind, quietLines)
	}
}

// unknown counts a kind of line, unless it is one of those ignored on purpose.
func (r *reader) unknown(frame, kind string, quiet []string) {
	if !slices.Contains(quiet, kind) {
		r.s.AddUnknown(strings.TrimSpace(frame + kind))
	}
}

// quietLines are the types of lines that add nothing to a session.
var quietLines = []string{
	"compacted", "world_state", "inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record",
	"dynamic_tools_updated",
	"security_risk_score", "realtime_item",
}

// unframedType returns the line type of a payload without a frame, from the payload's own type.
func unframedType(kind string) string {
	switch kind {
	case "session_meta", "turn_context":
		return kind
	case "":
		return "response_item"
	}
	if slices.Contains(quietItems, kind) || slices.Contains(callTypes, kind) || strings.HasSuffix(kind, "_output") ||
		kind == "message" ||
		kind == "tool_result" {
		return "response_item"
	}
	return kind
}

// meta reads the first line. A second one was copied along with the lines of another session, or it
// turns memory on or off.
func (r *reader) meta(p *payload) {
	if p.MemoryMode != "" && (!r.headed || cmp.Or(p.ID, p.SessionID) == r.s.ID) {
		r.s.MemoryOff = p.MemoryMode == "disabled"
	}
	if r.headed {
		return
	}
	r.headed = true
	h := &r.s.Head
	h.ID, h.Folder, r.s.Version = cmp.Or(p.ID, p.SessionID, h.ID), p.Cwd, p.Version
	r.root = cmp.Or(git.Root(h.Folder), h.Folder)
	if at := session.Time(p.Timestamp); !at.IsZero() {
		r.s.Began = at
	}
	source := string(p.Source) + string(p.ThreadSource)
	h.Subagent = strings.Contains(source, "subagent") || strings.Contains(source, "memory_consolidation")
	r.exec = strings.Trim(string(p.Source), `"`) == "exec"
	r.s.Resumed = p.ForkedFrom != ""
}

// turn returns the current turn.
func (r *reader) turn() *turn {
	if len(r.turns) == 0 {
		return r.begin()
	}
	t := r.turns[len(r.turns)-1]
	t.to = r.at
	return t
}

// begin starts a new turn.
func (r *reader) begin() *turn {
	if len(r.turns) == mostTurns {
		r.turns = slices.Delete(r.turns, 1, mostTurns/2)
	}
	r.turns = append(r.turns, &turn{from: r.at, to: r.at})
	return r.turns[len(r.turns)-1]
}

// requestTurn returns the turn that a request begins or belongs to.
func (r *reader) requestTurn() *turn {
	if t := r.turn(); !t.ended && (t.begun || !t.answered) {
		return t
	}
	return r.begin()
}

// call returns the step of a call. It adds a step if the call is unknown.
func (r *reader) call(id string) *session.Step {
	if s := r.calls[id]; s != nil && id != "" {
		return s
	}
	t := r.turn()
	s := r.steps.Add(session.Step{Status: session.Pending, At: r.at})
	if len(r.calls) > 4*session.MostSteps {
		clear(r.calls)
	}
	if id != "" {
		r.calls[id] = s
	}
	t.steps, t.answered = append(t.steps, s), false
	if len(t.steps) > 2*session.MostSteps {
		t.steps = slices.Delete(t.steps, 0, session.MostSteps)
	}
	return s
}

// endStep records how a call ended.
func endStep(s *session.Step, status session.Status, kind, message string) {
	s.Status, s.Kind, s.Error = status, "", ""
	switch status {
	case session.Error:
		s.Kind, s.Error = kind, session.Cut(message)
	case session.OK:
		s.Hear(message)
	}
}

// addGiven records a text that the session was given.
func (r *reader) addGiven(source, text string) {
	r.s.AddGiven(session.Given{Source: source, Text: text})
}

// session returns what was read.
func (r *reader) session(now time.Time, isOpen func() bool) session.Session {
	s := &r.s
	for i, t := range r.turns {
		said := t.typed
		if len(said) == 0 {
			said = t.sent
		}
		for _, request := range said {
			s.AddRequest(request, t.from)
		}
		for _, a := range t.said {
			s.Say(false, a.At, a.Text)
		}
		if i > 0 && r.turns[i-1].ended && (r.exec || t.from.Sub(r.turns[i-1].to) >= session.Quiet) {
			s.Resumed = true
		}
	}
	s.Steps = slices.DeleteFunc(r.steps.Latest(), func(s session.Step) bool { return s.Tool == undone })
	r.conclude(now, isOpen)
	return *s
}

// undone marks the steps of turns that were rolled back.
const undone = "\x00"

// conclude sets the state.
func (r *reader) conclude(now time.Time, isOpen func() bool) {
	s, last := &r.s, &turn{}
	if len(r.turns) > 0 {
		last = r.turns[len(r.turns)-1]
	}
	silent := s.Silent(now, s.Ended)
	ended := last.ended || last.answered && (silent || !r.marked)
	switch {
	case ended && (silent || r.exec):
		s.State, s.Why = session.Judge(s.Steps), ""
		if last.failure != "" {
			s.State, s.Why = session.Failed, session.Cut(last.failure)
		}
		if last.aborted {
			s.State, s.Why = session.Aborted, ""
		}
	case !silent || isOpen():
		s.State = session.Running
	default:
		s.State, s.Why = session.Unknown, "it has no mark of its end"
	}
}

// rollBack takes back the last n turns: the agent no longer knows of them.
func (r *reader) rollBack(n int) {
	from := max(0, len(r.turns)-max(n, 0))
	for _, t := range r.turns[from:] {
		for _, s := range t.steps {
			s.Tool = undone
		}
	}
	r.turns = r.turns[:from]
}

// arguments returns decoded values in the form that a step keeps.
func arguments(all ...json.RawMessage) string {
	for _, b := range all {
		if len(b) > 0 {
			return session.Cut(jsonText(b))
		}
	}
	return ""
}
