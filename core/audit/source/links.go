package source

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/system"
)

// links are symbolic links with the names of memory files. They are followed last, so that a file
// is reported by its own name if it has one.
type links struct {
	mu    sync.Mutex
	found []file
	roots []string // the audited folders and the work trees around them
}

// addRoot adds an audited folder.
func (l *links) addRoot(dir string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.roots = append(l.roots, dir)
	if top := git.Root(dir); top != "" {
		l.roots = append(l.roots, top)
	}
}

// rootOf returns an audited folder that contains a path, or "".
func (l *links) rootOf(path string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, root := range l.roots {
		if strings.HasPrefix(path, root+string(filepath.Separator)) {
			return root
		}
	}
	return ""
}

// within returns the path of a file in its repository or the audited folder.
func (w *worker) within(f file) string {
	dir := cmp.Or(f.root, w.links.rootOf(f.path), filepath.Dir(f.path))
	rel, err := filepath.Rel(cmp.Or(git.Root(dir), dir), f.path)
	if err != nil {
		return filepath.Base(f.path)
	}
	return rel
}

// link records a symbolic link to follow later. It skips links whose name is not one of a memory.
func (r *run) link(f file) {
	path := filepath.ToSlash(f.path)
	if !r.AllText && !r.isNamed(path) && !r.isNamed(path+"/x.md") {
		r.countSkipped(leftLink, f.path)
		return
	}
	r.links.mu.Lock()
	defer r.links.mu.Unlock()
	r.links.found = append(r.links.found, f)
}

// isNamed reports whether a file has a name that agents read or write.
func (r *run) isNamed(path string) bool {
	return slices.ContainsFunc(r.Forms, func(f system.Form) bool { return f.Named != nil && !f.Both && f.Named(path) })
}

// followLinks reads the files and folders that links point to, inside the audited folders. A link that
// leads outside is reported as not read.
func (r *run) followLinks(ctx context.Context) {
	slices.SortFunc(r.links.found, func(a, b file) int { return strings.Compare(a.path, b.path) })
	w := &worker{run: r}
	for _, f := range r.links.found {
		if ctx.Err() != nil {
			return
		}
		target, err := filepath.EvalSymlinks(f.path)
		info, statErr := os.Stat(f.path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.countSkipped(leftNowhere, f.path)
		case err != nil || statErr != nil:
			r.unread(f.path, errors.Join(err, statErr))
		case !r.links.inside(target):
			r.fail(f.path, linkOut("It is a link that leads out of what was audited, and was not followed."))
		case info.IsDir():
			r.linkedFolder(ctx, w, f, target)
		default:
			f.follow = true
			w.file(ctx, f)
		}
	}
}

// linkedFolder reads the files below a folder that a link leads to whose names, under that of the link,
// are those of agents. A file that was read for secrets by its own name is read again for the rest.
func (r *run) linkedFolder(ctx context.Context, w *worker, link file, target string) {
	r.eachFile(ctx, target, func(string) bool { return true }, func(path string, mode fs.FileMode) {
		rel, err := filepath.Rel(target, path)
		if named := filepath.Join(link.path, rel); err == nil && mode.IsRegular() &&
			r.candidate(filepath.ToSlash(named)) {
			w.file(ctx, file{path: named, git: link.git, follow: true})
		}
	})
}

// inside reports whether a path without links is inside the audited folders.
func (l *links) inside(path string) bool {
	return slices.ContainsFunc(l.roots, func(root string) bool {
		real, err := filepath.EvalSymlinks(root)
		if err != nil {
			return false
		}
		rel, err := filepath.Rel(real, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

func linkOut(what string) *memory.Problem {
	return &memory.Problem{Code: "link", What: what, Hint: "audit what it leads to by its own path"}
}
