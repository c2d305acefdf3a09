package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/librarytest"
	"winnow/core/memory"
)

// TestHomeOfLargeAndBinaryFiles: what is past the limits is said, what an agent cuts is a problem, and nothing is read
// out of what is no text.
func TestHomeOfLargeAndBinaryFiles(t *testing.T) {
	d := librarytest.NewDesk(t)
	dir, l := d.Dir, New(d.Library)
	for name, text := range map[string]string{
		"CLAUDE.md":     strings.Repeat("- Run the tests of the port 8080 first.\n", 260_000),
		"AGENTS.md":     strings.Repeat("- Run the tests of the port 8081 first.\n", 260_000),
		"sub/CLAUDE.md": "\x00\x01 @nowhere.md \x00\xff\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err := l.Home(t.Context(), memory.HomeOrder{Folder: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for i := range h.Issues {
		said.WriteString(h.Issues[i].What + "\n")
	}
	for _, want := range []string{
		"Claude Code does not get CLAUDE.md, so it is not told “Run the tests of the port 8080 first.” and at least 1999 " +
			"more. It is larger than 4 MiB",
		"Codex does not get all of AGENTS.md: it is cut after 32768",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not said:\n%s", want, said.String())
		}
	}
	if strings.Contains(said.String(), "nowhere.md") {
		t.Errorf("an import of a binary file is told:\n%s", said.String())
	}
	if !strings.Contains(strings.Join(h.NotLooked, "\n"), "CLAUDE.md past its first 4194304 bytes") {
		t.Errorf("what was not read is not said: %q", h.NotLooked)
	}
}
