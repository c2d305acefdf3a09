package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/tui/guard"
)

func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

func TestCrashReportIsPrivateAndMasked(t *testing.T) {
	const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	s := screens{now: func() time.Time { return time.Date(2026, 3, 1, 2, 3, 4, 0, time.UTC) }}
	err := s.report(&guard.Crash{Value: "bad line: " + key, Stack: "goroutine 1\nmain.boom(" + key + ")"})
	if err == nil || strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "bad line") {
		t.Errorf("the message is %v", err)
	}
	path := filepath.Join(dir, "winnow", "crash-20260301-020304.txt")
	raw, readErr := os.ReadFile(path)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if strings.Contains(string(raw), key) || !strings.Contains(string(raw), "main.boom(") {
		t.Errorf("the report is %q", raw)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestStateFolderFollowsXDG(t *testing.T) {
	for _, c := range []struct{ xdg, want string }{
		{"/state", "/state/winnow"}, {"", "/home/u/.local/state/winnow"}, {"relative", "/home/u/.local/state/winnow"},
	} {
		if got := stateFolder(lookup(map[string]string{"XDG_STATE_HOME": c.xdg}), "/home/u"); got != filepath.FromSlash(c.want) {
			t.Errorf("with %q it is %s, want %s", c.xdg, got, c.want)
		}
	}
}

func TestOnlyAnotherEncodingMeansASCII(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.utf8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, true},
		{map[string]string{"LANG": "C", "LC_CTYPE": "C.UTF-8"}, false},
	} {
		if got := asciiOnly(lookup(c.vars)); got != c.want {
			t.Errorf("%v: %v, want %v", c.vars, got, c.want)
		}
	}
}

func TestEditorIsTheUsersOwn(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want string
	}{
		{nil, "vi"},
		{map[string]string{"EDITOR": "nano"}, "nano"},
		{map[string]string{"EDITOR": "nano", "VISUAL": "code -w"}, "code|-w"},
		{map[string]string{"EDITOR": "nano", "VISUAL": " "}, "nano"},
	} {
		if got := strings.Join(editor{lookup(c.vars)}.command(), "|"); got != c.want {
			t.Errorf("%v: %s, want %s", c.vars, got, c.want)
		}
	}
}

func TestDraftIsPrivate(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, err := draft("a\xed\xa0\xbdb")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil || string(raw) != "a\uFFFDb" {
		t.Errorf("it holds %q (%v)", raw, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestDraftThatCannotBeWrittenIsReported(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	var got error
	cmd := editor{lookup(nil)}.Edit("task", func(_ string, err error) tea.Msg { got = err; return nil })
	cmd()
	if !errors.Is(got, os.ErrNotExist) {
		t.Errorf("it reports %v", got)
	}
}

func TestFoldersAreRemovedWithTheDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, remove, err := unpack()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	remove()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
