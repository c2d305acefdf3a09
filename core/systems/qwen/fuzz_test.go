package qwen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/systems/instructions"
)

// FuzzProject: whatever settings, rules and instructions hold, each file is given at most once, and what is shown of
// it is text.
func FuzzProject(f *testing.F) {
	f.Add(`{"context":{"fileName":["A.md","QWEN.md"]}}`, "---\npaths: [\"*.go\"]\n---\nx", "a @b.md")
	f.Add(`{"context":{"fileName":"../x"}}`, "---\npaths:\n---\n<!-- a -->", "@QWEN.md `@a")
	f.Add("{", "---\n", "\xff\ufeff")
	f.Fuzz(func(t *testing.T, settings, rule, text string) {
		dir := t.TempDir()
		for name, text := range map[string]string{
			".qwen/settings.json": settings, ".qwen/rules/a.md": rule, "QWEN.md": text, ".git/HEAD": "",
		} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		q := instructions.Question{Env: envOf(filepath.Join(dir, "home"), dir), Dir: dir, Most: 100}
		session := read(t.Context(), q)
		seen := map[string]bool{}
		for _, g := range session.Given {
			if seen[g.Path] {
				t.Errorf("%s is given twice", g.Path)
			}
			seen[g.Path] = true
		}
		for _, b := range blocks(session, nil) {
			if !utf8.ValidString(b.Text) {
				t.Errorf("the block is no text: %q", b.Text)
			}
		}
	})
}

func FuzzShortened(f *testing.F) {
	f.Add("a\nb", 3)
	f.Add(strings.Repeat("x", 900), 300)
	f.Fuzz(func(t *testing.T, text string, n int) {
		got := shortened(strings.Repeat(text+"\n", max(1, min(n, 500))))
		head, _, _ := strings.Cut(got, "\n\n> WARNING: MEMORY.md is ")
		if lines := strings.Count(head, "\n"); lines > mostLines+1 && len(text) < 100 {
			t.Errorf("%d lines are left", lines)
		}
	})
}
