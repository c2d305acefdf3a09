package library

import (
	"context"
	"os"
	"path/filepath"

	"winnow/core/curate"
	"winnow/core/git"
	"winnow/core/memory"
)

// around returns what lies around a file that held a secret, where else it may be.
func (l *Library) around(ctx context.Context, findings []memory.Finding) func(file string) curate.Around {
	stores := map[string]memory.StoreID{}
	for _, f := range findings {
		stores[f.File] = f.Store
	}
	known := map[string]curate.Around{}
	return func(file string) curate.Around {
		if a, ok := known[file]; ok {
			return a
		}
		a := l.inGit(ctx, file)
		if id := stores[file]; id != "" && file != "" {
			l.besideStore(ctx, id, &a)
		}
		for _, form := range l.forms {
			a.Database = a.Database || form.Database && form.Named != nil && form.Named(filepath.ToSlash(file))
		}
		known[file] = a
		return a
	}
}

// inGit returns what git knows of a file, which may have lain there only earlier.
func (l *Library) inGit(ctx context.Context, file string) (a curate.Around) {
	g, err := git.Find()
	if err != nil {
		return a
	}
	file = l.absolute(file)
	dir := filepath.Dir(file)
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
	}
	if a.Work, err = line(g.Run(ctx, dir, "rev-parse", "--show-toplevel")); err != nil {
		return curate.Around{}
	}
	name := "./" + filepath.Base(file)
	a.Git = memory.GitUntracked
	if out, err := g.Run(ctx, dir, "--literal-pathspecs", "ls-files", "--cached", "--", name); err == nil && len(out) > 0 {
		a.Git = memory.GitTracked
	} else if _, err := g.Run(ctx, dir, "check-ignore", "--quiet", "--", name); err == nil {
		a.Git = memory.GitIgnored
	}
	return a
}

// besideStore adds what the system knows of a store's surroundings.
func (l *Library) besideStore(ctx context.Context, id memory.StoreID, a *curate.Around) {
	if snap, err := l.Summary(ctx, id); err == nil {
		a.Writer = snap.Writer
	}
	s, err := l.store(id)
	if err != nil {
		return
	}
	for _, path := range s.Info().Journals {
		if _, err := os.Stat(path); err == nil {
			a.Journal = path
			return
		}
	}
}
