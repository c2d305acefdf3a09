package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/cli/output"
)

func lookup(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

func TestCrashReportIsPrivateAndMasked(t *testing.T) {
	dir := t.TempDir()
	w := newWorld(standard())
	w.State = dir
	err := w.Crashed("bad line: "+token+"\nwith more", "goroutine 1\nmain.boom("+token+")")
	if status := (&program{Env: w.Env, out: output.New(w.Out, 0, false)}).report(err); status != exitFailure {
		t.Errorf("exit status %d, want %d", status, exitFailure)
	}
	path := only(t, filepath.Join(dir, "crash-20260315-120000-*.txt"))
	want := "winnow: the program stopped: bad line: [REDACTED]\nhint: the details are in " + path + ", with secrets masked\n"
	if w.err.String() != want {
		t.Errorf("it says %q, want %q", &w.err, want)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(raw); strings.Contains(text, token) || !strings.Contains(text, "main.boom(") ||
		!strings.Contains(text, "with more") {
		t.Errorf("the report is %q", raw)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
}

func TestPanicOfACommandIsReported(t *testing.T) {
	w := newWorld(nil)
	w.State = t.TempDir()
	removed := false
	w.InTTY, w.OutTTY = true, true
	w.Start = func(context.Context, Screen) error { panic("boom") }
	w.Demo = func(context.Context) (Env, func(), error) { return w.Env, func() { removed = true }, nil }
	w.run(t, exitFailure, "--demo")
	if said := w.err.String(); !strings.HasPrefix(
		said,
		"winnow: the program stopped: boom\nhint: the details are in ",
	) {
		t.Errorf("it says %q", said)
	}
	if !removed {
		t.Error("the demo is left")
	}
}

func TestCrashReportThatCannotBeWrittenSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(standard())
	w.State = file
	(&program{Env: w.Env, out: output.New(w.Out, 0, false)}).report(w.Crashed("boom", "goroutine 1"))
	if said := w.err.String(); !strings.Contains(said, "stopped: boom\nhint: the report could not be written: ") {
		t.Errorf("it says %q", said)
	}
}

// TestNothingIsKeptWithoutAStateFolder: a folder for temporary files is shared with others.
func TestNothingIsKeptWithoutAStateFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	w := newWorld(standard())
	w.State = ""
	(&program{Env: w.Env, out: output.New(w.Out, 0, false)}).report(w.Crashed("boom", "goroutine 1"))
	if said := w.err.String(); !strings.Contains(
		said,
		"stopped: boom\nhint: the report could not be written: there is no home folder",
	) {
		t.Errorf("it says %q", said)
	}
	if _, err := w.Draft("lesson", "x"); err == nil {
		t.Error("a draft is written")
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// TestNothingIsWrittenThroughALink that somebody made where a report or a draft goes.
func TestNothingIsWrittenThroughALink(t *testing.T) {
	w := newWorld(standard())
	w.State = t.TempDir()
	elsewhere := t.TempDir()
	victim := filepath.Join(elsewhere, "victim")
	for _, name := range []string{"crash-20260315-120000.txt", "drafts"} {
		if err := os.Symlink(victim, filepath.Join(w.State, name)); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Crashed("boom", "goroutine 1")
	if _, err := w.Draft("lesson", "x"); err == nil {
		t.Error("the draft is written through a link")
	}
	if left, _ := filepath.Glob(filepath.Join(elsewhere, "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// only returns the one file with a pattern.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	return found[0]
}
