package instructions

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// tree makes files below a new folder, and returns the folder.
func tree(t *testing.T, paths ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBelowFindsTheNearestFirstAndFollowsNoLink(t *testing.T) {
	dir := tree(t, "a/b/c/AGENTS.md", "z/AGENTS.md", "AGENTS.md", ".hidden/AGENTS.md", "build/AGENTS.md",
		"node_modules/x/AGENTS.md", ".git/AGENTS.md", ".claude/worktrees/w/AGENTS.md", "z/other.md")
	if err := os.Symlink(dir, filepath.Join(dir, "a", "loop")); err != nil {
		t.Fatal(err)
	}
	got := Below(t.Context(), dir, 1000, WantNames("AGENTS.md"))
	want := []string{"AGENTS.md", ".hidden/AGENTS.md", "build/AGENTS.md", "z/AGENTS.md", "a/b/c/AGENTS.md"}
	if !slices.Equal(got.Paths, want) || got.Gap != "" {
		t.Errorf("found %q, not searched %q; want %q", got.Paths, got.Gap, want)
	}
}

func TestBelowSaysWhatItDidNotSearch(t *testing.T) {
	var paths []string
	for i := range 30 {
		paths = append(paths, fmt.Sprintf("many/%02d", i))
	}
	dir := tree(t, append(paths, "z/deep/AGENTS.md")...)
	got := Below(t.Context(), dir, 10, WantNames("AGENTS.md"))
	if len(got.Paths) != 0 || got.Gap != "folders past the first 10 entries" {
		t.Errorf("found %q, not searched %q", got.Paths, got.Gap)
	}
}

func TestBelowTakesTheRestFromGitsIndex(t *testing.T) {
	var paths []string
	for i := range 30 {
		paths = append(paths, fmt.Sprintf("many/%02d", i))
	}
	dir := tree(t, append(paths, "z/deep/AGENTS.md", "z/deep/.claude/rules/r.md", "z/gone/AGENTS.md")...)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v, %s", args, err, out)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "z", "gone")); err != nil {
		t.Fatal(err)
	}
	names := WantNames("AGENTS.md")
	got := Below(t.Context(), dir, 10, func(rel string, isDir bool) bool {
		return names(rel, isDir) || isDir && filepath.Base(rel) == ".claude"
	})
	want := []string{"z/deep/.claude", "z/deep/AGENTS.md"}
	if !slices.Equal(got.Paths, want) || got.Gap != "what git does not track, past the first 10 entries" {
		t.Errorf("found %q, not searched %q; want %q", got.Paths, got.Gap, want)
	}
}
