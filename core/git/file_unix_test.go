//go:build unix

package git

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/core/memory"
)

// TestStateOfAFileIsWhatGitSays asks about files of every kind in one repository.
func TestStateOfAFileIsWhatGitSays(t *testing.T) {
	g, top := repository(t)
	names := "new kept also-ignored left-out taken-as-is gone-from-disk intended ignored of-info *[odd]? -dash !bang " +
		":(top) sub/new sub/ignored private/x private/kept-in own/new own/ignored"
	for name := range strings.FieldsSeq(names) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(top, name), name)
	}
	prepare(t, top, "init -q own")
	prepare(t, top, "add kept also-ignored left-out taken-as-is gone-from-disk private/kept-in")
	prepare(t, top, "commit -q -m two")
	prepare(t, top, "add -N intended")
	prepare(t, top, "update-index --skip-worktree left-out")
	prepare(t, top, "update-index --assume-unchanged taken-as-is")
	put(t, filepath.Join(top, ".gitignore"), "ignored\nalso-ignored\ngone-too\n/private/\n*.link\nfolder\n")
	put(t, filepath.Join(top, ".git", "info", "exclude"), "of-info\n")
	for _, err := range []error{
		os.Remove(filepath.Join(top, "gone-from-disk")),
		os.Symlink("new", filepath.Join(top, "link")), os.Symlink("new", filepath.Join(top, "a.link")),
		os.Symlink("sub", filepath.Join(top, "through")),
		os.MkdirAll(filepath.Join(top, "folder"), 0o700), os.Mkdir(filepath.Join(top, "plain"), 0o700),
	} {
		if err != nil {
			t.Skip(err)
		}
	}
	put(t, filepath.Join(top, "plain", "below"), "")
	for path, want := range map[string]memory.GitState{
		"new": memory.GitUntracked, "*[odd]?": memory.GitUntracked, "-dash": memory.GitUntracked,
		"!bang": memory.GitUntracked, ":(top)": memory.GitUntracked, "link": memory.GitUntracked,
		"plain": memory.GitUntracked, "missing": memory.GitUntracked,
		"sub/new": memory.GitUntracked, "through/new": memory.GitUntracked, "own/new": memory.GitUntracked,
		"own/ignored": memory.GitUntracked, // the rules of the repository around it do not go for it
		"kept":        memory.GitTracked, "also-ignored": memory.GitTracked, "left-out": memory.GitTracked,
		"taken-as-is": memory.GitTracked, "gone-from-disk": memory.GitTracked, "intended": memory.GitTracked,
		"private/kept-in": memory.GitTracked,
		"ignored":         memory.GitIgnored, "of-info": memory.GitIgnored, "a.link": memory.GitIgnored,
		"folder": memory.GitIgnored, "gone-too": memory.GitIgnored,
		"sub/ignored": memory.GitIgnored, "through/ignored": memory.GitIgnored, "private/x": memory.GitIgnored,
		".git/config": memory.GitUnknown,
	} {
		dir, name := filepath.Split(filepath.Join(top, path))
		if got := g.FileState(t.Context(), dir, name); got != want {
			t.Errorf("state of %s = %v, want %v", path, got, want)
		}
	}
}

func TestStateOfAFileInAConflictALinkedTreeAndNoRepository(t *testing.T) {
	g, top := repository(t)
	linked, apart := filepath.Join(t.TempDir(), "linked"), t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(apart)) // wherever the temporary folder is
	prepare(t, top, "worktree add -q -b other "+linked)
	prepare(t, linked, "rm -q file")
	prepare(t, linked, "commit -q -m gone")
	put(t, filepath.Join(linked, "file"), "again\n")
	put(t, filepath.Join(apart, "file"), "")
	put(t, filepath.Join(top, "file"), "changed\n")
	prepare(t, top, "commit -q -a -m changed")
	merge := exec.Command("git", "-C", top, "-c", "user.name=n", "-c", "user.email=e@e", "merge", "other")
	if out, _ := merge.CombinedOutput(); !strings.Contains(string(out), "CONFLICT") {
		t.Fatalf("no conflict: %s", out)
	}
	for dir, want := range map[string]memory.GitState{
		top: memory.GitTracked, linked: memory.GitUntracked, apart: memory.GitNone,
		filepath.Join(apart, "missing"): memory.GitUnknown,
	} {
		if got := g.FileState(t.Context(), dir, "file"); got != want {
			t.Errorf("state in %s = %v, want %v", dir, got, want)
		}
	}
	if os.Geteuid() != 0 {
		return // nobody else can give a repository away
	}
	if err := os.Chown(top, 12345, 12345); err != nil {
		t.Skip(err)
	}
	if got := g.FileState(t.Context(), top, "file"); got != memory.GitUnknown {
		t.Errorf("state in a repository of another user = %v, want unknown", got)
	}
}

// TestFileThatGitDoesNotListIsNotTakenForIgnored: git lists nothing for it, and no rule ignores it.
func TestFileThatGitDoesNotListIsNotTakenForIgnored(t *testing.T) {
	g, top := repository(t)
	put(t, filepath.Join(top, "Memory.jsonl"), "")
	prepare(t, top, "add Memory.jsonl")
	prepare(t, top, "config core.ignorecase true")
	if err := os.Rename(filepath.Join(top, "Memory.jsonl"), filepath.Join(top, "memory.jsonl")); err != nil {
		t.Fatal(err)
	}
	if got := g.FileState(t.Context(), top, "memory.jsonl"); got != memory.GitUntracked {
		t.Errorf("state of a file that the index spells otherwise = %v", got)
	}
	if err := os.Mkdir(filepath.Join(top, "module"), 0o700); err != nil {
		t.Fatal(err)
	}
	prepare(t, top, "update-index --add --cacheinfo 160000,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,module")
	put(t, filepath.Join(top, "module", "file"), "")
	if got := g.FileState(t.Context(), filepath.Join(top, "module"), "file"); got != memory.GitUnknown {
		t.Errorf("state of a file in a submodule that was not fetched = %v", got)
	}
	apart := t.TempDir()
	prepare(t, top, "config core.worktree "+apart)
	if got := g.FileState(t.Context(), top, "memory.jsonl"); got == memory.GitIgnored {
		t.Errorf("state of a file outside the work tree = %v", got)
	}
}

// TestStateOfAFileIsNotHeldUpByAPipeBesideIt: git reads the rules of a folder whose name begins as the file's does.
func TestStateOfAFileIsNotHeldUpByAPipeBesideIt(t *testing.T) {
	g, top := repository(t)
	put(t, filepath.Join(top, "notes"), "")
	if err := os.Mkdir(filepath.Join(top, "notes.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(top, "notes.d", "kept"), "")
	prepare(t, top, "add notes.d/kept")
	if err := syscall.Mkfifo(filepath.Join(top, "notes.d", ".gitignore"), 0o600); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if got := g.FileState(ctx, top, "notes"); got != memory.GitUntracked {
		t.Errorf("state = %v, %v", got, ctx.Err())
	}
}

// TestStateOfAFileStartsOneGit counts the programs, since each takes as long as all else that a command does. A file
// that is not listed takes a second one.
func TestStateOfAFileStartsOneGit(t *testing.T) {
	g, top := repository(t)
	put(t, filepath.Join(top, "new"), "")
	put(t, filepath.Join(top, "ignored"), "")
	put(t, filepath.Join(top, ".gitignore"), "ignored\n")
	log, counting := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "git")
	put(t, counting, "#!/bin/sh\nprintf x >>'"+log+"'\nexec '"+g.program+"' \"$@\"\n")
	g.program = counting
	for _, name := range []string{"file", "new", "ignored"} {
		if got := g.FileState(t.Context(), top, name); got < memory.GitIgnored {
			t.Errorf("state of %s = %v", name, got)
		}
	}
	if started, err := os.ReadFile(log); err != nil || len(started) != 4 {
		t.Errorf("%d gits were started for three files, %v", len(started), err)
	}
}
