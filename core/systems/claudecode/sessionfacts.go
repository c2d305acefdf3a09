package claudecode

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
)

// Facts and health lines of a store that come from sessions.
const (
	factSession = "last session"
	codeSession = "last-session"
)

// describe sets the facts and health lines from transcripts, and replaces earlier ones.
func (s *store) describe(t *recentSessions, snap *memory.Snapshot) {
	snap.Facts = slices.DeleteFunc(slices.Clone(snap.Facts), func(f memory.Fact) bool { return f.Name == factSession })
	snap.Health = slices.DeleteFunc(
		slices.Clone(snap.Health),
		func(h memory.Health) bool { return h.Code == codeSession },
	)
	if t.last != nil {
		line := t.last.health(snap.Running)
		snap.Facts = append(
			snap.Facts,
			memory.Fact{Name: factSession, Text: strings.TrimPrefix(line.What, lastSession)},
		)
		snap.Health = append(snap.Health, line)
		slices.SortStableFunc(snap.Health, func(a, b memory.Health) int { return int(b.Level) - int(a.Level) })
	}
}

// lastSession begins the health line about the last session.
const lastSession = "The last session: "

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

// title returns the title of a session and its ID.
func (o *session) title() string {
	title := shortLine(cmp.Or(o.sum.Title, o.sum.Task), 100)
	if title == "" {
		return "session " + shortID(o.file.Session)
	}
	return title + " (" + shortID(o.file.Session) + ")"
}

// began returns when a session began.
func (o *session) began() string {
	at := o.sum.Began
	if at.IsZero() {
		at = o.file.ModTime
	}
	return ", " + at.UTC().Format("2006-01-02 15:04") + " UTC"
}

// ends describes how sessions ended.
var ends = map[transcript.End]string{
	transcript.Finished:    "finished",
	transcript.Answered:    "finished",
	transcript.Interrupted: "interrupted by the person",
	transcript.Broken:      "it ended with an error of the service",
	transcript.Unused:      "nobody asked for anything",
	transcript.Open:        "it has no end: it was closed, or crashed",
}

// failures counts what went wrong in a session: tool errors, uses that the person rejected, and
// service errors.
func (o *session) failures() []string {
	say := func(n int, one, many string) string { return system.Say(n > 0, wording(n, one, many)) }
	return system.Notes(
		say(o.sum.Failed, "1 use of a tool failed", "%d uses of tools failed"),
		say(o.sum.Rejected, "1 was rejected by the person", "%d were rejected by the person"),
		say(o.sum.APIErrors, "1 error of the service", "%d errors of the service"))
}

// health reports on a session.
func (o *session) health(running []memory.Running) memory.Health {
	what := lastSession + o.title() + o.began()
	if o.problem != nil {
		return system.When(true, codeSession, memory.Note, 0, what+". Its transcript is not read. "+o.problem.What, "")
	}
	end, failed := ends[o.sum.End], o.failures()
	well := ends[o.sum.End] == ends[transcript.Finished] || o.sum.End == transcript.Unused
	if slices.ContainsFunc(running, func(r memory.Running) bool { return r.Session == o.file.Session }) {
		end, well = "it runs now", true
	}
	what = strings.Join(slices.Concat([]string{what, end}, system.Notes(strings.Join(failed, ", "))), "; ") + "."
	if well && len(failed) == 0 {
		return system.When(true, codeSession, memory.Good, 0, what, "")
	}
	return system.When(true, codeSession, memory.Note, 0, what, "recall shows what it got, and what is otherwise now")
}
