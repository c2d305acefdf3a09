package learn

import (
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
)

// worksFrom is in how many of the newest sessions that ran it the command of a dead end must have worked before it
// counts as one that works.
const worksFrom = 2

// forbidding matches the beginning of a lesson that forbids the first command that it names.
var forbidding = expression("(?i)^(?:do not|don't|never|avoid)\\b[^`]*`([^`\n]+)`")

// deadEnd returns the command that a lesson of a failed session forbids: that of its moment, or the first that it
// names. It is empty for any other lesson.
func deadEnd(r *memory.Record) string {
	if r.Outcome != memory.Failed {
		return ""
	}
	command := ""
	if m := forbidding().FindStringSubmatch(strings.TrimSpace(r.Body)); m != nil {
		command = m[1]
	}
	w, err := memory.ParseWhen(r.When)
	if err == nil && w.Kind == memory.WhenCommand && !isBelow(command, w.Text) {
		command = w.Text
	}
	return spaced(command)
}

// spaced returns a text with one space between its words.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// isBelow reports whether a command begins with the words of another.
func isBelow(command, begin string) bool {
	words, first := strings.Fields(command), strings.Fields(begin)
	return len(words) >= len(first) && slices.Equal(words[:len(first)], first)
}

// Works is the command of a dead end that works by now.
type Works struct {
	Command  string
	Sessions int       // in how many sessions, one after the other, it worked
	Last     time.Time // when the last of them ended
}

// WorksNow returns the command of a dead end if it worked in the newest sessions since a time that ran it, at least
// two, and did not fail in them as the lesson says. It returns false if that is not seen.
func WorksNow(r *memory.Record, since time.Time, traces []Trace) (w Works, ok bool) {
	command := deadEnd(r)
	if command == "" || len(command) > ranUnits {
		return w, false
	}
	own, about := ownFailureOf(r)
	later := slices.DeleteFunc(slices.Clone(traces), func(t Trace) bool {
		return t.State == session.Running || !t.Ended.After(since) || r.Session != "" && t.ID == r.Session
	})
	slices.SortStableFunc(later, func(a, b Trace) int { return a.Ended.Compare(b.Ended) })
	w.Command = command
	for i := range later {
		t := &later[i]
		if _, last := own.steps(t); about && last > 0 || t.failed(command) {
			w.Sessions = 0
		} else if t.worked(command) {
			w.Sessions, w.Last = w.Sessions+1, t.Ended
		}
	}
	return w, w.Sessions >= worksFrom
}

// worked reports whether exactly this command worked in the session.
func (t *Trace) worked(command string) bool {
	return slices.ContainsFunc(t.Ran, func(r Ran) bool {
		return r.Worked && spaced(r.Command) == command
	})
}

// failed reports whether exactly this command failed in the session, or was refused.
func (t *Trace) failed(command string) bool {
	return slices.ContainsFunc(t.Failed, func(f Failed) bool { return spaced(f.Command) == command }) ||
		slices.ContainsFunc(t.Denied, func(d Denied) bool { return spaced(d.Command) == command })
}

// namesInMoment returns the moment of a lesson as text in which what it names stands in backticks: a command, and each
// word of it; the path of one file.
func namesInMoment(when string) string {
	w, err := memory.ParseWhen(when)
	if err != nil || w.Kind != memory.WhenCommand && w.Kind != memory.WhenFile || strings.Contains(w.Text, "`") {
		return ""
	}
	if w.Kind == memory.WhenFile {
		if IsPattern(w) {
			return ""
		}
		return "`" + w.Text + "`"
	}
	text := "`" + w.Text + "`"
	for _, word := range strings.Fields(w.Text) {
		text += " `" + word + "`"
	}
	return text
}

// IsPattern reports whether a moment is that of files, of which there can be several.
func IsPattern(w memory.When) bool {
	return w.Kind == memory.WhenFile && (strings.ContainsAny(w.Text, "*?[{") || !strings.Contains(w.Text, "/"))
}

// NamingText returns the text of a lesson by which is looked for what it names: its own, and the names of its moment.
func NamingText(r *memory.Record) string {
	return strings.Join([]string{r.Title, r.Body, namesInMoment(r.When)}, "\n\n")
}
