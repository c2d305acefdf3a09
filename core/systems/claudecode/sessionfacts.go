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
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
)

// Facts and health lines of a store that come from sessions.
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

// problemOf returns the problem in an error, or one with the text of the error.
func problemOf(err error) *memory.Problem {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return p
	}
	return &memory.Problem{Code: "unreadable", What: err.Error()}
}

// describe sets the facts and health lines from transcripts, and replaces earlier ones.
func (s *Store) describe(t *recentSessions, snap *memory.Snapshot) {
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

// memories lists the memories that the newest sessions wrote, the latest first.
func (t *recentSessions) memories() string {
	var writes []*transcript.Write
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
	slices.SortStableFunc(writes, func(a, b *transcript.Write) int { return b.At.Compare(a.At) })
	var files []string
	for _, w := range writes {
		if name := shortLine(filepath.Base(w.Path), 60); !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	left := system.Say(t.left > 0, fmt.Sprintf(" (%s too large to be read)", goes(t.left, "1 more is", "%d more are")))
	text := fmt.Sprintf("%s in %s%s", number(len(writes), "time"), goes(len(t.sessions), "the last session", "the last %d sessions"), left)
	return text + ": " + firstOf(files, 6, ", ", func(name string) string { return name })
}

// firstOf joins the texts of the first elements of a list, with an ellipsis for the rest.
func firstOf[T any](all []T, most int, between string, text func(T) string) string {
	var out []string
	for _, e := range all[:min(len(all), most)] {
		out = append(out, text(e))
	}
	if len(all) > most {
		out = append(out, "…")
	}
	return strings.Join(out, between)
}

// facts describe a session.
func (o *session) facts(running []memory.Running) []memory.Fact {
	last := memory.Fact{Name: factSession, Text: o.title() + o.span()}
	if o.problem != nil {
		return []memory.Fact{last, {Name: factEnd, Text: "its transcript is not read. " + o.problem.What}}
	}
	task := shortLine(o.sum.Task, 200)
	tools := firstOf(o.tools, 12, ", ", func(t string) string { return shortLine(t, 60) })
	agents := firstOf(o.sum.Agents, 5, "; ", func(a *transcript.Agent) string {
		return shortLine(strings.TrimSpace(cmp.Or(a.Kind, "agent")+" "+shortLine(a.Task, 60)), 80)
	})
	return system.Facts(last,
		memory.Fact{Name: factTask, Text: system.Say(!strings.HasPrefix(o.title(), task), task)},
		memory.Fact{Name: factEnd, Text: o.end(running)},
		memory.Fact{Name: factTools, Text: system.Say(o.sum.Used > 0, number(o.sum.Used, "use")+": "+tools)},
		memory.Fact{Name: factFailed, Text: strings.Join(o.failures(), ", ")},
		memory.Fact{Name: factAgents, Text: system.Say(len(o.sum.Agents) > 0, fmt.Sprintf("%d: %s", len(o.sum.Agents), agents))})
}

// title returns the title of a session and its ID.
func (o *session) title() string {
	title := shortLine(cmp.Or(o.sum.Title, o.sum.Task), 100)
	if title == "" {
		return "session " + shortID(o.file.Session)
	}
	return title + " (" + shortID(o.file.Session) + ")"
}

// span returns when a session began and ended.
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

// runs returns the running session, and false when the session does not run.
func (o *session) runs(running []memory.Running) (memory.Running, bool) {
	i := slices.IndexFunc(running, func(r memory.Running) bool { return r.Session == o.file.Session })
	if i < 0 {
		return memory.Running{}, false
	}
	return running[i], true
}

// ends are the sentences for the ends of sessions: as a fact, and in the health report.
var ends = map[transcript.End][2]string{
	transcript.Finished:    {"finished: the model said its last", "finished"},
	transcript.Interrupted: {"interrupted by the person", "interrupted by the person"},
	transcript.Broken:      {"with an error of the service in place of an answer", "it ended with an error of the service"},
	transcript.Unused:      {"nobody asked for anything", "nobody asked for anything"},
	transcript.Open:        {"none: an answer is awaited, and the session does not run: it was closed, or crashed", "it has no end: it was closed, or crashed"},
}

// end says how a session ended.
func (o *session) end(running []memory.Running) string {
	if r, is := o.runs(running); is {
		return fmt.Sprintf("none: it runs (pid %d)", r.PID)
	}
	if o.sum.End == transcript.Open && o.sum.Pending > 0 {
		return fmt.Sprintf("none: %s no result, and the session does not run: it was closed, or crashed", goes(o.sum.Pending, "a use of a tool has", "%d uses of tools have"))
	}
	return ends[o.sum.End][0]
}

// failures counts what went wrong in a session: tool errors, uses that the person rejected, and
// service errors.
func (o *session) failures() []string {
	say := func(n int, one, many string) string { return system.Say(n > 0, goes(n, one, many)) }
	return system.Notes(
		say(o.sum.Failed, "1 use of a tool failed", "%d uses of tools failed"),
		say(o.sum.Rejected, "1 was rejected by the person", "%d were rejected by the person"),
		say(o.sum.APIErrors, "1 error of the service", "%d errors of the service"))
}

// health reports on a session.
func (o *session) health(running []memory.Running) memory.Health {
	what := "The last session: " + o.title() + o.span()
	if o.problem != nil {
		return system.When(true, codeSession, memory.Note, 0, what+". Its transcript is not read. "+o.problem.What, "")
	}
	end, failed := "it runs now", o.failures()
	_, well := o.runs(running)
	if !well {
		end, well = ends[o.sum.End][1], o.sum.End == transcript.Finished || o.sum.End == transcript.Unused
	}
	what = strings.Join(append([]string{what, end}, system.Notes(strings.Join(failed, ", "))...), "; ") + "."
	if well && len(failed) == 0 {
		return system.When(true, codeSession, memory.Good, 0, what, "")
	}
	return system.When(true, codeSession, memory.Note, 0, what, "recall shows what it got, and what is otherwise now")
}
