package instructions

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// Product is what is particular to an agent, or a family of them, whose stores are folders of text files: those of
// projects, those of the user, and folders of memories. Find, Reads and StoresIn are those of its [system.System].
type Product struct {
	ID   memory.SystemID
	Name string // "Codex"
	// Home is where it keeps what is its own.
	Home func(env system.Env) string
	// Sort says what the store at a path is.
	Sort func(env system.Env, path string) Sort
	// Own returns the stores of the user that are there. It is asked where the home exists.
	Own func(ctx context.Context, env system.Env) (paths []string)
	// Project returns the root of the project around a folder, with links resolved, and what shows that the
	// product is used there, or nothing.
	Project func(env system.Env, dir string, installed bool) (root, why string)
	// Below are the names of files that a session is given when it works in their folder, which is below the
	// project's. In a repository they show that the product is used there, where it is installed.
	Below []string
	// Shows reports whether what lies in a folder shows a store, where nobody named it.
	Shows func(env system.Env, dir string, in Entries) bool
}

// Sort is what a store is.
type Sort struct {
	Name string // "instructions"
	// Project is the folder that sessions start in which are given its files, and empty when that can be any.
	Project string
	// Own is set for a store of the user, which is one by its path alone; ByPath where that holds for its name too.
	Own, ByPath bool
}

// Place returns the place of the store at a path.
func (p *Product) Place(env system.Env, path, why string) memory.Place {
	sort := p.Sort(env, path)
	id := memory.At(p.ID, path)
	if sort.ByPath {
		id = memory.StoreID(path)
	}
	return memory.Place{Store: id, System: p.ID, Path: path, Name: sort.Name, Project: sort.Project, Why: why}
}

// found returns the place of a store that is there.
func (p *Product) found(env system.Env, path, why string) memory.Place {
	place := p.Place(env, path, why)
	place.Exists = true
	return place
}

// Find looks for the stores of the project around the working folder and of the user.
func (p *Product) Find(ctx context.Context, env system.Env) (survey memory.Survey) {
	home := p.Home(env)
	installed := filestore.IsFolder(home)
	if env.Dir != "" {
		root, why := p.Project(env, filestore.Real(env.Dir), installed)
		if why == "" && installed && filestore.Exists(filepath.Join(root, ".git")) {
			why = FirstBelow(root, p.Below...)
		}
		if why != "" {
			survey.Found(p.found(env, root, why))
		}
		survey.Look(root, len(survey.Places), system.Say(why == "", "no instructions or settings of "+p.Name))
	}
	if !installed {
		survey.Look(home, 0, "does not exist")
		return survey
	}
	n := len(survey.Places)
	for _, path := range p.Own(ctx, env) {
		survey.Found(p.found(env, path, "the user's own"))
	}
	survey.Look(home, len(survey.Places)-n, "")
	return survey
}

// Reads reports whether the folder that a person named is a store.
func (p *Product) Reads(env system.Env, path string) (memory.Place, bool) {
	if !filestore.IsFolder(path) {
		return memory.Place{}, false
	}
	place := p.found(env, path, "named")
	if p.Sort(env, path).Own {
		return place, true
	}
	root, why := p.Project(env, filestore.Real(path), filestore.IsFolder(p.Home(env)))
	return place, why != "" && root == filestore.Real(path)
}

// StoresIn returns the store that lies in one of the folders below one that a person named.
func (p *Product) StoresIn(env system.Env, dir string, entries []fs.DirEntry) []memory.Place {
	if !p.Shows(env, dir, entries) {
		return nil
	}
	return []memory.Place{p.found(env, dir, "found below")}
}

// System returns the system of the product. Open opens the store at a path.
func (p *Product) System(open func(env system.Env, path string) system.Store) system.System {
	return system.System{
		ID: p.ID, Name: p.Name, Find: p.Find,
		StoresIn: func(dir string, entries []fs.DirEntry) []memory.Place {
			return p.StoresIn(system.ThisMachine(), dir, entries)
		},
		Reads: func(path string) (memory.Place, bool) { return p.Reads(system.ThisMachine(), path) },
		Open:  func(path string) (system.Store, error) { return open(system.ThisMachine(), path), nil },
	}
}

// Make makes s the store at an absolute path. It reads no file.
func (p *Product) Make(s *Store, env system.Env, now func() time.Time, path string) {
	s.Product, s.Env, s.Now, s.Place = p.Name, env, now, p.Place(env, path, "")
	s.Dir, s.Disk, s.NewID = filestore.Real(path), atomicfile.OS(), s.NameOf
}

// Entries are what lies in a folder.
type Entries []fs.DirEntry

// Has reports whether one is called so, and is of a type; nil is for any.
func (in Entries) Has(name string, of func(fs.FileMode) bool) bool {
	return slices.ContainsFunc(in, func(e fs.DirEntry) bool { return e.Name() == name && (of == nil || of(e.Type())) })
}

// Root returns the nearest folder from dir upwards that has one of some markers, else dir itself.
func Root(dir string, markers ...string) string {
	for _, d := range filestore.Upwards(dir, "") {
		if slices.ContainsFunc(markers, func(m string) bool { return filestore.Exists(filepath.Join(d, m)) }) {
			return d
		}
	}
	return dir
}
