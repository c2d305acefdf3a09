package source

import (
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

// followLinks reads the files that links point to, inside the audited folders. A link that leads
// outside, or to a folder, is reported as not read.
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
			r.fail(f.path, linkOut("It is a link to a folder, and was not followed."))
		default:
			f.follow = true
			w.file(ctx, f)
		}
	}
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
