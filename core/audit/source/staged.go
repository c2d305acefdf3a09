package source

import (
	"context"
	"path/filepath"
	"slices"

	"winnow/core/git"
	"winnow/core/memory"
)

// readStaged reads the versions in the index that the next commit would change, below dir or in specs.
func (r *run) readStaged(ctx context.Context, g git.Git, dir string, specs []string) {
	top, err := g.Path(ctx, dir, "--absolute-git-dir")
	if err != nil {
		r.gitFailed(ctx, dir, err)
		return
	}
	g = r.index(ctx, g, top)
	h := &gitRepository{run: r, git: g, dir: dir, specs: specs, ids: newIDSet(), could: map[string]bool{}}
	r.readBlobs(ctx, g, dir, func(ask func(blob)) {
		h.request = ask
		r.gitFailed(ctx, dir, h.listDiffering(ctx))
	})
}

// listDiffering lists what differs from the last commit, or everything if there is no commit.
func (h *gitRepository) listDiffering(ctx context.Context) error {
	args := []string{
		"diff",
		"--cached",
		"--raw",
		"-z",
		"--no-abbrev",
		"--no-renames",
		"--no-ext-diff",
		"--relative",
		"--",
	}
	if args = append(args, h.specs...); len(h.specs) == 0 {
		args = append(args, ".")
	}
	in := rawReader{each: h.requestChanged}
	return h.run.eachGitText(ctx, h.git, h.dir, in.parse, args...)
}

func (h *gitRepository) requestChanged(c changed) {
	switch {
	case c.status == "U":
		h.tally.countSkipped(leftUnmerged, h.shownPath(c.path))
	case c.mode&modeKind == modeLink:
		h.tally.countSkipped(leftLink, h.shownPath(c.path))
	case c.mode&modeKind == modeModule:
		h.tally.uncover("the submodule " + h.shownPath(c.path))
	case isNull(c.id): // deleted
	case !slices.Contains(h.specs, c.path) && h.AgentFiles && !h.mayHave(c.path):
		h.tally.countSkipped(leftOther, h.shownPath(c.path))
	default:
		h.requestVersion(c.mode, blob{id: c.id, path: c.path, git: memory.GitTracked})
	}
}

// index returns git for the index of the commit in progress. It applies only to the repository around the working
// folder, because the commit is made there.
func (r *run) index(ctx context.Context, g git.Git, repository string) git.Git {
	index := git.IndexOfCommit(ctx)
	if index == "" {
		return g
	}
	if here, err := g.Path(ctx, r.Dir, "--absolute-git-dir"); err != nil || here != repository {
		return g
	}
	if !filepath.IsAbs(index) {
		index = filepath.Join(r.Dir, index)
	}
	return g.WithIndex(index)
}
