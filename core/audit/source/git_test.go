package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/charset"
	"winnow/core/git"
	"winnow/core/memory"
)

// repo is a git repository in a temporary folder.
type repo struct {
	t   testing.TB
	dir string
}

// repository makes one; user and system settings have no say in it.
func repository(t testing.TB) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this test needs git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	return r.at(r.dir, args...)
}

func (r *repo) at(dir string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command(
		"git",
		append(
			[]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@e", "-c", "protocol.file.allow=always"},
			args...)...)
	cmd.Env = append(
		git.Environment(os.Environ()),
		"GIT_ALLOW_PROTOCOL=file",
		"GIT_NO_LAZY_FETCH=0",
		"GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_DATE=1700000000 +0000",
	)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files, adds all and commits. It returns the name of the commit.
func (r *repo) commit(files map[string]string) string {
	r.t.Helper()
	tree(r.t, r.dir, files)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", "m")
	return r.git("rev-parse", "HEAD")
}

func (r *repo) collect(o Order) *got {
	r.t.Helper()
	if o.Dir == "" {
		o.Dir = r.dir
	}
	if o.Paths == nil {
		o.Paths = []string{"."}
	}
	return collect(r.t, o)
}

func TestInARepositoryWhatWouldBeSharedIsRead(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "tracked", "kept/MEMORY.md": "tracked though ignored", "main.go": "x"})
	tree(t, r.dir, map[string]string{
		".gitignore": "kept\n*.local.md\nmemory/\n", "MEMORY.md": "new", "memory/a/x.md": "i", "memory/y.md": "i",
		"a.local.md": "i", "sub/CLAUDE.md": "new too",
	})
	g := r.collect(Order{})
	if want := "CLAUDE.md MEMORY.md kept/MEMORY.md sub/CLAUDE.md"; g.paths() != want || g.left(leftIgnored) != 3 ||
		g.left(leftOther) != 2 {
		t.Errorf("read %s, want %s; left %+v", g.paths(), want, g.seen.Left)
	}
	if g.docs["CLAUDE.md"].Git != memory.GitTracked || g.docs["kept/MEMORY.md"].Git != memory.GitTracked ||
		g.docs["sub/CLAUDE.md"].Git != memory.GitUntracked {
		t.Errorf("git states %v", g.docs)
	}
	if !slices.Equal(g.seen.Uncovered, []string{"git history"}) {
		t.Errorf("uncovered %q", g.seen.Uncovered)
	}
	all := r.collect(Order{Sharing: memory.SharedAndIgnored})
	if all.docs["memory/a/x.md"].Git != memory.GitIgnored || all.seen.Files != 6 || all.left(leftIgnored) != 0 {
		t.Errorf("with what is ignored: read %s, left %+v", all.paths(), all.seen.Left)
	}
	if sub := r.collect(Order{Paths: []string{"sub"}}); sub.paths() != "sub/CLAUDE.md" {
		t.Errorf("of a folder in it: read %s", sub.paths())
	}
	if in := r.collect(Order{Paths: []string{"memory"}}); in.paths() != "" || in.left(leftIgnored) != 2 {
		t.Errorf("of a folder that is ignored: read %s, left %+v", in.paths(), in.seen.Left)
	}
}

func TestNamedFilesHaveTheirGitState(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"a": "x", ".gitignore": "i\n"})
	tree(t, r.dir, map[string]string{"-n": "x", "i": "x", "b/[*]": "x"})
	g := r.collect(Order{Paths: []string{"a", "./-n", "i", "b/[*]"}})
	for path, want := range map[string]memory.GitState{"a": memory.GitTracked, "-n": memory.GitUntracked, "i": memory.GitIgnored, "b/[*]": memory.GitUntracked} {
		if got := g.docs[path].Git; got != want {
			t.Errorf("git state of %s is %v, want %v", path, got, want)
		}
	}
}

func TestRepositoriesInsideAreAskedThemselves(t *testing.T) {
	r := repository(t)
	sub := repository(t)
	sub.commit(map[string]string{"CLAUDE.md": "of the module"})
	r.commit(map[string]string{"MEMORY.md": "m"})
	r.git("submodule", "--quiet", "add", sub.dir, "module")
	r.git("commit", "-qm", "module")
	r.git("worktree", "add", "-q", "-b", "side", filepath.Join(r.dir, "tree"))
	tree(
		t,
		r.dir,
		map[string]string{
			"nested/CLAUDE.md":  "n",
			"nested/.gitignore": "MEMORY.md",
			"nested/MEMORY.md":  "ignored in there",
		},
	)
	r.at(filepath.Join(r.dir, "nested"), "init", "-q")
	g := r.collect(Order{})
	if want := "MEMORY.md module/CLAUDE.md nested/CLAUDE.md tree/MEMORY.md"; g.paths() != want {
		t.Errorf("read %s, want %s", g.paths(), want)
	}
	if g.left(leftModule) != 1 || g.left(leftIgnored) != 1 {
		t.Errorf("left %+v; want the module of the second work tree, which is not checked out", g.seen.Left)
	}
	parent := collect(t, Order{Dir: filepath.Dir(r.dir), Paths: []string{filepath.Base(r.dir)}})
	if parent.seen.Files != 4 {
		t.Errorf("from above: read %s", parent.paths())
	}
}

func TestFolderOfRepositoriesAsksEach(t *testing.T) {
	r := repository(t)
	top := t.TempDir()
	tree(
		t,
		top,
		map[string]string{"a/CLAUDE.md": "a", "a/MEMORY.md": "i", "a/.gitignore": "MEMORY.md\n", "b/CLAUDE.md": "b"},
	)
	r.at(filepath.Join(top, "a"), "init", "-q")
	g := collect(t, Order{Dir: top, Paths: []string{"."}})
	if g.paths() != "a/CLAUDE.md b/CLAUDE.md" || g.docs["a/CLAUDE.md"].Git != memory.GitUntracked ||
		g.docs["b/CLAUDE.md"].Git != memory.GitNone {
		t.Errorf("read %v", g.docs)
	}
}

func TestHostileNamesAreReadAsTheyAre(t *testing.T) {
	r := repository(t)
	names := []string{
		"memory/a\nb.md",
		"memory/-rf.md",
		"memory/\"q\" 'p'.md",
		"memory/\x1b[31m.md",
		"memory/caf\xe9.md",
		"memory/:(top).md",
		"memory/*.md",
		"memory/ \t.md",
	}
	files := map[string]string{}
	for _, n := range names {
		if err := os.MkdirAll(filepath.Join(r.dir, "memory"), 0o755); err != nil {
			t.Fatal(err)
		}
		if os.WriteFile(filepath.Join(r.dir, n), []byte(n), 0o600) == nil { // where such a name is allowed
			files[n] = n
		}
	}
	check := func(what string, o Order) {
		t.Helper()
		g := r.collect(o)
		for n := range files {
			if g.texts[n] != charset.Decode(n).String {
				t.Errorf("%s: %q is read as %q", what, n, g.texts[n])
			}
		}
	}
	check("new", Order{})
	r.git("add", "-A")
	check("staged", Order{Staged: true})
	r.git("commit", "-qm", "m")
	check("tracked", Order{})
	r.git("rm", "-rq", "memory")
	r.git("commit", "-qm", "gone")
	check("history", Order{History: true})
}

func TestTrackedPathThroughALinkIsNotFollowed(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"memory/x.md": "inside"})
	other := t.TempDir()
	tree(t, other, map[string]string{"x.md": "outside"})
	if err := os.RemoveAll(filepath.Join(r.dir, "memory")); err != nil {
		t.Fatal(err)
	}
	link(t, other, filepath.Join(r.dir, "memory"))
	g := r.collect(Order{})
	if g.paths() != "" || g.left(leftLink) != 1 {
		t.Errorf("read %q, left %+v", g.texts, g.seen.Left)
	}
}

func TestTrackedFileThatIsNotInTheFolderIsSaid(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "x"})
	if err := os.Remove(filepath.Join(r.dir, "CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	if g := r.collect(Order{}); g.left(leftIndexOnly) != 1 {
		t.Errorf("left %+v", g.seen.Left)
	}
}

func TestDamagedObjectsAreSaidAndTheRestIsRead(t *testing.T) {
	r := repository(t)
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("memory/%02d.md", i)] = strings.Repeat(fmt.Sprint(i, " "), 50)
	}
	r.commit(files)
	hurt := func(name, text string) {
		id := r.git("rev-parse", "HEAD:memory/"+name)
		path := filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	hurt("17.md", "no object")
	hurt("40.md", "")
	hurt("41.md", "\x78\x9c\x4b\xca")
	g := r.collect(Order{History: true, Paths: []string{"memory"}})
	if g.seen.Blobs != 97 || !slices.Equal(g.failures(), []string{codeGit, codeGit, codeGit}) {
		t.Errorf("read %d versions, failed:", g.seen.Blobs)
		for _, f := range g.seen.Failed {
			t.Errorf("%s: %s", f.Path, f.Problem.What)
		}
	}
}

func TestRepositoryThatGitRefusesIsReadAllTheSame(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "x", ".gitignore": "MEMORY.md"})
	tree(t, r.dir, map[string]string{"MEMORY.md": "ignored", ".git/index": "damaged"})
	g := r.collect(Order{})
	if g.paths() != "CLAUDE.md MEMORY.md" || strings.Join(g.failures(), " ") != codeGit ||
		g.docs["CLAUDE.md"].Git != memory.GitUnknown {
		t.Errorf("read %v, failed %+v", g.docs, g.seen.Failed)
	}
	tree(t, r.dir, map[string]string{".git/HEAD": "damaged"})
	if g := r.collect(Order{}); g.paths() != "CLAUDE.md MEMORY.md" {
		t.Errorf("without a head: read %s", g.paths())
	}
}

func TestRepositoryOfSomebodyElseHasItsHint(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "x"})
	if err := os.Chown(r.dir, 65534, 65534); err != nil {
		t.Skip("only root can give a folder away")
	}
	g := r.collect(Order{})
	if g.paths() != "CLAUDE.md" || strings.Join(g.failures(), " ") != codeOwner {
		t.Fatalf("read %s, failed %+v", g.paths(), g.seen.Failed)
	}
	if hint := g.seen.Failed[0].Problem.Hint; !strings.Contains(hint, "safe.directory "+r.dir) {
		t.Errorf("hint %q", hint)
	}
}

func TestWithoutGitEverythingIsReadAndItIsSaid(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "x", ".gitignore": "MEMORY.md"})
	tree(t, r.dir, map[string]string{"MEMORY.md": "ignored"})
	t.Setenv("PATH", t.TempDir())
	g := r.collect(Order{})
	if g.paths() != "CLAUDE.md MEMORY.md" || strings.Join(g.failures(), " ") != codeNoGit {
		t.Errorf("read %s, failed %+v", g.paths(), g.seen.Failed)
	}
	if g := r.collect(Order{Staged: true}); strings.Join(g.failures(), " ") != codeNoGit {
		t.Errorf("staged: %+v", g.seen.Failed)
	}
}

func TestOutsideOfARepositoryNothingIsStaged(t *testing.T) {
	repository(t)
	dir := t.TempDir()
	tree(t, dir, map[string]string{"CLAUDE.md": "x"})
	for _, o := range []Order{{Staged: true}, {History: true}} {
		o.Dir, o.Paths = dir, []string{"."}
		if g := collect(t, o); strings.Join(g.failures(), " ") != codeNoRepo {
			t.Errorf("%+v: failed %+v", o, g.seen.Failed)
		}
	}
}

// everything returns the size, mode, time and digest of everything in a folder.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := []byte{}
		if info.Mode().IsRegular() {
			if text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		fmt.Fprintf(&b, "%s %v %d %v %x\n", path, info.Mode(), info.Size(), info.ModTime(), sha256.Sum256(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLookingChangesNothing(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "one", "memory/a.md": "a"})
	r.git("config", "core.untrackedCache", "true")
	r.git("config", "feature.manyFiles", "true")
	r.commit(map[string]string{"CLAUDE.md": "two"})
	tree(t, r.dir, map[string]string{"MEMORY.md": "staged", "new/CLAUDE.md": "new"})
	r.git("add", "MEMORY.md")
	trap := filepath.Join(t.TempDir(), "trap")
	tree(
		t,
		filepath.Dir(trap),
		map[string]string{"trap": "#!/bin/sh\ntouch '" + filepath.Join(r.dir, "sprung") + "'\n"},
	)
	if err := os.Chmod(trap, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "gpg.program", "diff.external", "core.pager", "diff.x.textconv", "filter.x.smudge", "core.sshCommand", "alias.log"} {
		r.git("config", key, trap)
	}
	r.git("config", "log.showSignature", "true")
	tree(
		t,
		r.dir,
		map[string]string{
			".gitattributes":               "* diff=x filter=x\n",
			".git/hooks/post-index-change": "#!/bin/sh\n" + trap + "\n",
		},
	)
	before := everything(t, r.dir)
	for _, o := range []Order{{}, {History: true}, {Staged: true}, {Sharing: memory.SharedAndIgnored, AllText: true, History: true}, {Paths: []string{"CLAUDE.md"}}} {
		if g := r.collect(o); len(g.docs) == 0 || len(g.seen.Failed) > 0 {
			t.Errorf("%+v: read %s, failed %+v", o, g.paths(), g.seen.Failed)
		}
	}
	if after := everything(t, r.dir); after != before {
		t.Errorf("looking changed the repository:\n%s\nwas\n%s", after, before)
	}
}

func TestEndOfTheContextEndsHistory(t *testing.T) {
	r := repository(t)
	files := map[string]string{"memory/big.md": strings.Repeat("a long line of text\n", 200_000)}
	for i := range 300 {
		files[fmt.Sprintf("memory/%d.md", i)] = fmt.Sprint(i)
	}
	r.commit(files)
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		o := order(Order{Dir: r.dir, Paths: []string{"memory"}, History: true, Workers: workers})
		gone := make(chan struct{})
		o.Tell = func(memory.Progress) {
			if n++; n == 310 { // the files of the folder are read, and some versions
				cancel()
				close(gone)
			}
		}
		_, err := Each(ctx, o, drop)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("with %d workers: Each = %v after %d documents", workers, err, n)
		}
		<-gone
	}
}

func TestIndexThatLeadsOutIsNotFollowed(t *testing.T) {
	for path, want := range map[string]string{"a/b": "d/a/b", "../x": "", "a/../../x": "", "/etc/passwd": "", "": "", "a/.GIT/config": "", ".git/config": "", "caf\xe9": "d/caf\xe9"} {
		got, ok := locationOf("d", path)
		if filepath.ToSlash(got) != want || ok != (want != "") {
			t.Errorf("%q is at %q, %v; want %q", path, got, ok, want)
		}
	}
}
