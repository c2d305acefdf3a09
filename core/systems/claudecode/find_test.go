package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

func (f *fixture) find(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	for _, p := range find(t.Context(), f.machine(), dir, false).Places {
		if !p.Exists || p.System != id || p.Why == "" {
			t.Errorf("a place is %+v", p)
		}
		out = append(out, p.Name+" "+strings.Replace(p.Store.Path(), f.home, "~", 1))
	}
	return out
}

func TestProjectsAreFoundByTheirTranscripts(t *testing.T) {
	f := unpack(t)
	want := []string{"project ~/work/site", "user ~/.claude", "project ~/work/shop_api"}
	if err := os.MkdirAll(f.path("work/site/deep/er"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := f.find(t, f.path("work/site/deep/er")); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got, want := f.find(t,
		f.path("solo")), []string{
		"project ~/solo",
		"user ~/.claude",
		"project ~/work/shop_api",
		"project ~/work/site",
	}; !slices.Equal(
		got,
		want,
	) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got, want := f.find(t,
		f.home), []string{"user ~/.claude", "project ~/work/shop_api", "project ~/work/site"}; !slices.Equal(
		got,
		want,
	) {
		t.Errorf("in the home folder %q, want %q: what is there is the user's own", got, want)
	}
}

// TestAroundAFolderTheSameIsFound as in a search of the whole machine, and no other project.
func TestAroundAFolderTheSameIsFound(t *testing.T) {
	f := unpack(t)
	for _, dir := range []string{"work/site", "work/shop_api", "solo"} {
		root := f.path(dir)
		var want []memory.Place
		for _, p := range find(t.Context(), f.machine(), root, false).Places {
			if p.Project == "" || p.Project == root {
				want = append(want, p)
			}
		}
		if got := find(t.Context(), f.machine(), root, true).Places; !slices.Equal(got, want) {
			t.Errorf("around %s\n%+v, want\n%+v", dir, got, want)
		}
	}
}

func TestFolderWithoutTranscriptIsShownByItself(t *testing.T) {
	f := unpack(t)
	put(t, f.path(".claude/projects/-gone-away/memory/a.md"), "text\n")
	if got := f.find(t, f.path("solo")); !slices.Contains(got, "project ~/.claude/projects/-gone-away") {
		t.Errorf("found %q", got)
	}
	all, _ := records(t, f.open(t, ".claude/projects/-gone-away"))
	if all[memoryPrefix+"a.md"].Title != "text" {
		t.Errorf("its records are %v", all)
	}
	// Its project is told by ~/.claude.json, though not by its name.
	known := f.path("known_one")
	put(t, filepath.Join(f.memory("known_one"), "b.md"), "text\n")
	put(t, f.path(".claude.json"), `{"projects":{"`+known+`":{}}}`)
	if got := f.find(t, f.path("solo")); !slices.Contains(got, "project ~/known_one") {
		t.Errorf("found %q", got)
	}
}

func TestFoldersOfOneRepositoryAreOneStore(t *testing.T) {
	f := unpack(t)
	root := f.path("work/shop_api")
	tree := f.path("elsewhere/tree")
	put(t, filepath.Join(tree, ".git"), "gitdir: "+root+"/.git/worktrees/tree\n")
	put(t, root+"/.git/worktrees/tree/gitdir", tree+"/.git\n")
	put(t, root+"/.git/worktrees/tree/commondir", "../..\n")
	for _, cwd := range []string{root + "/packages/web", tree} {
		dir := filepath.Join(f.home, ".claude", "projects", slug(cwd))
		put(t, dir+"/x.jsonl", `{"type":"user","cwd":"`+cwd+`","sessionId":"x","version":"2.1.281"}`+"\n")
		put(t, dir+"/memory/old.md", "---\nname: old\ndescription: From before\ntype: project\n---\nText.\n")
	}
	got := f.find(t, tree)
	want := []string{"project ~/elsewhere/tree", "user ~/.claude", "project ~/work/shop_api", "project ~/work/site"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	s := f.open(t, "work/shop_api")
	all, _ := records(t, s)
	for _, cwd := range []string{root + "/packages/web", tree} {
		r := all[memory.ID(memoryPrefix+"@"+slug(cwd)+"/old.md")]
		if r.Title != "From before" || r.Flags&memory.FlagUnseen == 0 {
			t.Errorf("the memory of %s is %+v", cwd, r)
		}
	}
}

func TestTwoPathsOfOneNameShareTheirMemory(t *testing.T) {
	f := unpack(t)
	put(t, f.path("work/shop-api/CLAUDE.md"), "# The other\n")
	s := f.open(t, "work/shop-api")
	snap, err := s.Snapshot(t.Context(), nil)
	if err != nil || healthy(snap.Health, "shared-folder") == nil || snap.Total < 10 {
		t.Errorf("%d records (%v): %+v", snap.Total, err, snap.Health)
	}
}

func TestConfigurationElsewhere(t *testing.T) {
	f := unpack(t)
	if err := os.Rename(f.path(".claude"), f.path("conf")); err != nil {
		t.Fatal(err)
	}
	f.vars["CLAUDE_CONFIG_DIR"] = f.path("conf")
	got := f.find(t, f.path("work/site"))
	want := []string{"project ~/work/site", "user ~/conf", "project ~/work/shop_api"}
	if !slices.Equal(
		got,
		want,
	) {
		t.Errorf("found %q, want %q", got, want)
	}
	if r := blockOf(t, f.open(t, "work/site"), memory.Task{}); !strings.Contains(
		r.Block.Text,
		"# Personal preferences",
	) {
		t.Error("the user's instructions are not read from there")
	}
	f.vars["CLAUDE_CODE_PROJECT_DIR_NAME"] = "all_of-them"
	put(t, f.path("conf/projects/all_of-them/memory/MEMORY.md"), "# Shared\n")
	if r := blockOf(t, f.open(t, "work/site"), memory.Task{}); !strings.Contains(r.Block.Text, "# Shared") {
		t.Error("the memory is not read from the folder that the environment names")
	}
	f.vars["CLAUDE_CODE_PROJECT_DIR_NAME"] = "../no"
	if r := blockOf(t, f.open(t, "work/site"), memory.Task{}); strings.Contains(r.Block.Text, "# Shared") {
		t.Error("a name that is none is taken")
	}
}

func TestNamedPathsAreToldApart(t *testing.T) {
	f := unpack(t)
	for rel, want := range map[string]string{
		".claude": "user ~/.claude", "work/shop_api": "project ~/work/shop_api",
		"work/shop_api/packages/web":                    "project ~/work/shop_api",
		".claude/projects/" + slug(f.path("work/site")): "project ~/.claude/projects/" + slug(f.path("work/site")),
		"work/shop_api/src/api/handler.go":              "", ".claude/sessions": "", "nowhere": "",
	} {
		p, ok := reads(f.machine(), f.path(rel))
		if got := strings.Replace(p.Name+" "+p.Store.Path(), f.home, "~", 1); ok != (want != "") || ok && got != want {
			t.Errorf("%s is %q, %t; want %q", rel, got, ok, want)
		}
	}
}

// many makes a machine with that many projects of that many memories.
func many(t testing.TB, projects, memories int) *fixture {
	t.Helper()
	f := &fixture{home: t.TempDir(), etc: filepath.Join(t.TempDir(), "none")}
	for i := range projects {
		root := fmt.Sprintf("work/p%03d", i)
		put(t, f.path(root+"/.git/HEAD"), "ref: refs/heads/main\n")
		put(t, f.path(root+"/CLAUDE.md"), "# Project\n\nRun `make test`.\n")
		var index strings.Builder
		for j := range memories {
			fmt.Fprintf(&index, "- [Note %d](note_%d.md) — what it says\n", j, j)
			put(
				t,
				filepath.Join(f.memory(root), fmt.Sprintf("note_%d.md", j)),
				"---\nname: note\ndescription: What it says of the tests\nmetadata: \n  node_type: memory\n  type: project\n---\n\nSome text.\n",
			)
		}
		put(t, filepath.Join(f.memory(root), indexName), index.String())
		for j := range 5 {
			line := `{"type":"user","cwd":"` + f.path(root) +
				`","sessionId":"x","version":"2.1.281","message":{"content":"` + strings.Repeat("text ", 2000) + `"}}` +
				"\n"
			put(t, filepath.Join(filepath.Dir(f.memory(root)), fmt.Sprintf("%d.jsonl", j)), line)
		}
	}
	return f
}

func BenchmarkFind200Projects(b *testing.B) {
	f := many(b, 200, 1)
	m := f.machine()
	b.ReportAllocs()
	for b.Loop() {
		if n := len(find(b.Context(), m, f.path("work/p000"), false).Places); n != 200 {
			b.Fatal(n)
		}
	}
}

func BenchmarkSummaryOf50Memories(b *testing.B) {
	f := many(b, 200, 50)
	s := f.open(b, "work/p100")
	b.ReportAllocs()
	for b.Loop() {
		if snap, err := s.Summary(b.Context()); err != nil || snap.Total != 52 {
			b.Fatal(snap.Total, err)
		}
	}
}

func BenchmarkSnapshotOf50Memories(b *testing.B) {
	f := many(b, 2, 50)
	s := f.open(b, "work/p001")
	b.ReportAllocs()
	for b.Loop() {
		if snap, err := s.Snapshot(b.Context(), nil); err != nil || len(snap.Records) != 52 {
			b.Fatal(len(snap.Records), err)
		}
	}
}

func TestSystemOpensWhatItFinds(t *testing.T) {
	f := unpack(t)
	k := systemOn(func() time.Time { return f.now }, f.machine)
	env := system.Env{
		Home:   f.home,
		Dir:    f.path("work/site"),
		Lookup: func(name string) (string, bool) { v, ok := f.vars[name]; return v, ok },
	}
	places := k.Find(t.Context(), env).Places
	if len(places) < 3 {
		t.Fatalf("only %d stores are found", len(places))
	}
	for _, p := range places {
		s, err := k.Open(p.Store.Path())
		if err != nil {
			t.Fatal(err)
		}
		if s.Info().Place.Store != p.Store || s.Info().Place.Name != p.Name || s.Info().Place.Project != p.Project {
			t.Errorf("found %+v, opened %+v", p, s.Info().Place)
		}
	}
}

// TestInstructionsAboveTheFolderMakeItAProject: a session there is given them, as requests of Claude Code showed.
func TestInstructionsAboveTheFolderMakeItAProject(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path(".claude/CLAUDE.md"), "mine\n")
	put(t, f.path("work/CLAUDE.md"), "for all that is below\n")
	put(t, f.path("work/bare/x.txt"), "")
	if got, want := f.find(t, f.path("work/bare")), []string{"project ~/work/bare", "user ~/.claude"}; !slices.Equal(
		got,
		want,
	) {
		t.Errorf("found %q, want %q", got, want)
	}
	if snap, err := f.open(t, "work/bare").Summary(t.Context()); err != nil || snap.Total == 0 ||
		!snap.ModTime.IsZero() {
		t.Errorf(
			"a project that has nothing of its own was written at %v with %d memories, %v",
			snap.ModTime,
			snap.Total,
			err,
		)
	}
	if text := blockOf(t, f.open(t, "work/bare"), memory.Task{}).Block.Text; !strings.Contains(
		text,
		"for all that is below",
	) {
		t.Errorf("a session is given %q", text)
	}
}

// TestInstructionsBelowTheFolderMakeItAProject: a session there is given them with a file that it reads, also
// outside of a repository. Below the home folder lie many projects.
func TestInstructionsBelowTheFolderMakeItAProject(t *testing.T) {
	f := &fixture{home: t.TempDir(), etc: t.TempDir()}
	put(t, f.path(".claude/settings.json"), "{}")
	put(t, f.path("work/web/CLAUDE.md"), "with files of web\n")
	put(t, f.path("rules/web/.claude/rules/a.md"), "with files of web\n")
	put(t, f.path("none/web/x.txt"), "")
	for dir, want := range map[string][]string{
		"work":  {"project ~/work"},
		"rules": {"project ~/rules"},
		"none":  nil,
		".":     nil,
	} {
		if got := f.find(t, f.path(dir)); !slices.Equal(got, want) {
			t.Errorf("in %s found %q, want %q", dir, got, want)
		}
	}
}
