// Package setup adds Winnow to the settings files of agents, and removes it again. It only
// computes: it takes the text of a file and returns the new text. No byte outside its own entries
// changes.
package setup

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/core/jstext"
)

// The entries that a settings file can have, in the order in which they are listed.
const (
	Recall = "recall" // the hook that gives an agent approved lessons
	Resume = "resume" // the same hook, when a session starts again with a shorter context
	Learn  = "learn"  // the hook that queues a finished session
	// The hooks that give an agent what is told about a call of a tool; see [Triggers].
	BeforeCall = "before-call"
	AfterCall  = "after-call"
	FailedCall = "failed-call"
	MCP        = "mcp" // the server through which agents propose lessons
)

// Triggers returns the entries that a person asks for beside the others, because an agent starts them at each call of
// its shell and of its tools for files.
func Triggers() []string { return []string{BeforeCall, AfterCall, FailedCall} }

// Entry is one of our entries in a settings file.
type Entry struct{ Name, Program string }

// Format says how a settings file holds our entries.
type Format struct{ form }

// form reads and changes the text of a file. Its errors say in a few words what is wrong with the
// text.
type form interface {
	// find returns our entries in the order of the file.
	find(text string) ([]found, error)
	// add adds an entry.
	add(text, name, program string) (string, error)
	// cut removes an entry.
	cut(text string, f found) (string, error)
	// text returns what an entry says that starts the program. spell writes it as the file does.
	text(name, program string) string
	spell(text string) string
	// whyIgnored returns sentences on why the agent ignores our entries in the file at path.
	whyIgnored(path, text string) []string
}

// found is an entry of ours and its place.
type found struct {
	Entry
	text    string  // what names the program
	at, end int     // of that text
	path    []*node // from the whole file to what has to be removed
}

// node is a value in a settings file of any language.
type node struct {
	key      string
	from     int // offset of the key, or of the value if there is none
	at, end  int // of the value
	kind     jstext.Kind
	text     string // for a string
	table    bool   // from..end is a TOML table, from its header to the beginning of the next one
	children []*node
}

// member returns the last member with that key, which is the one that counts, or nil. n may be nil.
func (n *node) member(key string) *node {
	for _, c := range slices.Backward(n.all()) {
		if c.key == key && n.kind == jstext.Object {
			return c
		}
	}
	return nil
}

func (n *node) all() []*node {
	if n == nil {
		return nil
	}
	return n.children
}

func (n *node) str() string {
	if n == nil {
		return ""
	}
	return n.text
}

// findIn returns our entries below the root of a file: hooks of any event, and members of servers.
func findIn(root *node, servers string) (list []found) {
	hooks := root.member("hooks")
	for _, event := range hooks.all() {
		for _, group := range event.children {
			handlers := group.member("hooks")
			for _, handler := range handlers.all() {
				command := handler.member("command")
				entry, ok := hookOf(command.str(), event.key)
				if !ok {
					continue
				}
				path := []*node{root, hooks, event, group}
				if len(handlers.children) > 1 { // otherwise the whole group is ours
					path = append(path, handlers, handler)
				}
				list = append(list, found{entry, command.text, command.at, command.end, path})
			}
		}
	}
	all := root.member(servers)
	for _, server := range all.all() {
		command, args := server.member("command"), server.member("args").all()
		if words := command.all(); len(words) > 0 && words[0].end > 0 { // program and arguments are a single list
			command, args = words[0], words[1:]
		}
		if isWinnow(command.str()) && len(args) > 0 && args[0].text == MCP {
			list = append(
				list,
				found{Entry{MCP, command.text}, command.text, command.at, command.end, []*node{root, all, server}},
			)
		}
	}
	return list
}

// hooks describes the hooks of an agent: the event of each entry, the timeout in the agent's own
// unit, and whether the agent wants a name for each hook. Claude Code ends a session's last hooks
// after 1.5 s unless they say how long they take; Codex warns about more than 3 s.
type hooks struct {
	agent   string
	events  map[string]string
	timeout int
	named   bool
	windows bool
	// calls matches the tools at whose calls there are hooks. It stays the same whatever is told, since an agent asks
	// the person again for each change.
	calls string
	off   []offSwitch
}

// offSwitch is a setting that turns all hooks off: a key in the table in, or at the top level.
type offSwitch struct {
	in, key string
	value   bool
}

// switchedOff returns sentences on why no hook in a file with these settings runs.
func (h hooks) switchedOff(settings map[string]any) (list []string) {
	for _, o := range h.off {
		table, name := settings, o.key
		if o.in != "" {
			table, _ = settings[o.in].(map[string]any)
			name = o.in + "." + o.key
		}
		if table[o.key] == o.value {
			list = append(list, fmt.Sprintf("Hooks are off in this file: %q is %t.", name, o.value))
		}
	}
	return list
}

// started is the event at the start of a session, including one that is resumed or was compacted.
const started = "SessionStart"

func hooksOf(agent, prompt string, timeout int, windows bool, off ...offSwitch) hooks {
	events := map[string]string{Recall: prompt, Resume: started, Learn: "SessionEnd"}
	h := hooks{agent: agent, events: events, timeout: timeout, named: agent == "gemini", windows: windows, off: off}
	switch agent {
	case "claudecode":
		h.calls = "Bash|Read|Edit|MultiEdit|Write|NotebookEdit"
		events[BeforeCall], events[AfterCall], events[FailedCall] = beforeTool, afterTool, afterFailure
	case "codex":
		h.calls = "Bash|apply_patch"
		events[BeforeCall], events[AfterCall] = beforeTool, afterTool
	case "gemini": // which takes no text before a call
		h.calls = "run_shell_command|read_file|read_many_files|replace|write_file"
		events[AfterCall] = "AfterTool"
	}
	return h
}

// The events at calls that Claude Code and Codex have.
const (
	beforeTool   = "PreToolUse"
	afterTool    = "PostToolUse"
	afterFailure = "PostToolUseFailure"
)

// calledAt returns the entry whose hook is called at an event of a call.
func calledAt(event string) string {
	switch event {
	case beforeTool, "BeforeTool":
		return BeforeCall
	case afterFailure:
		return FailedCall
	}
	return AfterCall
}

// matcher returns the tools at whose calls the hook of an entry runs, or "" for one that is about no call.
func (h hooks) matcher(name string) string {
	if slices.Contains(Triggers(), name) {
		return h.calls
	}
	return ""
}

// Entries returns our entries in the text of a settings file, each name once.
func (f Format) Entries(text string) (entries []Entry, _ error) {
	list, err := f.all(text)
	for _, name := range [...]string{Recall, Resume, Learn, BeforeCall, AfterCall, FailedCall, MCP} {
		if i := slices.IndexFunc(list, func(e found) bool { return e.Name == name }); i >= 0 {
			entries = append(entries, list[i].Entry)
		}
	}
	return entries, err
}

// Outdated reports whether entries in the text of a settings file have a form that setup no longer
// writes.
func (f Format) Outdated(text string) bool {
	list, _ := f.all(text) // what cannot be read has no entries
	return slices.ContainsFunc(list, func(e found) bool { return e.text != f.text(e.Name, e.Program) })
}

// ChangesHook reports whether a hook of ours has another command in one text of a settings file than in
// another.
func (f Format) ChangesHook(was, is string) bool {
	before, _ := f.all(was) // what cannot be read has no entries
	after, _ := f.all(is)
	return slices.ContainsFunc(before, func(old found) bool {
		return old.Name != MCP &&
			slices.ContainsFunc(after, func(e found) bool { return e.Name == old.Name && e.text != old.text })
	})
}

// Unused returns sentences on why an agent ignores our entries in its settings file at path, as far
// as that file shows.
func (f Format) Unused(path, text string) []string {
	if entries, err := f.Entries(text); err != nil || len(entries) == 0 {
		return nil
	}
	return f.whyIgnored(path, text)
}

// Names returns the names of entries, and the program of the first one.
func Names(entries []Entry) (names []string, program string) {
	for _, e := range entries {
		names, program = append(names, e.Name), cmp.Or(program, e.Program)
	}
	return names, program
}

// Set returns the text of a settings file with exactly the named entries of ours, each starting
// program. The text is empty if nothing else was in the file. An empty text stands for a missing
// file.
func (f Format) Set(text string, names []string, program string) (string, error) {
	if len(names) > 0 && !isWinnow(program) {
		return "", fmt.Errorf("%s: %w", program, ErrName)
	}
	for range mostSteps {
		list, err := f.all(text)
		if err != nil {
			return "", err
		}
		next, err := f.step(text, list, names, program)
		if err != nil || next == text {
			return next, err
		}
		text = next
	}
	return "", errForm
}

// mostSteps is the maximum number of changes to a file: each entry occurs a few times at most.
const mostSteps = 50

// step makes the first change towards the result of [Format.Set]. If it returns the same text,
// nothing is left to change.
func (f Format) step(text string, list []found, names []string, program string) (string, error) {
	for i, e := range slices.Backward(list) {
		twin := slices.ContainsFunc(list[:i], func(o found) bool { return o.Name == e.Name })
		if twin || !slices.Contains(names, e.Name) {
			return f.cut(text, e)
		}
		if now := f.text(e.Name, program); e.text != now {
			return text[:e.at] + f.spell(now) + text[e.end:], nil
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(e found) bool { return e.Name == name }) {
			return f.add(text, name, program)
		}
	}
	return text, nil
}

// all returns our entries in the text of a file; none for a missing file.
func (f Format) all(text string) ([]found, error) {
	if text == "" {
		return nil, nil
	}
	return f.find(text)
}

// ErrName reports a program whose entries could not be recognised as ours.
var ErrName = errors.New("setup recognises its entries by a program called winnow")

// errForm reports that the text has our entries, or something in their place, in a form that is not
// ours.
var errForm = errors.New("what is there has a different form than setup writes")

// text implements [form].
func (h hooks) text(name, program string) string {
	if name == MCP {
		return program
	}
	return h.command(name, program)
}

// spell implements [form].
func (hooks) spell(text string) string { return jstext.Quoted(text) }

// isWinnow reports whether a program has our name, in any folder.
func isWinnow(program string) bool {
	base := program[strings.LastIndexAny(program, `/\`)+1:]
	return base == "winnow" || base == "winnow.exe"
}
