package learn

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
)

// Trace is what is kept of a session's failed and refused calls. Its texts are redacted, and shortened by the
// session's folder and the homes of people.
type Trace struct {
	Agent  memory.SystemID `json:"agent"`
	ID     string          `json:"id"`
	Folder string          `json:"folder,omitempty"`
	Model  string          `json:"model,omitempty"`
	State  session.State   `json:"state"`
	Ended  time.Time       `json:"ended,omitzero"`
	Steps  int             `json:"steps"`
	Taint  []string        `json:"taint,omitempty"`
	// MemoryOff and Subagent are those of the session, and Engine is set if it has input for KarnEvil9's own engine.
	MemoryOff bool `json:"memory_off,omitempty"`
	Subagent  bool `json:"subagent,omitempty"`
	Engine    bool `json:"engine,omitempty"`
	// Failed are failed calls, and Denied those that the person refused; at most mostTraced together, the latest.
	Failed []Failed `json:"failed,omitempty"`
	Denied []Denied `json:"denied,omitempty"`
	// Ran are the commands and files of its calls, each once.
	Ran []Ran `json:"ran,omitempty"`
}

// Failed is a failed call.
type Failed struct {
	Step    int       `json:"step"` // counted from 1
	At      time.Time `json:"at,omitzero"`
	Tool    string    `json:"tool"`
	Called  string    `json:"called"`  // program and shape of the command, or the tool
	Command string    `json:"command"` // as written
	Error   string    `json:"error"`   // its most informative line
	// Around is that line with the one before and the one behind it, where they are not empty.
	Around []string `json:"around,omitempty"`
	// Left says why nobody learns from it, if so.
	Left string `json:"left,omitempty"`
	// Worked is the command that worked later, at step Then, if it is not the same again. How is in which way.
	Worked string `json:"worked,omitempty"`
	Then   int    `json:"then,omitempty"`
	How    How    `json:"how,omitempty"`
}

// How says how a command that worked differs from one that failed.
type How string

// The ways.
const (
	Again     How = "again"     // it is the same
	FirstWord How = "firstword" // it is without the first word
	Wrapped   How = "wrapped"   // it is behind command, corepack or npx
	Variable  How = "variable"  // a variable is set for it
	Renamed   How = "renamed"   // it is another name of a program that was not found
	Elsewhere How = "elsewhere" // a file that was looked for is in another folder of the project
	Near      How = "near"      // some other words of the same program
)

// variant reports whether a command that worked is the same words in another way of calling them.
func (h How) variant() bool { return h == FirstWord || h == Wrapped || h == Variable }

// Denied is a call that the person refused.
type Denied struct {
	Step    int       `json:"step"`
	At      time.Time `json:"at,omitzero"`
	Tool    string    `json:"tool"`
	Command string    `json:"command"`
}

const (
	mostTraced = 300
	// reachOfVariant is how many calls of the same tool later a variant may still be the answer, and reachOfNear
	// how many steps later another call of the program.
	reachOfVariant, reachOfNear = 8, 40
	// callUnits is the longest call that is quoted whole.
	callUnits = 150
)

// TraceOf returns the trace of a session.
func TraceOf(s *session.Session) Trace {
	t := Trace{
		Agent: s.System, ID: s.ID, Folder: s.Folder, Model: fitted(s.Model, toolUnits), State: s.State,
		Ended: s.Ended, Steps: len(s.Steps), MemoryOff: s.MemoryOff, Subagent: s.Subagent, Engine: s.Engine != nil,
	}
	for _, what := range s.Taint {
		t.Taint = append(t.Taint, fitted(what, titleUnits))
	}
	calls := make([]call, len(s.Steps))
	for i := range calls {
		calls[i] = callOf(s, &s.Steps[i])
	}
	for i, left := len(s.Steps)-1, mostTraced; i >= 0 && left > 0; i-- {
		if s.Steps[i].Status == session.Declined {
			t.deny(s, &calls[i], i)
			left--
		} else if text := failureOf(&s.Steps[i], &calls[i]); text != "" {
			t.fail(s, calls, i, text)
			left--
		}
	}
	slices.Reverse(t.Failed)
	slices.Reverse(t.Denied)
	t.run(s, calls)
	return t
}

// deny adds a call that the person refused.
func (t *Trace) deny(s *session.Session, c *call, at int) {
	command := Quotable(s, c.raw, callUnits)
	if command == "" || strings.HasSuffix(command, "…") || len(c.commands) == 0 {
		return
	}
	t.Denied = append(t.Denied, Denied{
		Step: at + 1, At: s.Steps[at].At, Tool: fitted(c.tool, toolUnits), Command: command,
	})
}

// fail adds a failed call.
func (t *Trace) fail(s *session.Session, calls []call, at int, text string) {
	c, step := &calls[at], &s.Steps[at]
	lines, line := errorLine(text)
	if line < 0 {
		return
	}
	f := Failed{
		Step: at + 1, At: step.At, Tool: fitted(c.tool, toolUnits), Called: fitted(c.tool, toolUnits),
		Error: strings.TrimRight(Quotable(s, withoutShell(lines[line]), errorUnits), ". "),
	}
	for _, near := range lines[max(0, line-1):min(len(lines), line+2)] {
		f.Around = append(f.Around, Quotable(s, near, errorUnits))
	}
	failed := c.failing(text)
	whole := c.tool
	if failed != nil {
		whole = failed.text
		f.Called, f.Command = Quotable(s, failed.shape(), toolUnits), Quotable(s, failed.text, callUnits)
	} else if len(c.commands) > 0 || session.IsShell(c.tool) {
		return
	}
	f.Left = leftOutFor(c.tool, oneLine(whole), lines[line], headAndTail(text))
	switch {
	case failed == nil:
	case f.Left == "":
		f.findWorked(s, calls, at, failed)
	case slices.Contains(onlyLook, failed.program()) && strings.Contains(f.Error, noSuchFile):
		f.findFile(s, calls, at, failed)
	}
	t.Failed = append(t.Failed, f)
}

// findWorked looks for the command that worked later.
func (f *Failed) findWorked(s *session.Session, calls []call, at int, failed *command) {
	same, shape := 0, failed.shape()
	for j := at + 1; j < min(len(calls), at+reachOfNear) && f.How == ""; j++ {
		b := &calls[j]
		if b.tool != calls[at].tool {
			continue
		}
		if same++; !worked(&s.Steps[j], b) {
			continue
		}
		if same <= reachOfVariant {
			f.variant(s, b, failed, j)
		}
		for k := range b.commands {
			now := &b.commands[k]
			switch {
			case now.after == "||" || f.How != "":
			case now.shape() == shape:
				f.take(s, now, nearBy(failed, now), j)
			case notFound().MatchString(f.Error) && renamed(failed, now):
				f.take(s, now, Renamed, j)
			}
		}
	}
}

// variant takes a command of a call if it is the failed one in another way of calling it.
func (f *Failed) variant(s *session.Session, b *call, failed *command, at int) {
	words := failed.words
	shell := slices.Contains(shells, failed.program()) // then it is the file's form that was wrong, not the call's
	if k := b.has(words[1:]); len(words) > 1 && k != nil && !isVariable().MatchString(words[0]) && !shell {
		f.take(s, k, FirstWord, at)
		return
	}
	for k := range b.commands {
		now := b.commands[k].words
		before := len(now) - len(words)
		if before <= 0 || !slices.Equal(now[before:], words) {
			continue
		}
		switch {
		case before == 1 && slices.Contains([]string{"command", "corepack", "npx"}, now[0]):
			f.take(s, &b.commands[k], Wrapped, at)
		case !slices.ContainsFunc(now[:before], func(w string) bool { return !isVariable().MatchString(w) }):
			f.take(s, &b.commands[k], Variable, at)
		}
	}
}

// take records the command that worked, unless its text is too long to quote.
func (f *Failed) take(s *session.Session, k *command, how How, at int) {
	text := Quotable(s, k.text, callUnits)
	if how == "" || strings.HasSuffix(text, "…") {
		return
	}
	f.Worked, f.Then, f.How = text, at+1, how
	if how == Again {
		f.Worked = ""
	}
}

// onlyPaths reports whether all words name files.
func onlyPaths(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "-") || !strings.ContainsAny(w, `/\.`)
	})
}

// shells run the file that is their first word.
var shells = strings.Fields("bash sh zsh dash source .")

// noSuchFile is what programs say of a file that is not there.
const noSuchFile = "No such file or directory"

// findFile looks for the file that a command looked for in vain, in another folder of the project: some later command
// that only looks names it. Without one the failure stays left out.
func (f *Failed) findFile(s *session.Session, calls []call, at int, failed *command) {
	i := slices.IndexFunc(failed.words, func(w string) bool {
		return len(w) > len("a.b") && strings.ContainsAny(w, "./") && strings.Contains(s.Steps[at].Error, w)
	})
	if i < 1 || path.IsAbs(failed.words[i]) || strings.ContainsAny(failed.words[i], "*~$") {
		return
	}
	was := path.Clean(failed.words[i])
	for j := at + 1; j < min(len(calls), at+reachOfNear); j++ {
		if !worked(&s.Steps[j], &calls[j]) {
			continue
		}
		for k := range calls[j].commands {
			c := &calls[j].commands[k]
			for _, now := range c.words[1:] {
				if now = path.Clean(now); path.Base(now) != path.Base(was) || now == was || path.IsAbs(now) ||
					strings.Contains(now, "..") || !slices.Contains(onlyLook, c.program()) {
					continue
				}
				f.Called, f.Command, f.Error = Quotable(s, was, callUnits), Quotable(s, was, callUnits), noSuchFile
				f.Worked, f.How, f.Then, f.Left = Quotable(s, now, callUnits), Elsewhere, j+1, ""
				return
			}
		}
	}
}

// renamed reports whether a command calls a program whose name begins like that of another, which was not found:
// python3 for python, or docker compose for docker-compose.
func renamed(was, now *command) bool {
	first, second := was.program(), strings.Join(now.bare()[:min(len(now.bare()), 2)], "-")
	return first != now.program() && !strings.ContainsRune(first, '/') &&
		(strings.TrimRight(now.program(), "0123456789.") == first || second == first)
}

// notFound matches what a shell says of a program that it does not find.
var notFound = expression(`(?i)command not found|: not found$|not recognized as`)

// withoutShell returns an error's line without the name of the shell and its line before it: "python: command not
// found".
func withoutShell(line string) string {
	line = byShell().ReplaceAllString(line, "")
	if name, is := strings.CutPrefix(line, "command not found: "); is {
		return name + ": command not found"
	}
	return line
}

var byShell = expression(
	`^(?:/?(?:[\w.-]+/)*(?:ba|z|da|k)?sh(?:\.exe)?: (?:line )?|\(eval\):|zsh:)` +
		`(?:\d+: )?(?:eval: )?(?:line \d+: )?`,
)

// nearBy says how a command of the same shape differs: it is the same again, or near if few words differ.
func nearBy(was, now *command) How {
	const most = 3
	onlyWas, onlyNow := difference(was.words, now.words)
	what := func(c *command) string { return strings.Join(append(c.bare(), "")[1:2], "") }
	verbless := was.shape() == was.program() && !strings.ContainsRune(was.program(), '/')
	switch {
	case len(onlyWas)+len(onlyNow) == 0:
		return Again
	case verbless && what(was) != what(now), strings.ContainsAny(now.text, "$`"):
		return "" // another script, or a value of that moment
	case len(onlyWas) == len(onlyNow) && onlyPaths(onlyWas) && onlyPaths(onlyNow):
		return "" // the same about other files
	case len(onlyWas) <= most && len(onlyNow) <= most && len(onlyWas) < len(was.words):
		return Near
	}
	return ""
}

// difference returns the elements that only one of the two lists has. Repeated elements count
// separately.
func difference(a, b []string) (onlyA, onlyB []string) {
	onlyB = slices.Clone(b)
	for _, w := range a {
		if i := slices.Index(onlyB, w); i >= 0 {
			onlyB = slices.Delete(onlyB, i, i+1)
		} else {
			onlyA = append(onlyA, w)
		}
	}
	return onlyA, onlyB
}

// failureOf returns what a step says of its failure, or "" if it did not fail: its error or, where a pipe or a
// list hides the status of a command, the output if a line of it is an error.
func failureOf(step *session.Step, c *call) string {
	switch {
	case step.Status == session.Error:
		return step.Error
	case step.Status == session.OK && step.Output != "" && hidesError(c):
		for line := range strings.Lines(step.Output) {
			if certainError().MatchString(line) && !saysNoError().MatchString(line) {
				return step.Output
			}
		}
	}
	return ""
}

// worked reports whether a step worked, as far as its status and its output say.
func worked(step *session.Step, c *call) bool {
	return step.Status == session.OK && failureOf(step, c) == "" && len(c.commands) > 0
}

// hidesError reports whether the output of a line is that of programs, and not of what they look at.
func hidesError(c *call) bool {
	for i := range c.commands {
		k := &c.commands[i]
		if k.after == "|" || slices.Contains(setups, k.words[0]) {
			continue
		}
		shows := slices.Contains(onlyLook, k.program()) ||
			slices.ContainsFunc(k.words, func(w string) bool { return slices.Contains(showing, w) })
		if shows {
			return false
		}
	}
	return true
}

// showing are words of commands that print what others wrote.
var showing = strings.Fields("log logs show diff blame journalctl status grep cat tail view list search curl wget ssh")

// certainError matches a line that only an error looks like.
var certainError = expression(`(?i)(?:command not found|: not found$)|` +
	`^(?:error|fatal|npm err!|npm error|\S+: error|\S+: fatal)\b[:! ]|^error\[|: error: |^traceback \(most recent|` +
	`^modulenotfounderror|^\w+: (?:unknown|unrecognized|invalid|illegal) (?:option|argument|command)|` +
	`no such file or directory$`)

// errorLine returns the lines of an error's text, and the index of the most informative one: the first that a tool
// itself says about an error, or what the tool's caller says about it. It is -1 if no line is about an error.
func errorLine(text string) (lines []string, at int) {
	found, wrapper := -1, -1
	for line := range strings.Lines(wrapping().ReplaceAllString(headAndTail(text), "")) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		lines = append(lines, line)
		switch i := len(lines) - 1; {
		case found >= 0: // the line behind it is there
			return lines, found
		case !saysError().MatchString(line), saysNoError().MatchString(line):
		case !wraps().MatchString(line):
			found = i
		case wrapper < 0:
			wrapper = i
		}
	}
	if found < 0 {
		found = wrapper
	}
	return lines, found
}

// headAndTail returns the beginning and the end of an error, to limit the cost of searching it.
func headAndTail(text string) string {
	const most = 1500
	if len(text) <= 2*most {
		return text
	}
	return text[:most] + "\n" + text[len(text)-most:]
}

// What is taken out of an error to compare it, and what is put there instead.
var (
	anAddress = expression(`\w+://[^\s"'()<>]+`)
	aPath     = expression(`(?:[A-Za-z]:)?[~.\w@+-]*(?:[/\\][\w.@+~*-]+)+/?`)
	aTime     = expression(`\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|\b\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?\b`)
	anID      = expression(`\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|` +
		`\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{5,}\b`)
	aNumber = expression(`\b\d[\d.,_]*\b`)
	// lastName is a name with a number at the end of a line, where errors say what they are about: "no such service:
	// db1". Anywhere else the number may be that of a program, such as python3.
	lastName = expression("\\b([a-z][a-z_-]+)\\d{1,3}([\"'`).]*)$")
)

// alike returns an error's line without what differs from one time to the next: addresses, paths, times, ids and
// numbers.
func alike(line string) string {
	for _, r := range [...]struct {
		pattern func() *regexp.Regexp
		name    string
	}{{anAddress, "URL"}, {aPath, "PATH"}, {aTime, "TIME"}, {anID, "ID"}, {aNumber, "N"}} {
		line = r.pattern().ReplaceAllString(line, r.name)
	}
	return spaced(lastName().ReplaceAllString(strings.TrimSpace(line), "${1}N$2"))
}
