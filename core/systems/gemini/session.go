package gemini

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/git"
	"winnow/core/session"
)

// session returns the session that the conversation describes.
func (c *chat) session(now time.Time) session.Session {
	s := &c.s
	s.Began = session.Time(c.from)
	var steps session.Steps
	for i := range c.messages {
		m := &c.messages[i]
		if at := session.Time(m.Timestamp); !at.IsZero() {
			s.Ended, s.Began = at, cmp.Or(s.Began, at)
		}
		switch m.Type {
		case "user":
			s.AddRequest(c.request(m), s.Ended)
		case "gemini":
			s.Model = cmp.Or(m.Model, s.Model)
			s.Say(false, s.Ended, strings.Join(m.Content, "\n"))
			for j := range m.Calls {
				steps.Add(c.step(&m.Calls[j]))
			}
		case "info", "warning", "error":
		default:
			s.AddUnknown(strings.TrimSpace("message " + m.Type))
		}
	}
	s.Steps = steps.Latest()
	c.conclude(now)
	return *s
}

// conclude derives the state from the last message.
func (c *chat) conclude(now time.Time) {
	s := &c.s
	ended, failure, aborted := c.end()
	switch {
	case !s.Silent(now, s.Ended):
		s.State = session.Running
	case aborted || c.taken > 1:
		s.State = session.Aborted
	case c.taken == 1:
		s.State, s.Why = session.Unknown, "its last request was taken back: the model refused it, or the person stopped it"
	case failure != "":
		s.State, s.Why = session.Failed, failure
	case ended:
		s.State = session.Judge(s.Steps)
	default:
		s.State, s.Why = session.Unknown, "it has no mark of its end"
	}
}

// end returns whether the last turn ended with an answer, the error that ended it, and whether the
// person stopped it.
func (c *chat) end() (ended bool, failure string, aborted bool) {
	for _, m := range slices.Backward(c.messages) {
		text := strings.TrimSpace(strings.Join(m.Content, "\n"))
		switch m.Type {
		case "error":
			return true, cmp.Or(text, "error"), false
		case "info":
			if strings.HasPrefix(text, "Request cancelled") {
				return true, "", true
			}
		case "gemini":
			cancelled := len(m.Calls) > 0 &&
				!slices.ContainsFunc(m.Calls, func(k call) bool { return k.Status != "cancelled" })
			return text != "" && len(m.Calls) == 0, "", cancelled
		case "user":
			if text != "" { // tool results have no text
				return false, "", false
			}
		}
	}
	return false, "", false
}

const (
	hookBegin, hookEnd = "<hook_context>", "</hook_context>"
	contextBegin       = "<session_context>"
)

// request returns what the person typed in a message, and records what Gemini CLI added.
func (c *chat) request(m *message) string {
	var typed []string
	for _, text := range m.Content {
		if strings.HasPrefix(text, contextBegin) {
			c.context(text)
			continue
		}
		before, hooks, found := strings.Cut(text, hookBegin)
		if found {
			c.s.AddGiven(session.Given{Source: "hook", Text: strings.TrimSuffix(strings.TrimSpace(hooks), hookEnd)})
		}
		typed = append(typed, before)
	}
	text := strings.TrimSpace(strings.Join(typed, "\n"))
	if shown := strings.TrimSpace(strings.Join(m.Display, "\n")); shown != "" && text != "" {
		text = shown // without the files that were added
	}
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "?") { // commands
		return ""
	}
	return text
}

var (
	folderLine = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`(?m)^- \*\*Workspace Directories:\*\*\n  - (.+)$`) },
	)
	contextBlock = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?ms)^--- Context from: ([^\n]+?) ---\n(.*?)^--- End of Context from: `)
	})
)

// context reads the first message, which names the working folder and holds the instructions.
func (c *chat) context(text string) {
	if f := folderLine().FindStringSubmatch(text); f != nil && c.s.Folder == "" && filepath.IsAbs(f[1]) {
		c.s.Folder = filepath.Clean(f[1])
	}
	for _, b := range contextBlock().FindAllStringSubmatch(text, -1) {
		g := session.Given{Source: filepath.Base(b[1]), Text: strings.TrimSuffix(b[2], "\n")}
		if filepath.IsAbs(b[1]) {
			g.Path = filepath.Clean(b[1])
		}
		c.s.AddGiven(g)
	}
}

// step returns a tool call as a step, and records what it read from elsewhere.
func (c *chat) step(k *call) session.Step {
	s := session.Step{Tool: k.Name, Arguments: k.Args.text, Status: session.Pending, At: session.Time(k.At)}
	output, told := withoutHook(strings.TrimSpace(k.Result.output))
	if told != "" {
		c.s.AddGiven(session.Given{Source: "hook", Text: told})
	}
	output = strings.TrimSuffix(
		strings.TrimSpace(strings.TrimPrefix(output, "<untrusted_context>")),
		"</untrusted_context>",
	)
	switch k.Status {
	case "success":
		s.Status = session.OK
		s.Hear(output)
	case "error":
		s.Status, s.Kind, s.Error = session.Error, "tool error", cmp.Or(k.Result.failure, session.Cut(output))
	case "cancelled":
		s.Status = session.Declined
	}
	if code := exitCode(output, strings.Join(k.Display, "\n")); code != "" && s.Status == session.OK &&
		isShell(k.Name) {
		s.Status, s.Kind = session.Error, "exit "+code
		if code == signalled {
			s.Kind = code
		}
		s.Error = session.Cut(strings.TrimPrefix(output, "Output: "))
	}
	c.taint(k, output)
	return s
}

// withoutHook returns the result of a call without what a hook added behind it, and that.
func withoutHook(output string) (rest, told string) {
	text, ends := strings.CutSuffix(output, hookEnd)
	at := strings.LastIndex(text, hookBegin)
	if !ends || at < 0 {
		return output, ""
	}
	return strings.TrimSpace(text[:at]), text[at+len(hookBegin):]
}

func isShell(tool string) bool { return tool == "run_shell_command" || tool == "shell" }

// readingTools are the tools that read files.
var readingTools = []string{
	"read_file", "read_many_files", "search_file_content", "grep_search", "glob", "list_directory",
}

// taint records what a call read that the person did not write.
func (c *chat) taint(k *call, output string) {
	rest, isMCP := strings.CutPrefix(k.Name, "mcp_")
	server, tool, found := strings.Cut(rest, "_")
	if !isMCP {
		server, tool, found = strings.Cut(k.Name, "__") // in older versions
	}
	switch {
	case k.Name == "google_web_search", k.Name == "web_fetch":
		c.s.AddTaint("web: " + k.Name)
	case found && server == "winnow" && tool != "":
		c.s.AddGiven(session.Given{Source: "mcp winnow", Text: output})
	case found && (isMCP || tool != ""):
		c.s.AddTaint("mcp: " + server)
	case isShell(k.Name):
		c.s.AddCommand(k.Args.Command)
	case slices.Contains(readingTools, k.Name) && k.Status == "success":
		c.s.AddFile(cmp.Or(git.Root(c.s.Folder), c.s.Folder), k.Args.Path)
	}
}

// signalled is the exit code of a command that a signal ended.
const signalled = "signal"

// exitCode returns the exit code of a failed command, taken from the lines that Gemini CLI puts
// after the output. It returns "" if the command did not fail. The output itself, which is in
// display, may end in the same words.
func exitCode(output, display string) (code string) {
	tail := [...]string{
		"Process Group PGID: ",
		"Background PIDs: ",
		"(no",
		"Signal: ",
		"Exit Code: ",
		"Error: ",
		"PIDs: ",
	}
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		if !slices.ContainsFunc(tail[:], func(t string) bool { return strings.HasPrefix(line, t) }) ||
			strings.HasSuffix(strings.TrimSpace(display), line) {
			return code
		}
		if n, found := strings.CutPrefix(line, "Exit Code: "); found && n != "0" && n != "(none)" {
			code = n
		}
		if n, found := strings.CutPrefix(line, "Signal: "); found && n != "(none)" && n != "0" && code == "" {
			code = signalled
		}
	}
	return code
}
