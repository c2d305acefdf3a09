// Package setup puts Winnow into the settings files of agents, and takes it out again. It only
// computes: the text of a file in, the text out. No byte changes but those of its own entries.
package setup

import (
	"cmp"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// The entries that a settings file can have, in the order in which they are listed.
const (
	Recall = "recall" // the hook that gives an agent approved lessons
	Resume = "resume" // the same hook, told that a session begins anew with a shorter context
	Learn  = "learn"  // the hook that queues a finished session
	MCP    = "mcp"    // the server that agents propose lessons to
)

// Entry is one of ours in a settings file.
type Entry struct{ Name, Program string }

// Format is how a settings file holds our entries.
type Format struct {
	// Name is what the file is called for a person: "Claude Code's settings".
	Name string
	form
}

// form reads and changes the text of a file. It returns errors in a few words that say what is
// wrong with the text.
type form interface {
	// find returns our entries in the order of the file.
	find(text string) ([]found, error)
	// add adds an entry.
	add(text, name, program string) (string, error)
	// cut takes one of them out.
	cut(text string, f found) (string, error)
	// unused returns sentences on why the agent does not use our entries in the file at path.
	unused(path, text string) []string
}

// found is an entry of ours where it stands.
type found struct {
	Entry
	at, end int // of the text that names the program
	// respell returns that text for another program.
	respell func(program string) string
	where   any // of the form's own
}

// hooks are the hooks of an agent: which event each entry is called at, how long it may take in
// the agent's own unit, and whether the agent wants a name for it. Claude Code cuts the end of a
// session short after 1.5 s unless the hook says how long it takes; Codex warns of more than 3 s.
type hooks struct {
	agent   string
	events  map[string]string
	timeout int
	named   bool
}

// started is the event at which a session begins, also one that goes on or was compacted.
const started = "SessionStart"

func hooksOf(agent, prompt string, timeout int, named bool) hooks {
	return hooks{agent, map[string]string{Recall: prompt, Resume: started, Learn: "SessionEnd"}, timeout, named}
}

// For returns the format of the settings file at a path, by its name and that of its folder.
func For(file string) (Format, bool) {
	file = strings.ReplaceAll(file, `\`, "/")
	switch folder, name := path.Base(path.Dir(file)), path.Base(file); {
	case name == "settings.json" && folder == ".gemini":
		return Format{"Gemini CLI's settings", object{hooks: hooksOf("gemini", "BeforeAgent", 10_000, true), servers: "mcpServers", comments: true}}, true
	case name == "settings.json":
		return Format{"Claude Code's settings", object{hooks: hooksOf("claudecode", "UserPromptSubmit", 10, false)}}, true
	case name == ".mcp.json":
		return Format{"Claude Code's servers of this project", object{servers: "mcpServers"}}, true
	case name == "opencode.json" || name == "opencode.jsonc":
		return Format{"OpenCode's settings", object{servers: "mcp", listed: true, comments: true}}, true
	case name == "config.toml":
		return Format{"Codex's settings", tables{hooksOf("codex", "UserPromptSubmit", 3, false)}}, true
	case name == pluginName:
		return Format{"OpenCode's plugin", plugin{}}, true
	}
	return Format{}, false
}

// Entries returns our entries in the text of a settings file, each name once.
func (f Format) Entries(text string) ([]Entry, error) {
	list, err := f.all(text)
	var entries []Entry
	for _, name := range [...]string{Recall, Resume, Learn, MCP} {
		if i := slices.IndexFunc(list, func(e found) bool { return e.Name == name }); i >= 0 {
			entries = append(entries, list[i].Entry)
		}
	}
	return entries, err
}

// Unused returns sentences on why an agent does not use our entries in its settings file at path, as
// far as that file tells.
func (f Format) Unused(path, text string) []string {
	if entries, err := f.Entries(text); err != nil || len(entries) == 0 {
		return nil
	}
	return f.unused(path, text)
}

// Names returns the names of entries, and the program that the first of them starts.
func Names(entries []Entry) (names []string, program string) {
	for _, e := range entries {
		names, program = append(names, e.Name), cmp.Or(program, e.Program)
	}
	return names, program
}

// Set returns the text of a settings file that has the entries of these names, and no others of
// ours, each starting program. The text is empty when nothing else was in the file. An empty text
// is that of a file that is missing.
func (f Format) Set(text string, names []string, program string) (string, error) {
	list, err := f.all(text)
	if err != nil {
		return "", err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if i >= len(list) { // it went with another
			continue
		}
		e := list[i]
		switch twin := slices.ContainsFunc(list[:i], func(o found) bool { return o.Name == e.Name }); {
		case twin || !slices.Contains(names, e.Name):
			text, err = f.cut(text, e)
		case e.Program != program:
			text = text[:e.at] + e.respell(program) + text[e.end:]
		default:
			continue
		}
		if err != nil {
			return "", err
		}
		if list, err = f.all(text); err != nil {
			return "", err
		}
	}
	for _, name := range names {
		if slices.ContainsFunc(list, func(o found) bool { return o.Name == name }) {
			continue
		}
		if text, err = f.add(text, name, program); err != nil {
			return "", err
		}
		if list, err = f.all(text); err != nil {
			return "", err
		}
	}
	if len(list) != len(names) {
		return "", errForm
	}
	return text, nil
}

// all returns our entries in the text of a file, none for a file that is missing.
func (f Format) all(text string) ([]found, error) {
	if text == "" {
		return nil, nil
	}
	return f.find(text)
}

// errForm is for a text that has our entries, or something in their place, in a form that is not
// ours.
var errForm = errors.New("what stands there is written in another form than setup writes")

var hookCommand = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\S|\S.*\S)\s+agent-hook\s+(recall|learn)(\s+--agent\s+\w+)?$`)
})

// hookOf returns what the command of a hook of ours at an event is for, and the program that it
// starts.
func hookOf(command, event string) (e Entry, ok bool) {
	m := hookCommand().FindStringSubmatch(strings.TrimSpace(command))
	if m == nil {
		return e, false
	}
	word, name := strings.TrimPrefix(m[1], "$"), m[2]
	if n := len(word); n > 1 && word[0] == word[n-1] && (word[0] == '\'' || word[0] == '"') {
		word = strings.ReplaceAll(word[1:n-1], `'\''`, "'")
	} else if strings.ContainsAny(word, " \t;&|()'\"") {
		return e, false
	}
	if event == started && name == Recall {
		name = Resume
	}
	return Entry{name, word}, isWinnow(word)
}

// command is the command of a hook.
func (h hooks) command(name, program string) string {
	verb := name
	if name == Resume {
		verb = Recall
	}
	return memory.ShellWord(program) + " agent-hook " + verb + " --agent " + h.agent
}

// isWinnow reports whether a program is called like ours, wherever it lies.
func isWinnow(program string) bool {
	base := program[strings.LastIndexAny(program, `/\`)+1:]
	return base == "winnow" || base == "winnow.exe"
}

// quoted returns a text as JSON and TOML spell it.
func quoted(s string) string { return string(jstext.AppendQuoted(nil, s)) }
