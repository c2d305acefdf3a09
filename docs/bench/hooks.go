//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// hooks runs what the hooks of agents run, beside --version: a prompt that a session asks first,
// of which the lessons are counted, the same again, and the end of a session. The store holds
// 100 lessons that were approved.
func (b *bench) hooks() ([]line, error) {
	home, project, err := b.hookHome()
	if err != nil {
		return nil, err
	}
	env := append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "XDG_DATA_HOME=")
	calls := []struct{ what, verb, event string }{
		{what: "--version"},
		{"hook recall, 100 lessons, 3 of them counted", "recall", "UserPromptSubmit"},
		{"hook recall, nothing new for the session", "recall", "UserPromptSubmit"},
		{"hook learn", "learn", "SessionEnd"},
	}
	times := make([]sample, len(calls))
	for round := range b.rounds * 5 {
		for i, c := range calls {
			cmd := exec.Command(b.binary, "--version")
			if c.verb != "" {
				cmd = exec.Command(b.binary, "agent-hook", c.verb, "--agent", "claudecode")
			}
			cmd.Dir, cmd.Env = project, env
			cmd.Stdin = strings.NewReader(
				fmt.Sprintf(
					`{"session_id":"s%d","cwd":%q,"hook_event_name":%q,"prompt":"deploy the docs and repair the cache"}`,
					round,
					project,
					c.event,
				),
			)
			start := time.Now()
			out, err := cmd.Output()
			took := time.Since(start)
			if told := len(out) > 0; err != nil || told != (i < 2) {
				return nil, fmt.Errorf("%s: printed %d bytes: %w", c.what, len(out), err)
			}
			if round > 0 {
				times[i].add(took)
			}
		}
	}
	var lines []line
	for i := 1; i < len(calls); i++ {
		l := against(calls[i].what, 3, "ms", times[i], times[0])
		l.goal = "3x --version and 50 ms"
		lines = append(lines, l)
	}
	return lines, nil
}

// hookHome makes a home, and a project with 100 lessons that a person wrote.
func (b *bench) hookHome() (home, project string, err error) {
	home, project = filepath.Join(b.dir, "hook-home"), filepath.Join(b.dir, "hook-project")
	for _, dir := range []string{home, filepath.Join(project, ".git")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", "", err
		}
	}
	head := filepath.Join(project, ".git", "HEAD")
	if err := os.WriteFile(head, []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		return "", "", err
	}
	for i := range 100 {
		title := fmt.Sprintf("Deploy the docs of part %d", i)
		body := strings.Repeat(fmt.Sprintf("Build part %d before its tests run. ", i), 9)
		cmd := exec.Command(
			b.binary,
			"add",
			"--store",
			".winnow/lessons.jsonl",
			"--set",
			"task_summary="+title,
			"--set",
			"lesson="+body,
		)
		cmd.Dir, cmd.Env = project, append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "XDG_DATA_HOME=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("add a lesson: %w: %s", err, out)
		}
	}
	return home, project, nil
}
