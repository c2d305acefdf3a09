package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Find looks where the systems keep their stores on this machine.
func (l *Library) Find(ctx context.Context) memory.Survey { return l.FindOn(ctx, l.env) }

// FindOn looks where the systems keep their stores in an environment.
func (l *Library) FindOn(ctx context.Context, env system.Env) memory.Survey {
	var all memory.Survey
	env.Alone = true
	for i := range l.systems {
		found := findBy(ctx, &l.systems[i], env)
		env.Alone = env.Alone && !hasProject(&l.systems[i], found, env.Dir)
		l.merge(&all, found)
	}
	for i := range all.Places {
		p := &all.Places[i]
		p.Surrounds = p.Project != "" && git.Surrounds(p.Project, env.Dir)
	}
	return all
}

// findQuestion is the key of what a system found in an environment that is the library's but for these.
type findQuestion struct {
	system      memory.SystemID
	dir         string
	here, alone bool
}

// findBy looks where a system keeps its stores: once in a context of [system.Remember].
func findBy(ctx context.Context, k *system.System, env system.Env) memory.Survey {
	key := findQuestion{k.ID, env.Dir, env.Here, env.Alone}
	return system.Once(ctx, key, func() memory.Survey { return k.Find(ctx, env) })
}

// hasProject reports whether a system that says what its agents read has a store of the project around a
// folder.
func hasProject(k *system.System, found memory.Survey, dir string) bool {
	return k.Sources != nil && slices.ContainsFunc(found.Places, func(p memory.Place) bool {
		return p.Exists && p.Project != "" && UsedIn(dir, &p)
	})
}

// FindIn returns the stores at paths. If a path is a folder that is no store, it looks for stores below it.
// Relative paths start at the working folder of the environment. The prefix SYSTEM: limits a path to that
// system.
func (l *Library) FindIn(ctx context.Context, paths []string) memory.Survey {
	var all memory.Survey
	for _, path := range paths {
		only, path := system.SplitName(l.systems, path)
		path = l.Absolute(path)
		l.name(path)
		info, err := os.Stat(path)
		known := l.stores(path, only)
		if len(known.Places) == 0 && only == "" {
			known = l.served(path)
		}
		if len(known.Places) == 0 && (only != "" || err == nil && !info.IsDir()) {
			known = l.placeOf(ctx, path, cmp.Or(only, l.looksLike(path)))
		}
		if len(known.Places) == 0 && only == "" && err == nil &&
			(info.IsDir() || filepath.Ext(path) != ".jsonl" && l.looksLike(path) == "") {
			known = l.storesAt(ctx, path)
		}
		switch {
		case len(known.Places) > 0:
			l.merge(&all, known)
		case err != nil || !info.IsDir():
			l.merge(&all, l.survey(path, only, err == nil))
		default:
			l.findBelow(ctx, &all, path, only)
		}
	}
	return all
}

// stores returns the stores that systems recognize in a file or folder.
func (l *Library) stores(path string, only memory.SystemID) (s memory.Survey) {
	for i := range l.systems {
		k := &l.systems[i]
		if k.Reads == nil || only != "" && k.ID != only {
			continue
		}
		if p, ok := k.Reads(path); ok {
			_, err := os.Lstat(path)
			p.System, p.Exists = k.ID, err == nil
			if p.Why == "" {
				p.Why = whyNamed
			}
			s.Places = append(s.Places, p)
		}
	}
	if is := func(p memory.Place) bool { return p.Path == path }; slices.ContainsFunc(s.Places, is) {
		// Prefer the store at path over one that contains it.
		s.Places = slices.DeleteFunc(s.Places, func(p memory.Place) bool { return !is(p) })
	}
	if len(s.Places) > 0 {
		s.Looked = []memory.Looked{{Where: path, Found: len(s.Places)}}
	}
	return s
}

// placeOf returns the store at a path where a system keeps one, even if the file no longer looks like one.
// So a damaged database is not opened as another system's store.
func (l *Library) placeOf(ctx context.Context, path string, only memory.SystemID) (s memory.Survey) {
	for _, k := range l.systems {
		if only != "" && k.ID != only {
			continue
		}
		env := l.env
		if only != "" {
			env.Dir, env.Alone = path, true
		}
		for _, p := range k.Find(ctx, env).Places {
			if p.Store.Path() == path {
				s.Places = append(s.Places, p)
				s.Looked = []memory.Looked{{Where: path, Found: len(s.Places)}}
			}
		}
	}
	return s
}

// looksLike returns the first system's id if a file has that system's form, else "". In that case the
// other systems need not search for their stores, which can mean a walk through a project.
func (l *Library) looksLike(path string) memory.SystemID {
	if f := l.FormOf(path, beginning(path)); f != nil && f.Decode != nil && f.System == l.systems[0].ID {
		return f.System
	}
	return ""
}

// beginning returns the first headSize bytes of a file, as far as it can be read.
func beginning(path string) []byte {
	f, err := quietread.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, HeadSize)
	n, _ := io.ReadFull(f, head)
	return head[:n]
}

const whyNamed = "named"

// survey returns the place of a path that no system recognizes.
func (l *Library) survey(path string, only memory.SystemID, readable bool) memory.Survey {
	_, err := os.Lstat(path)
	place := memory.Place{
		Store:  memory.StoreID(path),
		System: only,
		Path:   path,
		Why:    whyNamed,
		Exists: err == nil,
		ByPath: true,
	}
	if len(l.systems) > 0 && only == "" {
		place.System = l.systems[0].ID
	}
	if only != "" && only != l.systems[0].ID {
		place.Store = memory.At(only, path)
	}
	looked := memory.Looked{Where: path, Found: 1}
	if !readable {
		looked = memory.Looked{Where: path, Note: "does not exist, or cannot be looked at"}
	}
	return memory.Survey{Places: []memory.Place{place}, Looked: []memory.Looked{looked}}
}

// notLessons reports whether a file is certainly not a store of the first system. That system opens any
// file that a person names and no other system recognizes. Repairing a database or prose as lessons would
// drop every line.
func notLessons(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".mdc", ".db", ".sqlite", ".sqlite3":
		return true
	}
	return system.Pages(beginning(path))
}

// merge appends a survey to all, with each store once and paths shortened for display.
func (l *Library) merge(all *memory.Survey, s memory.Survey) {
	if len(s.Places) > 0 {
		s.Places = l.marked(s.Places)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	have := map[memory.StoreID]bool{}
	for _, p := range all.Places {
		have[p.Store] = true
	}
	for _, p := range s.Places {
		if have[p.Store] {
			continue
		}
		have[p.Store] = true
		p.Path = l.Short(p.Path)
		all.Places = append(all.Places, p)
		l.places[p.Store] = p
	}
	for _, looked := range s.Looked {
		looked.Where = l.Short(looked.Where)
		all.Looked = append(all.Looked, looked)
	}
}

// place returns the known place of p's store, or p with its path shortened for display.
func (l *Library) place(p memory.Place) memory.Place {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.places[p.Store]; ok {
		known.Exists = p.Exists
		return known
	}
	p.Path = l.Short(p.Path)
	return p
}

// Short returns an absolute path relative to the working folder or the user's home folder, if that is
// shorter.
func (l *Library) Short(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	best := path
	if rel, err := filepath.Rel(l.env.Dir, path); err == nil && len(rel) < len(best) && filepath.IsLocal(rel) {
		best = rel
	}
	if rel, ok := strings.CutPrefix(path, l.env.Home+string(filepath.Separator)); ok && l.env.Home != "" &&
		len(rel)+2 < len(best) {
		best = filepath.Join("~", rel)
	}
	return best
}

// Limits of a search below a folder.
const (
	mostDepth   = 12
	mostEntries = 100_000
)

// findBelow looks for stores of all systems below a folder that a person named.
func (l *Library) findBelow(ctx context.Context, all *memory.Survey, root string, only memory.SystemID) {
	w := walk{root: root, left: mostEntries}
	for i := range l.systems {
		k := &l.systems[i]
		if only != "" && k.ID != only {
			continue
		}
		if k.StoresIn != nil {
			w.systems = append(w.systems, k)
		}
	}
	if len(w.systems) > 0 {
		w.run(ctx)
		l.merge(all, w.survey)
	}
}

// walk is one search. It follows no symbolic link, so it cannot leave the folder or loop.
type walk struct {
	systems []*system.System
	root    string
	left    int // how many more entries may be read
	deep    int // number of folders that were too deep
	links   int // number of links that were not followed
	survey  memory.Survey
}

// run searches level by level, so that it finds the stores nearest to root even if it reaches the limit.
func (w *walk) run(ctx context.Context) {
	level := []string{w.root}
	for depth := 0; len(level) > 0; depth++ {
		if depth > mostDepth {
			w.deep += len(level)
			break
		}
		var next []string
		for _, dir := range level {
			if ctx.Err() != nil || w.left <= 0 {
				break
			}
			next = append(next, w.folder(dir)...)
		}
		level = next
	}
	slices.SortFunc(w.survey.Places, func(a, b memory.Place) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Store, b.Store))
	})
	notes := system.Notes(
		system.Say(w.left <= 0, fmt.Sprintf("stopped after %d entries", mostEntries)),
		system.Say(w.deep > 0, fmt.Sprintf("%d folders are more than %d levels down", w.deep, mostDepth)),
		system.Say(w.links > 0, fmt.Sprintf("%d symbolic links were not followed", w.links)),
	)
	w.survey.Looked = slices.Insert(w.survey.Looked, 0, memory.Looked{
		Where: w.root, Found: len(w.survey.Places), Note: strings.Join(notes, "; "),
	})
}

// folder asks each system for its stores in dir, and returns the folders in it.
func (w *walk) folder(dir string) (folders []string) {
	entries := w.entries(dir)
	for _, k := range w.systems {
		for _, p := range k.StoresIn(dir, entries) {
			p.System, p.Exists = k.ID, true
			if p.Why == "" {
				p.Why = "found below " + w.root
			}
			// prefer this over a system that took the file for its own
			if found := w.survey.Places; p.Store.System() != "" {
				w.survey.Places = slices.DeleteFunc(
					found,
					func(o memory.Place) bool { return o.Store == memory.StoreID(p.Store.Path()) },
				)
			}
			w.survey.Places = append(w.survey.Places, p)
		}
	}
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			w.links++
		}
		if e.IsDir() && e.Name() != "node_modules" && e.Name() != ".git" {
			folders = append(folders, filepath.Join(dir, e.Name()))
		}
	}
	return folders
}

// entries returns the entries of a folder sorted by name, as many as the limit still allows.
func (w *walk) entries(dir string) []fs.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		w.note(dir, err)
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(w.left)
	if err != nil && !errors.Is(err, io.EOF) {
		w.note(dir, err)
	}
	w.left -= len(entries)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries
}

func (w *walk) note(dir string, err error) {
	w.survey.Looked = append(w.survey.Looked, memory.Looked{Where: dir, Note: quietread.Cause(err)})
}

// FormOf returns the form of a file, recognized by its name and its first bytes, or nil.
func (l *Library) FormOf(path string, head []byte) *system.Form {
	path = filepath.ToSlash(path)
	for i := range l.forms {
		f := &l.forms[i]
		named := f.Named != nil && f.Named(path)
		looks := f.Looks != nil && f.Looks(head)
		if f.Both && named && looks || !f.Both && (named || looks) {
			return f
		}
	}
	return nil
}

// HeadSize is how many bytes of a file are read to recognize its form.
const HeadSize = 16 << 10

// MendingStores returns the stores that may list a file: first those of its project.
func (l *Library) MendingStores(ctx context.Context, file string) (places []memory.Place) {
	for _, p := range l.Find(ctx).Places {
		inProject := p.Project != "" && system.Inside(p.Project, file)
		if p.Exists && (system.Inside(p.Store.Path(), file) || inProject) {
			places = append(places, p)
		}
	}
	return places
}

// KnownPlaces returns the stores that were found so far, sorted.
func (l *Library) KnownPlaces() []memory.Place {
	l.mu.Lock()
	defer l.mu.Unlock()
	byStore := func(a, b memory.Place) int { return cmp.Compare(a.Store, b.Store) }
	return slices.SortedFunc(maps.Values(l.places), byStore)
}
