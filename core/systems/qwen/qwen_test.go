package qwen

import (
	"context"
	"encoding/json"
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
	"winnow/core/systems/instructions"
)

func morning() time.Time { return time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC) }

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

// envOf returns an environment in which a folder is the home of a person.
func envOf(home, dir string) system.Env {
	return system.Env{Home: home, Dir: dir, Lookup: func(name string) (string, bool) {
		if name == systemVariable {
			return filepath.Join(home, "nowhere", settingsFile), true
		}
		return "", false
	}}
}

// TestPromptIsThatOfTheProgram compares what is composed here with what the program sent to a model.
func TestPromptIsThatOfTheProgram(t *testing.T) {
	var runs []struct {
		Name, Version, Dir, Instructions, Memory string
		Files                                    map[string]string // a name that begins with L: is a link
	}
	b, err := os.ReadFile("testdata/given.json")
	if err == nil {
		err = json.Unmarshal(b, &runs)
	}
	if err != nil || len(runs) == 0 {
		t.Fatal("no runs:", err)
	}
	for _, run := range runs {
		t.Run(run.Name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			filled := strings.NewReplacer("NAME", nameOf(filepath.Join(root, "proj")), "ROOT", root).Replace
			for name, text := range run.Files {
				link, isLink := strings.CutPrefix(name, "L:")
				path := filepath.Join(root, filled(link))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if isLink {
					err = os.Symlink(text, path)
				} else {
					err = os.WriteFile(path, []byte(filled(text)), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			dir := filepath.Join(root, run.Dir)
			session := read(t.Context(), instructions.Question{Env: envOf(filepath.Join(root, "home"), dir), Dir: dir})
			got := blocks(session, nil)
			if want := filled(run.Instructions); got[0].Text != want {
				t.Errorf("the instructions are\n%s\nwant\n%s", got[0].Text, want)
			}
			want := filled(run.Memory)
			if strings.Count(want, emptyIndex) == 2 {
				want = "" // nothing is kept
			}
			if got[1].Text != want {
				t.Errorf("the memory is\n%s\nwant\n%s", got[1].Text, want)
			}
		})
	}
}

func TestIndexIsCutAsTheProgramCutsIt(t *testing.T) {
	short := strings.Repeat("a\n", 150) + "a"
	if got := shortened(short); got != short {
		t.Error("a short index was cut")
	}
	got := shortened(strings.Repeat("a\n", 200) + "b")
	if strings.Contains(got, "b\n") ||
		!strings.Contains(got, "201 lines (limit: 200)") {
		t.Errorf("a long index is %q", got)
	}
	got = shortened(strings.Repeat(strings.Repeat("x", 999)+"\n", 30))
	if !strings.Contains(got, "29.3 KB (limit: 24.4 KB)") || strings.Count(got, "xx\n") != 25 {
		t.Errorf("an index of long lines has %d x and ends %q", strings.Count(got, "x"), got[len(got)-200:])
	}
}

// homeAbove returns the folder that holds .qwen around a path, or one that does not exist.
func homeAbove(path string) string {
	for p := path; p != filepath.Dir(p); p = filepath.Dir(p) {
		if filepath.Base(p) == homeFolder {
			return filepath.Dir(p)
		}
	}
	return filepath.Join(path, "nobody")
}

// systemOf returns the system for a home that the path of a store tells.
func systemOf(home func(path string) string) system.System {
	s := System(system.ThisMachine(), morning)
	s.Open = func(path string) (system.Store, error) {
		return agent().Open(envOf(home(path), path), morning, path), nil
	}
	s.StoresIn = func(dir string, entries []fs.DirEntry) []memory.Place {
		a := agent()
		return a.StoresIn(envOf(home(dir), dir), dir, entries)
	}
	return s
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
		r.ID, err = c.(*instructions.AgentStore).Info().NewID(nil, stored, e)
		return memory.Change{Do: memory.Adding, ID: r.ID, After: stored, Record: r}, err
	}
}

func skips(more ...string) map[string]string {
	skip := map[string]string{"Writer/EditKeepsWhatOthersChanged": "a file has no counts that merge"}
	for _, name := range more {
		skip[name] = "a folder at another place is that of a project"
	}
	return skip
}

func TestInstructionsAreAStoreLikeOthers(t *testing.T) {
	nobody := func(path string) string { return filepath.Join(filepath.Dir(path), "nobody") }
	systemtest.Run(t, systemtest.Config{
		System: systemOf(nobody), Shape: systemtest.Folder, Store: "shop", Field: memory.InBody, Ability: asProject,
		Good: fstest.MapFS{
			"shop/.git/HEAD":             textFile("ref: refs/heads/main\n"),
			"shop/.qwen/settings.json":   textFile("{}\n"),
			"shop/.qwen/QWEN.local.md":   textFile("Mine.\n"),
			"shop/.qwen/rules/go.md":     textFile("---\npaths: [\"**/*.go\"]\n---\nUse tabs.\n"),
			"shop/QWEN.md":               textFile("# The shop\n\nUse tabs.\n"),
			"shop/web/AGENTS.md":         textFile("# Web\n\nNo framework.\n"),
			"shop/web/deep/down/file.go": textFile("package down\n"),
		},
		Env: func(root string) system.Env { return envOf(filepath.Join(root, "nobody"), filepath.Join(root, "shop")) },
		New: newFile(".qwen/rules/", ".md"), Skip: skips(),
	})
}

func TestGlobalInstructionsAreAStoreLikeOthers(t *testing.T) {
	kind := systemOf(filepath.Dir)
	kind.StoresIn = nil // a home is known by where it is
	skip := skips()
	skip["Writer/ChangeTouchesOnlyItsRecord"] = "which files it has depends on the settings beside them"
	systemtest.Run(t, systemtest.Config{
		System: kind, Shape: systemtest.Folder, Store: "ada/.qwen", Field: memory.InBody, Ability: asGlobal,
		Good: fstest.MapFS{
			"ada/.qwen/settings.json": textFile(`{"context": {"fileName": ["QWEN.md", "MINE.md"]}}`),
			"ada/.qwen/QWEN.md":       textFile("Be brief.\n"),
			"ada/.qwen/MINE.md":       textFile("Be long.\n"),
		},
		New: newFile("rules/", ".md"), Skip: skip,
	})
}

func TestMemoriesAreStoresLikeOthers(t *testing.T) {
	for ability, store := range map[string]string{
		asPrivate: "ada/.qwen/projects/-srv-shop/memory", asUser: "ada/.qwen/memories",
	} {
		t.Run(ability, func(t *testing.T) {
			kind := systemOf(homeAbove)
			if ability == asUser {
				kind.StoresIn = nil // it is known by where it is
			}
			systemtest.Run(t, systemtest.Config{
				System: kind, Shape: systemtest.Folder, Store: store, Field: memory.InBody, Ability: ability,
				Good: fstest.MapFS{
					store + "/MEMORY.md":         textFile("- [Deploy](deploy.md) — when\n"),
					store + "/deploy.md":         textFile("---\nname: deploy\ntype: project\n---\nBy hand.\n"),
					store + "/feedback/tests.md": textFile("Run them all.\n"),
				},
				Env: func(root string) system.Env { return envOf(filepath.Join(root, "ada"), root) },
				New: newFile("", ".md"), Skip: skips("Writer/MissingStoreIsCreatedByAnAddition"),
			})
		})
	}
}

// TestLinkedHomeHidesNothing: the folder of a store has its links resolved, and what is found must lie in it.
func TestLinkedHomeHidesNothing(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"QWEN.md", "memories/MEMORY.md", "projects/-srv-shop/memory/a.md"} {
		path := filepath.Join(root, "real", homeFolder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("real", filepath.Join(root, "ada")); err != nil {
		t.Fatal(err)
	}
	env := envOf(filepath.Join(root, "ada"), "")
	survey := System(env, morning).Find(t.Context(), env)
	if len(survey.Places) != 3 {
		t.Fatalf("found are %+v", survey.Places)
	}
	for _, p := range survey.Places {
		snap, err := agent().Open(env, morning, p.Path).Snapshot(t.Context(), nil)
		if err != nil || len(snap.Records) != 1 {
			t.Errorf("%s has %d records (%v)", p.Path, len(snap.Records), err)
		}
	}
}

func TestNewRulesAndSettingsAreNoticed(t *testing.T) {
	paths := agent().Open(envOf("/home/ada", "/srv/shop"), morning, "/srv/shop").WatchPaths()
	for _, want := range []string{
		"/srv/shop/",
		"/srv/shop/.qwen/",
		"/srv/shop/.qwen/rules/",
		"/home/ada/.qwen/settings.json",
	} {
		if !slices.Contains(paths, filepath.FromSlash(want)) {
			t.Errorf("%s is not watched: %q", want, paths)
		}
	}
}

// TestMemoryBelongsToTheProjectOfItsSessions: the name of a folder of memory does not say which project it is of.
func TestMemoryBelongsToTheProjectOfItsSessions(t *testing.T) {
	home := t.TempDir()
	folder := filepath.Join(home, homeFolder, "projects", "-srv-my-shop")
	if err := os.MkdirAll(filepath.Join(folder, "chats"), 0o755); err != nil {
		t.Fatal(err)
	}
	line := `{"sessionId":"a","type":"user","cwd":"/srv/my shop/web","version":"0.24.4"}` + "\n"
	if err := os.WriteFile(filepath.Join(folder, "chats", "a.jsonl"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := rootOf(envOf(home, ""), folder); got != "/srv/my shop" {
		t.Errorf("it belongs to %q", got)
	}
}

func TestSourcesSayWhenEachFileIsRead(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"shop/.git/HEAD": "", "shop/QWEN.md": "a", "shop/web/QWEN.md": "b",
		"shop/.qwen/rules/x.md":         "---\npaths:\n  - \"web/**\"\n---\nc",
		"shop/.qwen/team-memory/t.md":   "d",
		"ada/.qwen/trustedFolders.json": "{}",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := envOf(filepath.Join(root, "ada"), filepath.Join(root, "shop"))
	var got []string
	for _, s := range agentSources(t.Context(), env)[0].List {
		rel, _ := filepath.Rel(root, s.Path)
		got = append(got, string(s.When)+" "+filepath.ToSlash(rel))
	}
	want := []string{
		"start shop/QWEN.md",
		"file shop/.qwen/rules/x.md",
		"never shop/.qwen/team-memory/t.md",
		"never shop/web/QWEN.md",
	}
	if !slices.Equal(got, want) {
		t.Errorf("sources are\n%s", strings.Join(got, "\n"))
	}
}

func agentSources(ctx context.Context, env system.Env) []memory.AgentSources {
	return System(env, morning).Sources(ctx, env, true)
}
