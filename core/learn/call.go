package learn

import (
	"path"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/session"
)

// call is what a step did, as far as learning compares it.
type call struct {
	tool string
	raw  string // the command or the arguments, to recognise identical calls
	// commands are those of a shell line, and folder is where it runs if that is not the session's folder.
	commands []command
	folder   string
}

// onlyLook are programs that change nothing, whatever their arguments.
var onlyLook = strings.Fields(
	"ls cat head tail grep rg ag ack egrep fgrep wc pwd echo which type file stat tree bat diff du df whoami uname " +
		"printenv jq basename dirname realpath readlink man help true date find sed awk cut tr sort uniq less more dir " +
		"Get-Content Get-ChildItem Get-Item Select-String Test-Path gc gci",
)

// Called returns the command of a step that runs one, and the arguments of any other, as the agent wrote them.
func Called(s *session.Session, step *session.Step) string { return callOf(s, step).raw }

// callOf analyses a step.
func callOf(s *session.Session, step *session.Step) call {
	c := call{tool: step.Tool, raw: strings.TrimSpace(step.Arguments)}
	if !session.IsShell(step.Tool) {
		return c
	}
	v, err := jstext.Parse(c.raw)
	switch {
	case err != nil:
		c.commands = shellCommands(c.raw)
	case v.Kind() == jstext.Object:
		c.fromArguments(s, v)
	}
	return c
}

// fromArguments extracts the command from the arguments of a shell tool. One that runs in the background has
// none: its status only says that it was started.
func (c *call) fromArguments(s *session.Session, v jstext.Value) {
	c.raw = ""
	for _, key := range [...]string{"command", "cmd", "script"} {
		switch f, _ := v.Field(key); f.Kind() {
		case jstext.String:
			c.raw = f.Str()
		case jstext.Array:
			words := lesson.Strings(f)
			if n := len(words); n == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
				c.raw = words[2] // the form bash -lc LINE
			} else {
				c.raw = strings.Join(words, " ")
			}
		}
	}
	for _, key := range [...]string{"run_in_background", "is_background", "background", "tty"} {
		if f, ok := v.Field(key); ok && f.Truthy() {
			return
		}
	}
	for _, key := range [...]string{"workdir", "cwd", "directory", "dir_path"} {
		if f, _ := v.Field(key); f.Str() != "" && path.Clean(f.Str()) != path.Clean(s.Folder) {
			c.folder = f.Str()
		}
	}
	c.commands = shellCommands(c.raw)
}

// failing returns the command of a line that an error is about: the one that a line of the error names, or else
// the last one that is no preparation, no filter behind a pipe, and no command that only looks. It is nil if
// there is none.
func (c *call) failing(errText string) *command {
	var last, first *command
	for i := range c.commands {
		k := &c.commands[i]
		if named(errText, k.program()) || named(errText, k.words[0]) {
			return k
		}
		if slices.Contains(setups, k.words[0]) || k.after == "|" {
			continue
		}
		if first == nil {
			first = k
		}
		if !slices.Contains(onlyLook, k.program()) && k.after != "||" {
			last = k
		}
	}
	if last == nil {
		return first
	}
	return last
}

// hides are words of a line by which it can end well though a command of it failed or was not run.
var hides = strings.Fields("if case while until for ! &")

// succeeds reports whether the command at an index worked if the whole line did, in the session's folder: what comes
// after it is run only then.
func (c *call) succeeds(at int) bool {
	words := strings.Fields(c.raw)
	isHidden := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(hides, w) })
	if isHidden || c.folder != "" || len(c.commands) == mostCommands || c.commands[at].after == "||" {
		return false
	}
	return !slices.ContainsFunc(c.commands[at+1:], func(k command) bool { return k.after != "&&" })
}

// named reports whether a line of an error begins with the name of a program, as its own messages and those of a
// shell that does not find it do.
func named(errText, program string) bool {
	base := path.Base(program)
	for line := range strings.Lines(errText) {
		for part := range strings.SplitSeq(strings.TrimSpace(line), ": ") {
			part = strings.TrimPrefix(strings.TrimSpace(part), "line ")
			switch {
			case part == program, part == base:
				return true
			case strings.Trim(part, "0123456789") == "", strings.HasSuffix(part, "sh"), part == "(eval)",
				strings.HasPrefix(part, "(eval):"), strings.HasPrefix(part, "zsh:"):
				continue // the shell, and its line
			case strings.HasPrefix(part, "command not found"):
				continue // zsh names it behind
			}
			break
		}
	}
	return false
}

// has reports whether a command of the line is made of those words.
func (c *call) has(words []string) *command {
	for i := range c.commands {
		if c.commands[i].after != "|" && c.commands[i].after != "||" && slices.Equal(c.commands[i].words, words) {
			return &c.commands[i]
		}
	}
	return nil
}
