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

// Product describes an agent, or a family of agents, whose stores are folders of text files: those
// of projects, those of the user, and folders of memories. Find, Reads and StoresIn implement the
// functions of the same names in [system.System].
type Product struct {
	ID   memory.SystemID
	Name string // "Codex"
	// Home returns the folder in which the product keeps its own files.
	Home func(env system.Env) string
	// Sort returns what the store at a path is.
	Sort func(env system.Env, path string) Sort
	// Own returns the user's stores that exist. It is called only if the home folder exists.
	Own func(ctx context.Context, env system.Env) (paths []string)
	// Project returns the root of the project around a folder, with links resolved. why is what
	// shows that the product is used there, or "".
	Project func(env system.Env, dir string, installed bool) (root, why string)
	// Below returns the names of files that a session is given when it works in their folder, below the
	// root of a project, and that show that an installed product is used there. It may be nil.
	Below func(env system.Env, root string) []string
	// Shows reports whether the contents of a folder that nobody named show that it is a store.
	Shows func(env system.Env, dir string, in Entries) bool
}

// Sort is what a store is.
type Sort struct {
	Name string // "instructions"
	// Project is the folder in which the sessions that get its files start. It is empty if that can
	// be any folder.
	Project string
	// Own is set for a store of the user: its path alone makes it one. ByPath is set if the path is
	// also its store ID, without the system's name.
	Own, ByPath bool
	// Personal is set if the store is in the user's home folder of the product, or the environment names
	// it; see [memory.Place].
	Personal bool
}

// place returns the place of the store at a path.
func (p *Product) place(env system.Env, path, why string) memory.Place {
	sort := p.Sort(env, path)
	id := memory.At(p.ID, path)
	if sort.ByPath {
		id = memory.StoreID(path)
	}
	return memory.Place{
		Store:    id,
		System:   p.ID,
		Path:     path,
		Name:     sort.Name,
		Project:  sort.Project,
		Why:      why,
		Personal: sort.Personal,
	}
}

// placeOf returns the place of a store that exists.
func (p *Product) placeOf(env system.Env, path, why string) memory.Place {
	place := p.place(env, path, why)
	place.Exists = true
	return place
}

// Find looks for the store of the project around the working folder and for the user's stores.
func (p *Product) Find(ctx context.Context, env system.Env) (survey memory.Survey) {
	home := p.Home(env)
	installed := filestore.IsFolder(home)
	if env.Dir != "" {
		root, why := p.Project(env, filestore.Real(env.Dir), installed)
		if why == "" && installed && p.Below != nil {
			why = FirstBelow(ctx, root, p.Below(env, root)...)
		}
		if why != "" {
			survey.Found(p.placeOf(env, root, why))
		}
		survey.Look(root, len(survey.Places), system.Say(why == "", "no instructions or settings of "+p.Name))
	}
	if !installed {
		survey.Look(home, 0, "does not exist")
		return survey
	}
	n := len(survey.Places)
	for _, path := range p.Own(ctx, env) {
		survey.Found(p.placeOf(env, path, "the user's own"))
	}
	survey.Look(home, len(survey.Places)-n, "")
	return survey
}

// reads reports whether the folder that a person named is a store.
func (p *Product) reads(env system.Env, path string) (memory.Place, bool) {
	if !filestore.IsFolder(path) {
		return memory.Place{}, false
	}
	place := p.placeOf(env, path, "named")
	if p.Sort(env, path).Own {
		return place, true
	}
	root, why := p.Project(env, filestore.Real(path), filestore.IsFolder(p.Home(env)))
	return place, why != "" && root == filestore.Real(path)
}

// StoresIn returns the store in a folder that lies below one that a person named.
func (p *Product) StoresIn(env system.Env, dir string, entries []fs.DirEntry) []memory.Place {
	if !p.Shows(env, dir, entries) {
		return nil
	}
	return []memory.Place{p.placeOf(env, dir, "found below")}
}

// System returns the product's system on a machine. open opens the store at a path.
func (p *Product) System(machine system.Env, open func(path string) system.Store) system.System {
	return system.System{
		ID: p.ID, Name: p.Name, Find: p.Find,
		StoresIn: func(dir string, entries []fs.DirEntry) []memory.Place {
			return p.StoresIn(machine, dir, entries)
		},
		Reads: func(path string) (memory.Place, bool) { return p.reads(machine, path) },
		Open:  func(path string) (system.Store, error) { return open(path), nil },
	}
}

// Make initializes s as the store at an absolute path. It reads no file.
func (p *Product) Make(s *Store, env system.Env, now func() time.Time, path string) {
	s.Product, s.Env, s.Now, s.Place = p.Name, env, now, p.place(env, path, "")
	s.Dir, s.Disk, s.NewID = filestore.Real(path), atomicfile.OS(), s.NameOf
}

// Entries are the entries of a folder.
type Entries []fs.DirEntry

// Has reports whether there is an entry of that name and type. A nil of accepts any type.
func (in Entries) Has(name string, of func(fs.FileMode) bool) bool {
	return slices.ContainsFunc(in, func(e fs.DirEntry) bool { return e.Name() == name && (of == nil || of(e.Type())) })
}

// Root returns the nearest folder from dir upwards that contains one of the markers, or dir itself.
func Root(dir string, markers ...string) string {
	for _, d := range filestore.Upwards(dir, "") {
		if slices.ContainsFunc(markers, func(m string) bool { return filestore.Exists(filepath.Join(d, m)) }) {
			return d
		}
	}
	return dir
}
