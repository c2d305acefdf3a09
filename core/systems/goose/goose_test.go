package goose

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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

// TestHintsAreThoseOfTheSource follows the tests of load_hints.rs and import_files.rs.
func TestHintsAreThoseOfTheSource(t *testing.T) {
	root := written(t, map[string]string{
		"ada/.config/goose/.goosehints": "Be brief.",
		"repo/.git/HEAD":                "",
		"repo/.goosehints":              "Root hints\n@docs/api.md\n@README and @../out.md and @gone.md, a@b.md @.git/HEAD",
		"repo/README":                   "Read me @docs/api.md",
		"repo/docs/api.md":              "API",
		"repo/AGENTS.md":                "For agents.",
		"repo/web/.goosehints":          "Web hints",
		"out.md":                        "Outside",
	})
	env := envOf(filepath.Join(root, "ada"), filepath.Join(root, "repo"))
	session := read(t.Context(), instructions.Question{Env: env, Dir: filepath.Join(root, "repo", "web")})
	const api = "--- Content from docs/api.md ---\nAPI\n--- End of docs/api.md ---"
	want := "\n### Global Hints\nThese are my global goose hints.\nBe brief.\n\n" +
		"### Project Hints\nThese are hints for working on the project in this directory.\n" +
		"Root hints\n" + api +
		"\n--- Content from README ---\nRead me " + api +
		"\n--- End of README --- and @../out.md and @gone.md, a@b.md @.git/HEAD" +
		"\nFor agents.\nWeb hints"
	if got := blocks(session, nil)[0].Text; got != want {
		t.Errorf("the hints are\n%s\nwant\n%s", got, want)
	}
}

func TestNamesOfHintsAreSetByAVariableAndSettings(t *testing.T) {
	root := written(t, map[string]string{".config/goose/config.yaml": "CONTEXT_FILE_NAMES: [CLAUDE.md, ../out.md]\n"})
	env := envOf(root, root)
	if names, settings := namesOf(env); !slices.Equal(names, []string{"CLAUDE.md"}) || settings == "" {
		t.Errorf("names are %q by %q", names, settings)
	}
	env.Lookup = func(name string) (string, bool) { return `["A.md","B.md"]`, name == namesKey }
	if names, _ := namesOf(env); !slices.Equal(names, []string{"A.md", "B.md"}) {
		t.Errorf("names are %q", names)
	}
}

// TestLastOfTheSameTagsIsGiven: when Goose reads a category, memories with the same tags take each other's place.
func TestLastOfTheSameTagsIsGiven(t *testing.T) {
	root := written(t, map[string]string{
		".config/goose/memory/dev.txt": "# go style\nUse tabs.\n\nNo tags.\n\n# go   style\nUse gofmt.\nAlways.\n\nMore.\n\n",
	})
	s := openMemory(envOf(root, ""), filepath.Join(root, ".config/goose/memory/dev.txt"), morning)
	r, err := s.Recall(t.Context(), memory.Task{})
	const want = "\nCategory: dev\n- No tags.\n- Use gofmt.\n- Always.\n- More.\n"
	if err != nil || r.Block.Text != want || len(r.Hits) != 3 {
		t.Errorf("given is %q with %d hits (%v), want %q", r.Block.Text, len(r.Hits), err, want)
	}
	snap, _ := s.Snapshot(t.Context(), nil)
	if len(snap.Records) != 4 || snap.Records[0].Flags&memory.FlagUnseen == 0 || snap.Health[0].Code != "same-tags" {
		t.Errorf("%+v", snap.Health)
	}
}

// TestMemoriesOfTheRealProgramAreGivenAsItGivesThem has the file that `goose mcp memory` 1.34.0 wrote when it was told
// three memories, and what it then gave at its start. An edit made by Winnow was read by it as it stands here.
func TestMemoriesOfTheRealProgramAreGivenAsItGivesThem(t *testing.T) {
	const file = "# go style\nUse tabs in Go files.\nAnd gofmt before a commit.\n\nThe build needs make first.\n\n" +
		"# go style\nSecond of the same tags.\n\n"
	const given = "\nCategory: development\n- The build needs make first.\n- Second of the same tags.\n"
	root := written(t, map[string]string{".config/goose/memory/development.txt": file})
	s := openMemory(envOf(root, ""), filepath.Join(root, ".config/goose/memory/development.txt"), morning)
	if r, err := s.Recall(t.Context(), memory.Task{}); err != nil || r.Block.Text != given {
		t.Errorf("given is %q (%v), want %q", r.Block.Text, err, given)
	}
	edit := memory.Change{
		Do:     memory.Editing,
		Before: "The build needs make first.",
		After:  "The build needs make twice.",
	}
	made, p := form().Rewrite(file, []memory.Change{edit}, nil)
	if want := strings.Replace(file, "first", "twice", 1); p != nil || made.Text != want {
		t.Errorf("the edit makes %q (%v), want %q", made.Text, p, want)
	}
}

// TestHostileFileTakesMemoryInProportion: a file of bytes that cannot be seen had a mark for each, of line ends only
// too, and each memory cost thousands of bytes.
func TestHostileFileTakesMemoryInProportion(t *testing.T) {
	const size = 64 << 10
	for piece, most := range map[string]uint64{ // bytes of memory for each of the file
		"\x00":       120,
		"\n":         120,
		"\r\n":       120,
		"# tags\n":   120,
		"# t\nx\n\n": 800,
		"a=\"b\" ":   120,
		"=":          120,
		"password=":  120,
	} {
		path := ".config/goose/memory/dev.txt"
		root := written(t, map[string]string{path: strings.Repeat(piece, size/len(piece))})
		s := openMemory(envOf(root, ""), filepath.Join(root, path), morning)
		read := func() {
			snap, err := s.Snapshot(t.Context(), nil)
			_, errOfRecall := s.Recall(t.Context(), memory.Task{})
			if err := errors.Join(err, errOfRecall); err != nil {
				t.Errorf("%d of %q: %v", len(snap.Records), piece, err)
			}
		}
		read() // the tables of rules are built at first
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read()
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > size*most {
			t.Errorf("%q takes %d bytes for each of the file, want at most %d", piece, n/size, most)
		}
	}
}

func TestTextWithAnEmptyLineIsRefused(t *testing.T) {
	s := openMemory(envOf("/home/ada", ""), "/home/ada/.config/goose/memory/dev.txt", morning)
	body := "a\n\nb"
	if _, err := s.Compose("a", memory.Edit{Body: &body}); err == nil || !strings.Contains(err.Error(), "empty line") {
		t.Errorf("it is refused with %v", err)
	}
}

// TestFirstMemoryOfACategoryEndsAsGooseEndsIt: Goose appends to the file, and would join the texts otherwise.
func TestFirstMemoryOfACategoryEndsAsGooseEndsIt(t *testing.T) {
	made, p := form().Rewrite("", []memory.Change{{Do: memory.Adding, After: "# a\nb"}}, nil)
	if p != nil || made.Text != "# a\nb\n\n" {
		t.Errorf("%q, %v", made.Text, p)
	}
}

// envAround returns an environment in which the home is ada around a path, or one that does not exist.
func envAround(path string) system.Env {
	home := filepath.Join(path, "nobody")
	if i := strings.Index(path, "/ada/.config/goose"); i >= 0 {
		home = path[:i] + "/ada"
	}
	return envOf(home, path)
}

// systemOf returns the system for the home ada around or beside the path of a store.
func systemOf() system.System {
	env := envAround
	s := System(system.ThisMachine(), morning)
	s.Reads = func(path string) (memory.Place, bool) { return System(env(path), morning).Reads(path) }
	s.Open = func(path string) (system.Store, error) { return System(env(path), morning).Open(path) }
	s.StoresIn = func(dir string, in []fs.DirEntry) []memory.Place {
		return System(env(dir), morning).StoresIn(dir, in)
	}
	return s
}

func TestMemoriesAreStoresLikeOthers(t *testing.T) {
	for _, store := range []string{"ada/.config/goose/memory/dev.txt", "shop/.goose/memory/dev.txt"} {
		t.Run(filepath.Dir(store), func(t *testing.T) {
			kind := systemOf()
			kind.Open = func(path string) (system.Store, error) {
				return openMemory(envAround(path), path, morning), nil
			}
			if strings.HasPrefix(store, "ada") {
				kind.StoresIn = nil // it is known by where it is
			}
			systemtest.Run(t, systemtest.Config{
				System: kind, Store: store, Field: memory.InBody, Ability: asMemory, Between: "\n\n",
				Good: fstest.MapFS{store: textFile("# go style\nUse tabs.\n\nDeploys are by hand.\nNever on friday.\n\n# db\nPostgres 15.\n\n")},
				Add:  func(text string) memory.Edit { return memory.Edit{Body: &text} },
				Env: func(root string) system.Env {
					return envOf(filepath.Join(root, "ada"), filepath.Join(root, "shop"))
				},
				Skip: map[string]string{
					"DamagedRecordsAreListed":           "any text is a memory",
					"Writer/DamagedRecordsStay":         "any text is a memory",
					"Writer/EditKeepsWhatOthersChanged": "a memory is one text: what another writer made of it is a conflict",
				},
			})
		})
	}
}

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

func TestHintsAreAStoreLikeOthers(t *testing.T) {
	systemtest.Run(t, systemtest.Config{
		System: systemOf(), Shape: systemtest.Folder, Store: "shop", Field: memory.InBody, Ability: asProject,
		Good: fstest.MapFS{
			"shop/.git/HEAD":       textFile("ref: refs/heads/main\n"),
			"shop/.goosehints":     textFile("Use tabs.\n"),
			"shop/AGENTS.md":       textFile("For all agents.\n"),
			"shop/web/.goosehints": textFile("No framework.\n"),
		},
		Env:  func(root string) system.Env { return envOf(filepath.Join(root, "ada"), filepath.Join(root, "shop")) },
		New:  newFile("new/", "/.goosehints"),
		Skip: map[string]string{"Writer/EditKeepsWhatOthersChanged": "a file has no counts that merge"},
	})
}

func FuzzCategory(f *testing.F) {
	f.Add("# a b\nc\n\nd\n\n", uint8(0), "x")
	f.Add("\n\n\n# a\n\n \n\nb", uint8(1), "# t\ny")
	f.Add("a\r\n\r\nb", uint8(0), "")
	f.Fuzz(func(t *testing.T, text string, which uint8, add string) {
		form := form()
		n := form.Split(text)
		complete(nil)
		if len(n.Spans) > 0 {
			i := int(which) % len(n.Spans)
			gone := memory.Change{Do: memory.Deleting, Before: n.Raw(i), Line: i + 1}
			if made, p := form.Rewrite(text, []memory.Change{gone}, nil); p == nil {
				if want := slices.Delete(n.Raws(), i, i+1); !slices.Equal(form.Split(made.Text).Raws(), want) {
					t.Fatalf("deleting %q of %q leaves %q", n.Raw(i), text, made.Text)
				}
			}
		}
		after, err := edited("", memory.Edit{Body: &add})
		if s := form.Split(after); err != nil || len(s.Spans) != 1 || s.Raw(0) != after {
			return
		}
		made, p := form.Rewrite(text, []memory.Change{{Do: memory.Adding, After: after}}, nil)
		if p != nil || made.Text == text {
			return
		}
		if got := form.Split(made.Text).Raws(); !slices.Equal(got, append(n.Raws(), after)) {
			t.Fatalf("adding %q to %q gives %q", after, text, made.Text)
		}
	})
}

func FuzzReferences(f *testing.F) {
	f.Add("a @b.md c")
	f.Add("@B @./x/../B @/etc/passwd")
	root := f.TempDir()
	if err := os.WriteFile(filepath.Join(root, "B"), []byte("in @B @b.md"), 0o644); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x := expansion{root: filestoreReal(root), left: mostReferences}
		got := x.expand(text, x.root, nil)
		if !strings.Contains(got, "--- Content from ") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func filestoreReal(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir
	}
	return real
}
