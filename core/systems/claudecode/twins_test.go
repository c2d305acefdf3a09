package claudecode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
)

// TestLinkedFileIsSentOnce: a file that several names lead to is sent under the first of them, as
// requests of 2.1.330 and 2.1.332 had it.
func TestLinkedFileIsSentOnce(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string // those that begin with -> are links
		start string            // where the session starts
		reads string
		want  []string // at the start, or with the file that is read
	}{
		{
			name:  "a second place",
			files: map[string]string{"p/CLAUDE.md": "x", "p/.claude/CLAUDE.md": "->../CLAUDE.md"},
			want:  []string{"p/CLAUDE.md"},
		},
		{
			name:  "local",
			files: map[string]string{"p/CLAUDE.md": "x", "p/CLAUDE.local.md": "->CLAUDE.md"},
			want:  []string{"p/CLAUDE.md"},
		},
		{
			name:  "the user's",
			files: map[string]string{"p/CLAUDE.md": "x", ".claude/CLAUDE.md": "->../p/CLAUDE.md"},
			want:  []string{".claude/CLAUDE.md"},
		},
		{
			name:  "further down",
			files: map[string]string{"p/CLAUDE.md": "x", "p/sub/CLAUDE.md": "->../CLAUDE.md"},
			start: "sub",
			want:  []string{"p/CLAUDE.md"},
		},
		{
			name:  "imports",
			files: map[string]string{"p/CLAUDE.md": "@a.md @b.md", "p/a.md": "x", "p/b.md": "->a.md"},
			want:  []string{"p/CLAUDE.md", "p/a.md"},
		},
		{
			name: "AGENTS.md that the user imports under another name",
			files: map[string]string{
				"p/AGENTS.md":       "x",
				".claude/CLAUDE.md": "u @l.md",
				".claude/l.md":      "->../p/AGENTS.md",
			},
			want: []string{".claude/CLAUDE.md", ".claude/l.md", "p/AGENTS.md"},
		},
		{
			name:  "AGENTS.md that the user imports",
			files: map[string]string{"p/AGENTS.md": "x", ".claude/CLAUDE.md": "u @~/p/AGENTS.md"},
			want:  []string{".claude/CLAUDE.md", "p/AGENTS.md"},
		},
		{
			name:  "an import of the file itself",
			files: map[string]string{"p/CLAUDE.md": "@b.md", "p/b.md": "->CLAUDE.md"},
			want:  []string{"p/CLAUDE.md"},
		},
		{
			name: "CLAUDE.md that is the AGENTS.md of a folder above, where both are read", start: "sub",
			files: map[string]string{
				"p/.git/HEAD": "ref: refs/heads/main\n",
				"p/AGENTS.md": "x", "p/sub/CLAUDE.md": "->../AGENTS.md",
				".claude/settings.json": `{"pluginConfigs":{"agents-md@builtin":{"options":` +
					`{"instructionFiles":"claude-md-and-agents-md"}}}}`,
			},
			want: []string{"p/sub/CLAUDE.md"},
		},
		{
			name:  "equal text of AGENTS.md and a rule",
			files: map[string]string{"p/AGENTS.md": "x", "p/.claude/rules/r.md": "x\n"},
			want:  []string{"p/.claude/rules/r.md"},
		},
		{
			name: "a read sends what the start had", reads: "a/x.go", want: []string{"p/a/CLAUDE.md"},
			files: map[string]string{"p/CLAUDE.md": "x", "p/a/CLAUDE.md": "->../CLAUDE.md"},
		},
		{
			name: "a read sends it once", reads: "a/x.go", want: []string{"p/a/CLAUDE.md"},
			files: map[string]string{
				"p/CLAUDE.md":           "x",
				"p/a/CLAUDE.md":         "y",
				"p/a/.claude/CLAUDE.md": "->../CLAUDE.md",
			},
		},
		{
			name: "a read does not send AGENTS.md again", reads: "a/x.go",
			files: map[string]string{"p/AGENTS.md": "x", "p/a/AGENTS.md": "->../AGENTS.md"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := filestore.Real(t.TempDir())
			for rel, text := range c.files {
				path := filepath.Join(home, rel)
				if to, isLink := strings.CutPrefix(text, "->"); isLink {
					put(t, filepath.Join(filepath.Dir(path), ".keep"), "")
					if err := os.Symlink(to, path); err != nil {
						t.Fatal(err)
					}
					continue
				}
				put(t, path, text)
			}
			m := machineOf(home, func(string) (string, bool) { return "", false })
			m.managed = filepath.Join(home, "managed")
			s := open(filepath.Join(home, "p"), m, time.Now)
			task := memory.Task{Folder: c.start}
			if c.reads != "" {
				task.Files = []string{c.reads}
			}
			r, err := s.Recall(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			blocks := []memory.Block{r.Block}
			if c.reads != "" {
				blocks = r.Also
			}
			var got []string
			for _, b := range blocks {
				for _, p := range b.Parts {
					rel, _ := filepath.Rel(home, p.Path)
					got = append(got, filepath.ToSlash(rel))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("sent %q, want %q", got, c.want)
			}
		})
	}
}
