package program

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCopyTakesTheWayThatTheTerminalAllows with a tmux that answers as its options are set.
func TestCopyTakesTheWayThatTheTerminalAllows(t *testing.T) {
	bin, run, state := t.TempDir(), t.TempDir(), t.TempDir()
	shared := t.TempDir()
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(state, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("TMPDIR", t.TempDir())
	coded := base64.StdEncoding.EncodeToString([]byte("words"))
	const kept = "Kept in "
	for name, c := range map[string]struct{ env, tmux, sequence, way string }{
		"a terminal":              {"TERM=xterm-256color", "", "\x1b]52;c;" + coded + "\a", "Sent to the clipboard, if"},
		"tmux that takes it":      {"TMUX=x TERM=screen", "on 1", "\x1b]52;c;" + coded + "\a", "through tmux"},
		"tmux that passes it on":  {"TMUX=x TERM=screen", "external 1", "\x1bPtmux;\x1b\x1b]52;c;" + coded + "\a\x1b\\", "past tmux"},
		"a later tmux":            {"TMUX=x TERM=screen", "external all", "\x1bPtmux;\x1b\x1b]52;c;" + coded + "\a\x1b\\", "past tmux"},
		"tmux that does neither":  {"TMUX=x TERM=screen", "external 0", "", kept + run},
		"tmux without the option": {"TMUX=x TERM=screen", "external ", "", kept + run},
		"no tmux to ask":          {"TMUX=x TERM=screen", "", "", kept + run},
		"an old terminal":         {"TERM=vt100", "", "", kept + run},
		"lines":                   {"TERM=xterm PLAIN=1", "", "", kept + run},
		"no runtime folder":       {"TERM=vt100 XDG_RUNTIME_DIR=", "", "", kept + state},
		"one that is not there":   {"TERM=vt100 XDG_RUNTIME_DIR=/dev/null/x", "", "", kept + state},
		"one of everybody":        {"TERM=vt100 XDG_RUNTIME_DIR=" + shared, "", "", kept + state},
	} {
		script := "#!/bin/sh\necho '" + c.tmux + "'\n"
		if err := os.WriteFile(filepath.Join(bin, "tmux"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		env := map[string]string{"XDG_RUNTIME_DIR": run}
		for _, word := range strings.Fields(c.env) {
			key, value, _ := strings.Cut(word, "=")
			env[key] = value
		}
		lookup := func(key string) (string, bool) { v, ok := env[key]; return v, ok }
		sequence, way, err := clip{lookup, env["PLAIN"] != "", state}.copy("words")
		if err != nil || sequence != c.sequence || !strings.Contains(way, c.way) {
			t.Errorf("%s: %q, %q, %v", name, sequence, way, err)
		}
		if c.sequence != "" {
			continue
		}
		path, _, _ := strings.Cut(strings.TrimPrefix(way, kept), " (")
		file, err := os.Stat(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dir, _ := os.Stat(filepath.Dir(path))
		if text, _ := os.ReadFile(path); string(text) != "words" || file.Mode().Perm() != 0o600 ||
			dir.Mode().Perm() != 0o700 {
			t.Errorf("%s: %s is %v in %v and has %q", name, path, file.Mode(), dir.Mode(), text)
		}
	}
}

// TestCopyOfALongTextIsAFile since terminals drop it, one for each program.
func TestCopyOfALongTextIsAFile(t *testing.T) {
	state := t.TempDir()
	c := clip{func(string) (string, bool) { return "xterm", false }, false, state}
	for range 2 {
		if sequence, way, err := c.copy(strings.Repeat("x", maxClip+1)); err != nil || sequence != "" ||
			!strings.HasSuffix(way, "too long for a terminal)") {
			t.Errorf("%d bytes, %q, %v", len(sequence), way, err)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(state, "*")); len(files) != 1 {
		t.Errorf("kept in %q", files)
	}
}

// TestCopyFollowsNoLink, and keeps nothing where there is no folder of the user's own.
func TestCopyFollowsNoLink(t *testing.T) {
	state, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.Symlink(victim, filepath.Join(state, "copy.txt")); err != nil {
		t.Fatal(err)
	}
	none := func(string) (string, bool) { return "", false }
	if _, way, err := (clip{none, true, state}).copy("words"); err != nil || !strings.Contains(way, state) {
		t.Errorf("%q, %v", way, err)
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("it was written through the link")
	}
	if _, way, err := (clip{none, true, ""}).copy("words"); err == nil {
		t.Errorf("without a folder it is %q", way)
	}
}
