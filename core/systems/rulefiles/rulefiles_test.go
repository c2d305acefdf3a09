package rulefiles

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
)

func morning() time.Time { return time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC) }

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

// envOf returns an environment in which a folder is the home of a person.
func envOf(home, dir string) system.Env {
	return system.Env{Home: home, Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
}

// newFile returns the addition of a file that says text, whose name has its digest between two texts.
func newFile(before, after string) func(system.Composer, string) (memory.Change, error) {
	return func(c system.Composer, text string) (memory.Change, error) {
		name := before + string(memory.RevisionOf(text)) + after
		e := memory.Edit{Body: &text, Name: &name}
		stored, err := c.Compose("", e)
		if err != nil {
			return memory.Change{}, err
		}
		r := c.Decode(stored)
		r.ID, err = c.(*store).Info().NewID(nil, stored, e)
		return memory.Change{Do: memory.Adding, ID: r.ID, After: stored, Record: r}, err
	}
}

// conforms runs the tests of all stores on one of the table's places.
func conforms(
	t *testing.T,
	ability, store string,
	good fstest.MapFS,
	add func(system.Composer, string) (memory.Change, error),
	skip map[string]string,
) {
	t.Helper()
	var damaged fs.FS
	if ability == projectName {
		damaged = fstest.MapFS{
			"ada/shop/.cursor/rules/a.mdc": textFile("---\nalwaysApply: true\n---\nBe brief.\n"),
			"ada/shop/.cursor/rules/b.mdc": textFile("---\nalwaysApply: true\nnever closed\n"),
			"ada/shop/.cursor/rules/c.mdc": textFile("Be kind.\n"),
		}
	}
	home := func(path string) string { return strings.TrimSuffix(path, "/"+strings.TrimPrefix(store, "ada/")) }
	kind := System(system.ThisMachine(), morning)
	kind.Open = func(path string) (system.Store, error) { return storeAt(envOf(home(path), path), morning, path), nil }
	if ability == userName {
		kind.StoresIn = nil // it is known by where it is
	}
	skip["Writer/EditKeepsWhatOthersChanged"] = "a file of instructions has no counts that merge"
	systemtest.Run(t, systemtest.Config{
		System:  kind,
		Shape:   systemtest.Folder,
		Store:   store,
		Field:   memory.InBody,
		Ability: ability,
		Good:    good,
		Damaged: damaged,
		Env:     func(root string) system.Env { return envOf(filepath.Join(root, "ada"), filepath.Join(root, store)) },
		New:     add, Skip: skip,
	})
}

func project() fstest.MapFS {
	return fstest.MapFS{
		"ada/shop/.git/HEAD": textFile("ref: refs/heads/main\n"),
		"ada/shop/.cursor/rules/go.mdc": textFile(
			"---\ndescription: Go files\nglobs: **/*.go\nalwaysApply: false\n---\n\nUse tabs.\n",
		),
		"ada/shop/.cursor/rules/deep/all.mdc":      textFile("---\nalwaysApply: true\n---\nBe brief.\n"),
		"ada/shop/.cursorrules":                    textFile("Old rules.\n"),
		"ada/shop/.github/copilot-instructions.md": textFile("# The shop\n\nNo framework.\n"),
		"ada/shop/.github/instructions/web.instructions.md": textFile(
			"---\napplyTo: \"web/**/*.{ts,tsx}\"\n---\nMind the colours.\n",
		),
		"ada/shop/.clinerules/01-paths.md": textFile(
			"---\npaths:\n  - \"api/**\"\n---\nNo versions.\n",
		),
		"ada/shop/.windsurf/rules/ask.md": textFile(
			"---\ntrigger: model_decision\ndescription: When deploying\n---\nBy hand.\n",
		),
		"ada/shop/AGENTS.md":                      textFile("For all agents.\n"),
		"ada/shop/.github/workflows/ci.yml":       textFile("on: push\n"),
		"ada/shop/.cursor/rules/README.md":        textFile("Cursor does not read this.\n"),
		"ada/shop/web/page.ts":                    textFile("export {}\n"),
		"ada/shop/.github/instructions/plain.txt": textFile("nor Copilot this\n"),
		"ada/shop/.github/prompts/ship.prompt.md": textFile(
			"A prompt is given when a person asks for it.\n",
		),
		"ada/shop/.windsurf/workflows/ship.md":                  textFile("nor is a workflow a memory\n"),
		"ada/shop/.clinerules/hooks/pre.sh":                     textFile("exit 0\n"),
		"ada/shop/.github/instructions/a/b/all.instructions.md": textFile("---\napplyTo: \"**\"\n---\nEverywhere.\n"),
	}
}

func TestRulesAreAStoreLikeOthers(t *testing.T) {
	conforms(t, projectName, "ada/shop", project(), newFile(".cursor/rules/", ".mdc"), map[string]string{})
}

func TestUserRulesAreAStoreLikeOthers(t *testing.T) {
	conforms(t, userName, "ada/Documents/Cline/Rules", fstest.MapFS{
		"ada/Documents/Cline/Rules/a.md":  textFile("Be brief.\n"),
		"ada/Documents/Cline/Rules/b.txt": textFile("Be kind.\n"),
		"ada/Documents/Cline/Rules/c.md":  textFile("---\npaths: []\n---\nBe off.\n"),
	},
		newFile("", ".md"),
		map[string]string{"Writer/MissingStoreIsCreatedByAnAddition": "a folder at another place is that of a project"})
}

func TestWorkspaceIsAStoreLikeOthers(t *testing.T) {
	conforms(t, workspaceName, "ada/.openclaw/workspace", fstest.MapFS{
		"ada/.openclaw/workspace/AGENTS.md":            textFile("Read your memory.\n"),
		"ada/.openclaw/workspace/SOUL.md":              textFile("Be kind.\n"),
		"ada/.openclaw/workspace/MEMORY.md":            textFile("- port 8081\n"),
		"ada/.openclaw/workspace/memory/2026-11-23.md": textFile("Fixed the till.\n"),
	},
		newFile("memory/", ".md"),
		map[string]string{"Writer/MissingStoreIsCreatedByAnAddition": "a folder at another place is that of a project"})
}

// lay writes files, and returns the folder in which they lie.
func lay(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err == nil {
		err = os.CopyFS(root, files)
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestTableFindsEachFileOnceWithItsWay(t *testing.T) {
	root := lay(t, project())
	s := storeAt(envOf(filepath.Join(root, "ada"), root), morning, filepath.Join(root, "ada/shop"))
	snap, err := s.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range snap.Records {
		got = append(got, string(r.ID)+": "+r.Scope+", "+r.Kind)
	}
	want := []string{
		".cursor/rules/go.mdc: Cursor, with files", ".cursor/rules/deep/all.mdc: Cursor, always",
		".cursorrules: Cursor, always",
		".github/copilot-instructions.md: Copilot, always",
		".github/instructions/web.instructions.md: Copilot, with files",
		".github/instructions/a/b/all.instructions.md: Copilot, always", ".clinerules/01-paths.md: Cline, with files",
		".windsurf/rules/ask.md: Windsurf, model decides",
		"AGENTS.md: Cursor, Copilot, Cline, Windsurf, always",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(snap.Scopes) != 4 || snap.Scopes[0] != (memory.Scope{Name: "Cursor", Records: 4}) {
		t.Errorf("scopes %+v", snap.Scopes)
	}
}

func TestSearchFindsOnlyFoldersWithFiles(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
	}{
		{"Cursor", "shop/.cursor/rules/a/b.mdc", "rulefiles:shop rules"},
		{"Cursor of old", "shop/.cursorrules", "rulefiles:shop rules"},
		{"Copilot", "shop/.github/copilot-instructions.md", "rulefiles:shop rules"},
		{"Copilot for some files", "shop/.github/instructions/x.instructions.md", "rulefiles:shop rules"},
		{"Cline, one file", "shop/.clinerules", "rulefiles:shop rules"},
		{"Cline, a folder", "shop/.clinerules/a.txt", "rulefiles:shop rules"},
		{"Cline, the new folder", "shop/.cline/rules/a.md", "rulefiles:shop rules"},
		{"Windsurf", "shop/.windsurf/rules/a.md", "rulefiles:shop rules"},
		{"Windsurf of old", "shop/.windsurfrules", "rulefiles:shop rules"},
		{"Copilot of the user", ".copilot/copilot-instructions.md", "rulefiles:.copilot user rules"},
		{
			"Copilot of the user, for some files",
			".copilot/instructions/a.instructions.md",
			"rulefiles:.copilot user rules",
		},
		{"Cline of the user", "Documents/Cline/Rules/a.md", "rulefiles:Documents/Cline/Rules user rules"},
		{"Cline of the user on some systems", "Cline/Rules/a.md", "rulefiles:Cline/Rules user rules"},
		{
			"Windsurf of the user",
			".codeium/windsurf/memories/global_rules.md",
			"rulefiles:.codeium/windsurf/memories user rules",
		},
		{"OpenClaw", ".openclaw/workspace/SOUL.md", "rulefiles:.openclaw/workspace workspace of OpenClaw"},
		{
			"another agent of OpenClaw",
			".openclaw/workspace-work/SOUL.md",
			"rulefiles:.openclaw/workspace-work workspace of OpenClaw",
		},
		{"OpenClaw at another place", "shop/SOUL.md", "rulefiles:shop workspace of OpenClaw"},
		{"AGENTS.md alone tells no tool", "shop/AGENTS.md", ""},
		{"other files of these folders", "shop/.github/workflows/ci.yml", ""},
		{"a rule without the ending", "shop/.cursor/rules/a.md", ""},
		{"an empty folder of rules", "shop/.clinerules/hooks/a.sh", ""},
		{"a folder of the name", "shop/.cursorrules/a", ""},
	} {
		home := lay(
			t,
			fstest.MapFS{
				"shop/.git/HEAD": textFile(""),
				"shop/AGENTS.md": textFile(""),
				c.file:           textFile("Use tabs.\n"),
			},
		)
		var got []string
		for _, p := range product().Find(t.Context(), envOf(home, filepath.Join(home, "shop"))).Places {
			got = append(got, strings.Replace(string(p.Store), home+"/", "", 1)+" "+p.Name)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %s is found as %q, want %q", c.name, c.file, got, c.want)
		}
	}
}

func TestAgentsFileAloneIsAStoreWhereNoOtherAgentHasOne(t *testing.T) {
	home := lay(t, fstest.MapFS{"shop/.git/HEAD": textFile(""), "shop/AGENTS.md": textFile("Use tabs.\n")})
	env := envOf(home, filepath.Join(home, "shop"))
	env.Alone = true
	places := product().Find(t.Context(), env).Places
	if len(places) != 1 || !places[0].Exists {
		t.Fatalf("found %+v", places)
	}
	snap, err := storeAt(env, morning, places[0].Store.Path()).Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil || len(snap.Records) != 1 || snap.Records[0].Scope != "Cursor, Copilot, Cline, Windsurf" {
		t.Errorf("records %+v, %v", snap.Records, err)
	}
}

func TestHeaderDecidesWhenAFileIsGiven(t *testing.T) {
	rules := map[string]*rule{}
	for _, p := range places() {
		for i := range p.rules {
			rules[p.rules[i].pattern] = &p.rules[i]
		}
	}
	for _, c := range []struct{ pattern, text, want string }{
		{".cursor/rules/**/*.mdc", "---\nalwaysApply: true\nglobs: a\ndescription: b\n---\n", "always "},
		{".cursor/rules/**/*.mdc", "---\r\ndescription: b\r\nglobs: *.ts, src/**/*.{ts,tsx}\r\nalwaysApply: false\r\n---\r\n", "with files *.ts|src/**/*.{ts,tsx}"},
		{".cursor/rules/**/*.mdc", "---\nglobs: [\"a b\", 'c']\n---\n", "with files a b|c"},
		{".cursor/rules/**/*.mdc", "---\nglobs:\n  - a\n  - \"b\"\nalwaysApply: false\n---\n", "with files a|b"},
		{".cursor/rules/**/*.mdc", "---\ndescription: b\nglobs:\nalwaysApply: false\n---\n", "model decides "},
		{".cursor/rules/**/*.mdc", "no header\n", "by hand "},
		{".cursor/rules/**/*.mdc", "---\nalwaysApply: true\n", "by hand "},
		{".github/instructions/**/*.instructions.md", "---\napplyTo: '**'\n---\n", "always "},
		{
			".github/instructions/**/*.instructions.md",
			"---\napplyTo: \"**/*.ts,**/*.tsx\"\n---\n",
			"with files **/*.ts|**/*.tsx",
		},
		{".github/instructions/**/*.instructions.md", "---\nname: x\n---\n", "by hand "},
		{".clinerules/**/*.md", "---\npaths: []\n---\n", "never "},
		{".clinerules/**/*.md", "---\npaths:\n- src/**\n---\n", "with files src/**"},
		{".clinerules/**/*.md", "# a\n", "always "},
		{".windsurf/rules/**/*.md", "---\ntrigger: always_on\n---\n", "always "},
		{".windsurf/rules/**/*.md", "---\ntrigger: glob\nglobs: a/**\n---\n", "with files a/**"},
		{".windsurf/rules/**/*.md", "---\ntrigger: glob\n---\n", "never "},
		{".windsurf/rules/**/*.md", "---\ntrigger: manual\ndescription: x\n---\n", "by hand "},
		{"SOUL.md", "---\nalwaysApply: false\n---\n", "always "},
	} {
		how, globs := rules[c.pattern].howGiven(c.text)
		if got := how + " " + strings.Join(globs, "|"); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.pattern, c.text, got, c.want)
		}
	}
}

func TestPatternsMatchFromTheFolderOn(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.md", "a.md", true}, {"*.md", "b/a.md", false}, {"**/*.md", "b/a.md", true}, {"**/*.md", "a.md", true},
		{"src/**", "src/a/b", true},
		{"src/**", "other/src/a", false},
		{"./src/*.go", "src/a.go", true},
		{"packages/*/src/", "packages/a/src/b/c", true},
		{"packages/{web,api}/**", "packages/api/x", true},
		{"packages/{web,api}/**", "packages/cli/x", false},
		{"**/*.{ts,tsx}", "a/b.tsx", true},
		{"a{", "a{", true},
	} {
		if got := matching([]string{c.pattern})(c.name); got != c.want {
			t.Errorf("%s matches %s: %t", c.pattern, c.name, got)
		}
	}
}

func TestRecallIsAnEstimateByTheDocumentation(t *testing.T) {
	root := lay(t, project())
	s := storeAt(envOf(filepath.Join(root, "ada"), root), morning, filepath.Join(root, "ada/shop"))
	r, err := s.Recall(t.Context(), memory.Task{Files: []string{"web/page.ts"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Block.Text != "Be brief.\n\nOld rules.\n\nFor all agents." || r.Block.Name != "rules of Cursor" {
		t.Errorf("%s: %q", r.Block.Name, r.Block.Text)
	}
	if len(r.Also) != 3 ||
		r.Also[0].Text != "# The shop\n\nNo framework.\n\nMind the colours.\n\nEverywhere.\n\nFor all agents." {
		t.Errorf("also %+v", r.Also)
	}
	for _, text := range []string{
		"24 November 2026",
		"https://cursor.com/docs/rules",
		"https://docs.cline.bot/",
		"not run",
	} {
		if !strings.Contains(r.Estimate, text) {
			t.Errorf("the estimate does not say %s: %s", text, r.Estimate)
		}
	}
	if r.Limit != 6 || r.Found != 9 ||
		r.Hits[4].Why != "web/page.ts matches web/**/*.{ts,tsx}" &&
			r.Hits[3].Why != "web/page.ts matches web/**/*.{ts,tsx}" {
		t.Errorf("%d of %d: %+v", r.Limit, r.Found, r.Hits)
	}
	if r, err = s.Recall(t.Context(), memory.Task{Scope: "Cline"}); err != nil || r.Block.Text != "For all agents." ||
		len(r.Also) > 0 ||
		len(r.Hits) != 2 {
		t.Errorf("Cline: %q, %v", r.Block.Text, err)
	}
}

// TestLongFileOfAWorkspaceIsCut: OpenClaw's documentation names 12,000 characters.
func TestLongFileOfAWorkspaceIsCut(t *testing.T) {
	home := lay(
		t,
		fstest.MapFS{
			".openclaw/workspace/SOUL.md": textFile(strings.Repeat("ä", 12_001)),
			".openclaw/workspace/USER.md": textFile("Ada"),
		},
	)
	s := storeAt(envOf(home, home), morning, filepath.Join(home, ".openclaw/workspace"))
	r, err := s.Recall(t.Context(), memory.Task{})
	if err != nil || r.Block.Text != strings.Repeat("ä", 12_000)+"\n\nAda" || r.Block.Parts[0].Note == "" {
		t.Errorf("%d bytes, %+v, %v", len(r.Block.Text), r.Block.Parts, err)
	}
	snap, err := s.Snapshot(t.Context(), func(memory.Snapshot) {})
	if err != nil || !slices.ContainsFunc(snap.Health, func(h memory.Health) bool { return h.Code == "over-limit" }) {
		t.Errorf("health %+v, %v", snap.Health, err)
	}
}

func FuzzHeaderAndPatterns(f *testing.F) {
	f.Add("---\nglobs: **/*.{a,b}, [c\n---\nx", "a/b.c")
	f.Add("---\npaths:\n  - \"{{{,},}\"\n---", "\xff/\x00")
	f.Add("---\ntrigger: glob\n---\n", "a")
	f.Add("---\ntrigger: glob\nglobs: "+strings.Repeat("{a,b}", 40)+"\n---\n", strings.Repeat("a", 40))
	f.Fuzz(func(t *testing.T, text, name string) {
		ways := []string{always, withFiles, chosen, byHand, never}
		for _, p := range places() {
			for _, r := range p.rules {
				how, globs := r.howGiven(text)
				waits := how == withFiles
				if !slices.Contains(ways, how) || waits && len(globs) == 0 ||
					!waits && len(globs) > 0 && r.header.trigger == "" {
					t.Errorf("%s, %q: %s for %q", r.pattern, text, how, globs)
				}
				matches := matching(globs)
				if first, again := matches(name), matches(name); first != again {
					t.Errorf("%q does and does not match %q", globs, name)
				}
			}
		}
	})
}
