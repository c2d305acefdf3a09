package past

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"winnow/core/problems"
)

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	asWho := []string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath="}
	cmd := exec.Command("git", append(asWho, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// repository returns a folder with one committed file, and the folder around it.
func repository(t *testing.T) (around, dir string) {
	t.Helper()
	around, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(around, "private")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, "secret-name.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-qm", "one")
	return around, dir
}

func TestRepositoryOfAnotherFolderIsNotAsked(t *testing.T) {
	around, private := repository(t)
	elsewhere := filepath.Join(private, ".git")
	for name, make := range map[string]func(dir string) error{
		"a file .git": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+elsewhere+"\n"), 0o600)
		},
		"a link .git": func(dir string) error { return os.Symlink(elsewhere, filepath.Join(dir, ".git")) },
		"a folder .git whose commondir is elsewhere": func(dir string) error {
			if err := os.CopyFS(filepath.Join(dir, ".git"), os.DirFS(elsewhere)); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, ".git", "commondir"), []byte(elsewhere+"\n"), 0o600)
		},
		"a folder .git whose work tree is elsewhere": func(dir string) error {
			settings := "[core]\nrepositoryformatversion = 0\nworktree = " + filepath.ToSlash(private) + "\n"
			if err := os.CopyFS(filepath.Join(dir, ".git"), os.DirFS(elsewhere)); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, ".git", "config"), []byte(settings), 0o600)
		},
	} {
		dir := filepath.Join(around, "came", name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := make(dir); err != nil {
			t.Skip(err)
		}
		if r, err := Open(t.Context(), dir); err == nil {
			t.Errorf("%s: files of another repository were read: %v", name, r.Files)
		}
	}
}

func TestLinkedWorkTreeAndSubmoduleAreAsked(t *testing.T) {
	around, main := repository(t)
	linked, sub := filepath.Join(around, "linked"), filepath.Join(main, "sub")
	runGit(t, main, "worktree", "add", "-q", linked)
	runGit(t, main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "sub")
	for _, dir := range []string{main, linked, sub} {
		r, err := Open(t.Context(), dir)
		if err != nil || !slices.Contains(r.Files, "secret-name.go") {
			t.Errorf("%s: %+v, %v", dir, r, err)
		}
	}
}

func TestAnswersThatWereKeptInPartAreAskedAgain(t *testing.T) {
	_, dir := repository(t)
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	known := Known{Head: r.Head, Fates: map[string]problems.Fate{"secret-name.go": {Commit: "odd"}}}
	q := problems.Question{
		Names:    []string{"secret-name.go", "gone.go"},
		Patterns: map[string]func(string) bool{"*.go": func(string) bool { return true }},
	}
	asked, err := r.Answer(t.Context(), q, &known)
	if err != nil || !asked || known.Fates["secret-name.go"].Commit != "" {
		t.Errorf("asked %v, %v: %+v", asked, err, known)
	}
}

// TestRepositoryWithoutACommitHasFilesAndNoHead also has a file with the name of the revision that Open
// asks git for.
func TestRepositoryWithoutACommitHasFilesAndNoHead(t *testing.T) {
	around, main := repository(t)
	empty := filepath.Join(around, "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	runGit(t, empty, "init", "-q")
	for _, name := range []string{"", "HEAD^{commit}"} {
		want := []string(nil)
		if name != "" {
			want = []string{name}
			if err := os.WriteFile(filepath.Join(empty, name), nil, 0o600); err != nil {
				t.Skip(err)
			}
		}
		r, err := Open(t.Context(), empty)
		if err != nil || r.Head != "" || !slices.Equal(r.Files, want) {
			t.Errorf("with %q: %+v, %v", name, r, err)
		}
	}
	shallow := filepath.Join(around, "shallow")
	runGit(t, around, "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(main), shallow)
	r, err := Open(t.Context(), shallow)
	if err != nil || len(r.Head) != 40 || !r.Shallow {
		t.Errorf("a clone that was cut: %+v, %v", r, err)
	}
	if r, err = Open(t.Context(), main); err != nil || len(r.Head) != 40 || r.Shallow {
		t.Errorf("a whole repository: %+v, %v", r, err)
	}
}

func TestFolderWithALineBreakIsNotAsked(t *testing.T) {
	around, _ := repository(t)
	dir := filepath.Join(around, "two\nlines")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Skip(err)
	}
	runGit(t, dir, "init", "-q")
	if r, err := Open(t.Context(), dir); err == nil || err.Error() != "its path has a line break" {
		t.Errorf("%+v, %v", r, err)
	}
}
