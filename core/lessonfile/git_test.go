package lessonfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/git"
	"winnow/core/memory"
)

// repository creates a git repository and returns a function that runs git in it.
func repository(t *testing.T) (root string, run func(args ...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this test needs git")
	}
	root = t.TempDir()
	run = func(args ...string) {
		t.Helper()
		cmd := exec.Command(
			"git",
			append([]string{"-C", root, "-c", "user.name=n", "-c", "user.email=e@e"}, args...)...)
		cmd.Env = append(
			git.Environment(os.Environ()),
			"GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_CONFIG_SYSTEM="+os.DevNull,
		)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	run("init", "-q")
	return root, run
}

func TestGitStateIsToldAndReportedInTheHealth(t *testing.T) {
	root, git := repository(t)
	path := filepath.Join(root, "memory.jsonl")
	if err := os.WriteFile(path, lessons(3), 0o600); err != nil {
		t.Fatal(err)
	}
	at := now()
	s := Open(plain(), path, func() time.Time { return at })
	state := func(want memory.GitState) memory.Snapshot {
		t.Helper()
		snap := s.detail(t.Context(), snapshot(t, s))
		if snap.Git != want {
			t.Errorf("git state = %v, want %v", snap.Git, want)
		}
		return snap
	}
	state(memory.GitUntracked)
	git("add", "memory.jsonl")
	at = at.Add(gitAge - 1)
	state(memory.GitUntracked) // it was just asked
	at = at.Add(1)
	if snap := state(memory.GitTracked); !strings.Contains(codes(snap), "git-tracked") {
		t.Errorf("health %q, want git-tracked in it", codes(snap))
	}
	if again := snapshot(t, s); again.Git != memory.GitTracked || !strings.Contains(codes(again), "git-tracked") {
		t.Errorf("the next snapshot has forgotten what git knows: %v, %q", again.Git, codes(again))
	}
	at = at.Add(gitAge)
	git("rm", "-q", "--cached", "memory.jsonl")
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.jsonl\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	state(memory.GitIgnored)
}

func TestOutsideOfARepositoryThereIsNoGitState(t *testing.T) {
	repository(t) // skips if git is missing
	if got := gitState(t.Context(), write(t, lessons(1))); got != memory.GitNone && got != memory.GitUntracked &&
		got != memory.GitIgnored {
		t.Errorf("git state = %v, want none", got)
	}
	if got := gitState(t.Context(), filepath.Join(t.TempDir(), "gone", "memory.jsonl")); got != memory.GitUnknown {
		t.Errorf("git state in a missing folder = %v, want unknown", got)
	}
}

func TestGitIsRunOnlyWhereARepositoryCanBe(t *testing.T) {
	apart := write(t, lessons(1))
	if !outsideGit(filepath.Dir(apart)) {
		t.Skip("does not apply: the temporary folder is in a repository")
	}
	root, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	for _, err := range []error{os.MkdirAll(filepath.Join(root, "sub"), 0o700), os.WriteFile(filepath.Join(root, ".git"), nil, 0o600), os.Symlink(filepath.Join(root, "sub"), link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "") // whether git would have to run shows in the result
	for path, want := range map[string]memory.GitState{
		apart:                                 memory.GitNone,
		filepath.Join(root, "sub", "m.jsonl"): memory.GitUnknown,
		filepath.Join(link, "m.jsonl"):        memory.GitUnknown,
	} {
		if got := gitState(t.Context(), path); got != want {
			t.Errorf("git state of %s = %v, want %v", path, got, want)
		}
	}
}

func TestAskingGitRunsNothingAndChangesNothing(t *testing.T) {
	root, git := repository(t)
	path := filepath.Join(root, "memory.jsonl")
	if err := os.WriteFile(path, lessons(3), 0o600); err != nil {
		t.Fatal(err)
	}
	git("add", "memory.jsonl")
	trap := filepath.Join(root, "trap.sh")
	if err := os.WriteFile(trap, []byte("#!/bin/sh\ntouch '"+root+"/sprung'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	git("config", "core.fsmonitor", trap)
	index := filepath.Join(root, ".git", "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	if got := gitState(t.Context(), path); got != memory.GitTracked {
		t.Errorf("git state = %v, want tracked", got)
	}
	if _, err := os.Lstat(filepath.Join(root, "sprung")); err == nil {
		t.Error("a program that the repository names was run")
	}
	if after, err := os.ReadFile(index); err != nil || !slices.Equal(before, after) {
		t.Error("the index was written")
	}
}
