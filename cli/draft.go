package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Draft is a text in a file, for an editor to work on. Only the user can read it.
type Draft struct {
	e    Env
	what string // what the text is, for errors
	text string
	path string
}

// Draft writes the text of a task to a temporary file. The caller calls Command and
// then Take.
func (e Env) Draft(text string) (Draft, error) { return e.draft("task", "", "winnow-task-*.md", text) }

// LessonDraft writes the form of a record to a file below the state folder, where it
// outlives a mistake and a crash. The caller calls Command and then Read, and Done
// when what was typed is stored.
func (e Env) LessonDraft(text string) (Draft, error) {
	dir := filepath.Join(e.stateFolder(), "drafts")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Draft{}, fmt.Errorf("write lesson: %w", err)
	}
	return e.draft("lesson", dir, "lesson-*.txt", text)
}

// draft writes text to a new file in dir, or in the folder for temporary files.
func (e Env) draft(what, dir, name, text string) (Draft, error) {
	f, err := os.CreateTemp(dir, name)
	if err != nil {
		return Draft{}, fmt.Errorf("write %s: %w", what, err)
	}
	_, err = f.WriteString(e.Encode(text))
	if err = errors.Join(err, f.Close()); err != nil {
		return Draft{}, errors.Join(fmt.Errorf("write %s: %w", what, err), os.Remove(f.Name()))
	}
	return Draft{e: e, what: what, text: text, path: f.Name()}, nil
}

// Path returns where the draft is.
func (d Draft) Path() string { return d.path }

// Command returns the user's editor on the draft: what VISUAL or EDITOR names,
// with its arguments, or else vi.
func (d Draft) Command() *exec.Cmd {
	words := []string{"vi"}
	for _, name := range []string{"EDITOR", "VISUAL"} {
		if v, _ := d.e.Lookup(name); len(strings.Fields(v)) > 0 {
			words = strings.Fields(v)
		}
	}
	c := exec.Command(words[0], append(words[1:], d.path)...)
	c.Stdin = d.e.In
	return c
}

// Read returns the text that was saved, and keeps the file. ended is the error with
// which the editor ended. Bytes that are no UTF-8 are U+FFFD.
func (d Draft) Read(ended error) (string, error) {
	raw, err := os.ReadFile(d.path)
	if err = errors.Join(ended, err); err != nil {
		return "", fmt.Errorf("edit %s: %w", d.what, err)
	}
	saved := d.e.Task(raw)
	if !strings.HasSuffix(d.text, "\n") {
		saved = strings.TrimSuffix(saved, "\n") // which editors add
	}
	return saved, nil
}

// Untouched reports whether the file is as it was written: then nothing is lost with
// it.
func (d Draft) Untouched() bool {
	raw, err := os.ReadFile(d.path)
	return err == nil && string(raw) == d.e.Encode(d.text)
}

// Continues reports whether the draft began with what was saved in another.
func (d Draft) Continues(other Draft) bool {
	saved, err := other.Read(nil)
	return err == nil && strings.TrimSuffix(saved, "\n") == strings.TrimSuffix(d.text, "\n")
}

// Done removes the file.
func (d Draft) Done() error {
	if err := os.Remove(d.path); err != nil {
		return fmt.Errorf("edit %s: %w", d.what, err)
	}
	return nil
}

// Take removes the file and returns the text that was saved. ended is the error
// with which the editor ended.
func (d Draft) Take(ended error) (string, error) {
	saved, err := d.Read(ended)
	if err = errors.Join(err, d.Done()); err != nil {
		return "", err
	}
	return saved, nil
}
