package claudecode

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/systems/claudecode/transcript"
)

// The facts and the report of a store that sessions tell.
const (
	factSession  = "last session"
	factTask     = "its task"
	factEnd      = "its end"
	factTools    = "its tools"
	factFailed   = "its failures"
	factAgents   = "its subagents"
	factMemories = "memories written"
	codeSession  = "last-session"
)

var sessionFacts = []string{factSession, factTask, factEnd, factTools, factFailed, factAgents, factMemories}

// problemOf returns the problem that an error is, or one with its text.
func problemOf(err error) *memory.Problem {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return p
	}
	return &memory.Problem{Code: "unreadable", What: err.Error()}
}

// describe sets what sessions tell of the store, in place of what they told before.
func (s *Store) describe(t *told, snap *memory.Snapshot) {
	snap.Facts = slices.DeleteFunc(slices.Clone(snap.Facts), func(f memory.Fact) bool { return slices.Contains(sessionFacts, f.Name) })
	snap.Health = slices.DeleteFunc(slices.Clone(snap.Health), func(h memory.Health) bool { return h.Code == codeSession })
	if t.last != nil {
		snap.Facts = append(snap.Facts, t.last.facts(snap.Running)...)
		snap.Health = append(snap.Health, t.last.health(snap.Running))
		slices.SortStableFunc(snap.Health, func(a, b memory.Health) int { return int(b.Level) - int(a.Level) })
	}
	if text := t.memories(); text != "" {
		snap.Facts = append(snap.Facts, memory.Fact{Name: factMemories, Text: text})
	}
}

// memories says which memories the newest sessions wrote, the last first.
func (t *told) memories() string {
	const most = 6
	var writes []transcript.Write
	for _, o := range t.sessions {
		for _, w := range o.sum.Writes {
			if !w.Failed && !w.Pending {
				writes = append(writes, w)
			}
		}
	}
	if len(writes) == 0 {
		return ""
	}
	slices.SortStableFunc(writes, func(a, b transcript.Write) int { return b.At.Compare(a.At) })
	var files []string
	for _, w := range writes {
		if name := shortLine(filepath.Base(w.Path), 60); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	left := ""
	if t.left > 0 {
		left = fmt.Sprintf(" (%s too large to be read)", goes(t.left, "1 more is", "%d more are"))
	}
	text := fmt.Sprintf("%s in %s%s", number(len(writes), "time"), goes(len(t.sessions), "the last session", "the last %d sessions"), left)
	if len(files) > most {
		files = append(files[:most], "…")
	}
	return text + ": " + strings.Join(files, ", ")
}

// facts describe a session.
func (o *session) facts(running []memory.Running) []memory.Fact {
	out := []memory.Fact{{Name: factSession, Text: o.title() + o.span()}}
	add := func(name, text string) {
		if text != "" {
			out = append(out, memory.Fact{Name: name, Text: text})
		}
	}
	if o.problem != nil {
		add(factEnd, "its transcript is not read. "+o.problem.What)
		return out
	}
	if task := shortLine(o.sum.Task, 200); !strings.HasPrefix(o.title(), task) {
		add(factTask, task)
	}
	add(factEnd, o.end(running))
	if o.sum.Used > 0 {
		const most = 12
		tools := slices.Clone(o.tools)
		if len(tools) > most {
			tools = append(tools[:most:most], "…")
		}
		for i := range tools {
			tools[i] = shortLine(tools[i], 60)
		}
		add(factTools, fmt.Sprintf("%s: %s", number(o.sum.Used, "use"), strings.Join(tools, ", ")))
	}
	add(factFailed, strings.Join(o.failures(), ", "))
	if n := len(o.sum.Agents); n > 0 {
		const most = 5
		var names []string
		for i, a := range o.sum.Agents {
			if i == most {
				names = append(names, "…")
				break
			}
			names = append(names, shortLine(strings.TrimSpace(cmp.Or(a.Kind, "agent")+" "+shortLine(a.Task, 60)), 80))
		}
		add(factAgents, fmt.Sprintf("%d: %s", n, strings.Join(names, "; ")))
	}
	return out
}

// title returns how a session is named, and its ID.
func (o *session) title() string {
	title := shortLine(cmp.Or(o.sum.Title, o.sum.Task), 100)
	if title == "" {
		return "session " + shortID(o.file.Session)
	}
	return title + " (" + shortID(o.file.Session) + ")"
}

// span says when a session was.
func (o *session) span() string {
	const minute = "2006-01-02 15:04"
	began, ended := o.sum.Began.UTC(), o.sum.Ended.UTC()
	if began.IsZero() {
		began = o.file.ModTime.UTC()
	}
	out := ", " + began.Format(minute)
	if d := ended.Sub(began); d >= time.Minute {
		if ended.Format(time.DateOnly) == began.Format(time.DateOnly) {
			out += " to " + ended.Format("15:04")
		} else {
			out += " to " + ended.Format(minute)
		}
	}
	return out + " UTC"
}

// runs reports whether the session runs now.
func (o *session) runs(running []memory.Running) (memory.Running, bool) {
	i := slices.IndexFunc(running, func(r memory.Running) bool { return r.Session == o.file.Session })
	if i < 0 {
		return memory.Running{}, false
	}
	return running[i], true
}

// end says how a session ended.
func (o *session) end(running []memory.Running) string {
	if r, is := o.runs(running); is {
		return fmt.Sprintf("none: it runs (pid %d)", r.PID)
	}
	switch o.sum.End {
	case transcript.Finished:
		return "finished: the model said its last"
	case transcript.Interrupted:
		return "interrupted by the person"
	case transcript.Broken:
		return "with an error of the service in place of an answer"
	case transcript.Unused:
		return "nobody asked for anything"
	}
	if o.sum.Pending > 0 {
		return fmt.Sprintf("none: %s no result, and the session does not run: it was closed, or crashed", goes(o.sum.Pending, "a use of a tool has", "%d uses of tools have"))
	}
	return "none: an answer is awaited, and the session does not run: it was closed, or crashed"
}

// failures says what went wrong in a session: errors of tools, and apart from them what
// the person did not allow.
func (o *session) failures() []string {
	var out []string
	if n := o.sum.Failed; n > 0 {
		out = append(out, goes(n, "1 use of a tool failed", "%d uses of tools failed"))
	}
	if rejected := o.sum.Rejected; rejected > 0 {
		out = append(out, goes(rejected, "1 was rejected by the person", "%d were rejected by the person"))
	}
	if n := o.sum.APIErrors; n > 0 {
		out = append(out, number(n, "error")+" of the service")
	}
	return out
}

// health reports on a session.
func (o *session) health(running []memory.Running) memory.Health {
	h := memory.Health{Code: codeSession, Level: memory.Good}
	what := "The last session: " + o.title() + o.span()
	if o.problem != nil {
		h.Level, h.What = memory.Note, what+". Its transcript is not read. "+o.problem.What
		return h
	}
	_, runs := o.runs(running)
	switch {
	case runs:
		what += "; it runs now"
	case o.sum.End == transcript.Finished:
		what += "; finished"
	case o.sum.End == transcript.Unused:
		what += "; nobody asked for anything"
	case o.sum.End == transcript.Interrupted:
		h.Level = memory.Note
		what += "; interrupted by the person"
	case o.sum.End == transcript.Broken:
		h.Level = memory.Note
		what += "; it ended with an error of the service"
	default:
		h.Level = memory.Note
		what += "; it has no end: it was closed, or crashed"
	}
	if failed := o.failures(); len(failed) > 0 {
		h.Level = memory.Note
		what += "; " + strings.Join(failed, ", ")
	}
	if h.What = what + "."; h.Level == memory.Note {
		h.Next = "recall shows what it got, and what is otherwise now"
	}
	return h
}
