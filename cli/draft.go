package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"winnow/core/detect"
	"winnow/core/jstext"
)

// Draft is a text in a file for an editor to work on. Only the user can read the file.
type Draft struct {
	*exec.Cmd // the editor
	what      string
	text      string
	path      string
}

// Draft writes a text to a file below the state folder, where it survives a mistake and a crash.
// what names the text in errors. The caller calls Run, then Read, and finally Done when nobody
// needs the file any more.
func (e *Env) Draft(what, text string) (*Draft, error) {
	path, err := e.keep("the text", "drafts", what+"-*.txt", jstext.WellFormed(text))
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", what, err)
	}
	return &Draft{e.editorCommand(path), what, text, path}, nil
}

// editor returns the words of the editor command in VISUAL or EDITOR, or of the platform's default
// editor if that opens its own window. It returns nil for vi, which needs a terminal.
func (e *Env) editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v, _ := e.Lookup(name); strings.TrimSpace(v) != "" {
			return e.commandWords(v)
		}
	}
	if name := defaultPrograms(runtime.GOOS).editor; name != "" {
		return []string{name}
	}
	return nil
}

// commandWords splits a command into words. A command that is the path of an existing file is a single
// word, even with spaces.
func (e *Env) commandWords(command string) []string {
	if e.exists(command) {
		return []string{command}
	}
	return strings.Fields(command)
}

// programs are a platform's defaults.
type programs struct{ editor, pager string }

func defaultPrograms(goos string) programs {
	if goos == "windows" {
		return programs{"notepad", "more"}
	}
	return programs{"", "less"}
}

// editorCommand returns the user's editor for a file, which is vi if there is no other. It gets the
// terminal itself, even if the program's output goes to a pipe.
func (e *Env) editorCommand(path string) *exec.Cmd {
	words := append(e.editor(), path)
	if len(words) == 1 {
		words = []string{"vi", path}
	}
	c := e.programOf(words)
	c.Stdin, c.Stdout, c.Stderr = e.In, e.Err, e.Err
	if e.OutTTY {
		c.Stdout = e.Out
	}
	return c
}

// SetStdin does nothing, so the editor keeps its terminal.
func (d *Draft) SetStdin(io.Reader) {}

// SetStdout does nothing, so the editor keeps its terminal.
func (d *Draft) SetStdout(io.Writer) {}

// SetStderr does nothing, so the editor keeps its terminal.
func (d *Draft) SetStderr(io.Writer) {}

// Path returns the path of the draft.
func (d *Draft) Path() string { return d.path }

// Read returns the saved text, and keeps the file. ended is the error with which the editor ended.
// Invalid UTF-8 becomes U+FFFD.
func (d *Draft) Read(ended error) (string, error) {
	raw, err := os.ReadFile(d.path)
	if err = errors.Join(ended, err); err != nil {
		return "", fmt.Errorf("edit %s: %w", d.what, err)
	}
	saved := typed(raw)
	if !strings.HasSuffix(d.text, "\n") {
		saved = strings.TrimSuffix(saved, "\n") // editors add it
	}
	return saved, nil
}

// Untouched reports whether the file is unchanged, so that nothing is lost with it.
func (d *Draft) Untouched() bool {
	raw, err := os.ReadFile(d.path)
	text := jstext.WellFormed(d.text)
	return err == nil && (string(raw) == text || string(raw) == detect.Redact(text))
}

// BeganWith reports whether the draft began with a text, ignoring secrets and the final line end.
func (d *Draft) BeganWith(text string) bool {
	return detect.Redact(strings.TrimSuffix(text, "\n")) == detect.Redact(strings.TrimSuffix(d.text, "\n"))
}

// Keep leaves the file for later, without the secrets in it: only a store and its history may hold one.
func (d *Draft) Keep() error {
	raw, err := os.ReadFile(d.path)
	if err != nil {
		return fmt.Errorf("keep %s: %w", d.what, err)
	}
	text := string(raw)
	kept := detect.Redact(text)
	if kept == text {
		return nil
	}
	if err := os.WriteFile(d.path, []byte(kept), 0o600); err != nil {
		return fmt.Errorf("keep %s: %w", d.what, err)
	}
	return nil
}

// Done removes the file.
func (d *Draft) Done() error {
	if err := os.Remove(d.path); err != nil {
		return fmt.Errorf("edit %s: %w", d.what, err)
	}
	return nil
}

// Take removes the file and returns the saved text. ended is the error with which the editor ended.
func (d *Draft) Take(ended error) (string, error) {
	saved, err := d.Read(ended)
	if err = errors.Join(err, d.Done()); err != nil {
		return "", err
	}
	return saved, nil
}
