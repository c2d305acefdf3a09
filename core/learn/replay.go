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
	// Worked is set if the command is known to have worked at one of its steps.
	Worked bool `json:"w,omitempty"`
}

const (
	// mostRan is how many commands and how many files of a session are kept, the first.
	mostRan = 150
	// ranUnits is how much of a command is kept. A prefix is seldom longer.
	ranUnits = 100
)

// run notes the commands and files of the calls.
func (t *Trace) run(s *session.Session, calls []call) {
	commands, files := 0, 0
	seen := map[string]int{} // indexes in t.Ran, by command as it was written or is kept, and by file
	add := func(r Ran) bool {
		key := r.Command + "\x00" + r.File
		if _, known := seen[key]; known {
			return false
		}
		seen[key] = len(t.Ran)
		t.Ran = append(t.Ran, r)
		return true
	}
	for i := range calls {
		lineWorked := worked(&s.Steps[i], &calls[i])
		for j := range calls[i].commands {
			k := &calls[i].commands[j]
			ok := lineWorked && calls[i].succeeds(j)
			raw := k.text[:min(len(k.text), 4*ranUnits)]
			if at, known := seen[raw]; known {
				t.Ran[at].Worked = t.Ran[at].Worked || ok
				continue
			}
			if commands == mostRan || slices.Contains(setups, k.words[0]) {
				continue
			}
			text := strings.TrimSuffix(Quotable(s, raw, ranUnits), " …")
			if add(Ran{Step: i + 1, Command: text}) {
				commands++
			}
			at := seen[text+"\x00"]
			t.Ran[at].Worked = t.Ran[at].Worked || ok
			seen[raw] = at
		}
		for _, file := range filesAt(s, i) {
			if files < mostRan && add(Ran{Step: i + 1, File: fitted(file, ranUnits)}) {
				files++
			}
		}
	}
}

// filesAt returns the files of the call of a tool other than a shell, from the session's folder.
func filesAt(s *session.Session, step int) []string {
	if session.IsShell(s.Steps[step].Tool) {
		return nil
	}
	call := memory.ToolCall{Tool: s.Steps[step].Tool, Input: []byte(s.Steps[step].Arguments)}
	return trigger.CallOf(&call, s.Folder, s.Folder).Files
}

// fired returns the step before or after which a session would first have been told what is told at a moment, or 0.
// Root is the project's folder.
func (t *Trace) fired(w memory.When, root string) int {
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

// failedWhen returns the last step at which a command failed that a moment means, or 0.
func (t *Trace) failedWhen(w memory.When) int {
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
		if traces[i].fired(w, root) == 0 {
			continue
		}
		f.Sessions++
		if traces[i].failedWhen(w) > 0 {
			f.Failed++
		}
	}
	return f
}
