package karnevil9

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/core/peek"
)

const gitPatience = 3 * time.Second

// gitState asks git what it knows of the file at path. It changes nothing and
// runs nothing that the repository configures.
func gitState(ctx context.Context, path string) memory.GitState {
	git, err := exec.LookPath("git")
	if err != nil {
		return memory.GitUnknown
	}
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	dir, name := filepath.Split(path)

	switch code, out := runGit(ctx, git, dir, "--literal-pathspecs", "ls-files", "--cached", "--", name); {
	case code == 128 && bytes.Contains(out, []byte("not a git repository")):
		return memory.GitNone
	case code != 0: // also a repository of somebody else, which git refuses
		return memory.GitUnknown
	case len(out) > 0:
		return memory.GitTracked
	}
	switch code, _ := runGit(ctx, git, dir, "check-ignore", "--quiet", "--", "./"+name); code {
	case 0:
		return memory.GitIgnored
	case 1:
		return memory.GitUntracked
	}
	return memory.GitUnknown
}

// runGit returns the exit code, or -1 when git did not run to its end, and what
// it printed.
func runGit(ctx context.Context, git, dir string, args ...string) (code int, out []byte) {
	args = append([]string{
		"-C", dir, "--no-pager", "--no-optional-locks",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	}, args...)
	cmd := exec.CommandContext(ctx, git, args...)
	cmd.Env = gitEnv(os.Environ())
	cmd.WaitDelay = time.Second
	apart(cmd)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), out
	}
	if err != nil {
		return -1, nil
	}
	return 0, out
}

// gitEnv returns env without the variables that would make git look at another
// repository than the one around the file.
func gitEnv(env []string) []string {
	kept := make([]string, 0, len(env)+2)
	for _, kv := range env {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX":
		default:
			kept = append(kept, kv)
		}
	}
	return append(kept, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// Detail returns snap with the git state of the file and what follows from it
// for its health. It asks another program and takes some milliseconds.
func (s *Store) Detail(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
	if snap.Problem != nil && snap.Problem.Code == peek.CodeMissing {
		return snap
	}
	git := gitState(ctx, s.path)
	if ctx.Err() != nil {
		return snap
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.git = git
	if git == snap.Git {
		return snap
	}
	snap.Git = git
	if s.seen != nil && s.seen.snap.TakenAt.Equal(snap.TakenAt) {
		s.seen.report.describe(&snap)
		changed := *s.seen // the one that is there may be in use
		changed.snap.Git, changed.snap.Health = git, snap.Health
		s.seen = &changed
	}
	return snap
}

// lastGit returns the git state that Detail found last.
func (s *Store) lastGit() memory.GitState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.git
}
