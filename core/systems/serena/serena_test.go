package serena

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
	"winnow/core/systems/instructions"
)

func morning() time.Time { return time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC) }

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

// envOf returns an environment in which a folder is the home of a person.
func envOf(home, dir string) system.Env {
	return system.Env{Home: home, Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
}

// written writes files below a new folder, and returns it with its links resolved.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestNamesAreListedAsTheProgramListsThem: the list is what json.dumps of Python 3.11 writes.
func TestNamesAreListedAsTheProgramListsThem(t *testing.T) {
	root := written(t, map[string]string{
		"shop/.serena/project.yml":            "project_name: shop\nignored_memory_patterns: [\"_archive/.*\"]\ninitial_prompt: Be kind.\n",
		"shop/.serena/project.local.yml":      "read_only_memory_patterns: [core]\n",
		"shop/.serena/memories/core.md":       "a",
		"shop/.serena/memories/b/ä<😀.md":      "b",
		"shop/.serena/memories/a.md":          "c",
		"shop/.serena/memories/x.txt":         "no memory",
		"shop/.serena/memories/_archive/o.md": "old",
		"ada/.serena/memories/global/g.md":    "g",
	})
	env := envOf(filepath.Join(root, "ada"), filepath.Join(root, "shop", "web"))
	session := read(t.Context(), instructions.Question{Env: env, Dir: filepath.Join(root, "shop")})
	want := `{"memories": ["a", "b/\u00e4<\ud83d\ude00"], "read_only_memories": ["core"]}` +
		"\nUse the `read_memory` tool to read these memories later if they are relevant to the task.\n"
	if got := blocks(session, nil)[0].Text; got != want {
		t.Errorf("the list is\n%s\nwant\n%s", got, want)
	}
	var got []string
	for _, g := range session.Given {
		rel, _ := filepath.Rel(root, g.Path)
		got = append(got, string(g.When)+" "+filepath.ToSlash(rel))
	}
	for _, want := range []string{
		"start shop/.serena/project.local.yml",
		"never shop/.serena/memories/_archive/o.md",
		"chosen ada/.serena/memories/global/g.md",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// TestLinksOnTheWayHideNothing: the folder of a store has its links resolved, and what is found must lie in it.
func TestLinksOnTheWayHideNothing(t *testing.T) {
	root := written(t, map[string]string{
		"real/.serena/memories/global/g.md": "g",
		"other/memories/a.md":               "a",
		"other/project.yml":                 "x: 1\n",
		"shop/.git/HEAD":                    "",
	})
	for link, target := range map[string]string{"ada": "real", "shop/.serena": "../other"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	env := envOf(filepath.Join(root, "ada"), filepath.Join(root, "shop"))
	survey := System(env, morning).Find(t.Context(), env)
	if len(survey.Places) != 2 {
		t.Fatalf("found are %+v", survey.Places)
	}
	for _, p := range survey.Places {
		snap, err := agent().Open(env, morning, p.Path).Snapshot(t.Context(), nil)
		if err != nil || len(snap.Records) != 1 {
			t.Errorf("%s has %d records (%v)", p.Path, len(snap.Records), err)
		}
	}
}

// TestWhatIsNotSearchedIsSaid: folders of a project behind links, and data of projects at another place.
func TestWhatIsNotSearchedIsSaid(t *testing.T) {
	root := written(t, map[string]string{
		"shop/.serena/memories/a.md": "a", "other/b.md": "b", "ada/.serena/memories/global/g.md": "g",
	})
	q := instructions.Question{Env: envOf(filepath.Join(root, "ada"), root), Dir: filepath.Join(root, "shop")}
	for _, c := range []struct{ settings, link, want string }{
		{"", "", ""},
		{"project_serena_folder_location: $projectDir/.serena\n", "", ""},
		{"project_serena_folder_location: /data/$projectFolderName\n", "", "project_serena_folder_location"},
		{"", "shop/.serena/memories/b", "behind links"},
	} {
		if err := os.WriteFile(filepath.Join(root, "ada/.serena", configFile), []byte(c.settings), 0o644); err != nil {
			t.Fatal(err)
		}
		if c.link != "" {
			if err := os.Symlink(filepath.Join(root, "other"), filepath.Join(root, c.link)); err != nil {
				t.Fatal(err)
			}
		}
		if got := read(t.Context(), q).Gap; !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("with %q and a link %q it says %q", c.settings, c.link, got)
		}
	}
}

func TestOddSettingsChangeNothing(t *testing.T) {
	root := written(t, map[string]string{
		"shop/.serena/project.yml":      "ignored_memory_patterns: [\"(\", \"[a\"]\n",
		"shop/.serena/memories/a.md":    "a",
		"ada/.serena/serena_config.yml": "\t{",
	})
	env := envOf(filepath.Join(root, "ada"), root)
	session := read(t.Context(), instructions.Question{Env: env, Dir: filepath.Join(root, "shop")})
	if len(session.Given) != 1 || session.Given[0].When != memory.WhenChosen || len(session.Settings) != 2 {
		t.Errorf("given are %+v, by %v", session.Given, session.Settings)
	}
}

func FuzzSettings(f *testing.F) {
	f.Add("ignored_memory_patterns: [\"a.*\"]\n", "a/b")
	f.Add("ignored_memory_patterns: {a: 1}\n", "")
	f.Add("read_only_memory_patterns: &a [*a]\n", "x")
	f.Fuzz(func(t *testing.T, text, name string) {
		path := filepath.Join(t.TempDir(), projectFile)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var c config
		c.readFile(path)
		matches(c.Ignored, name)
		if len(c.files) != 1 {
			t.Error("the file is not named")
		}
	})
}

// systemOf returns the system for the home ada that lies around the path of a store, or beside it.
func systemOf() system.System {
	env := func(path string) system.Env {
		home := filepath.Join(path, "nobody")
		if i := strings.Index(path, "/ada/.serena"); i >= 0 {
			home = path[:i] + "/ada"
		}
		return envOf(home, path)
	}
	s := System(system.ThisMachine(), morning)
	s.Open = func(path string) (system.Store, error) { return agent().Open(env(path), morning, path), nil }
	s.StoresIn = func(dir string, entries []fs.DirEntry) []memory.Place {
		a := agent()
		return a.StoresIn(env(dir), dir, entries)
	}
	return s
}

func newFile(c system.Composer, text string) (memory.Change, error) {
	name := "new/" + string(memory.RevisionOf(text)) + ".md"
	e := memory.Edit{Body: &text, Name: &name}
	stored, err := c.Compose("", e)
	if err != nil {
		return memory.Change{}, err
	}
	r := c.Decode(stored)
	r.ID, err = c.(*instructions.AgentStore).Info().NewID(nil, stored, e)
	return memory.Change{Do: memory.Adding, ID: r.ID, After: stored, Record: r}, err
}

func TestMemoriesAreStoresLikeOthers(t *testing.T) {
	for ability, store := range map[string]string{
		asProject: "shop/.serena/memories", asGlobal: "ada/.serena/memories/global",
	} {
		t.Run(ability, func(t *testing.T) {
			kind := systemOf()
			skip := map[string]string{
				"Writer/EditKeepsWhatOthersChanged":        "a file has no counts that merge",
				"Writer/MissingStoreIsCreatedByAnAddition": "a folder at another place is that of another project",
			}
			if ability == asGlobal {
				kind.StoresIn = nil // it is known by where it is
			}
			systemtest.Run(t, systemtest.Config{
				System: kind, Shape: systemtest.Folder, Store: store, Field: memory.InBody, Ability: ability,
				Good: fstest.MapFS{
					store + "/core.md":       textFile("# Core\n\nSee `mem:auth/login`.\n"),
					store + "/auth/login.md": textFile("By token.\n"),
					store + "/commands.md":   textFile("make test\n"),
				},
				Env: func(root string) system.Env {
					return envOf(filepath.Join(root, "ada"), filepath.Join(root, "shop"))
				},
				New: newFile, Skip: skip,
			})
		})
	}
}
