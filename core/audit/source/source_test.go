package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"winnow/core/audit/judge"
	"winnow/core/memory"
	"winnow/core/system"
)

// forms are enough to tell every way in which a form is found.
func forms() []system.Form {
	return []system.Form{
		{Name: "store", Named: system.Named("*.jsonl*"), Looks: system.ObjectWith("lesson_id"), Both: true, Lines: true,
			Decode: func(string, int) memory.Record { return memory.Record{} }, Stale: func(p string) bool { return strings.HasSuffix(p, ".jsonl.tmp") }},
		{Name: "notes", Named: system.Named("MEMORY.md", "CLAUDE.md", "memory/**/*.md")},
		{Name: "database", Named: system.Named("*.db"), Looks: system.Pages, Both: true, Database: true},
	}
}

// got is what an audit was given.
type got struct {
	sync.Mutex
	docs  map[string]judge.Doc // by path
	texts map[string]string
	// messages are those of commits and tags, by the path and the commit.
	messages map[string]string
	seen     memory.Audit
}

// paths returns the documents, sorted.
func (g *got) paths() string { return strings.Join(slices.Sorted(maps.Keys(g.docs)), " ") }

// left returns why files were left out, with how many, sorted.
func (g *got) left(why string) int {
	for _, l := range g.seen.Left {
		if l.Why == why {
			return l.Files
		}
	}
	return 0
}

// failures returns the codes of what could not be read.
func (g *got) failures() (codes []string) {
	for _, f := range g.seen.Failed {
		codes = append(codes, f.Problem.Code)
	}
	return codes
}

// order fills in what most tests want.
func order(o Order) Order {
	o.AgentFiles = !o.AllText // what is read is told by name; TestSecretsAreLookedForInAllText has the default
	if o.Forms == nil {
		o.Forms = forms()
	}
	if o.Short == nil {
		o.Short = func(p string) string {
			if rel, err := filepath.Rel(o.Dir, p); err == nil {
				return filepath.ToSlash(rel)
			}
			return p
		}
	}
	if o.Workers == 0 {
		o.Workers = 3
	}
	return o
}

// collect reads all documents of an order.
func collect(t testing.TB, o Order) *got {
	t.Helper()
	g := &got{docs: map[string]judge.Doc{}, texts: map[string]string{}, messages: map[string]string{}}
	seen, err := Each(t.Context(), order(o), func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
		var text strings.Builder
		for p, err := range pieces {
			if err != nil {
				break
			}
			text.WriteString(p.Text)
		}
		g.Lock()
		defer g.Unlock()
		if d.Message {
			g.messages[d.Path+" "+d.Commit] = text.String()
			return nil
		}
		name := d.Path
		for n := 2; g.docs[name].Path != ""; n++ {
			name = d.Path + strings.Repeat("'", n-1)
		}
		g.docs[name], g.texts[name] = *d, text.String()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g.seen = seen
	return g
}

// tree makes files; a name that ends with / makes a folder.
func tree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Skip("links cannot be made here: " + err.Error())
	}
}

const lesson = `{"lesson_id":"1","lesson":"x"}` + "\n"

func TestFolderIsReadByNameAndShape(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"CLAUDE.md": "notes", "a/b/store.jsonl": lesson, "a/other.jsonl": `{"x":1}` + "\n", "README.md": "readme", ".hidden/memory/x.md": "kept",
		"x.db": "SQLite format 3\x00" + strings.Repeat(
			"\x00",
			100,
		), "not.db": "text", "s.jsonl.tmp": "half a li", ".git-is-not/MEMORY.md": "m",
	})
	g := collect(t, Order{Dir: dir, Paths: []string{"."}})
	if want := ".git-is-not/MEMORY.md .hidden/memory/x.md CLAUDE.md a/b/store.jsonl s.jsonl.tmp x.db"; g.paths() != want {
		t.Errorf("read %s\nwant %s", g.paths(), want)
	}
	if g.left(leftOther) != 3 || g.seen.Files != 6 || len(g.seen.Failed) > 0 {
		t.Errorf("seen %+v", g.seen)
	}
	store := g.docs["a/b/store.jsonl"]
	if store.Form == nil || store.Form.Name != "store" || string(store.Store) != filepath.Join(dir, "a", "b", "store.jsonl") || store.File != string(store.Store) || !store.OnDisk ||
		store.Git != memory.GitNone ||
		g.texts["a/b/store.jsonl"] != lesson {
		t.Errorf("the store is %+v with %q", store, g.texts["a/b/store.jsonl"])
	}
	if notes := g.docs["CLAUDE.md"]; notes.Store != "" || notes.Siblings != nil || notes.Mode.Perm()&0o400 == 0 {
		t.Errorf("the notes are %+v", notes)
	}
	if f := g.docs["s.jsonl.tmp"].Form; f == nil || f.Name != "store" {
		t.Errorf("what a save left has the form %v", f)
	}
}

func TestSiblingsOfAStoreAreNamed(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"m.jsonl": lesson, "m.jsonl.tmp": "x", "other": ""})
	g := collect(t, Order{Dir: dir, Paths: []string{"m.jsonl"}})
	siblings := slices.Sorted(slices.Values(g.docs["m.jsonl"].Siblings))
	if !slices.Equal(siblings, []string{"m.jsonl", "m.jsonl.tmp", "other"}) {
		t.Errorf("siblings %q", siblings)
	}
}

func TestWhatASaveLeftStandsForItselfWhereNoStoreNamesIt(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"a/m.jsonl": lesson, "a/m.jsonl.tmp": "x", "b/m.jsonl.tmp": "x", "b/other": ""})
	g := collect(t, Order{Dir: dir, Paths: []string{"."}})
	if beside, alone := g.docs["a/m.jsonl.tmp"].Siblings, g.docs["b/m.jsonl.tmp"].Siblings; beside != nil ||
		!slices.Equal(alone, []string{"m.jsonl.tmp"}) {
		t.Errorf("beside a store %q, alone %q", beside, alone)
	}
}

func TestSecretsAreLookedForInAllText(t *testing.T) {
	dir := t.TempDir()
	tree(
		t,
		dir,
		map[string]string{"main.go": "package x", "CLAUDE.md": "Notes.", "a.png": "\x89PNG\x00\x00\x01\x02\x00"},
	)
	var mu sync.Mutex
	only := map[string]bool{}
	seen, err := Each(
		t.Context(),
		Order{Dir: dir, Paths: []string{"."}, Forms: forms()},
		func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
			mu.Lock()
			defer mu.Unlock()
			only[filepath.Base(d.Path)] = d.SecretsOnly
			return nil
		},
	)
	if want := map[string]bool{"main.go": true, "CLAUDE.md": false}; err != nil || !maps.Equal(only, want) {
		t.Errorf("read, with secrets only: %v, %v", only, err)
	}
	if seen.Files != 2 || seen.Others != 1 || len(seen.Left) != 1 || seen.Left[0].Why != leftBinary ||
		len(seen.Failed) != 0 {
		t.Errorf("seen %+v", seen)
	}
}

func TestAllTextReadsWhatIsText(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{
		"main.go": "package main", "empty": "", "picture": "\x89PNG\x00\x01",
		"wide": strings.Join(strings.Split("wide text, long enough to tell\n", ""), "\x00") + "\x00",
		"bad":  "caf\xe9",
	})
	g := collect(t, Order{Dir: dir, Paths: []string{dir}, AllText: true})
	if want := "bad empty main.go wide"; g.paths() != want || g.left(leftBinary) != 1 {
		t.Errorf("read %s, want %s; left %+v", g.paths(), want, g.seen.Left)
	}
	if g.texts["bad"] != "café" || g.texts["wide"] != "wide text, long enough to tell\n" {
		t.Errorf("texts %q", g.texts)
	}
}

func TestNamedFileIsReadWhateverItIs(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"picture": "\x89PNG\x00\x01", "x.go": "package x"})
	link(t, "x.go", filepath.Join(dir, "link"))
	g := collect(t, Order{Dir: dir, Paths: []string{"picture", "link"}})
	if g.paths() != "link picture" || g.texts["link"] != "package x" || g.texts["picture"] != "\x89PNG\x00\x01" {
		t.Errorf("read %q", g.texts)
	}
}

func TestMissingPathIsSaid(t *testing.T) {
	g := collect(t, Order{Dir: t.TempDir(), Paths: []string{"gone"}})
	if len(g.seen.Failed) != 1 || g.seen.Failed[0].Path != "gone" || g.seen.Failed[0].Problem.Code != "missing" {
		t.Errorf("failed %+v", g.seen.Failed)
	}
}

func TestFileIsReadOnceByEachOfItsNames(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"a/MEMORY.md": "m"})
	g := collect(t, Order{Dir: dir, Paths: []string{".", "a", "a/MEMORY.md"}})
	if g.seen.Files != 1 || g.left(leftTwin) != 2 {
		t.Errorf("read %s, left %+v", g.paths(), g.seen.Left)
	}
	if err := os.Link(filepath.Join(dir, "a", "MEMORY.md"), filepath.Join(dir, "CLAUDE.md")); err != nil {
		t.Skip("hard links cannot be made here: " + err.Error())
	}
	g = collect(t, Order{Dir: dir, Paths: []string{".", "a", "a/MEMORY.md"}})
	if g.seen.Files != 2 || g.left(leftTwin) != 2 {
		t.Errorf("read %s, left %+v", g.paths(), g.seen.Left)
	}
}

func TestLinksOutOfTheFolderAreNotFollowedUnlessNamed(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	tree(t, other, map[string]string{"CLAUDE.md": "elsewhere", "memory/x.md": "elsewhere"})
	tree(t, dir, map[string]string{"MEMORY.md": "here", "d/": ""})
	link(t, filepath.Join(other, "CLAUDE.md"), filepath.Join(dir, "CLAUDE.md"))
	link(t, other, filepath.Join(dir, "folder"))
	link(t, "..", filepath.Join(dir, "d", "loop"))
	g := collect(t, Order{Dir: dir, Paths: []string{"."}})
	if g.paths() != "MEMORY.md" || g.left(leftLink) != 2 || len(g.seen.Failed) != 1 ||
		g.seen.Failed[0].Path != "CLAUDE.md" {
		t.Errorf("read %s, left %+v, failed %+v", g.paths(), g.seen.Left, g.seen.Failed)
	}
	if g := collect(t, Order{Dir: dir, Paths: []string{"folder"}}); g.seen.Files != 2 {
		t.Errorf("read %s through a link that is named", g.paths())
	}
}

func TestLocksOfDatabasesAreNeverOpened(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"tenants.db-shm": "text of no memory", "CLAUDE.md": "here"})
	for _, paths := range [][]string{{"."}, {"CLAUDE.md", "tenants.db-shm"}} {
		g := collect(t, Order{Dir: dir, Paths: paths, AllText: true})
		if g.paths() != "CLAUDE.md" || g.left(leftLocks) != 1 {
			t.Errorf("read %s of %q, left %+v", g.paths(), paths, g.seen.Left)
		}
	}
}

func TestDeepAndWideFoldersAreReadWhole(t *testing.T) {
	dir := t.TempDir()
	deep := strings.Repeat("d/", 200)
	files := map[string]string{deep + "MEMORY.md": "deep"}
	for i := range 400 {
		files[fmt.Sprintf("wide/%d.go", i)] = ""
	}
	tree(t, dir, files)
	g := collect(t, Order{Dir: dir, Paths: []string{"."}})
	if g.paths() != deep+"MEMORY.md" || g.left(leftOther) != 400 {
		t.Errorf("read %s, left %+v", g.paths(), g.seen.Left)
	}
	if e := g.seen.Left[0].Example; filepath.Base(e) != "0.go" {
		t.Errorf("the example of what was left is %s", e)
	}
}

func TestStreamIsReadWithItsForm(t *testing.T) {
	g := collect(t, Order{Paths: []string{"-"}, In: strings.NewReader(lesson)})
	d := g.docs["-"]
	if g.texts["-"] != lesson || d.Form == nil || d.Form.Name != "store" || d.OnDisk || d.Store != "" ||
		g.seen.Bytes != int64(len(lesson)) {
		t.Errorf("read %q as %+v", g.texts["-"], d)
	}
}

func TestByteOrderMarkIsNoText(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"m.jsonl": "\xef\xbb\xbf" + lesson})
	_, err := Each(
		t.Context(),
		order(Order{Dir: dir, Paths: []string{"."}}),
		func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
			for p := range pieces {
				if p.Text != lesson || p.Offset != 3 || p.Line != 1 || p.Column != 1 || d.Form == nil {
					t.Errorf("piece %+v of %+v", p, d)
				}
			}
			return nil
		},
	)
	if err != nil {
		t.Fatal(err)
	}
}

func TestDatabaseHasNoLines(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"x.db": "SQLite format 3\x00" + strings.Repeat("a\n", 300_000)})
	pieces := 0
	_, err := Each(
		t.Context(),
		order(Order{Dir: dir, Paths: []string{"."}}),
		func(_ *judge.Doc, all iter.Seq2[judge.Piece, error]) error {
			for p := range all {
				pieces++
				if p.Line != 0 || p.Column != 0 || !p.InLine {
					t.Errorf("piece at %d has line %d, column %d, in line %v", p.Offset, p.Line, p.Column, p.InLine)
				}
			}
			return nil
		},
	)
	if pieces < 3 || err != nil {
		t.Errorf("%d pieces, %v", pieces, err)
	}
}

func TestWhatTheCallerReturnsEndsTheAudit(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"CLAUDE.md": "a", "MEMORY.md": "b"})
	full := errors.New("full")
	_, err := Each(
		t.Context(),
		order(Order{Dir: dir, Paths: []string{"."}}),
		func(*judge.Doc, iter.Seq2[judge.Piece, error]) error { return full },
	)
	if !errors.Is(err, full) {
		t.Errorf("Each = %v, want %v", err, full)
	}
}

// A swallowed panic would make a clean verdict of files that nobody judged, or leave no
// worker to take the next file.
func TestPanicOfAWorkerIsOneOfTheCaller(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 600 { // more than wait for a worker
		files[fmt.Sprintf("%d/MEMORY.md", i)] = "text"
	}
	tree(t, dir, files)
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "boom\n") {
			t.Errorf("the panic is %v", r)
		}
	}()
	_, err := Each(
		t.Context(),
		order(Order{Paths: []string{dir}}),
		func(*judge.Doc, iter.Seq2[judge.Piece, error]) error { panic("boom") },
	)
	t.Errorf("it ended with %v", err)
}

func TestEndOfTheContextEndsTheAuditAndKeepsWhatWasSeen(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"CLAUDE.md": strings.Repeat("line\n", 200_000), "MEMORY.md": "b"})
	ctx, cancel := context.WithCancel(t.Context())
	o := order(Order{Dir: dir, Paths: []string{"CLAUDE.md", "MEMORY.md"}, Workers: 1})
	seen, err := Each(ctx, o, func(_ *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
		n := 0
		for _, err := range pieces {
			cancel()
			if n++; n == 2 && err == nil {
				t.Error("a piece came after the end")
			}
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || seen.Files != 1 || len(seen.Failed) > 0 {
		t.Errorf("Each = %+v, %v", seen, err)
	}
}

func TestStreamThatSaysNothingDoesNotHoldTheAudit(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = out.Write([]byte("begin\n")) // returns once it is read
		cancel()
	}()
	_, err := Each(
		ctx,
		order(Order{Paths: []string{"-"}, In: in}),
		func(*judge.Doc, iter.Seq2[judge.Piece, error]) error { return nil },
	)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Each = %v", err)
	}
}

func TestFileThatGrowsWhileItIsReadIsSaid(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"CLAUDE.md": "one\n"})
	seen, err := Each(
		t.Context(),
		order(Order{Dir: dir, Paths: []string{"."}}),
		func(_ *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
			for p := range pieces {
				if p.Text != "one\n" {
					t.Errorf("read %q", p.Text)
				}
				tree(t, dir, map[string]string{"CLAUDE.md": "one\ntwo\n"})
			}
			return nil
		},
	)
	if want := "what was written to CLAUDE.md while it was read"; err != nil || !slices.Contains(seen.Uncovered, want) {
		t.Errorf("uncovered %q, %v; want %q", seen.Uncovered, err, want)
	}
}

func TestFileThatShrinksKeepsWhatWasRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "CLAUDE.md")
	tree(t, dir, map[string]string{"CLAUDE.md": strings.Repeat("line\n", 500_000)})
	n := 0
	seen, err := Each(
		t.Context(),
		order(Order{Dir: dir, Paths: []string{"."}}),
		func(_ *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
			for p := range pieces {
				n += len(p.Text)
				if err := os.Truncate(path, 0); err != nil {
					t.Fatal(err)
				}
			}
			return nil
		},
	)
	if n < pieceSize/2 || n > 2*pieceSize || len(seen.Uncovered) != 1 || err != nil {
		t.Errorf("read %d bytes, uncovered %q, %v", n, seen.Uncovered, err)
	}
}

func TestProgressIsTold(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, map[string]string{"CLAUDE.md": "1234", "MEMORY.md": "56"})
	var last memory.Progress
	collect(t, Order{Dir: dir, Paths: []string{"."}, Tell: func(p memory.Progress) { last = p }})
	if want := (memory.Progress{Doing: "reading", Files: 2, Bytes: 6}); last != want {
		t.Errorf("last told %+v, want %+v", last, want)
	}
}

// drop reads a document and keeps nothing.
func drop(_ *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
	for _, err := range pieces {
		if err != nil {
			return err
		}
	}
	return nil
}
