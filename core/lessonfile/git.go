package lessonfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
)

const (
	gitPatience = 3 * time.Second
	// gitAge is how long its answer is reused: a command that reads a store more than once starts one git.
	gitAge = 9 * time.Second
)

// gitState asks git about the file at path. It changes nothing and runs nothing that the repository
// configures.
func gitState(ctx context.Context, path string) memory.GitState {
	if outsideGit(filepath.Dir(path)) {
		return memory.GitNone
	}
	program, err := git.Find()
	if err != nil {
		return memory.GitUnknown
	}
	ctx, cancel := context.WithTimeout(ctx, gitPatience)
	defer cancel()
	dir, name := filepath.Split(path)
	return program.FileState(ctx, dir, name)
}

// outsideGit reports whether neither a folder nor any above it has a .git, which makes running git
// unnecessary. If that cannot be determined, it returns false.
func outsideGit(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return false
	}
	_, err = os.Lstat(filepath.Join(dir, ".git"))
	return errors.Is(err, fs.ErrNotExist) && git.Root(dir) == ""
}

// detail returns snap with the git state of the file and its consequences for the health report. It
// runs another program and takes some milliseconds.
func (s *Store) detail(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
	if snap.Problem != nil && snap.Problem.Code == quietread.CodeMissing {
		return snap
	}
	s.askGit(ctx)
	if ctx.Err() != nil {
		return snap
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.git == snap.Git {
		return snap
	}
	snap.Git = s.git
	if last := s.cache; last != nil && last.snap != nil && last.snap.TakenAt.Equal(snap.TakenAt) {
		last.report.describe(&snap)
	}
	return snap
}

// askGit learns the git state of the file, unless git was just asked.
func (s *Store) askGit(ctx context.Context) {
	s.mu.Lock()
	asked := s.gitAt
	s.mu.Unlock()
	if age := s.now().Sub(asked); !asked.IsZero() && age >= 0 && age < gitAge {
		return
	}
	state := gitState(ctx, s.path)
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.git, s.gitAt = state, s.now()
	if state == memory.GitUnknown {
		s.gitAt = time.Time{} // it may have taken too long
	}
}
