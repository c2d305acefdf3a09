package all_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// homeFor makes a home in which all agents are installed, and returns it without links.
func homeFor(t *testing.T) string {
	t.Helper()
	home := filestore.Real(t.TempDir())
	for _, name := range []string{
		"CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR", "OPENCODE_CONFIG", "GEMINI_CLI_HOME",
		"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
	} {
		t.Setenv(name, "")
		_ = os.Unsetenv(name) // Setenv brings it back
	}
	t.Setenv("HOME", home)
	for _, dir := range []string{".claude/rules", ".codex", ".gemini", ".config/opencode", ".local/share/opencode"} {
		write(t, filepath.Join(home, dir, ".keep"), "")
	}
	return home
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// randomTree writes files that agents may read into a home and a project in it, and returns a folder in
// which a session starts.
func randomTree(t *testing.T, home string, r *rand.Rand) string {
	t.Helper()
	project := filepath.Join(home, "src", "shop")
	write(t, filepath.Join(project, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(project, "docs", "guide.md"), "Use tabs.\n")
	texts := []string{
		"Run make test.\n",
		"",
		"  \n",
		"<!-- nothing -->\n",
		"See @docs/guide.md\n",
		"See @../docs/guide.md and @./missing.md\n",
		"\ufeff# Marked\n",
	}
	rules := append([]string{"---\npaths: \"*.go\"\n---\nWrap errors.\n", "---\npaths: []\n---\nAlways.\n"}, texts...)
	maybe := func(path string, of []string) {
		if r.IntN(2) == 0 {
			write(t, path, of[r.IntN(len(of))])
		}
	}
	for _, name := range []string{
		".claude/CLAUDE.md", ".codex/AGENTS.md", ".codex/AGENTS.override.md", ".gemini/GEMINI.md",
		".config/opencode/AGENTS.md",
	} {
		maybe(filepath.Join(home, name), texts)
	}
	maybe(filepath.Join(home, ".claude", "rules", "mine.md"), rules)
	for _, dir := range []string{"", "web", "web/app", "other"} {
		for _, name := range []string{
			"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md",
			"CONTEXT.md",
		} {
			maybe(filepath.Join(project, dir, name), texts)
		}
		maybe(filepath.Join(project, dir, ".claude", "rules", "r.md"), rules)
	}
	maybe(
		filepath.Join(project, "opencode.json"),
		[]string{`{"instructions": ["docs/*.md"]}`, `{"instructions": ["nothing/*.md"]}`},
	)
	maybe(filepath.Join(project, ".gemini", "settings.json"), []string{`{"context": {"fileName": ["CONTEXT.md"]}}`})
	maybe(
		filepath.Join(home, ".codex", "config.toml"),
		[]string{"project_doc_fallback_filenames = [\"CONTEXT.md\"]\n", "project_doc_max_bytes = 20\n"},
	)
	return filepath.Join(project, []string{"", "web", "web/app"}[r.IntN(3)])
}

// recalled returns the files of which a session that starts in a folder is given something at its start.
func recalled(t *testing.T, k *system.System, project, folder string) (paths []string) {
	t.Helper()
	s, err := k.Open(project)
	if err != nil {
		t.Fatal(err)
	}
	recall, err := s.(system.Recaller).Recall(t.Context(), memory.Task{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append([]memory.Block{recall.Block}, recall.Also...) {
		for _, p := range b.Parts {
			paths = append(paths, p.Path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func TestSourcesReadAtStartAreWhatRecallGives(t *testing.T) {
	const trees = 60
	compared := 0
	for seed := range uint64(trees) {
		home := homeFor(t)
		folder := randomTree(t, home, rand.New(rand.NewPCG(seed, 1)))
		env := system.Env{Home: home, Dir: folder, Lookup: os.LookupEnv}
		for _, k := range all.Systems(time.Now) {
			if !slices.Contains([]memory.SystemID{"claudecode", "codex", "gemini", "opencode"}, k.ID) {
				continue
			}
			for _, below := range []bool{false, true} {
				var said []string
				for _, a := range k.Sources(t.Context(), env, below) {
					for _, s := range a.List {
						// a part of the file that imports it
						if s.When == memory.AtStart && !(k.ID == "gemini" && s.Kind == memory.SourceImport) {
							said = append(said, s.Path)
						}
					}
				}
				slices.Sort(said)
				said = slices.Compact(said)
				compared += len(said)
				if given := recalled(t, &k, filepath.Join(home, "src", "shop"), folder); !slices.Equal(said, given) {
					t.Errorf(
						"tree %d, %s in %s, below %t:\nsaid\t%s\ngiven\t%s",
						seed,
						k.ID,
						folder,
						below,
						short(said, home),
						short(given, home),
					)
				}
			}
		}
	}
	if compared < 10*trees {
		t.Errorf("only %d files were compared", compared)
	}
}

func short(paths []string, home string) string {
	return strings.ReplaceAll(fmt.Sprintf("%q", paths), home, "~")
}
