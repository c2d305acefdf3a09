package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
)

// versions reads what git holds of a path: its staged version, its history, or both. The path may
// no longer exist on disk.
func (r *run) versions(ctx context.Context, path string) {
	dir, rest := splitExisting(path)
	var specs []string
	if rest != "" {
		specs = []string{filepath.ToSlash(rest)}
	}
	g, err := r.git()
	if err != nil {
		r.fail(path, &memory.Problem{
			Code: codeNoGit, What: "git is not installed: what it holds was not read.", Hint: "install git",
		})
		return
	}
	if r.Staged {
		r.readStaged(ctx, g, dir, specs)
	}
	if r.History && !r.history(ctx, g, dir, specs) && ctx.Err() == nil {
		if _, err := os.Stat(path); err != nil {
			r.unread(path, fs.ErrNotExist)
		}
	}
}

// gitRepository is a repository whose versions are read.
type gitRepository struct {
	*run
	git        git.Git
	dir        string   // paths are relative to this folder
	specs      []string // the wanted paths; empty for all
	ids        *idSet
	request    func(blob)
	everything bool // everything in the repository is wanted
	bare       bool
	// partial is set for a partial clone. fetched has the versions that it holds.
	partial bool
	fetched *idSet

	logged bool // all commits were listed already, for another work tree of the repository
	found  bool
	could  map[string]bool // caches whether a path can have a form
}

// history reads every version of the files below dir, or of those in specs, that the repository
// around dir holds. It reports whether there is a repository.
func (r *run) history(ctx context.Context, g git.Git, dir string, specs []string) (found bool) {
	h := &gitRepository{run: r, git: g, dir: dir, specs: specs, could: map[string]bool{}}
	if err := h.inspect(ctx); err != nil {
		r.gitFailed(ctx, dir, err)
		return true
	}
	r.tally.setDoing("reading history")
	defer r.tally.setDoing("reading")
	r.readBlobs(ctx, g, dir, func(ask func(blob)) {
		h.request = ask
		for _, list := range []func(context.Context) error{h.listFetched, h.log, h.index, h.tags, h.listUnreachable} {
			r.gitFailed(ctx, dir, list(ctx))
		}
	})
	return h.found
}

// inspect finds out what kind of repository it is.
func (h *gitRepository) inspect(ctx context.Context) error {
	out, err := h.git.Run(
		ctx,
		h.dir,
		"rev-parse",
		"--is-bare-repository",
		"--is-shallow-repository",
		"--git-common-dir",
		"--show-cdup",
	)
	if err != nil {
		return err
	}
	bare, rest, _ := strings.Cut(string(out), "\n")
	shallow, rest, ok := strings.Cut(rest, "\n")
	if !ok {
		return errOdd
	}
	common, up := strings.TrimSuffix(rest, "\n"), ""
	if h.bare = bare == "true"; !h.bare { // without a work tree, there is no way up to its top
		i := max(0, strings.LastIndexByte(common, '\n'))
		common, up = common[:i], common[i:]
	}
	h.everything = strings.TrimSpace(up) == "" && len(h.specs) == 0
	if shallow == "true" {
		h.tally.uncover(
			fmt.Sprintf(
				"commits of %s before those that were fetched: git fetch --unshallow gets them",
				h.Short(h.dir),
			),
		)
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(h.dir, common)
	}
	if h.held[common] == nil { // histories are read one at a time
		h.held[common] = newIDSet()
	}
	h.ids = h.held[common]
	h.logged = h.ids.complete && len(h.specs) == 0
	h.ids.complete = h.ids.complete || h.everything
	out, err = h.git.Run(ctx, h.dir, "config", "--get-regexp", `^(extensions\.partialclone|remote\..*\.promisor)$`)
	if h.partial = err == nil && len(out) > 0; h.partial {
		h.tally.uncover(fmt.Sprintf("what was not fetched of %s: it is a partial clone", h.Short(h.dir)))
	}
	return ctx.Err()
}

// log lists the versions in commits, and the messages of the commits, the oldest commit first. It
// covers branches, tags, the stash and the reflog. For a merge, it lists what is in none of its
// parents.
func (h *gitRepository) log(ctx context.Context) error {
	if h.logged {
		return nil
	}
	args := []string{
		"log", "--all", "--reflog", "--reverse", "--date-order", "--full-history", "--raw", "-c", "--root",
		"-z", "--no-abbrev", "--no-renames", "--no-color", "--no-notes", "--no-show-signature", logFormat,
	}
	if !h.bare {
		args = append(args, "--relative")
	}
	args = append(args, "--")
	if args = append(args, h.specs...); !h.everything && len(h.specs) == 0 {
		args = append(args, ".")
	}
	in := rawReader{}
	in.begun = func() {
		nth := int(h.tally.commits.Add(1))
		h.message("commit", blob{id: in.commit, commit: in.commit, time: in.time, nth: nth})
	}
	in.each = func(c changed) {
		h.requestVersion(
			c.mode,
			blob{id: c.id, path: c.path, commit: in.commit, time: in.time, nth: int(h.tally.commits.Load())},
		)
	}
	return h.run.eachGitText(ctx, h.git, h.dir, in.parse, args...)
}

// index lists staged versions that are in no commit.
func (h *gitRepository) index(ctx context.Context) error {
	if h.bare {
		return nil
	}
	return h.run.eachGitText(ctx, h.git, h.dir, func(line []byte) error {
		e, err := parseListed(line)
		h.requestVersion(e.mode, blob{id: e.id, path: e.path, git: memory.GitTracked})
		return err
	}, append([]string{"ls-files", "-z", "-t", "--stage", "--cached", "--"}, h.specs...)...)
}

// message requests the message of a commit or tag.
func (h *gitRepository) message(kind string, b blob) {
	if h.ids.request(b.id) {
		b.message, b.shown = true, h.shownPath("("+kind+" messages)")
		h.request(b)
	}
}

// tags lists the messages of tags. Tags concern the repository as a whole, so the history of named
// paths skips them.
func (h *gitRepository) tags(ctx context.Context) error {
	if len(h.specs) > 0 {
		h.tally.uncover("messages of tags")
		return nil
	}
	return h.objects(ctx, func(id, kind string) {
		if kind == "tag" {
			h.message(kind, blob{id: id})
		}
	}, "for-each-ref", "--format=%(objectname) %(objecttype)")
}

// listUnreachable lists versions that no commit holds any more but that git has not deleted yet.
func (h *gitRepository) listUnreachable(ctx context.Context) error {
	if !h.everything || h.logged {
		return nil
	}
	return h.objects(ctx, func(id, kind string) {
		switch {
		case kind == "commit" || kind == "tag":
			h.message(kind, blob{id: id})
		case kind == "blob" && h.ids.add(id):
			h.request(blob{id: id, shown: "(unreachable object " + id + ")"})
		}
	}, allObjects...)
}

// listFetched records which versions a partial clone has. A request for any other would make git fetch
// it.
func (h *gitRepository) listFetched(ctx context.Context) error {
	if !h.partial {
		return nil
	}
	h.fetched = newIDSet()
	return h.objects(ctx, func(id, _ string) { h.fetched.request(id) }, allObjects...)
}

// allObjects are the arguments that make git list every object stored locally, in no order.
var allObjects = []string{"cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname) %(objecttype)"}

// objects calls fn with the name and kind of every object that git lists.
func (h *gitRepository) objects(ctx context.Context, fn func(id, kind string), args ...string) error {
	p, err := h.startGit(ctx, h.git, h.dir, args...)
	if err != nil {
		return err
	}
	return p.Each('\n', func(text []byte) error {
		if id, kind, _ := strings.Cut(string(text), " "); isID(id) {
			fn(id, kind)
		}
		return nil
	})
}

// requestVersion requests a version, unless it was requested before or its name rules it out.
func (h *gitRepository) requestVersion(mode uint32, b blob) {
	if isNull(b.id) {
		return
	}
	if mode&modeKind == modeModule {
		h.tally.uncover("the history of the submodule " + h.shownPath(b.path))
	}
	if mode&modeKind != modeFile {
		return
	}
	h.found = true
	if b.named = slices.Contains(h.specs, b.path); !b.named && h.AgentFiles && !h.mayHave(b.path) {
		h.ids.add(b.id)
		return
	}
	if !h.ids.request(b.id) {
		return
	}
	b.shown, b.path = h.shownPath(b.path), h.formPath(b.path)
	if h.fetched != nil && h.fetched.add(b.id) {
		h.tally.countSkipped(leftUnfetched, b.shown)
		return
	}
	h.request(b)
}

// mayHave caches the result of candidate for each path.
func (h *gitRepository) mayHave(path string) bool {
	const most = 1 << 16
	can, known := h.could[path]
	if !known {
		if len(h.could) > most {
			clear(h.could)
		}
		can = h.candidate(h.formPath(path)) || h.isPacked(h.formPath(path))
		h.could[path] = can
	}
	return can
}

// formPath returns the path that decides the form of a version: absolute, or relative to the
// repository if there is no work tree.
func (h *gitRepository) formPath(path string) string {
	if h.bare {
		return path
	}
	return filepath.ToSlash(h.dir) + "/" + path
}

// shownPath returns a path as shown.
func (h *gitRepository) shownPath(path string) string {
	if h.bare {
		return filepath.ToSlash(h.Short(h.dir)) + ":" + path
	}
	return filepath.ToSlash(h.Short(filepath.Join(h.dir, filepath.FromSlash(path))))
}
