package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/config"
)

// TestBrokenSettingsStopNothing: the screens start, with the usual keys and a theme of ours.
func TestBrokenSettingsStopNothing(t *testing.T) {
	for text, want := range map[string]string{
		"[keys]\ncurate.delete = \"e\"\n":                       "line 2: keys.curate.delete: e is the key of curate.edit too",
		"[keys]\ncurate.delete = \"B\"\nlessons.copy = \"B\"\n": "; that has it in line 3",
		"[keys]\ncurate.delte = \"x\"\n":                        "line 2: keys.curate.delte: there is no action of that name",
		"[keys]\ncurate.delete = \"hyper-x\"\n":                 `"hyper-x" is no key`,
		"[keys]\ntext.accept = \"x\"\n":                         "is text where it acts",
		"[keys]\nglobal.screens = \"f1\"\n":                     "its keys are the digits",
		"[keys]\ncurate.delete = [[\"x\"]]\n":                   "want a key in quotes",
		"theme = \"nothing\"\n":                                 "line 1: theme: there is no theme nothing; it is one of ",
		"theme = \"../secret\"\n":                               "line 1: theme: there is no theme ../secret",
		"theme = [\n":                                           "line ",
		"[views.x]\ncolumns = [\"a\nb\"]\n":                     "line 2: ",
		strings.Repeat("[ab]\n", 2000):                          "line 2: ",
		strings.Repeat("[learn]\n", 2000):                       "line 2: ",
		"[" + strings.Repeat("a.", 20_000) + "b]\n":             "line 1: ",
		"a = " + strings.Repeat("[", 30_000) + "\n":             "",
		"\"\x1b[2J\" = 1\n":                                     "line 1: ",
	} {
		dir := t.TempDir()
		w := newWorld(standard())
		w.InTTY, w.OutTTY = true, true
		w.Config = filepath.Join(dir, "config.toml")
		for name, data := range map[string]string{"config.toml": text, "themes/faint.toml": "text = \"#111111\"\n"} {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w.run(t, 0)
		if w.started == nil {
			t.Errorf("%.40q stops the start", text)
			continue
		}
		s := w.started.Settings
		if p := s.Problem(); p == nil || !strings.Contains(p.What, want) || strings.ContainsAny(p.What, "\n") {
			t.Errorf("%.40q: %v, want %q", text, p, want)
		}
		if len(s.Keys.Curate.Delete.Keys()) != 1 || s.Keys.Curate.Delete.Keys()[0] != "d" || w.started.Theme != "auto" {
			t.Errorf("%.40q: keys %v, theme %s", text, s.Keys.Curate.Delete.Keys(), w.started.Theme)
		}
		if out := w.run(t, exitFailure, "config", "check"); !strings.Contains(out, "config.toml:") ||
			strings.Contains(out, "\x1b") {
			t.Errorf("%.40q: check prints %q", text, out)
		}
	}
}

func TestThemeIsOfTheFlagThenTheFileThenTheLastRun(t *testing.T) {
	dir := t.TempDir()
	w := newWorld(standard())
	w.InTTY, w.OutTTY = true, true
	w.Config = filepath.Join(dir, "config.toml")
	w.Kept = config.OpenState(dir)
	theme := func(args ...string) string {
		t.Helper()
		w.run(t, 0, args...)
		return w.started.Theme
	}
	if got := theme(); got != "auto" {
		t.Error(got)
	}
	if err := w.Kept.Save(t.Context(), config.State{}, config.State{Theme: "light"}); err != nil {
		t.Fatal(err)
	}
	if got := theme(); got != "light" {
		t.Error(got)
	}
	if err := os.WriteFile(w.Config, []byte("theme = \"mono\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := theme(); got != "mono" {
		t.Error(got)
	}
	if got := theme("--theme", "dark"); got != "dark" {
		t.Error(got)
	}
	w.run(t, exitUsage, "--theme", "nothing")
}
