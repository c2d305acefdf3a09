package source

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
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
		if g.paths() != "CLAUDE.md sub/MEMORY.md" || g.texts["CLAUDE.md"] != "staged" || d.Git != memory.GitTracked ||
			d.OnDisk ||
			d.Commit != "" {
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
	if len(versions) != 3 || g.seen.Blobs != 3 || g.seen.Commits != 4 || versions["one"] != "CLAUDE.md "+first ||
		versions[lesson] != "a.jsonl "+first {
		t.Errorf("versions %q, seen %+v", versions, g.seen)
	}
	if d := g.docs["CLAUDE.md"]; d.CommitTime.Unix() != 1700000000 {
		t.Errorf("the time of the commit is %v", d.CommitTime)
	}
	if slices.Contains(g.seen.Uncovered, "git history") || g.left(leftOther) == 0 {
		t.Errorf("seen %+v", g.seen)
	}
}

func TestHistoryReadsMessagesOfCommitsAndTags(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"sub/CLAUDE.md": "one"})
	first := r.git("rev-parse", "HEAD")
	r.git("tag", "-a", "-m", "of a tag", "v1")
	r.git("tag", "-a", "-m", "of a tag of a tag", "v2", "v1")
	long := strings.Repeat("a line of a long message\n", 60_000) + "its end"
	tree(t, r.dir, map[string]string{"long": long})
	r.git("commit", "-q", "--allow-empty", "-F", "long")
	second := r.git("rev-parse", "HEAD")
	r.git("commit", "-q", "--allow-empty", "-m", "of a commit\n\nthat is lost")
	third := r.git("rev-parse", "HEAD")
	r.git("reset", "-q", "--hard", second)
	r.git("reflog", "expire", "--expire=now", "--all")

	tag := r.git("rev-parse", "v2")
	want := map[string]string{
		"(commit messages) " + first: "m\n", "(commit messages) " + second: long + "\n",
		"(commit messages) " + third: "of a commit\n\nthat is lost\n",
		"(tag messages) " + first:    "of a tag\n", "(tag messages) " + tag: "of a tag of a tag\n",
	}
	g := r.collect(Order{History: true})
	if !maps.Equal(g.messages, want) || len(g.seen.Failed) > 0 {
		t.Errorf("read messages of %v, failed %+v", slices.Sorted(maps.Keys(g.messages)), g.seen.Failed)
	}
	if g := r.collect(Order{History: true, Paths: []string{"sub"}}); len(g.messages) != 3 ||
		g.messages["sub/(commit messages) "+first] != "m\n" {
		t.Errorf("of a folder: read %q", g.messages)
	}
	if g := r.collect(Order{History: true, Paths: []string{"sub/CLAUDE.md"}}); len(g.messages) != 1 ||
		!slices.Contains(g.seen.Uncovered, "messages of tags") {
		t.Errorf("of a file: read %q, uncovered %q", g.messages, g.seen.Uncovered)
	}
	if g := r.collect(Order{}); len(g.messages) > 0 {
		t.Errorf("without history: read %q", g.messages)
	}
}

func TestWorkTreesOfARepositoryShareItsHistory(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"CLAUDE.md": "one"})
	r.commit(map[string]string{"CLAUDE.md": "two"})
	side := filepath.Join(r.dir, "side")
	r.git("worktree", "add", "-q", "-b", "side", side)
	tree(t, side, map[string]string{"CLAUDE.md": "staged there"})
	r.at(side, "add", "CLAUDE.md")
	g := r.collect(Order{History: true})
	if g.seen.Commits != 2 || g.seen.Blobs != 3 || g.texts["side/CLAUDE.md'"] != "staged there" {
		t.Errorf("read %q; %d commits", g.texts, g.seen.Commits)
	}
}

func TestHistoryOfAPathIsOfThatPathOnly(t *testing.T) {
	r := repository(t)
	r.commit(map[string]string{"sub/CLAUDE.md": "one", "CLAUDE.md": "top", "sub/x.txt": "named"})
	r.git("rm", "-rq", "sub")
	r.git("commit", "-qm", "gone")
	if g := r.collect(Order{History: true, Paths: []string{"sub/x.txt"}}); g.paths() != "sub/x.txt" ||
		len(g.seen.Failed) > 0 {
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
	if len(g.seen.Uncovered) != 1 || !strings.Contains(g.seen.Uncovered[0], "git fetch --unshallow") ||
		g.seen.Blobs != 1 ||
		len(g.seen.Failed) > 0 {
		t.Errorf("shallow: %+v", g.seen)
	}
	before := everything(t, filepath.Join(dir, "partial"))
	g = r.collect(Order{Dir: dir, Paths: []string{"partial"}, History: true})
	if len(g.seen.Uncovered) != 1 || g.left(leftUnfetched) != 1 || g.seen.Blobs != 1 || len(g.seen.Failed) > 0 {
		t.Errorf("partial: %+v", g.seen)
	}
	if after := everything(t, filepath.Join(dir, "partial")); after != before {
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

func TestLargeVersionIsStreamed(t *testing.T) {
	r := repository(t)
	big := strings.Repeat("0123456789abcde\n", 200_000)
	commit := r.commit(map[string]string{"memory/a.md": "a", "memory/b.md": big, "memory/c.md": "c"})
	r.git("rm", "-rq", "memory")
	g := r.collect(Order{History: true})
	for name, want := range map[string]string{"memory/a.md": "a", "memory/b.md": big, "memory/c.md": "c"} {
		if d := g.docs[name]; g.texts[name] != want || d.Commit != commit {
			t.Errorf("%s has %d bytes of %d, commit %s", name, len(g.texts[name]), len(want), d.Commit)
		}
	}
	_, err := Each(
		t.Context(),
		order(Order{Dir: r.dir, Paths: []string{"."}, History: true}),
		func(d *judge.Doc, pieces iter.Seq2[judge.Piece, error]) error {
			for range pieces {
				break // the rest is passed over
			}
			return nil
		},
	)
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

// history fast-imports commits that change two files each.
func (r *repo) history(commits int) {
	r.t.Helper()
	var in bytes.Buffer
	lines := []string{}
	for c := range commits {
		lines = append(
			lines,
			fmt.Sprintf(
				`{"lesson_id":"%d","task_summary":"a task that was done in step %d","lesson":"%s"}`,
				c,
				c*7,
				strings.Repeat("what was learnt ", 20),
			),
		)
		text := strings.Join(lines[max(0, len(lines)-100):], "\n") + "\n"
		notes := strings.Repeat(fmt.Sprintf("- a note of step %d\n", c), 60)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter n <e@e> %d +0000\ndata 1\nm\n", 1700000000+c*60)
		fmt.Fprintf(
			&in,
			"M 100644 inline a/store.jsonl\ndata %d\n%s\nM 100644 inline a/MEMORY.md\ndata %d\n%s\n",
			len(text),
			text,
			len(notes),
			notes,
		)
	}
	cmd := exec.Command("git", "-C", r.dir, "fast-import", "--quiet")
	cmd.Stdin = &in
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
}

func TestHistoryOfManyCommitsIsWhole(t *testing.T) {
	r := repository(t)
	r.history(70)
	seen, err := Each(t.Context(), order(Order{Dir: r.dir, Paths: []string{"."}, History: true}), drop)
	if seen.Commits != 70 || seen.Blobs != 140 || err != nil {
		t.Errorf("seen %+v, %v", seen, err)
	}
}
