package problems

import (
	"path"
	"strings"
	"testing"

	"winnow/core/memory"
)

// TestALayerIsNotSaidToBeGone: found in a public repository, of which 15 places named a folder of each module. What
// was moved is said of any folder.
func TestALayerIsNotSaidToBeGone(t *testing.T) {
	deleted := Fate{Commit: "66f526e4f"}
	for name, want := range map[string]bool{
		"interfaces/": false, "./domain/": false, "packages/ui/": true, "docs/prices.md": true, "install.sh": true,
	} {
		path := name
		m := mention{as: name, paths: []string{path}}
		l := Look{}
		if _, said := l.fateOf(&m, &Evidence{Fates: map[string]Fate{path: deleted}}); said != want {
			t.Errorf("%s is said to be gone: %v, want %v", name, said, want)
		}
		moved := deleted
		moved.To = "elsewhere/x"
		if _, said := l.fateOf(&m, &Evidence{Fates: map[string]Fate{path: moved}}); !said {
			t.Errorf("%s is not said to be moved", name)
		}
	}
}

// TestNamesOfWhatIsNotHere: found in public repositories, of which half of the names that were said to be gone were of
// these kinds.
func TestNamesOfWhatIsNotHere(t *testing.T) {
	for text, want := range map[string]int{
		"The lock is in `src/locking.ts`.":                              1, // the folder is there, and the file one below
		"The fuller version is `docs/made/guide.md` of the project.":    0, // no such folder: of projects that it makes
		"This replaces the old setup (`src/locking.ts`).":               0,
		"Read `src/locking.ts` (if it exists).":                         0,
		"**`src/locking.ts`**:\n\n```ts\nexport const lock = 1\n```\n":  0, // what somebody writes there
		"Read `src/locking.ts`:\n\n```ts\nexport const lock = 1\n```\n": 1,
	} {
		p := told(text, "")
		files := []string{"CLAUDE.md", "docs/guide.md", "src/engine/locking.ts", "src/index.ts"}
		nothing := func(string) string { return "" }
		l := p.Look(files, nothing, func(string) bool { return false })
		if got := len(l.Gone(Evidence{})); got != want {
			t.Errorf("%q names %d that are gone, want %d", text, got, want)
		}
	}
}

// TestARuleThatWaitsInVainGetsTheOnlyPatternThatMatches: the folder in another case, or where it stands now, if there
// is one such folder only.
func TestARuleThatWaitsInVainGetsTheOnlyPatternThatMatches(t *testing.T) {
	files := []string{"src/parts/a.ts", "server/api/list.go", "one/docs/a.md", "two/docs/a.md", "notes/Plan.md"}
	for pattern, want := range map[string]string{
		"src/Parts/*":      "src/parts/*",
		"api/*.go":         "server/api/*.go",
		"api/*.ts":         "", // no file of the folder matches
		"docs/*.md":        "", // there are two
		"notes/plan.md":    "notes/Plan.md",
		"*.rs":             "",
		"/src/Parts/*":     "",
		"lib/{api,rest}/*": "",
	} {
		rule := memory.Source{
			Path: "/p/.claude/rules/a.md", Kind: memory.SourceRule, When: memory.WithFile, Base: "/p",
			Patterns: []string{pattern},
			Matches: func(rel string) bool {
				is, err := path.Match(pattern, rel)
				return is && err == nil
			},
		}
		text := "---\npaths: " + pattern + "\n---\nName parts well.\n"
		p := New("/p", []memory.AgentSources{{Agent: "Claude Code", List: []memory.Source{rule}}},
			map[string]string{rule.Path: text})
		nothing := func(string) string { return "" }
		l := p.Look(files, nothing, func(string) bool { return false })
		never := map[string]bool{}
		for key := range l.Patterns {
			never[key] = false
		}
		all := l.Idle(never)
		if len(all) != 1 {
			t.Fatalf("%s: %d issues", pattern, len(all))
		}
		got := ""
		if m := all[0].Mend; m != nil {
			got = m.New
			if line := strings.Split(text, "\n")[m.Line-1]; !strings.Contains(line, m.Old) {
				t.Errorf("%s: the change is of %q", pattern, line)
			}
		}
		if got != want || (got == "") != (all[0].Next != "") {
			t.Errorf("%s: becomes %q, want %q; next: %s", pattern, got, want, all[0].Next)
		}
	}
}
