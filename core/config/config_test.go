package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSettings(t *testing.T) {
	c, err := Read(written(t, "[learn]\nfilter = \"judge --strict\"\ncommit = true\napprove = true\n"))
	if err != nil || c.Learn.Filter != "judge --strict" || !c.Learn.Commit || !c.Learn.Approve {
		t.Error(c, err)
	}
}

func TestMissingFileIsNoMistake(t *testing.T) {
	for _, path := range []string{"", filepath.Join(t.TempDir(), "config.toml"), written(t, ""), written(t, "# nothing\n")} {
		if c, err := Read(path); c != (Config{}) || err != nil {
			t.Errorf("%s: %v %v", path, c, err)
		}
	}
}

func TestMistakesNameLineAndKey(t *testing.T) {
	for text, want := range map[string]string{
		"[learn]\ncommit = true\nfiltre = \"x\"\n": "line 3: there is no setting learn.filtre",
		"[lern]\ncommit = true\n":                  "line 1: there is no setting lern",
		"[learn]\ncommit = 1\n":                    "line 2: learn.commit: ",
		"[learn]\ncommit = tru\n":                  "line 2: ",
		"[learn\n":                                 "line 1: ",
		"\x00\xff":                                 "line 1: ",
		strings.Repeat("# long\n", 20_000):         "larger than 64 kB",
	} {
		c, err := Read(written(t, text))
		var p *memory.Problem
		if !errors.As(err, &p) || !strings.Contains(p.What, want) || p.Hint == "" || c != (Config{}) {
			t.Errorf("%.40q: %v %v", text, c, err)
		}
	}
	if _, err := Read(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
}

func TestPath(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	if got := Path("/h", none); got != filepath.FromSlash("/h/.config/winnow/config.toml") {
		t.Error(got)
	}
	if got := Path("", none); got != "" {
		t.Error(got)
	}
	set := func(value string) func(string) (string, bool) {
		return func(string) (string, bool) { return value, true }
	}
	if got := Path("", set("/c")); got != filepath.FromSlash("/c/winnow/config.toml") {
		t.Error(got)
	}
	if got := Path("/h", set("relative")); got != filepath.FromSlash("/h/.config/winnow/config.toml") {
		t.Error(got)
	}
}
