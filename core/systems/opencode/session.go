package opencode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// How a session ended. A running session and a killed one look the same.
const (
	finished  memory.Outcome = "finished"
	aborted   memory.Outcome = "aborted"
	failed    memory.Outcome = "failed"
	unsettled memory.Outcome = "running or crashed"
	noReply   memory.Outcome = "no reply"
	empty     memory.Outcome = "empty"
)

// session is a session with what its messages and parts say.
type session struct {
	id, project, parent   string
	row                   int64 // its number in a database
	directory, title      string
	version, agent, model string
	cost                  float64
	tokens                [5]int64 // see tokenNames
	created, updated      int64    // milliseconds since 1970
	archived              int64
	reverted, shared      bool
	stored                string // the row
	storedLen             int
	task                  string
	calls                 []call
	messages              int
	outcome               memory.Outcome
	failure               string      // the error that ended it
	last                  message     // the last one of the assistant
	cut                   []string    // sentences about what was not read
	large                 int         // parts that are too large to read
	content               rowsContent // zero for a session that is not in a database
	latest                int64       // last change of its messages and parts

	problem *memory.Problem
}

var tokenNames = [...]string{"input", "output", "reasoning", "cache read", "cache write"}

// message is one message of a session.
type message struct {
	id, role      string
	parent        string
	created       int64
	ended         int64
	completed     bool
	finish        string
	errName, err  string
	agent, model  string
	tokens        [5]int64
	cost          float64
	large, broken bool
}

// call is one tool call.
type call struct {
	tool   string
	status string
	err    string // of the status "error"
	exit   int64  // of bash
	failed bool   // bash reported an exit code other than 0
	wanted string // of the tool "invalid": what the model called
	child  string // of the tool "task": the session that it started
	target string // of the tool "read": the file
	loaded []string
	output string // of a read that loaded something
}

// decodeMessage reads the JSON of a message. Anything but an object counts as broken.
func decodeMessage(id string, created int64, data string) message {
	m := message{id: id, created: created}
	v, err := jstext.Parse(data)
	if err != nil || v.Kind() != jstext.Object {
		m.broken = true
		return m
	}
	m.role, m.parent, m.finish, m.agent = text(v, "role"), text(v, "parentID"), text(v, "finish"), text(v, "agent")
	m.completed, m.cost = v.Dig("time", "completed").Kind() == jstext.Number, v.Dig("cost").Number()
	m.created, m.ended = cmp.Or(created, number(v, "time", "created")), number(v, "time", "completed")
	m.errName, m.err = text(v, "error", "name"), text(v, "error", "data", "message")
	m.model = cmp.Or(
		joinModel(text(v, "providerID"), text(v, "modelID")),
		joinModel(text(v, "model", "providerID"), text(v, "model", "modelID")),
	)
	for i, path := range [...][]string{{"input"}, {"output"}, {"reasoning"}, {"cache", "read"}, {"cache", "write"}} {
		m.tokens[i] = number(v, append([]string{"tokens"}, path...)...)
	}
	return m
}

// number returns the number at a path of keys, or 0 if there is none.
func number(v jstext.Value, keys ...string) int64 {
	return int64(v.Dig(keys...).Number())
}

func joinModel(provider, model string) string {
	switch {
	case model == "":
		return ""
	case provider == "":
		return model
	}
	return provider + "/" + model
}

// callOf returns the tool call in a part.
func callOf(v jstext.Value) call {
	c := call{tool: text(v, "tool"), status: text(v, "state", "status")}
	switch c.tool {
	case "invalid":
		c.wanted = text(v, "state", "input", "tool")
	case "bash":
		c.exit = number(v, "state", "metadata", "exit")
		c.failed = c.exit != 0
	case "task":
		c.child = text(v, "state", "metadata", "sessionId")
	case "read":
		c.target = text(v, "state", "input", "filePath")
		loaded := v.Dig("state", "metadata", "loaded")
		for i := range loaded.Len() {
			if path := loaded.At(i).Str(); path != "" {
				c.loaded = append(c.loaded, path)
			}
		}
		if len(c.loaded) > 0 {
			c.output = text(v, "state", "output")
		}
	}
	if c.status == "error" {
		c.err = text(v, "state", "error")
	}
	return c
}

// personText returns the text of a part, and whether a person typed it.
func personText(v jstext.Value) (string, bool) {
	return text(v, "text"), text(v, "type") == "text" && !v.Dig("synthetic").Truthy() && !v.Dig("ignored").Truthy()
}

// text returns a copy of the text at a path of keys, or "". The copy lets the whole JSON be freed.
func text(v jstext.Value, keys ...string) string {
	return strings.Clone(v.Dig(keys...).Str())
}

// conclude sets how the session ended. asked is set if its last message is the person's.
func (s *session) conclude(asked bool) {
	pending := slices.ContainsFunc(s.calls, func(c call) bool { return c.status == "running" || c.status == "pending" })
	switch {
	case s.messages == 0:
		s.outcome = empty
	case asked || s.last.role == "":
		s.outcome = noReply
	case s.last.errName == "MessageAbortedError":
		s.outcome = aborted
	case s.last.errName != "":
		s.outcome, s.failure = failed, s.last.errName
	case !s.last.completed || pending || s.last.finish == "tool-calls":
		s.outcome = unsettled
	default:
		s.outcome = finished
	}
}

// add adds the costs of a message.
func (s *session) add(m *message) {
	s.cost += m.cost
	for i, n := range m.tokens {
		s.tokens[i] += n
	}
}

// toolErrors returns the errors of failed tools: "read: File not found".
func (s *session) toolErrors() []string {
	return s.callTexts(func(c call) string { return system.Say(c.status == "error", c.tool+": "+c.err) })
}

// softFailures returns the calls that are stored as completed but failed.
func (s *session) softFailures() []string {
	return s.callTexts(func(c call) string {
		switch {
		case c.status == "error":
			return ""
		case c.failed:
			return c.tool + " exit " + strconv.FormatInt(c.exit, 10)
		}
		return system.Say(c.tool == "invalid", "unknown tool: "+c.wanted)
	})
}

// callTexts returns the non-empty texts that of gives for the calls.
func (s *session) callTexts(of func(call) string) (all []string) {
	for _, c := range s.calls {
		all = append(all, of(c))
	}
	return system.Notes(all...)
}

// tools returns the called tools, each once, in order of first call.
func (s *session) tools() (all []string) {
	for _, c := range s.calls {
		all = memory.AppendNew(all, c.tool)
	}
	return all
}

// loaded returns the instruction files that came with reads, each once.
func (s *session) loaded() (all []string) {
	for _, c := range s.calls {
		all = memory.AppendNew(all, c.loaded...)
	}
	return all
}

// forked reports whether the title says that the session is a fork of another.
func (s *session) forked() bool {
	_, rest, found := strings.Cut(s.title, " (fork #")
	return found && strings.HasSuffix(rest, ")")
}
