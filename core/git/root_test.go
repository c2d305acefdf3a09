package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"winnow/core/git"
)

func TestRootOfAWorkTreeIsItsOwnAndTheMainRootIsThatOfTheFirst(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here:", err)
	}
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	for _, args := range [][]string{
		{"init", "-q", first},
		{"-C", first, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x"},
		{"-C", first, "worktree", "add", "-q", second},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	below := filepath.Join(second, "a", "b")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := git.Root(below); got != second {
		t.Errorf("Root = %q, want %q", got, second)
	}
	if got := git.MainRoot(below); got != first {
		t.Errorf("MainRoot = %q, want %q", got, first)
	}
	if got := git.MainRoot(first); got != first {
		t.Errorf("MainRoot = %q, want %q", got, first)
	}
	for _, in := range []string{first, below} {
		if got := git.WorkTrees(in); !slices.Equal(got, []string{first, second}) {
			t.Errorf("WorkTrees of %s = %q", in, got)
		}
	}
	if err := os.Remove(filepath.Join(second, ".git")); err != nil {
		t.Fatal(err)
	}
	if got := git.WorkTrees(first); !slices.Equal(got, []string{first}) {
		t.Errorf("WorkTrees = %q, with one that does not name its repository", got)
	}
	if got := git.MainRoot(dir); got != "" {
		t.Errorf("MainRoot outside = %q, want nothing", got)
	}
}
