package fix

import (
	"context"
	"os"
	"path/filepath"

	"winnow/core/curate"
	"winnow/core/git"
	"winnow/core/memory"
)

// around returns a function that describes a file's surroundings, where its secrets may be too: git, a
// journal, a database.
func (x *Fixer) around(ctx context.Context, findings []memory.Finding) func(file string) curate.Around {
	stores := map[string]memory.StoreID{}
	for _, f := range findings {
		stores[f.File] = f.Store
	}
	known := map[string]curate.Around{}
	return func(file string) curate.Around {
		if a, ok := known[file]; ok {
			return a
		}
		a := x.inGit(ctx, file)
		if id := stores[file]; id != "" && file != "" {
			x.besideStore(ctx, id, &a)
		}
		for _, form := range x.forms {
			a.Database = a.Database || form.Database && form.Named != nil && form.Named(filepath.ToSlash(file))
		}
		known[file] = a
		return a
	}
}

// inGit returns what git knows about a file, even one that no longer exists.
func (x *Fixer) inGit(ctx context.Context, file string) (a curate.Around) {
	g, err := git.Find()
	if err != nil {
		return a
	}
	file = x.lib.Absolute(file)
	dir := filepath.Dir(file)
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
	}
	if a.Work, err = g.Path(ctx, dir, "--show-toplevel"); err != nil {
		return curate.Around{}
	}
	a.Git = g.FileState(ctx, dir, filepath.Base(file))
	if a.Git == memory.GitUnknown {
		a.Git = memory.GitUntracked // so that its history is named as a place to look at
	}
	return a
}

// besideStore adds what the system knows about a store's surroundings: its writer and its journal.
func (x *Fixer) besideStore(ctx context.Context, id memory.StoreID, a *curate.Around) {
	if snap, err := x.lib.Counts(ctx, id); err == nil {
		a.Writer = snap.Writer
	}
	for _, path := range x.lib.Info(id).Journals {
		if _, err := os.Stat(path); err == nil {
			a.Journal = path
			return
		}
	}
}
