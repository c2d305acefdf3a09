package opencode

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/system"
)

// readOnly says why sessions cannot be changed here.
const readOnly = "Winnow does not change OpenCode's sessions."

// editFacts say what would happen if somebody changed sessions from outside, as measured with
// version 1.18.33.
func editFacts() []memory.Fact {
	return []memory.Fact{
		{
			Name: "an edit from outside",
			Text: "is shown at once, and a text that was changed goes to the model with the next prompt",
		},
		{
			Name: "a lock from outside",
			Text: "of more than 5 seconds loses the prompt that is sent meanwhile, without an error",
		},
		{
			Name: "a deletion from outside",
			Text: "leaves the copies in the table event; OpenCode itself removes those too",
		},
	}
}

// record returns the session as it is shown. line is its position in the store.
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
	// Raw does not include messages and parts
	r.Rev = memory.RevisionOf(fmt.Sprint(r.Rev, r.Body, r.Outcome, r.Facts, r.Notes, s.content))
	return r
}

// headline returns the title, or what is shown in its place.
func (s *session) headline() string {
	line, _, _ := strings.Cut(s.task, "\n")
	return cmp.Or(s.title, line, "(no title)")
}

// noProject is the scope of sessions that started outside git.
const noProject = "outside of git"

// scopeOf returns the work tree of a session.
func scopeOf(worktree string) string {
	if worktree == "" || worktree == "/" {
		return noProject
	}
	return worktree
}

// moment returns a time stored in milliseconds.
func moment(ms int64) memory.Moment {
	const last = 253_402_300_799_999 // end of the year 9999
	if ms <= 0 || ms > last {
		return memory.Moment{}
	}
	at := time.UnixMilli(ms).UTC()
	return memory.Moment{Text: at.Format("2006-01-02T15:04:05.000Z"), Time: at}
}

// facts returns what is known about the session, in order.
func (s *session) facts() []memory.Fact {
	var all []memory.Fact
	add := func(name string, texts ...string) {
		for _, text := range texts {
			all = append(all, memory.Fact{Name: name, Text: text})
		}
	}
	add("ended", s.endText())
	add("tool error", s.toolErrors()...)
	add("soft failure", s.softFailures()...)
	add("tool calls", s.callList())
	add("messages", system.Say(s.messages > 0, strconv.Itoa(s.messages)))
	add("agent", s.agent)
	add("model", s.model)
	add("folder", s.directory)
	add("version", s.version)
	add("updated", moment(s.updated).Text)
	add("tokens", s.tokenList())
	add("cost", system.Say(s.cost > 0, strconv.FormatFloat(s.cost, 'f', -1, 64)+" USD"))
	add("subagent of", s.parent)
	for _, c := range s.calls {
		add("started subagent", c.child)
	}
	add("instructions loaded", s.loaded()...)
	add("archived", moment(s.archived).Text)
	add("shared", system.Say(s.shared, "yes: it has a public address"))
	return system.Facts(all...)
}

// endText says in words how the session ended.
func (s *session) endText() string {
	switch {
	case s.outcome == failed && s.last.err != "":
		return "failed: " + s.failure + ": " + cut(s.last.err, maxErrText)
	case s.outcome == failed:
		return "failed: " + s.failure
	case s.outcome == finished && s.last.finish != "" && s.last.finish != "stop":
		return "finished: " + s.last.finish
	}
	return string(s.outcome)
}

// maxCalls is the number of calls listed.
const maxCalls = 60

func (s *session) callList() string {
	var all []string
	for _, c := range s.calls[:min(len(s.calls), maxCalls)] {
		call := c.tool
		switch {
		case c.status != "completed":
			call += " (" + c.status + ")"
		case c.failed:
			call += fmt.Sprintf(" (exit %d)", c.exit)
		}
		all = append(all, call)
	}
	more := len(s.calls) - maxCalls
	return strings.Join(all, ", ") + system.Say(more > 0, fmt.Sprintf(" and %d more", more))
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

// notes are sentences about what is odd in the session.
func (s *session) notes() []string {
	return system.Notes(
		system.Say(s.outcome == unsettled, "It still runs, or OpenCode was killed: the database does not tell which."),
		system.Say(s.reverted, "It was reverted: its messages from some point on are undone, and still stored."),
		system.Say(s.forked(), "It is a copy of another session up to some message, and goes on from there."))
}
