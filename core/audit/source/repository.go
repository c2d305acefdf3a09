package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"winnow/core/git"
	"winnow/core/memory"
)

// Codes of the problems with a repository.
const (
	codeGit     = "git"
	codeNoGit   = "git-missing"
	codeOwner   = "git-owner"
	codeNoRepo  = "git-none"
	codeOutside = "git-path"
)

// repository reads the files of a work tree below dir that would be shared, and its history if
// wanted. If git fails, the files are read anyway.
func (r *run) repository(ctx context.Context, dir string) {
	g, err := r.git()
	if err != nil {
		r.fail(dir, &memory.Problem{
			Code: codeNoGit, What: "This is a git repository, and git is not installed: what it ignores was read too.",
			Hint: "install git, or audit a copy without the folder .git",
		})
		r.walk(ctx, dir, memory.GitUnknown)
		return
	}
	var beside sync.WaitGroup
	if r.History {
		beside.Go(func() { r.catchPanic(func() { r.history(ctx, g, dir, nil) }) })
	} else {
		r.tally.uncover("git history")
	}
	nested, err := r.shared(ctx, g, dir)
	if err == nil {
		err = r.readIgnored(ctx, g, dir)
	}
	if err != nil && ctx.Err() == nil {
		state := memory.GitUnknown
		if isNoRepository(err) { // .git is something else
			state = memory.GitNone
		} else {
			r.fail(dir, gitProblem(err, dir))
		}
		r.walk(ctx, dir, state)
	}
	beside.Wait()
	for _, n := range nested {
		r.repository(ctx, n)
	}
}

// shared reads files that are tracked or not ignored. It returns the nested repositories, whose
// content git does not list.
func (r *run) shared(ctx context.Context, g git.Git, dir string) (nested []string, err error) {
	last := ""
	err = r.eachGitText(ctx, g, dir, func(line []byte) error {
		e, err := parseListed(line)
		if err != nil {
			return err
		}
		path, ok := locationOf(dir, strings.TrimSuffix(e.path, "/"))
		switch {
		case !ok:
			r.noteOutside(dir)
		case e.stage > '1' && path == last: // another side of a conflict
		case e.mode&modeKind == modeModule && !holdsGit(path):
			r.countSkipped(leftModule, path)
		case e.mode&modeKind == modeModule, e.other && strings.HasSuffix(e.path, "/"):
			nested = append(nested, path)
		case e.mode&modeKind == modeLink:
			r.link(file{path: path, git: memory.GitTracked})
		default:
			state := memory.GitTracked
			if e.other {
				state = memory.GitUntracked
			}
			r.jobs <- r.read(file{path: path, git: state, root: dir})
		}
		last = path
		return nil
	}, "ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard")
	return nested, err
}

// readIgnored counts the files that git ignores, or reads them if wanted.
func (r *run) readIgnored(ctx context.Context, g git.Git, dir string) error {
	return r.eachGitText(ctx, g, dir, func(line []byte) error {
		path, ok := locationOf(dir, strings.TrimSuffix(string(line), "/"))
		isDir := strings.HasSuffix(string(line), "/")
		switch {
		case !ok:
			r.noteOutside(dir)
		case r.Sharing == memory.SharedAndIgnored && isDir:
			r.walk(ctx, path, memory.GitIgnored)
		case r.Sharing == memory.SharedAndIgnored:
			r.jobs <- r.read(file{path: path, git: memory.GitIgnored, root: dir})
		case isDir:
			r.jobs <- func(ctx context.Context, _ *worker) { r.countIgnored(ctx, path) }
		default:
			r.countSkipped(leftIgnored, path)
			if r.onlyTracked(path) {
				r.tally.uncover(r.Short(path) + ", which git ignores")
			}
		}
		return nil
	}, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
}

// eachGitText runs git and calls fn for every NUL-terminated text in its output. It records complaints that
// do not make git fail.
func (r *run) eachGitText(
	ctx context.Context,
	g git.Git,
	dir string,
	fn func(text []byte) error,
	args ...string,
) error {
	p, err := r.startGit(ctx, g, dir, args...)
	if err == nil {
		err = p.Each(0, fn)
	}
	if err == nil {
		r.noteComplaints(dir, p.Said())
	}
	return err
}

func (r *run) startGit(ctx context.Context, g git.Git, dir string, args ...string) (*git.Process, error) {
	return g.Start(ctx, dir, false, append([]string{"--literal-pathspecs"}, args...)...)
}

// noteComplaints records what git complained about without failing: folders that it cannot read.
func (r *run) noteComplaints(dir, stderr string) {
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if line == "" || strings.Contains(line, "references pruned commits") || strings.HasPrefix(line, "hint:") {
			continue
		}
		r.fail(dir, &memory.Problem{
			Code: codeGit,
			What: "git could not look at all of it: " + line + ".",
			Hint: "mend what git names, and audit again",
		})
	}
}

func (r *run) noteOutside(dir string) {
	r.fail(dir, &memory.Problem{
		Code: codeOutside, What: "The repository lists a path that leads out of it, which was not followed.",
		Hint: "do not trust this repository; git fsck may tell more",
	})
}

func isNoRepository(err error) bool {
	f := (*git.Failure)(nil)
	return errors.As(err, &f) &&
		(strings.Contains(f.Said, "not a git repository") || strings.Contains(f.Said, "must be run in a work tree"))
}

func noRepository() *memory.Problem {
	return &memory.Problem{
		Code: codeNoRepo, What: "This is not in a git repository: there is no history and nothing is staged.",
		Hint: "name a folder of a repository, or leave the flag out",
	}
}

// gitFailed records that git failed for a folder, unless the audit was stopped.
func (r *run) gitFailed(ctx context.Context, dir string, err error) {
	if err != nil && ctx.Err() == nil {
		r.fail(dir, gitProblem(err, dir))
	}
}

// gitProblem explains why git failed for a folder.
func gitProblem(err error, dir string) *memory.Problem {
	f := (*git.Failure)(nil)
	switch {
	case !errors.As(err, &f):
		return &memory.Problem{
			Code: codeGit,
			What: "The answer of git cannot be read: " + err.Error() + ".",
			Hint: "run git fsck in the repository",
		}
	case f.Lost() != "":
		return &memory.Problem{
			Code: codeNoRepo,
			What: "git finds no repository here, so there is no history and nothing is staged: the file .git names " + f.Lost() + ", which is not there.",
			Hint: git.FindLost,
		}
	case isNoRepository(err):
		return noRepository()
	case strings.Contains(f.Said, "dubious ownership"), strings.Contains(f.Said, "unsafe repository"):
		return &memory.Problem{
			Code: codeOwner, What: "git does not look at this repository: it belongs to another user.",
			Hint: "git config --global --add safe.directory " + memory.ShellPath(git.Root(dir)) + ", if you trust it",
		}
	}
	hint := "run git fsck in the repository"
	if f.Endless() {
		hint = "remove it, or put a file in its place"
	}
	return &memory.Problem{
		Code: codeGit,
		What: fmt.Sprintf("git cannot look at the repository: %s.", f.Line()),
		Hint: hint,
	}
}

// named reads the named files, with their state in git.
func (r *run) named(ctx context.Context, paths []string) {
	byTop := map[string][]string{}
	var tops []string
	for _, p := range paths {
		top := git.Root(filepath.Dir(p))
		if byTop[top] == nil {
			tops = append(tops, top)
		}
		byTop[top] = append(byTop[top], p)
	}
	for _, top := range tops {
		known, other := r.states(ctx, top, byTop[top])
		for _, p := range byTop[top] {
			state, ok := known[p]
			if !ok {
				state = other
			}
			r.jobs <- r.read(file{path: p, git: state, named: true})
		}
		if r.History {
			for _, p := range byTop[top] {
				r.versions(ctx, p)
			}
		} else if top != "" {
			r.tally.uncover("git history")
		}
	}
}

// states returns the git state of files in one work tree, and the state of all files that git does
// not list.
func (r *run) states(
	ctx context.Context,
	top string,
	paths []string,
) (known map[string]memory.GitState, other memory.GitState) {
	if top == "" {
		return nil, memory.GitNone
	}
	g, err := r.git()
	if err != nil {
		return nil, memory.GitUnknown
	}
	known = map[string]memory.GitState{}
	const most = 100 // names in one command line
	for ; len(paths) > 0; paths = paths[min(most, len(paths)):] {
		args := []string{"ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard", "--"}
		err := r.eachGitText(ctx, g, top, func(line []byte) error {
			e, err := parseListed(line)
			known[filepath.Join(top, filepath.FromSlash(e.path))] = memory.GitTracked
			if e.other {
				known[filepath.Join(top, filepath.FromSlash(e.path))] = memory.GitUntracked
			}
			return err
		}, append(args, paths[:min(most, len(paths))]...)...)
		if err != nil {
			return nil, memory.GitUnknown
		}
	}
	return known, memory.GitIgnored
}

// splitExisting splits a path that may no longer exist into its deepest existing folder and the rest.
func splitExisting(path string) (dir, rest string) {
	dir = path
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			rest, _ = filepath.Rel(dir, path) // cannot fail: dir is a prefix of the path
			if rest == "." {
				rest = ""
			}
			return dir, rest
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir, ""
		}
		dir = up
	}
}
