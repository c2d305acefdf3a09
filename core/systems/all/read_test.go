package all_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// readings are projects with what an agent reads there at the start, in its order, what comes with files, and what it
// silently leaves out.
var readings = []struct {
	name   string
	files  map[string]string
	links  map[string]string // name to target
	agent  string
	start  string
	file   string
	lost   string // path=loss
	failed string // imports that lead nowhere
}{
	{"CLAUDE.md hides AGENTS.md", map[string]string{"CLAUDE.md": "a\n", "AGENTS.md": "b\n"}, nil,
		"Claude Code", "CLAUDE.md", "", "AGENTS.md=beside", ""},
	{"CLAUDE.local.md hides AGENTS.md", map[string]string{"CLAUDE.local.md": "a\n", "AGENTS.md": "b\n"}, nil,
		"Claude Code", "CLAUDE.local.md", "", "AGENTS.md=beside", ""},
	{"AGENTS.md alone is read", map[string]string{"AGENTS.md": "b\n"}, nil, "Claude Code", "AGENTS.md", "", "", ""},
	{"a file below is hidden too", map[string]string{"CLAUDE.md": "a\n", "web/AGENTS.md": "b\n"}, nil,
		"Claude Code", "CLAUDE.md", "", "web/AGENTS.md=beside", ""},
	{"an import makes it read", map[string]string{"CLAUDE.md": "See @AGENTS.md\n", "AGENTS.md": "b\n"}, nil,
		"Claude Code", "CLAUDE.md AGENTS.md", "", "", ""},
	{"a link is one file", map[string]string{"AGENTS.md": "b\n"}, map[string]string{"CLAUDE.md": "AGENTS.md"},
		"Claude Code", "CLAUDE.md", "", "", ""},
	{"an import of nothing", map[string]string{"CLAUDE.md": "See @docs/gone.md\n"}, nil,
		"Claude Code", "CLAUDE.md", "", "", "docs/gone.md"},
	{
		"an import from outside waits for a person",
		map[string]string{"CLAUDE.md": "See @../out.md\n", "../out.md": "b\n"},
		nil,
		"Claude Code",
		"CLAUDE.md",
		"",
		"../out.md=import",
		"",
	},
	{"a rule behind a link that leads out", map[string]string{"CLAUDE.md": "a\n", "../out/r.md": "b\n"},
		map[string]string{".claude/rules/r.md": "../../../out/r.md"},
		"Claude Code",
		"CLAUDE.md",
		"",
		".claude/rules/r.md=link",
		""},
	{"rules with patterns wait", map[string]string{
		".claude/rules/go.md": "---\npaths: \"*.go\"\n---\nx\n", ".claude/rules/all.md": "y\n", "web/CLAUDE.md": "z\n",
	}, nil, "Claude Code", ".claude/rules/all.md", ".claude/rules/go.md web/CLAUDE.md", "", ""},
	{"Codex takes the override, from the root down", map[string]string{
		"AGENTS.md": "a\n", "AGENTS.override.md": "b\n", "CLAUDE.md": "c\n",
	}, nil, "Codex", "AGENTS.override.md", "", "", ""},
	{"Codex cuts at 32 KiB", map[string]string{"AGENTS.md": strings.Repeat("Use tabs in all files here.\n", 1300)}, nil,
		"Codex", "AGENTS.md", "", "AGENTS.md=cut", ""},
	{
		"OpenCode takes AGENTS.md before CLAUDE.md",
		map[string]string{"AGENTS.md": "a\n", "CLAUDE.md": "b\n", "web/AGENTS.md": "c\n"},
		nil,
		"OpenCode",
		"AGENTS.md",
		"web/AGENTS.md",
		"",
		"",
	},
	{"Gemini CLI reads its own, and what it imports", map[string]string{
		"GEMINI.md": "See @./docs/a.md\n", "docs/a.md": "a\n", "AGENTS.md": "b\n", "web/GEMINI.md": "c\n",
	}, nil, "Gemini CLI", "GEMINI.md docs/a.md", "web/GEMINI.md", "", ""},
	{"Qwen Code reads AGENTS.md beside its own, and rules", map[string]string{
		"QWEN.md": "See @docs/a.md\n", "docs/a.md": "a\n", "AGENTS.md": "b\n",
		".qwen/rules/go.md": "---\npaths: \"*.go\"\n---\nx\n",
	}, nil, "Qwen Code", "QWEN.md docs/a.md AGENTS.md", ".qwen/rules/go.md", "", ""},
}

func TestWhatIsReadAndWhatIsSilentlyNot(t *testing.T) {
	for _, c := range readings {
		t.Run(c.name, func(t *testing.T) {
			home := homeFor(t)
			project := filepath.Join(home, "src", "shop")
			write(t, filepath.Join(project, ".git", "HEAD"), "ref: refs/heads/main\n")
			for name, text := range c.files {
				write(t, filepath.Join(project, name), text)
			}
			for name, to := range c.links {
				link := filepath.Join(project, name)
				if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, link); err != nil {
					t.Skip("no links here")
				}
			}
			env := system.Env{Home: home, Dir: project, Lookup: os.LookupEnv}
			a := sourcesOf(t, env, c.agent)
			var start, file, lost, failed []string
			for _, s := range a.List {
				rel, err := filepath.Rel(project, s.Path)
				if err != nil || s.Kind == memory.SourceSettings {
					continue
				}
				rel = filepath.ToSlash(rel)
				switch s.When {
				case memory.AtStart:
					start = append(start, rel)
				case memory.WithFile:
					file = append(file, rel)
				}
				if s.Loss != "" {
					lost = append(lost, rel+"="+string(s.Loss))
				}
			}
			for _, u := range a.Unfollowed {
				failed = append(failed, u.Written)
			}
			slices.Sort(file)
			for what, pair := range map[string][2]string{
				"at the start": {strings.Join(start, " "), c.start}, "with a file": {strings.Join(file, " "), c.file},
				"lost": {strings.Join(lost, " "), c.lost}, "not followed": {strings.Join(failed, " "), c.failed},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
				}
			}
		})
	}
}

// sourcesOf returns what one agent reads.
func sourcesOf(t *testing.T, env system.Env, agent string) memory.AgentSources {
	t.Helper()
	for _, k := range all.Systems(time.Now) {
		if k.Sources == nil {
			continue
		}
		for _, a := range k.Sources(t.Context(), env, true) {
			if a.Agent == agent {
				return a
			}
		}
	}
	t.Fatalf("%s reads nothing", agent)
	return memory.AgentSources{}
}
