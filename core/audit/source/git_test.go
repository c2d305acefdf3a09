package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/audit/judge"
	"winnow/core/git"
	"winnow/core/memory"
)

// repo is a git repository in a temporary folder.
type repo struct {
	t   *testing.T
	dir string
}

// repository makes one; user and system settings have no say in it.
func repository(t *testing.T) *repo {
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
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@e", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(git.Environment(os.Environ()), "GIT_ALLOW_PROTOCOL=file", "GIT_NO_LAZY_FETCH=0", "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000")
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
		".gitignore": "kept\n*.local.md\nmemory/\n", "MEMORY.md": "new", "memory/a/x.md": "i", "memory/y.md": "i", "a.local.md": "i", "sub/CLAUDE.md": "new too",
	})
	g := r.collect(Order{})
	if want := "CLAUDE.md MEMORY.md kept/MEMORY.md sub/CLAUDE.md"; g.paths() != want || g.left(leftIgnored) != 3 || g.left(leftOther) != 2 {
		t.Errorf("read %s, want %s; left %+v", g.paths(), want, g.seen.Left)
	}
	if g.docs["CLAUDE.md"].Git != memory.GitTracked || g.docs["kept/MEMORY.md"].Git != memory.GitTracked || g.docs["sub/CLAUDE.md"].Git != memory.GitUntracked {
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
	tree(t, r.dir, map[string]string{"nested/CLAUDE.md": "n", "nested/.gitignore": "MEMORY.md", "nested/MEMORY.md": "ignored in there"})
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
	tree(t, top, map[string]string{"a/CLAUDE.md": "a", "a/MEMORY.md": "i", "a/.gitignore": "MEMORY.md\n", "b/CLAUDE.md": "b"})
	r.at(filepath.Join(top, "a"), "init", "-q")
	g := collect(t, Order{Dir: top, Paths: []string{"."}})
	if g.paths() != "a/CLAUDE.md b/CLAUDE.md" || g.docs["a/CLAUDE.md"].Git != memory.GitUntracked || g.docs["b/CLAUDE.md"].Git != memory.GitNone {
		t.Errorf("read %v", g.docs)
	}
}

func TestHostileNamesAreReadAsTheyAre(t *testing.T) {
	r := repository(t)
	names := []string{"memory/a\nb.md", "memory/-rf.md", "memory/\"q\" 'p'.md", "memory/\x1b[31m.md", "memory/caf\xe9.md", "memory/:(top).md", "memory/*.md", "memory/ \t.md"}
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
			if g.texts[n] != n {
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

func TestStagedVersionIsReadInPlaceOfTheFile(t *testing.T) {
	for _, commits := range []int{0, 1} {
		r := repository(t)
		if commits > 0 {
			r.commit(map[string]string{"CLAUDE.md": "old", "memory/same.md": "same", "memory/gone.md": "gone"})
			r.git("rm", "-q", "memory/gone.md")
		}
		tree(t, r.dir, map[string]string{"CLAUDE.md": "staged", "sub/MEMORY.md": "staged too", "main.go": "staged"})
		r.git("add", "-A")
		tree(t, r.dir, map[string]string{"CLAUDE.md": "in the folder", "new/MEMORY.md": "not staged"})
		g := r.collect(Order{Staged: true})
		d := g.docs["CLAUDE.md"]
		if g.paths() != "CLAUDE.md sub/MEMORY.md" || g.texts["CLAUDE.md"] != "staged" || d.Git != memory.GitTracked || d.OnDisk || d.Commit != "" || d.Size != 6 {
			t.Errorf("with %d commits: read %q; %+v", commits, g.texts, d)
		}
		if g := r.collect(Order{Staged: true, Paths: []string{"sub"}}); g.paths() != "sub/MEMORY.md" {
			t.Errorf("of a folder: read %s", g.paths())
		}
		if g := r.collect(Order{Staged: true, Paths: []string{"main.go"}}); g.texts["main.go"] != "staged" {
			t.Errorf("of a file that is named: read %q", g.texts)
		}
	}
}

func TestHookReadsTheIndexOfItsCommit(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "old"})
	tree(t, r.dir, map[string]string{"CLAUDE.md": "in the commit that is made"})
	index := filepath.Join(r.dir, ".git", "next-index.lock")
	text, err := os.ReadFile(filepath.Join(r.dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	tree(t, r.dir, map[string]string{".git/next-index.lock": string(text)})
	cmd := exec.Command("git", "-C", r.dir, "add", "CLAUDE.md")
	cmd.Env = append(git.Environment(os.Environ()), "GIT_INDEX_FILE="+index)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if g := r.collect(Order{Staged: true}); g.paths() != "" {
		t.Errorf("without a hook: read %q", g.texts)
	}
	t.Setenv("GIT_INDEX_FILE", filepath.Join(".git", "next-index.lock"))
	if g := r.collect(Order{Staged: true}); g.texts["CLAUDE.md"] != "in the commit that is made" {
		t.Errorf("in a hook: read %q", g.texts)
	}
	other := repository(t)
	tree(t, other.dir, map[string]string{"CLAUDE.md": "of another repository"})
	t.Setenv("GIT_INDEX_FILE", "")
	other.git("add", "-A")
	t.Setenv("GIT_INDEX_FILE", index)
	if g := r.collect(Order{Staged: true, Paths: []string{other.dir}}); g.seen.Blobs != 1 || len(g.seen.Failed) > 0 {
		t.Errorf("of another repository: read %q, failed %+v", g.texts, g.seen.Failed)
	}
}

func TestHistoryHoldsEveryVersionOnce(t *testing.T) {
	r := repository(t)
	first := r.commit(map[string]string{"CLAUDE.md": "one", "a.jsonl": lesson, "b.jsonl": `{"x":1}`, "main.go": "x"})
	r.commit(map[string]string{"CLAUDE.md": "two", "memory/copy.md": "one"})
	r.commit(map[string]string{"CLAUDE.md": "one"})
	r.git("rm", "-q", "CLAUDE.md")
	r.git("commit", "-qm", "gone")
	g := r.collect(Order{History: true})
	versions := map[string]string{}
	for p, d := range g.docs {
		if !d.OnDisk {
			versions[g.texts[p]] = d.Path + " " + d.Commit
		}
	}
	if len(versions) != 3 || g.seen.Blobs != 3 || g.seen.Commits != 4 || versions["one"] != "CLAUDE.md "+first || versions[lesson] != "a.jsonl "+first {
		t.Errorf("versions %q, seen %+v", versions, g.seen)
	}
	if d := g.docs["CLAUDE.md"]; d.CommitTime.Unix() != 1700000000 {
		t.Errorf("the time of the commit is %v", d.CommitTime)
	}
	if slices.Contains(g.seen.Uncovered, "git history") || g.left(leftOther) == 0 {
		t.Errorf("seen %+v", g.seen)
	}
}

func TestHistoryOfAPathIsOfThatPathOnly(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"sub/CLAUDE.md": "one", "CLAUDE.md": "top", "sub/x.txt": "named"})
	r.git("rm", "-rq", "sub")
	r.git("commit", "-qm", "gone")
	if g := r.collect(Order{History: true, Paths: []string{"sub/x.txt"}}); g.paths() != "sub/x.txt" || len(g.seen.Failed) > 0 {
		t.Errorf("of a file that is gone: read %q, failed %+v", g.texts, g.seen.Failed)
	}
	if g := r.collect(Order{History: true, Paths: []string{"sub"}}); g.paths() != "sub/CLAUDE.md" {
		t.Errorf("of a folder that is gone: read %q", g.texts)
	}
	if g := r.collect(Order{History: true, Paths: []string{"never"}}); strings.Join(g.failures(), " ") != "missing" {
		t.Errorf("of a path that never was: %+v", g.seen.Failed)
	}
	tree(t, r.dir, map[string]string{"sub/x.txt": "named", "sub/MEMORY.md": "new"})
	if g := r.collect(Order{History: true, Paths: []string{"sub"}}); g.paths() != "sub/CLAUDE.md sub/MEMORY.md" {
		t.Errorf("of a folder: read %q", g.texts)
	}
	if g := r.collect(Order{History: true, Paths: []string{"sub/x.txt"}}); g.paths() != "sub/x.txt sub/x.txt'" {
		t.Errorf("of a file: read %q", g.texts)
	}
}

func TestWhatNoBranchHoldsIsFoundInHistory(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "base"})
	texts := []string{"base"}
	seen := func(text string) {
		tree(t, r.dir, map[string]string{"CLAUDE.md": text})
		texts = append(texts, text)
	}
	seen("stashed")
	r.git("stash", "-q")
	seen("in a stash behind another")
	r.git("stash", "-q")
	seen("amended away")
	r.git("commit", "-qam", "m")
	seen("amended")
	r.git("commit", "-qa", "--amend", "-m", "m")
	r.git("checkout", "-q", "-b", "side", "HEAD~")
	tree(t, r.dir, map[string]string{"MEMORY.md": "side"})
	texts = append(texts, "side")
	r.git("add", "-A")
	r.git("commit", "-qm", "side")
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--no-commit", "side")
	seen("only in the merge")
	r.git("commit", "-qam", "merge")
	seen("staged only")
	r.git("add", "-A")
	seen("of a tag")
	id := r.git("hash-object", "-w", "CLAUDE.md")
	seen("in the folder")
	g := r.collect(Order{History: true, AllText: true})
	for _, text := range texts {
		found := false
		for p := range g.texts {
			found = found || g.texts[p] == text
		}
		if !found {
			t.Errorf("%q is not found in %q", text, g.texts)
		}
	}
	if d := g.docs["(unreachable object "+id+")"]; d.Commit != "" || g.texts[d.Path] != "of a tag" {
		t.Errorf("the object that nothing names is %+v", d)
	}
}

func TestLostObjectIsKnownByItsShape(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"main.go": "x"})
	for _, text := range []string{lesson, "notes without a shape"} {
		tree(t, r.dir, map[string]string{"tmp": text})
		r.git("hash-object", "-w", "tmp")
	}
	g := r.collect(Order{History: true})
	if len(g.docs) != 1 || g.seen.Blobs != 1 {
		t.Errorf("read %q", g.texts)
	}
	for _, d := range g.docs {
		if d.Form == nil || d.Form.Name != "store" || !strings.HasPrefix(d.Path, "(unreachable object ") {
			t.Errorf("read %+v", d)
		}
	}
}

func TestHistoryOfABareRepositoryIsRead(t *testing.T) {
	r := repository(t)
	commit := r.commit(map[string]string{"sub/CLAUDE.md": "one"})
	bare := filepath.Join(t.TempDir(), "r.git")
	r.git("clone", "-q", "--bare", r.dir, bare)
	g := r.collect(Order{Dir: filepath.Dir(bare), Paths: []string{bare}, History: true})
	if d := g.docs["r.git:sub/CLAUDE.md"]; d.Commit != commit || len(g.docs) != 1 || len(g.seen.Failed) > 0 {
		t.Errorf("read %+v, failed %+v", g.docs, g.seen.Failed)
	}
	if g := r.collect(Order{Paths: []string{bare}}); !slices.Contains(g.seen.Uncovered, "git history") {
		t.Errorf("uncovered %q", g.seen.Uncovered)
	}
}

func TestShallowAndPartialClonesSayWhatIsMissing(t *testing.T) {
	r := repository(t)
	r.git("config", "uploadpack.allowFilter", "true")
	r.commit(map[string]string{"CLAUDE.md": "one"})
	r.commit(map[string]string{"CLAUDE.md": "two"})
	dir := t.TempDir()
	r.git("clone", "-q", "--depth=1", "file://"+r.dir, filepath.Join(dir, "shallow"))
	r.git("clone", "-q", "--filter=blob:none", "file://"+r.dir, filepath.Join(dir, "partial"))
	g := r.collect(Order{Dir: dir, Paths: []string{"shallow"}, History: true})
	if len(g.seen.Uncovered) != 1 || !strings.Contains(g.seen.Uncovered[0], "git fetch --unshallow") || g.seen.Blobs != 1 || len(g.seen.Failed) > 0 {
		t.Errorf("shallow: %+v", g.seen)
	}
	before := print(t, filepath.Join(dir, "partial"))
	g = r.collect(Order{Dir: dir, Paths: []string{"partial"}, History: true})
	if len(g.seen.Uncovered) != 1 || g.left(leftUnfetched) != 1 || g.seen.Blobs != 1 || len(g.seen.Failed) > 0 {
		t.Errorf("partial: %+v", g.seen)
	}
	if after := print(t, filepath.Join(dir, "partial")); after != before {
		t.Errorf("reading a partial clone changed it:\n%s\nwas\n%s", after, before)
	}
}

func TestPointerOfLFSIsSaid(t *testing.T) {
	r := repository(t)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 12345\n"
	r.commit(map[string]string{"memory/big.md": pointer})
	g := r.collect(Order{History: true})
	if len(g.docs) > 0 || g.left(leftLFS) != 2 {
		t.Errorf("read %s, left %+v", g.paths(), g.seen.Left)
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
	if g.paths() != "CLAUDE.md MEMORY.md" || strings.Join(g.failures(), " ") != codeGit || g.docs["CLAUDE.md"].Git != memory.GitUnknown {
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

// print returns the size, mode, time and digest of everything in a folder.
func print(t *testing.T, dir string) string {
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
	tree(t, filepath.Dir(trap), map[string]string{"trap": "#!/bin/sh\ntouch '" + filepath.Join(r.dir, "sprung") + "'\n"})
	if err := os.Chmod(trap, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "gpg.program", "diff.external", "core.pager", "diff.x.textconv", "filter.x.smudge", "core.sshCommand", "alias.log"} {
		r.git("config", key, trap)
	}
	r.git("config", "log.showSignature", "true")
	tree(t, r.dir, map[string]string{".gitattributes": "* diff=x filter=x\n", ".git/hooks/post-index-change": "#!/bin/sh\n" + trap + "\n"})
	before := print(t, r.dir)
	for _, o := range []Order{{}, {History: true}, {Staged: true}, {Sharing: memory.SharedAndIgnored, AllText: true, History: true}, {Paths: []string{"CLAUDE.md"}}} {
		if g := r.collect(o); len(g.docs) == 0 || len(g.seen.Failed) > 0 {
			t.Errorf("%+v: read %s, failed %+v", o, g.paths(), g.seen.Failed)
		}
	}
	if after := print(t, r.dir); after != before {
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

func TestLargeVersionIsStreamed(t *testing.T) {
	r := repository(t)
	big := strings.Repeat("0123456789abcde\n", 200_000)
	commit := r.commit(map[string]string{"memory/a.md": "a", "memory/b.md": big, "memory/c.md": "c"})
	r.git("rm", "-rq", "memory")
	g := r.collect(Order{History: true})
	for name, want := range map[string]string{"memory/a.md": "a", "memory/b.md": big, "memory/c.md": "c"} {
		if d := g.docs[name]; g.texts[name] != want || d.Commit != commit || d.Size != int64(len(want)) {
			t.Errorf("%s has %d bytes of %d, commit %s", name, len(g.texts[name]), len(want), d.Commit)
		}
	}
	_, err := Each(t.Context(), order(Order{Dir: r.dir, Paths: []string{"."}, History: true}), func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
		for range pieces {
			break // the rest is passed over
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestObjectsOfALongerHashAreRead(t *testing.T) {
	r := repository(t)
	r.dir = t.TempDir()
	if out, err := exec.Command("git", "init", "-q", "--object-format=sha256", r.dir).CombinedOutput(); err != nil {
		t.Skipf("this git knows one kind of object names only: %s", out)
	}
	commit := r.commit(map[string]string{"CLAUDE.md": "one"})
	r.git("rm", "-q", "CLAUDE.md")
	g := r.collect(Order{History: true})
	if d := g.docs["CLAUDE.md"]; len(commit) != 64 || d.Commit != commit || g.texts["CLAUDE.md"] != "one" {
		t.Errorf("read %+v", g.docs)
	}
}

func TestIndexThatLeadsOutIsNotFollowed(t *testing.T) {
	for path, want := range map[string]string{"a/b": "d/a/b", "../x": "", "a/../../x": "", "/etc/passwd": "", "": "", "a/.GIT/config": "", ".git/config": "", "caf\xe9": "d/caf\xe9"} {
		got, ok := below("d", path)
		if filepath.ToSlash(got) != want || ok != (want != "") {
			t.Errorf("%q is at %q, %v; want %q", path, got, ok, want)
		}
	}
}

func TestPathIsQuotedForAShell(t *testing.T) {
	for path, want := range map[string]string{"/a/b-1": "/a/b-1", "/a b": "'/a b'", "/it's": `'/it'\''s'`, "/$(x)": "'/$(x)'"} {
		if got := quoted(path); got != want {
			t.Errorf("quoted %q = %s, want %s", path, got, want)
		}
	}
}

// history fast-imports commits that change two files each.
func (r *repo) history(commits int) {
	r.t.Helper()
	var in bytes.Buffer
	lines := []string{}
	for c := range commits {
		lines = append(lines, fmt.Sprintf(`{"lesson_id":"%d","task_summary":"a task that was done in step %d","lesson":"%s"}`, c, c*7, strings.Repeat("what was learnt ", 20)))
		text := strings.Join(lines[max(0, len(lines)-100):], "\n") + "\n"
		notes := strings.Repeat(fmt.Sprintf("- a note of step %d\n", c), 60)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter n <e@e> %d +0000\ndata 1\nm\n", 1700000000+c*60)
		fmt.Fprintf(&in, "M 100644 inline a/store.jsonl\ndata %d\n%s\nM 100644 inline a/MEMORY.md\ndata %d\n%s\n", len(text), text, len(notes), notes)
	}
	cmd := exec.Command("git", "-C", r.dir, "fast-import", "--quiet")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
}

func TestHistoryOfManyCommitsIsWhole(t *testing.T) {
	r := repository(t)
	r.history(200)
	seen, err := Each(t.Context(), order(Order{Dir: r.dir, Paths: []string{"."}, History: true}), drop)
	if seen.Commits != 200 || seen.Blobs != 400 || err != nil {
		t.Errorf("seen %+v, %v", seen, err)
	}
}
