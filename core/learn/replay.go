package learn

import (
	"path"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/trigger"
)

// Ran is a command that a session ran, or a file that a tool of it opened or changed, without what differs from an
// earlier one.
type Ran struct {
	Step    int    `json:"s"` // the first, counted from 1
	Command string `json:"c,omitempty"`
	File    string `json:"f,omitempty"` // from the session's folder
}

const (
	// mostRan is how many commands and how many files of a session are kept, the first.
	mostRan = 150
	// ranUnits is how much of a command is kept. A prefix is seldom longer.
	ranUnits = 100
)

// run notes the commands and files of the calls.
func (t *Trace) run(s *session.Session, calls []call) {
	seen, commands, files := map[string]bool{}, 0, 0
	add := func(r Ran) bool {
		if seen[r.Command+"\x00"+r.File] {
			return false
		}
		seen[r.Command+"\x00"+r.File] = true
		t.Ran = append(t.Ran, r)
		return true
	}
	for i := range calls {
		for j := range calls[i].commands {
			k := &calls[i].commands[j]
			raw := k.text[:min(len(k.text), 4*ranUnits)]
			if commands == mostRan || slices.Contains(setups, k.words[0]) || seen[raw] {
				continue
			}
			seen[raw] = true
			text := strings.TrimSuffix(Quotable(s, raw, ranUnits), " …")
			if add(Ran{Step: i + 1, Command: text}) {
				commands++
			}
		}
		if session.IsShell(s.Steps[i].Tool) || files == mostRan {
			continue
		}
		call := memory.ToolCall{Tool: s.Steps[i].Tool, Input: []byte(s.Steps[i].Arguments)}
		for _, file := range trigger.CallOf(&call, s.Folder, s.Folder).Files {
			if files < mostRan && add(Ran{Step: i + 1, File: fitted(file, ranUnits)}) {
				files++
			}
		}
	}
}

// Fired returns the step before or after which a session would first have been told what is told at a moment, or 0.
// Root is the project's folder.
func (t *Trace) Fired(w memory.When, root string) int {
	if w.Kind == memory.WhenError {
		for i := range t.Failed {
			if f := &t.Failed[i]; trigger.Matches(w, f.call()) {
				return f.Step
			}
		}
		return 0
	}
	below := strings.TrimPrefix(strings.TrimPrefix(t.Folder, root), "/")
	for i := range t.Ran {
		r := &t.Ran[i]
		if r.Command != "" && isCommand(w, r.Command) {
			return r.Step
		}
		if r.File != "" && w.Kind == memory.WhenFile {
			if trigger.Matches(w, &trigger.Call{Files: []string{path.Join(below, r.File)}}) {
				return r.Step
			}
		}
	}
	return 0
}

// call returns the call as far as a moment of an error sees it.
func (f *Failed) call() *trigger.Call {
	return &trigger.Call{Error: strings.Join(append(slices.Clip(f.Around), f.Error), "\n")}
}

// FailedWhen returns the last step at which a command failed that a moment means, or 0.
func (t *Trace) FailedWhen(w memory.When) int {
	for i := len(t.Failed) - 1; i >= 0; i-- {
		if f := &t.Failed[i]; f.Command != "" && isCommand(w, f.Command) {
			return f.Step
		}
	}
	return 0
}

// isCommand reports whether a moment means a command as it was written.
func isCommand(w memory.When, text string) bool {
	if w.Kind != memory.WhenCommand {
		return false
	}
	words := strings.Fields(w.Text)
	if !strings.Contains(text, strings.Trim(words[len(words)-1], `"'`)) { // nearly all
		return false
	}
	return trigger.Matches(w, &trigger.Call{Commands: trigger.Commands(text)})
}

// Replay returns how often a moment would have come in sessions of the project with that root.
func Replay(traces []Trace, w memory.When, root string) memory.Firing {
	f := memory.Firing{When: w, Of: len(traces)}
	for i := range traces {
		if traces[i].Fired(w, root) == 0 {
			continue
		}
		f.Sessions++
		if traces[i].FailedWhen(w) > 0 {
			f.Failed++
		}
	}
	return f
}
