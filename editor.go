package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/jstext"
	"winnow/tui/msg"
)

// editor is the user's editor, as the environment names it.
type editor struct {
	lookup func(name string) (string, bool)
}

// Edit returns the command that opens text in the editor and hands what was
// saved to done. The file that the editor gets can be read by the user alone,
// and is removed.
func (e editor) Edit(text string, done func(string, error) tea.Msg) tea.Cmd {
	path, err := draft(text)
	if err != nil {
		return msg.Emit(done("", err))
	}
	command := e.command()
	cmd := exec.Command(command[0], append(command[1:], path)...)
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		raw, readErr := os.ReadFile(path)
		if err = errors.Join(err, readErr, os.Remove(path)); err != nil {
			return done("", fmt.Errorf("%s: %w", command[0], err))
		}
		saved := jstext.Decode(raw)
		if !strings.HasSuffix(text, "\n") {
			saved = strings.TrimSuffix(saved, "\n") // which editors add
		}
		return done(saved, nil)
	})
}

// command is the editor with its arguments.
func (e editor) command() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v, _ := e.lookup(name); len(strings.Fields(v)) > 0 {
			return strings.Fields(v)
		}
	}
	return []string{"vi"}
}

// draft writes text to a temporary file.
func draft(text string) (path string, err error) {
	f, err := os.CreateTemp("", "winnow-task-*.md")
	if err != nil {
		return "", fmt.Errorf("write task: %w", err)
	}
	_, err = f.WriteString(jstext.WellFormed(text))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(fmt.Errorf("write task: %w", err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}
