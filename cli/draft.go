package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Draft is a text in a temporary file, for an editor to work on. Only the user
// can read it.
type Draft struct {
	e    Env
	text string
	path string
}

// Draft writes text to a file. The caller calls Command and then Take.
func (e Env) Draft(text string) (Draft, error) {
	f, err := os.CreateTemp("", "winnow-task-*.md")
	if err != nil {
		return Draft{}, fmt.Errorf("write task: %w", err)
	}
	_, err = f.WriteString(e.Encode(text))
	if err = errors.Join(err, f.Close()); err != nil {
		return Draft{}, errors.Join(fmt.Errorf("write task: %w", err), os.Remove(f.Name()))
	}
	return Draft{e: e, text: text, path: f.Name()}, nil
}

// Command returns the user's editor on the draft: what VISUAL or EDITOR names,
// with its arguments, or else vi.
func (d Draft) Command() *exec.Cmd {
	words := []string{"vi"}
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v, _ := d.e.Lookup(name); len(strings.Fields(v)) > 0 {
			words = strings.Fields(v)
		}
	}
	return exec.Command(words[0], append(words[1:], d.path)...)
}

// Take removes the file and returns the text that was saved. ended is the error
// with which the editor ended.
func (d Draft) Take(ended error) (string, error) {
	raw, err := os.ReadFile(d.path)
	if err = errors.Join(ended, err, os.Remove(d.path)); err != nil {
		return "", fmt.Errorf("edit task: %w", err)
	}
	saved := d.e.Task(raw)
	if !strings.HasSuffix(d.text, "\n") {
		saved = strings.TrimSuffix(saved, "\n") // which editors add
	}
	return saved, nil
}
