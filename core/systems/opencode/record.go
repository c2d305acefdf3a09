package opencode

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/memory"
)

// readOnly says why no session is changed here.
const readOnly = "Winnow changes no session of OpenCode."

// editFacts say what would happen if somebody changed sessions from outside, as was
// measured with version 1.18.33.
func editFacts() []memory.Fact {
	return []memory.Fact{
		{Name: "an edit from outside", Text: "is shown at once, and a text that was changed goes to the model with the next prompt"},
		{Name: "a lock from outside", Text: "of more than 5 seconds loses the prompt that is sent meanwhile, without an error"},
		{Name: "a deletion from outside", Text: "leaves the copies in the table event; OpenCode itself removes those too"},
	}
}

// record returns the session as it is shown. Line is its place in the store.
func (s *session) record(line int, worktree string) memory.Record {
	r := memory.Record{
		ID: memory.ID(s.id), Line: line, Title: s.headline(), Body: s.task, Outcome: s.outcome, Tools: s.tools(),
		Session: s.id, Created: moment(s.created), Raw: s.stored, RawLen: s.storedLen, Kind: "session",
		Scope: scopeOf(worktree), Problem: s.problem,
	}
	if r.ID == "" {
		r.ID = memory.ID("row " + strconv.FormatInt(s.row, 10))
	}
	if s.parent != "" {
		r.Kind = "subagent"
	}
	r.Facts = s.facts()
	r.Notes = append(s.notes(), s.cut...)
	if s.problem != nil {
		r.Flags |= memory.FlagDamaged
	}
	annotate.Mark(&r)
	r.Rev = annotate.Revision(fmt.Sprint(r.Rev, r.Body, r.Outcome, r.Facts, r.Notes, s.content)) // messages and parts are not in Raw
	return r
}

// headline returns the title, or what is shown in its place.
func (s *session) headline() string {
	if s.title != "" {
		return s.title
	}
	if line, _, _ := strings.Cut(s.task, "\n"); line != "" {
		return line
	}
	return "(no title)"
}

// noProject is the scope of sessions that started outside of git.
const noProject = "outside of git"

// scopeOf returns the work tree of a session.
func scopeOf(worktree string) string {
	if worktree == "" || worktree == "/" {
		return noProject
	}
	return worktree
}

// moment returns an instant that is stored as milliseconds.
func moment(ms int64) memory.Moment {
	const last = 253_402_300_799_999 // of the year 9999
	if ms <= 0 || ms > last {
		return memory.Moment{}
	}
	at := time.UnixMilli(ms).UTC()
	return memory.Moment{Text: at.Format("2006-01-02T15:04:05.000Z"), Time: at}
}

// facts returns what is known of the session, in order.
func (s *session) facts() []memory.Fact {
	var all []memory.Fact
	add := func(name, text string) {
		if text != "" {
			all = append(all, memory.Fact{Name: name, Text: text})
		}
	}
	add("ended", s.ended())
	for _, e := range s.toolErrors() {
		add("tool error", e)
	}
	for _, f := range s.softFailures() {
		add("soft failure", f)
	}
	if len(s.calls) > 0 {
		add("tool calls", s.callList())
	}
	if s.messages > 0 {
		add("messages", strconv.Itoa(s.messages))
	}
	add("agent", s.agent)
	add("model", s.model)
	add("folder", s.directory)
	add("version", s.version)
	add("updated", moment(s.updated).Text)
	add("tokens", s.tokenList())
	if s.cost > 0 {
		add("cost", strconv.FormatFloat(s.cost, 'f', -1, 64)+" USD")
	}
	add("subagent of", s.parent)
	for _, c := range s.calls {
		add("started subagent", c.child)
	}
	for _, path := range s.loaded() {
		add("instructions loaded", path)
	}
	add("archived", moment(s.archived).Text)
	if s.shared {
		add("shared", "yes: it has a public address")
	}
	return all
}

// ended says in words how the session ended.
func (s *session) ended() string {
	switch s.outcome {
	case failed:
		if s.last.err != "" {
			return "failed: " + s.failure + ": " + cut(s.last.err, maxErrText)
		}
		return "failed: " + s.failure
	case finished:
		if s.last.finish != "" && s.last.finish != "stop" {
			return "finished: " + s.last.finish
		}
	}
	return string(s.outcome)
}

// maxCalls is how many calls are listed.
const maxCalls = 60

func (s *session) callList() string {
	var out strings.Builder
	for i, c := range s.calls {
		if i == maxCalls {
			fmt.Fprintf(&out, " and %d more", len(s.calls)-maxCalls)
			break
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(c.tool)
		switch {
		case c.status != "completed":
			out.WriteString(" (" + c.status + ")")
		case c.failed:
			fmt.Fprintf(&out, " (exit %d)", c.exit)
		}
	}
	return out.String()
}

func (s *session) tokenList() string {
	var all []string
	for i, n := range s.tokens {
		if n > 0 {
			all = append(all, tokenNames[i]+" "+strconv.FormatInt(n, 10))
		}
	}
	return strings.Join(all, ", ")
}

// notes are sentences on what is odd about the session.
func (s *session) notes() (all []string) {
	if s.outcome == unsettled {
		all = append(all, "It still runs, or OpenCode was killed: the database does not tell which.")
	}
	if s.reverted {
		all = append(all, "It was reverted: its messages from some point on are undone, and still stored.")
	}
	if s.forked() {
		all = append(all, "It is a copy of another session up to some message, and goes on from there.")
	}
	return all
}
