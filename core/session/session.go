// Package session holds agents' sessions as plain data: what a person asked for, what the agent
// did, how it ended, and which memories it was given. Systems read them from their product's files;
// code that lists sessions or learns from them needs to know no product.
package session

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// State is the state of a session.
type State string

// The states. Winnow learns from a session that Succeeded or Failed, from an Unknown one only if a
// person names it, and never from an Aborted one.
const (
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Aborted   State = "aborted" // by the person
	// Unknown means that the session is not running and has no end mark: it was killed, or it runs
	// in a place where that cannot be detected.
	Unknown State = "unknown"
)

// Quiet is how long the file of a session without an end mark must be unchanged before the session
// counts as no longer running.
const Quiet = 30 * time.Minute

// Head is what is known about a session before its file is read.
type Head struct {
	System   memory.SystemID
	ID       string
	Path     string    // of its file or database, absolute
	Folder   string    // where it worked, absolute; empty if that is known only after reading
	Changed  time.Time // when its file last changed
	Size     int64     // of its file in bytes; 0 if it is one of many in a database
	Subagent bool      // started by another session; such sessions are not learnt from
	// Over is when its agent told a hook that it was over; zero if it did not. A session without
	// lines after that is no longer running, however recent its file is.
	Over time.Time
}

// In reports whether the session worked in a folder or below it, or its folder is unknown.
func (h *Head) In(folder string) bool {
	return folder == "" || h.Folder == "" || within(folder, h.Folder)
}

// within reports whether a path is a folder or is below it.
func within(folder, file string) bool {
	folder, file = path.Clean(slashes(folder)), path.Clean(slashes(file))
	return file == folder || strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// Silent reports whether a session whose last line is from the given time has stopped writing: its
// agent told a hook that it was over, or its file did not change for [Quiet].
func (h *Head) Silent(now, last time.Time) bool {
	return h.ToldOver(last) || now.Sub(h.Changed) >= Quiet
}

// ToldOver reports whether the agent told a hook that the session was over, and the session's last
// line is not later than that.
func (h *Head) ToldOver(last time.Time) bool { return !h.Over.IsZero() && !last.After(h.Over) }

// Status is how a step ended.
type Status string

// The statuses of a step.
const (
	OK       Status = "ok"
	Error    Status = "error"
	Declined Status = "declined" // by the person
	Pending  Status = "pending"  // without a result
)

// Step is one tool call.
type Step struct {
	Tool      string
	Arguments string // as the agent wrote them, JSON or a command; cut at [MostText] bytes
	Status    Status
	// Error is what the tool said if Status is Error, cut at [MostText] bytes; Kind is the system's
	// own word for the failure: "exit 1", "timeout". Both may be empty.
	Error, Kind string
	// Output is the end of what a shell command said that worked, if its status may be that of another command
	// than the one that matters, as behind a pipe; see [Step.Hear].
	Output string
	At     time.Time
}

// mostOutput is the number of bytes to keep of an output.
const mostOutput = 3 << 10

// Hear keeps the end of what a step said that worked, if it is a shell command with a pipe, a list or several
// lines: then the status does not say whether each of its commands worked.
func (s *Step) Hear(output string) {
	if !IsShell(s.Tool) || !strings.ContainsAny(s.Arguments, "|;") && !strings.Contains(s.Arguments, `\n`) {
		return
	}
	if cut := len(output) - mostOutput; cut > 0 {
		output = output[cut:]
		_, output, _ = strings.Cut(output, "\n") // the first line has lost its beginning
	}
	s.Output = strings.ToValidUTF8(output, "")
}

// IsShell reports whether a tool runs shell commands, by its name.
func IsShell(tool string) bool {
	name := strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(tool))
	return slices.ContainsFunc(
		[]string{"bash", "shell", "exec", "terminal", "runcommand"},
		func(w string) bool { return strings.Contains(name, w) },
	)
}

// MostText is the number of bytes to keep of an argument, an error or a request.
const MostText = 16 << 10

// MostSteps is the number of steps to keep of a session: the latest ones.
const MostSteps = 5000

// Given is a memory text that a session was given.
type Given struct {
	Source string // "hook SessionStart", "CLAUDE.md", "recalled memory", "mcp winnow"
	Path   string // of its file, absolute; may be empty
	Text   string // word for word
}

// Steps collects the steps of a session while it is read, and keeps the latest [MostSteps].
type Steps struct{ all []*Step }

// Add adds a step and returns it. The caller may still modify it.
func (c *Steps) Add(s Step) *Step {
	if len(c.all) == 2*MostSteps {
		c.all = slices.Delete(c.all, 0, MostSteps)
	}
	c.all = append(c.all, &s)
	return &s
}

// Latest returns the steps that are kept.
func (c *Steps) Latest() []Step {
	c.all = slices.Delete(c.all, 0, max(0, len(c.all)-MostSteps))
	out := make([]Step, len(c.all))
	for i, s := range c.all {
		out[i] = *s
	}
	return out
}

// Session is one session of an agent.
type Session struct {
	Head
	Version string // of the agent
	Model   string
	// Task is the person's first request, and Corrections are the later ones, each cut at
	// [MostText] bytes. Texts that the agent inserted itself are not included.
	Task        string
	Corrections []string
	Steps       []Step
	// Turns are what the person and the agent wrote, in no order; see [Session.Say].
	Turns []Turn
	State State
	// Why says why it failed or is unknown: "API error: overloaded". May be empty.
	Why string
	// Resumed is set when it continued after it had ended.
	Resumed bool
	// MemoryOff is set when its agent was told to keep no memories of it. It is learnt from only if
	// a person names it.
	MemoryOff    bool
	Began, Ended time.Time // Ended is the time of the last line
	Given        []Given
	// GivenPartly is set when its files do not keep every memory text that it was given, so nobody
	// can tell what it was not given.
	GivenPartly bool
	// Opened are the Markdown files that it read with a tool, absolute and each once; at most 1,000.
	Opened []string
	// Taint lists, without repetition, what it read that the person did not write: "web: WebFetch",
	// "mcp: github", "file outside the project: /tmp/x".
	Taint []string
	// Unknown counts lines of unknown kind, and unreadable lines, by name.
	Unknown map[string]int
	// Engine is the input from which KarnEvil9's own engine makes its lesson; nil for systems
	// without that engine.
	Engine *lesson.Session
}

// Finished reports whether the session ended in a known way.
func (s *Session) Finished() bool {
	return s.State == Succeeded || s.State == Failed || s.State == Aborted
}

// Recovered reports whether a step failed in a session that succeeded.
func (s *Session) Recovered() bool { return s.State == Succeeded && s.Count(Error) > 0 }

// Count returns the number of steps with a status.
func (s *Session) Count(status Status) (n int) {
	for i := range s.Steps {
		if s.Steps[i].Status == status {
			n++
		}
	}
	return n
}

// Judge returns the state of a session that ended by itself and whose agent gives no verdict:
// Failed if the last step with a result failed, and otherwise Succeeded.
func Judge(steps []Step) State {
	for _, s := range slices.Backward(steps) {
		switch s.Status {
		case Error:
			return Failed
		case OK:
			return Succeeded
		}
	}
	return Succeeded
}

// Turn is a text that the person or the agent wrote.
type Turn struct {
	Person bool // else the agent
	At     time.Time
	Text   string // at most [mostTurn] bytes, cut at a space
}

// String returns who wrote it, and what.
func (t Turn) String() string {
	if t.Person {
		return "person: " + t.Text
	}
	return "agent: " + t.Text
}

const (
	// mostTurn is the number of bytes to keep of a turn, and mostTurns how many turns are kept: at least that many, the
	// latest.
	mostTurn  = 8 << 10
	mostTurns = 1000
)

// Say adds a turn.
func (s *Session) Say(person bool, at time.Time, text string) {
	if text = CutAtSpace(strings.TrimSpace(text), mostTurn); text == "" {
		return
	}
	if len(s.Turns) == 2*mostTurns {
		s.Turns = slices.Delete(s.Turns, 0, mostTurns)
	}
	s.Turns = append(s.Turns, Turn{Person: person, At: at, Text: text})
}

// CutAtSpace returns at most most bytes of a text. It leaves out whole the word that does not fit, so that no part of
// a secret is left, which nobody would recognize.
func CutAtSpace(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:max(0, strings.LastIndexAny(text[:most], " \t\n"))]
}

// greetings are requests that ask for nothing.
var greetings = strings.Fields("hi hello hey hallo hola ping test testing yo")

// greets reports whether a request is only a greeting.
func greets(request string) bool {
	word := strings.ToLower(strings.TrimRight(request, " .!?"))
	return slices.Contains(greetings, word)
}

// AddRequest adds a request of the person: the first is the task, later ones are corrections. A greeting
// is the task only if nothing else is asked for.
func (s *Session) AddRequest(request string, at time.Time) {
	const most = 1000
	s.Say(true, at, request)
	request = Cut(strings.TrimSpace(request))
	switch {
	case request == "":
	case s.Task == "", greets(s.Task):
		s.Task = request
	case len(s.Corrections) < most:
		s.Corrections = append(s.Corrections, request)
	}
}

// AddGiven adds a memory text that the session was given, unless it is there already or there is no
// room.
func (s *Session) AddGiven(g Given) {
	const most, mostBytes = 2000, 8 << 20
	bytes := len(g.Text)
	for i := range s.Given {
		if s.Given[i] == g {
			return
		}
		bytes += len(s.Given[i].Text)
	}
	switch {
	case strings.TrimSpace(g.Text) == "":
	case len(s.Given) == most || bytes > mostBytes:
		s.GivenPartly = true
	default:
		s.Given = append(s.Given, g)
	}
}

// AddTaint records, once, something the session read that the person did not write.
func (s *Session) AddTaint(what string) {
	const most = 50
	if len(s.Taint) < most && !slices.Contains(s.Taint, what) {
		s.Taint = append(s.Taint, what)
	}
}

// AddFile records that the session read a file outside its project, the folder root. A relative
// path starts from the session's folder.
func (s *Session) AddFile(root, file string) {
	if file == "" || root == "" {
		return
	}
	file = slashes(file)
	if !path.IsAbs(file) && (len(file) < 2 || file[1] != ':') {
		file = path.Join(slashes(s.Folder), file)
	}
	if !within(root, file) {
		s.AddTaint("file outside the project: " + path.Clean(file))
	}
}

// slashes returns a path with forward slashes, because a session may come from a Windows machine.
func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// AddCommand records that a shell command may have read from the web.
func (s *Session) AddCommand(command string) {
	words := strings.FieldsFunc(command, func(r rune) bool { return !unicode.IsLetter(r) && r != ':' && r != '/' })
	if slices.ContainsFunc(words, func(w string) bool {
		return w == "curl" || w == "wget" || strings.HasPrefix(w, "http://") || strings.HasPrefix(w, "https://")
	}) {
		s.AddTaint("web: a command")
	}
}

// AddUnknown counts a line of a kind that the reader does not know. The number of distinct kinds is
// limited.
func (s *Session) AddUnknown(kind string) {
	const most, longest = 50, 60
	kind = cmp.Or(kind[:min(len(kind), longest)], "(no type)")
	if s.Unknown == nil {
		s.Unknown = map[string]int{}
	}
	if _, known := s.Unknown[kind]; !known && len(s.Unknown) >= most {
		kind = "(others)"
	}
	s.Unknown[kind]++
}

// Cut returns at most [MostText] bytes of a text. A longer text becomes its beginning, at a
// character boundary, and a note of its length.
func Cut(text string) string {
	if len(text) <= MostText {
		return text
	}
	const mark = 32 // bytes for the note, so that cutting again changes nothing
	end := MostText - mark
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end] + " … (" + strconv.Itoa(len(text)) + " bytes)"
}
