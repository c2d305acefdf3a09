// Package session holds sessions of agents as plain data: what a person asked for, what the agent
// did, how it ended, and which memories it was given. Systems read them out of the files of their
// product; whoever learns from a session, or lists it, needs to know no product.
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

// State is how a session stands.
type State string

// The states. A session is learnt from when it is Succeeded or Failed; from one that is Unknown
// only when a person names it, and from one that is Aborted never.
const (
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Aborted   State = "aborted" // by the person
	// Unknown is for a session that does not run and has no mark of its end: it was killed, or
	// it runs where that cannot be told.
	Unknown State = "unknown"
)

// Quiet is how long the file of a session without a mark of its end must have been silent before
// the session counts as one that does not run any more.
const Quiet = 30 * time.Minute

// Head is what is known of a session before its file is read.
type Head struct {
	System   memory.SystemID
	ID       string
	Path     string    // of the file or database that it stands in, absolute
	Folder   string    // where it worked, absolute; empty when only reading tells
	Changed  time.Time // when its file changed last
	Size     int64     // of its file in bytes, 0 when it is one of many in a database
	Subagent bool      // started by another session; such sessions are not learnt from
	// Over is when its agent told a hook that it was over; zero when nobody told. A session that
	// says nothing after that does not run any more, however young its file is.
	Over time.Time
}

// In reports whether the session worked in a folder or below it, or nothing tells where it worked.
func (h *Head) In(folder string) bool {
	return folder == "" || h.Folder == "" || within(folder, h.Folder)
}

// within reports whether a path is a folder or lies below it.
func within(folder, file string) bool {
	folder, file = path.Clean(slashes(folder)), path.Clean(slashes(file))
	return file == folder || strings.HasPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// Silent reports whether a session whose last line is of a time writes no more: its agent told a hook
// that it was over, or its file did not change for [Quiet].
func (h *Head) Silent(now, last time.Time) bool {
	return h.ToldOver(last) || now.Sub(h.Changed) >= Quiet
}

// ToldOver reports whether its agent told a hook that a session was over whose last line is of a time.
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

// Step is one call of a tool.
type Step struct {
	Tool      string
	Arguments string // as the agent wrote them, JSON or a command; cut at [MostText] bytes
	Status    Status
	// Error is what the tool said when Status is Error, cut at [MostText] bytes; Kind is the
	// system's own word for the failure: "exit 1", "timeout". Both may be empty.
	Error, Kind string
	At          time.Time
}

// MostText is how many bytes are kept of an argument, an error or a request.
const MostText = 16 << 10

// MostSteps is how many steps are kept of a session: the latest.
const MostSteps = 5000

// Given is a memory text that a session was given.
type Given struct {
	Source string // "hook SessionStart", "CLAUDE.md", "recalled memory", "mcp winnow"
	Path   string // of its file, absolute; may be empty
	Text   string // word for word
}

// Steps collects the steps of a session while it is read, of which the latest [MostSteps] are kept.
type Steps struct{ all []*Step }

// Add adds a step. What is set in it later is kept too.
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
	// Task is the person's first request, Corrections the later ones, each cut at [MostText]
	// bytes. Texts that the agent put in by itself are not among them.
	Task        string
	Corrections []string
	Steps       []Step
	State       State
	// Why says in words why it failed or is unknown: "API error: overloaded". May be empty.
	Why string
	// Resumed is set when it went on after it had ended once.
	Resumed bool
	// MemoryOff is set when its agent was told to keep no memories of it. It is learnt from only by name.
	MemoryOff    bool
	Began, Ended time.Time // Ended is the time of the last line
	Given        []Given
	// GivenPartly is set when its files do not keep every memory text that it was given, so nobody can
	// tell what it was not given.
	GivenPartly bool
	// Taint says what it read that the person did not write, each once: "web: WebFetch",
	// "mcp: github", "file outside the project: /tmp/x".
	Taint []string
	// Unknown counts the kinds of lines that the reader does not know, and lines that cannot be
	// read, by what they are called.
	Unknown map[string]int
	// Engine is what KarnEvil9's own engine makes its lesson of, where the system has one; nil
	// elsewhere. See [Session.Lesson].
	Engine *lesson.Session
}

// Finished reports whether the session ended in a way that is known.
func (s *Session) Finished() bool {
	return s.State == Succeeded || s.State == Failed || s.State == Aborted
}

// Recovered reports whether a step failed in a session that succeeded.
func (s *Session) Recovered() bool { return s.State == Succeeded && s.Count(Error) > 0 }

// Count returns how many steps have a status.
func (s *Session) Count(status Status) (n int) {
	for i := range s.Steps {
		if s.Steps[i].Status == status {
			n++
		}
	}
	return n
}

// Judge returns the state of a session that ended by itself and whose agent gives no verdict: failed
// when the last step that has a result failed, and succeeded otherwise.
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

// AddRequest takes what the person asked for: first the task, and then corrections.
func (s *Session) AddRequest(request string) {
	const most = 1000
	request = Cut(strings.TrimSpace(request))
	switch {
	case request == "":
	case s.Task == "":
		s.Task = request
	case len(s.Corrections) < most:
		s.Corrections = append(s.Corrections, request)
	}
}

// AddGiven notes a memory text that the session was given, once, as long as there is room.
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

// AddTaint notes what the session read that the person did not write, once.
func (s *Session) AddTaint(what string) {
	const most = 50
	if len(s.Taint) < most && !slices.Contains(s.Taint, what) {
		s.Taint = append(s.Taint, what)
	}
}

// AddFile notes that the session read a file outside its project, the folder at root. A relative
// path starts from the folder of the session.
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

// slashes returns a path as it is spelled outside of Windows: a session may be of another machine.
func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// AddCommand notes when a command of a shell may have read from the web.
func (s *Session) AddCommand(command string) {
	words := strings.FieldsFunc(command, func(r rune) bool { return !unicode.IsLetter(r) && r != ':' && r != '/' })
	if slices.ContainsFunc(words, func(w string) bool {
		return w == "curl" || w == "wget" || strings.HasPrefix(w, "http://") || strings.HasPrefix(w, "https://")
	}) {
		s.AddTaint("web: a command")
	}
}

// AddUnknown counts a line of a kind that the reader does not know. It keeps few kinds apart.
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

// Cut returns a text of [MostText] bytes at most: the beginning of a longer one and how long it was,
// without a part of a character.
func Cut(text string) string {
	if len(text) <= MostText {
		return text
	}
	const mark = 32 // bytes for the words behind it, so a text that is cut again stays the same
	end := MostText - mark
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end] + " … (" + strconv.Itoa(len(text)) + " bytes)"
}
