package kimchi

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// home makes a folder with files.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func stores(t *testing.T, root string, places []memory.Place) []string {
	t.Helper()
	var all []string
	for _, p := range places {
		rel, err := filepath.Rel(root, string(p.Store))
		if err != nil || p.Why == "" || p.System == "" || p.Name == "" || !p.Exists {
			t.Errorf("%+v, %v", p, err)
		}
		all = append(all, string(p.System)+":"+filepath.ToSlash(rel))
	}
	slices.Sort(all)
	return all
}

func TestStoresAreFoundWhereTheSystemsKeepThem(t *testing.T) {
	root := home(t, map[string]string{
		".config/kimchi/harness/memory/MEMORY.md":            "A",
		".config/kimchi/harness/agent-memory/scout/x.md":     "x",
		".config/kimchi/harness/agent-memory/.hidden/x.md":   "x",
		".config/kimchi/harness/memory-providers.json":       "[]",
		".kimchi/memory/user/prefs.md":                       "third",
		".hermes/memories/MEMORY.md":                         "A",
		".hermes/memories/USER.md":                           "B",
		".hermes/profiles/work/memories/MEMORY.md":           "A",
		".hermes/profiles/empty/config.yaml":                 "",
		"shop/.kimchi/agent-memory/reviewer/MEMORY.md":       "i",
		"shop/.kimchi/agent-memory-local/reviewer/MEMORY.md": "i",
		"shop/.kimchi/agent-memory/file":                     "no folder",
	})
	var places []memory.Place
	notes := map[string]string{}
	for _, k := range Systems(clock) {
		survey := k.Find(t.Context(), machine(root))
		places = append(places, survey.Places...)
		for _, l := range survey.Looked {
			notes[filepath.Base(filepath.Dir(l.Where))+"/"+filepath.Base(l.Where)] = l.Note
		}
	}
	want := []string{
		"hermes:.hermes/memories/MEMORY.md", "hermes:.hermes/memories/USER.md",
		"hermes:.hermes/profiles/work/memories/MEMORY.md",
		"kimchi:.config/kimchi/harness/agent-memory/scout", "kimchi:.config/kimchi/harness/memory/MEMORY.md",
		"kimchi:shop/.kimchi/agent-memory-local/reviewer", "kimchi:shop/.kimchi/agent-memory/reviewer",
	}
	if got := stores(t, root, places); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if notes["harness/memory-providers.json"] == "" || notes["memory/user"] == "" {
		t.Errorf("what is not read is not named: %q", notes)
	}
}

func TestHermesHomeIsThatOfTheEnvironment(t *testing.T) {
	root := home(t, map[string]string{"work/memories/USER.md": "A", ".hermes/memories/USER.md": "B"})
	env := machine(root)
	env.Lookup = func(name string) (string, bool) { return filepath.Join(root, "work"), name == "HERMES_HOME" }
	if got := stores(t, root, Systems(clock)[1].Find(t.Context(), env).Places); !slices.Equal(
		got,
		[]string{"hermes:work/memories/USER.md"},
	) {
		t.Errorf("found %q", got)
	}
}

func TestNotesAreToldFromOtherFilesOfThatName(t *testing.T) {
	root := home(t, map[string]string{
		".claude/projects/-shop/memory/MEMORY.md": "# Index\n- [x](x.md)\n",
		"old/memory/MEMORY.md":                    "A\n§\nB",
		"old/memories/MEMORY.md":                  "A",
		"harness/memory/USER.md":                  "A",
		"backup/notes.txt":                        "A\n§\nB",
		"p/.kimchi/agent-memory/scout/MEMORY.md":  "i",
	})
	for path, want := range map[string]memory.SystemID{
		".claude/projects/-shop/memory/MEMORY.md": "",
		"old/memory/MEMORY.md":                    id,
		"old/memories/MEMORY.md":                  Hermes,
		"harness/memory/USER.md":                  id,
		"harness/memory/MEMORY.md":                id, // is not there yet
		"backup/notes.txt":                        id,
		"p/.kimchi/agent-memory/scout":            id,
		"p/.kimchi/agent-memory":                  "",
		"old":                                     "",
	} {
		path = filepath.Join(root, path)
		got := memory.SystemID("")
		for _, k := range Systems(clock) {
			place, is := k.Reads(path)
			if is && (got != "" || place.System != k.ID || string(place.Store) != path) {
				t.Errorf("%s: %+v, and %s", path, place, got)
			}
			if is {
				got = k.ID
			}
		}
		if got != want {
			t.Errorf("%s is of %q, want %q", path, got, want)
		}
		checkSpots(t, path, want)
	}
}

// checkSpots looks into the folder of a file, or the folder itself.
func checkSpots(t *testing.T, path string, want memory.SystemID) {
	t.Helper()
	dir := path
	if info, err := os.Stat(path); err != nil {
		return
	} else if !info.IsDir() {
		dir = filepath.Dir(path)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Systems(clock) {
		for _, p := range k.StoresIn(dir, entries) {
			if string(p.Store) == path && p.System != want {
				t.Errorf("%s is spotted by %s", path, p.System)
			}
		}
	}
}

func TestLineOfTheIndexGoesWithItsFile(t *testing.T) {
	root := home(t, map[string]string{
		".kimchi/agent-memory/scout/MEMORY.md": "# Index\n- [A](a.md)\n- [A](a.md) and [B](b.md)\n- [B](./b.md)\n",
		".kimchi/agent-memory/scout/a.md":      "---\nname: a\ndescription: about a\ntype: user\n---\ntext\n",
	})
	s := openAgent(filepath.Join(root, ".kimchi/agent-memory/scout"), clock, nothingRuns)
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil || len(snap.Records) != 2 {
		t.Fatalf("%+v, %v", snap, err)
	}
	codes := ""
	for _, h := range snap.Health {
		codes += h.Code + " "
	}
	if codes != "dangling " {
		t.Errorf("health: %s", codes)
	}
	gone := memory.Change{Do: memory.Deleting, ID: "a.md", Before: snap.Records[1].Raw}
	with, notes := s.companions(snap.Records, []memory.Change{gone})
	if len(with) != 1 || len(notes) != 1 || !with[0].Companion ||
		with[0].After != "# Index\n- [A](a.md) and [B](b.md)\n- [B](./b.md)\n" {
		t.Fatalf("%+v, %q", with, notes)
	}
	if _, err := s.Write(t.Context(), system.Write{Changes: append([]memory.Change{gone}, with...)}); err != nil {
		t.Fatal(err)
	}
	left, _ := os.ReadDir(s.Dir)
	if text, _ := os.ReadFile(filepath.Join(s.Dir, memoryFile)); len(left) != 1 || string(text) != with[0].After {
		t.Errorf("the folder holds %v, the index %q", left, text)
	}
}

func BenchmarkSummary(b *testing.B) {
	s := storeOf(b, kimchi(), goodNotes)
	for b.Loop() {
		if _, err := s.Summary(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
