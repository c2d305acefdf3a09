package opencode

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// env returns the surroundings of a search on the machine.
func env(m machine, dir string) system.Env {
	return system.Env{Home: m.home, Dir: dir, Lookup: m.lookup}
}

func storesOf(s memory.Survey) (all []memory.StoreID) {
	for _, p := range s.Places {
		all = append(all, p.Store)
	}
	return all
}

func TestMachineWithoutOpenCodeShowsNothing(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "shop/AGENTS.md"), "Use tabs.")
	put(t, filepath.Join(home, "shop/.git/HEAD"), "")
	s := find(t.Context(), env(testMachine(home, nil), filepath.Join(home, "shop")))
	if len(s.Places) != 0 || len(s.Looked) == 0 {
		t.Errorf("found %v, looked at %v", s.Places, s.Looked)
	}
}

func TestSettingsTellThatAProjectIsOneForOpenCode(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "shop/opencode.jsonc"), "{}")
	put(t, filepath.Join(home, "shop/.git/HEAD"), "")
	put(t, filepath.Join(home, "shop/web/x"), "")
	s := find(t.Context(), env(testMachine(home, nil), filepath.Join(home, "shop/web")))
	want := memory.At(id, filepath.Join(home, "shop"))
	if !slices.Equal(storesOf(s), []memory.StoreID{want}) || s.Places[0].Project != want.Path() {
		t.Errorf("found %+v, want %s", s.Places, want)
	}
}

func TestProjectOfGlobalSettingsAloneIsAStore(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, ".config/opencode/opencode.json"), `{"instructions": ["docs/{file:name}.md"]}`)
	put(t, filepath.Join(home, ".config/opencode/name"), "rules\n")
	for _, project := range []string{"shop", "bare"} {
		put(t, filepath.Join(home, project, ".git/HEAD"), "")
	}
	put(t, filepath.Join(home, "shop/docs/rules.md"), "Use tabs.")
	for project, want := range map[string]bool{"shop": true, "bare": false} {
		dir := filepath.Join(home, project)
		s := find(t.Context(), env(testMachine(home, nil), dir))
		if got := slices.Contains(storesOf(s), memory.At(id, dir)); got != want {
			t.Errorf("%s is a store: %v; found %v", project, got, storesOf(s))
		}
		if place, is := reads(testMachine(home, nil), dir); is != want || is && place.Store != memory.At(id, dir) {
			t.Errorf("%s named is the store %+v: %v", project, place, is)
		}
	}
}

func TestStoresOfAUserAreFound(t *testing.T) {
	m, home := unpack(t, nil)
	data := filepath.Join(home, ".local/share/opencode")
	for _, name := range []string{"opencode.db", "opencode-local.db", "auth.json"} {
		text, err := os.ReadFile(filepath.Join(stores, "opencode.db"))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(data, name), string(text))
	}
	put(t, filepath.Join(data, "storage/session/p/s.json"), "{}")
	s := find(t.Context(), env(m, filepath.Join(home, "work/demo/packages/web")))
	got := slices.DeleteFunc(storesOf(s), func(id memory.StoreID) bool {
		return !filestore.Within(home, id.Path()) // the fixture knows a project that this machine may have
	})
	slices.Sort(got)
	want := []memory.StoreID{
		memory.StoreID(filepath.Join(data, "opencode-local.db")), memory.StoreID(filepath.Join(data, "opencode.db")),
		memory.At(id, filepath.Join(home, ".config/opencode")), memory.At(id, filepath.Join(home, "work/demo")),
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%q\nwant\n%q", got, want)
	}
	isOld := func(l memory.Looked) bool { return l.Where == filepath.Join(data, "storage") && l.Note != "" }
	if !slices.ContainsFunc(s.Looked, isOld) {
		t.Errorf("nothing says that sessions of before version 1.2 are not read: %+v", s.Looked)
	}
	k := systemOn(noon, m)
	for _, p := range s.Places {
		if !filestore.Within(home, p.Store.Path()) {
			continue
		}
		opened, err := k.Open(p.Store.Path())
		if err != nil || opened.Info().Place.Store != p.Store || opened.Info().Place.Name != p.Name {
			t.Errorf("%s opens as %+v, %v", p.Store, opened.Info().Place, err)
		}
	}
}

func TestVariableNamesTheDatabase(t *testing.T) {
	home := t.TempDir()
	m := testMachine(home, map[string]string{databaseName: "other.db", noChannels: "1"})
	for _, name := range []string{"other.db", "opencode.db", "opencode-dev.db"} {
		put(t, filepath.Join(m.data(), name), "")
	}
	want := []string{filepath.Join(m.data(), "other.db"), filepath.Join(m.data(), "opencode.db")}
	if got := m.databases(); !slices.Equal(got, want) {
		t.Errorf("databases are %q, want %q", got, want)
	}
	if got := testMachine(home, map[string]string{databaseName: ":memory:"}).databases(); len(got) != 0 {
		t.Errorf("databases in memory are %q", got)
	}
}

func TestProjectsThatTheDatabaseKnowsAreFound(t *testing.T) {
	home := t.TempDir()
	m := testMachine(home, nil)
	var trees []string
	for _, name := range []string{"a", "b", "c"} {
		trees = append(trees, filepath.Join(home, name))
	}
	put(t, filepath.Join(trees[0], "AGENTS.md"), "x")
	put(t, filepath.Join(trees[1], "nothing"), "x")
	newDatabase(t, filepath.Join(m.data(), "opencode.db"), func(w *written) {
		for i, tree := range append(trees, "/") {
			w.do("INSERT INTO project(id,worktree,time_created,time_updated,sandboxes) VALUES(?,?,1,1,'[]')", i, tree)
		}
	})
	sighted := find(t.Context(), env(m, home))
	got := storesOf(sighted)
	for _, p := range sighted.Places {
		if p.Store == memory.At(id, trees[0]) && p.Why != "a project that OpenCode knows" {
			t.Errorf("%s is said to be there as %q", p.Store, p.Why)
		}
	}
	if !slices.Contains(got, memory.At(id, trees[0])) || slices.Contains(got, memory.At(id, trees[1])) ||
		slices.Contains(got, memory.At(id, "/")) {
		t.Errorf("found %q, want %s of them alone", got, trees[0])
	}
}

func TestArchivedProgramIsToldApart(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "shop")
	path := filepath.Join(dir, ".opencode/opencode.db")
	put(t, filepath.Join(dir, ".git/HEAD"), "")
	write(t, path, func(w *written) {
		w.do(
			"CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, message_count INTEGER, created_at INTEGER, updated_at INTEGER)",
		)
		w.do("CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT, parts TEXT)")
		w.do("INSERT INTO sessions VALUES('s1',NULL,'Add a cart',4,1740000000,1740000000)")
	})
	m := testMachine(home, nil)
	if got := storesOf(find(t.Context(), env(m, dir))); slices.Contains(got, memory.StoreID(path)) {
		t.Errorf("found %q", got)
	}
	snap := snapshot(t, &Database{path: path, now: noon, m: m})
	if len(snap.Records) != 0 || snap.Problem == nil || snap.Problem.Code != "other-product" {
		t.Errorf("records are %+v, the problem %v", snap.Records, snap.Problem)
	}
}

func TestNamedFolderOrFileIsAStore(t *testing.T) {
	m, home := unpack(t, nil)
	db := copied(t, "opencode.db")
	for path, want := range map[string]memory.StoreID{
		db:                               memory.StoreID(db),
		filepath.Join(home, "work/demo"): memory.At(id, filepath.Join(home, "work/demo")),
		m.config():                       memory.At(id, m.config()),
		filepath.Join(home, "notes"):     "", filepath.Join(home, "AGENTS.md"): "", filepath.Join(home, "gone"): "",
	} {
		p, ok := reads(m, path)
		if ok != (want != "") || ok && p.Store != want {
			t.Errorf("%s is %+v, %t; want %q", path, p, ok, want)
		}
	}
}

// TestUnknownProjectsAreSaid: a list without the projects of a damaged database, or of one that was not read in time,
// says so.
func TestUnknownProjectsAreSaid(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	home := t.TempDir()
	m := testMachine(home, nil)
	path := filepath.Join(m.data(), "opencode.db")
	put(t, path, "no database")
	for want, ctx := range map[string]context.Context{"cannot be read: ": t.Context(), "took too long": ended} {
		s := find(ctx, env(m, home))
		if !slices.ContainsFunc(
			s.Looked,
			func(l memory.Looked) bool { return l.Where == path && strings.Contains(l.Note, want) },
		) {
			t.Errorf("%q is not said: %+v", want, s.Looked)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	home := b.TempDir()
	m := testMachine(home, nil)
	if err := os.MkdirAll(m.data(), 0o755); err != nil {
		b.Fatal(err)
	}
	newDatabase(b, filepath.Join(m.data(), "opencode.db"), func(w *written) {
		for i := range 200 {
			w.do(
				"INSERT INTO project(id,worktree,time_created,time_updated,sandboxes) VALUES(?,?,1,1,'[]')",
				i,
				filepath.Join(home, "p", string(rune('a'+i%26)), string(rune('a'+i/26))),
			)
		}
	})
	for b.Loop() {
		find(b.Context(), env(m, home))
	}
}

// TestInstructionsAboveOrBelowShowAProject: a session is given them, as requests of OpenCode 1.18.33 showed.
func TestInstructionsAboveOrBelowShowAProject(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, ".config/opencode/opencode.json"), "{}")
	put(t, filepath.Join(home, "notes/AGENTS.md"), "for what is below\n")
	put(t, filepath.Join(home, "notes/bare/x"), "")
	put(t, filepath.Join(home, "repo/.git/HEAD"), "")
	put(t, filepath.Join(home, "repo/web/AGENTS.md"), "with files of web\n")
	put(t, filepath.Join(home, "empty/.git/HEAD"), "")
	put(t, filepath.Join(home, "plain/web/AGENTS.md"), "with files of web\n")
	for dir, want := range map[string]bool{
		"notes/bare": true,
		"repo":       true,
		"empty":      false,
		"plain":      true,
		".":          false,
	} {
		dir = filepath.Join(home, dir)
		if got := storesOf(find(t.Context(), env(testMachine(home, nil), dir))); slices.Contains(
			got,
			memory.At(id, dir),
		) != want {
			t.Errorf("in %s found %v, want a project: %t", dir, got, want)
		}
	}
}
