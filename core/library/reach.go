package library

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/system"
)

// name remembers that a person named a path on the command line.
func (l *Library) name(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.typed = memory.AppendNew(l.typed, path)
}

// reach returns where the changes of an open store may go.
func (l *Library) reach(id memory.StoreID, info system.Info) system.Reach {
	l.mu.Lock()
	place, known := l.places[id]
	l.mu.Unlock()
	if !known {
		place, known = l.foundPlace(id, info.Place)
	}
	r := l.reachOf(&place, l.allowed())
	if path := id.Path(); !known && system.Resolved(path) == path {
		r.Files = append(r.Files, path) // no project names it, and no link leads there
	}
	if info.Kept != nil && !r.Anywhere {
		r.Folders = append(r.Folders, info.Kept()...)
	}
	return r
}

// foundPlace looks once for the place of a store that no search has found yet. It returns false, and the
// place is, if the search does not find it.
func (l *Library) foundPlace(id memory.StoreID, is memory.Place) (memory.Place, bool) {
	l.mu.Lock()
	place, searched := l.looked[id]
	l.mu.Unlock()
	if !searched {
		place = l.searchFor(id)
		l.mu.Lock()
		l.looked[id] = place
		l.mu.Unlock()
	}
	if place.Store == "" {
		return is, false
	}
	return place, true
}

// searchFor returns the place of a store where its system finds it, or an empty one.
func (l *Library) searchFor(id memory.StoreID) memory.Place {
	l.mu.Lock()
	k := l.systemOf(id)
	l.mu.Unlock()
	if k == nil {
		return memory.Place{}
	}
	var all []memory.Place
	if k.Serves != nil {
		all = k.Serves(l.env)
	} else {
		all = k.Find(context.Background(), l.env).Places
	}
	if i := slices.IndexFunc(all, func(p memory.Place) bool { return p.Store == id }); i >= 0 {
		return all[i]
	}
	return memory.Place{}
}

// allowed returns the folders of [stores] allow in the person's settings.
func (l *Library) allowed() (dirs []string) {
	for _, dir := range l.Settings().Stores.Allow {
		if rest, home := strings.CutPrefix(dir, "~/"); home {
			if l.env.Home == "" {
				continue
			}
			dir = filepath.Join(l.env.Home, filepath.FromSlash(rest))
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// reachOf returns where the changes of a store at a place may go.
func (l *Library) reachOf(p *memory.Place, allowed []string) system.Reach {
	path := p.Store.Path()
	r := system.Reach{Folders: allowed, NamedBy: p.NamedBy, Project: l.namingProject(p)}
	// A personal setting such as a relative path may name a link of the project.
	r.Anywhere = p.Personal && !l.isHere(path)
	l.mu.Lock()
	typed := slices.Clone(l.typed)
	l.mu.Unlock()
	for _, t := range typed {
		info, err := os.Stat(t)
		if err == nil && info.IsDir() && t != path && t != system.Resolved(path) {
			continue // whoever names a folder does not name what links in it lead to
		}
		// A path that a link of a project leads out of the project is not the very path of the file.
		root := r.Project
		if t != path {
			root = git.Root(filepath.Dir(t))
		}
		if real := system.Resolved(t); real == t || root == "" || system.Within(root, real) {
			r.Files = append(r.Files, real)
		}
	}
	return r
}

// namingProject returns the folder of the project that names a store, or "".
func (l *Library) namingProject(p *memory.Place) string {
	folder := p.Project
	if folder == "" {
		folder = filepath.Dir(p.Store.Path())
	}
	if root := git.Root(folder); root != "" {
		return root
	}
	if p.Project != "" {
		return p.Project
	}
	return l.folderAround(p.Store.Path())
}

// folderAround returns the folder that a person works in or named, if path lies below it. A path in a
// repository belongs to that instead.
func (l *Library) folderAround(path string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, dir := range append(slices.Clone(l.typed), l.env.Dir) {
		if info, err := os.Stat(dir); dir != path && system.Inside(dir, path) && err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// projectHere returns the root of the git work tree around the working folder, or else that folder.
func (l *Library) projectHere() string {
	if root := git.Root(l.env.Dir); root != "" {
		return root
	}
	return l.env.Dir
}

// isHere reports whether path lies in the project around the working folder, unless the person's home
// folder does too.
func (l *Library) isHere(path string) bool {
	root := l.projectHere()
	return root != "" && system.Inside(root, path) && !system.Inside(root, l.env.Home)
}

// MayWriteFile returns why a file that belongs to no store, such as settings, may not be written, or nil.
// It is at real; path is how it was named. In the project, no link leads out of it.
func (l *Library) MayWriteFile(real, path string) error {
	root := l.projectHere()
	isOwn := l.env.Dir == l.env.Home || system.Inside(root, l.env.Home) && !system.Inside(l.env.Dir, path)
	if root == "" || isOwn || !system.Inside(root, path) || real != "" && system.Within(root, real) {
		return nil
	}
	for _, dir := range l.allowed() {
		if real != "" && system.Within(dir, real) {
			return nil
		}
	}
	return &memory.Problem{
		Code: system.CodeOutside,
		What: path + " leads to " + system.Resolved(path) + ", outside of the project " + root + ".",
		Hint: "if you mean that file, change it by that path",
	}
}

// mayChange returns why one of the files of a plan may not be changed, or nil. The store asks again when
// it has opened the file.
func (l *Library) mayChange(p *memory.Plan) error {
	s, err := l.Store(p.Store)
	if err != nil {
		return err
	}
	if _, ok := s.(system.Confined); !ok {
		return nil
	}
	for i := range p.Changes {
		if err := refused(s, p.Changes[i].ID, p.Changes[i].Do); err != nil {
			return err // naming the file would not help
		}
	}
	r := l.reach(p.Store, s.Info())
	if err := r.May(system.Resolved(p.Store.Path())); err != nil {
		return err // the whole store lies outside
	}
	for _, path := range changedFiles(*p) {
		file := nested(r, path)
		if err := file.May(system.Resolved(path)); err != nil {
			return err
		}
	}
	return nil
}

// refused returns why a store never makes a change, wherever the file lies, or nil.
func refused(s system.Store, id memory.ID, do memory.ChangeKind) error {
	if never, ok := s.(system.Refuser); ok && do < memory.Pinning {
		return never.Refuses(id, do)
	}
	return nil
}

// whyFixed returns the problem of a record that is fixed because its file lies outside of the project,
// or because such a record is never removed, or nil.
func (l *Library) whyFixed(ctx context.Context, id memory.StoreID, o *memory.Order) error {
	r, err := l.FindRecord(ctx, id, func(r *memory.Record) bool {
		return slices.Contains(o.IDs, r.ID) && r.Fixed != ""
	})
	if err != nil || r.File == "" {
		return nil
	}
	if s, err := l.Store(id); err == nil && o.Do == memory.Delete {
		if err := refused(s, r.ID, memory.Deleting); err != nil {
			return err
		}
	}
	reach := l.reach(id, l.Info(id))
	return reach.May(system.Resolved(r.File))
}

// storesAt returns the stores whose links lead to path, which is no store by itself, or else those that
// list a file there: those that may change it, or else all.
func (l *Library) storesAt(ctx context.Context, path string) (s memory.Survey) {
	found := func(places []memory.Place) memory.Survey {
		return memory.Survey{Places: places, Looked: []memory.Looked{{Where: path, Found: len(places)}}}
	}
	named, err := os.Stat(path)
	isFile := err == nil && !named.IsDir()
	var leads, may, list []memory.Place
	for _, p := range l.Find(ctx).Places {
		info, err := os.Stat(p.Store.Path())
		if err != nil {
			continue
		}
		if system.Resolved(p.Store.Path()) == path && p.Store.Path() != path {
			leads = append(leads, p)
		}
		if !isFile || !info.IsDir() || len(leads) > 0 {
			continue
		}
		switch lists, fixed := l.listsFile(ctx, p.Store, path); {
		case lists && !fixed:
			may = append(may, p)
		case lists:
			list = append(list, p)
		}
	}
	switch {
	case len(leads) > 0:
		return found(leads)
	case len(may) > 0:
		return found(may)
	case len(list) > 0:
		return found(list)
	}
	return s
}

// listsFile reports whether a store has records of a file, and whether none of them can be changed.
func (l *Library) listsFile(ctx context.Context, id memory.StoreID, path string) (lists, fixed bool) {
	fixed = true
	// A store that cannot be listed has no such file.
	_ = l.list(ctx, id, func(r memory.Record) error {
		if r.File != "" && (r.File == path || system.Resolved(r.File) == path) {
			lists, fixed = true, fixed && r.Fixed != ""
		}
		return nil
	})
	return lists, fixed
}

// served returns the store whose link leads to the file at path, if Winnow's own hook serves it here.
func (l *Library) served(path string) (s memory.Survey) {
	for _, k := range l.systems {
		if k.Serves == nil {
			continue
		}
		for _, p := range k.Serves(l.env) {
			if p.Exists && p.Store.Path() != path && system.Resolved(p.Store.Path()) == path {
				s.Places = append(s.Places, p)
				s.Looked = []memory.Looked{{Where: path, Found: len(s.Places)}}
			}
		}
	}
	return s
}

// nested returns the reach for one file: a repository within the project is a project of its own.
func nested(r system.Reach, path string) system.Reach {
	if root := git.Root(filepath.Dir(path)); root != "" && r.Project != "" && system.Inside(r.Project, root) {
		r.Project = root
	}
	return r
}

// StoresListing returns for each file with findings the stores that list it: because it is the store, or one
// of its records is in it.
func (l *Library) StoresListing(ctx context.Context, files [][]memory.Finding) map[string][]memory.StoreID {
	by := map[string][]memory.StoreID{}
	for _, file := range files {
		if path := file[0].File; system.Resolved(path) != path || l.folderAround(path) == "" {
			by[path] = nil
		}
	}
	if len(by) == 0 {
		return nil // all are where the person works or looked
	}
	note := func(path string, id memory.StoreID) {
		if list, wanted := by[path]; wanted {
			by[path] = memory.AppendNew(list, id)
		}
	}
	for _, p := range l.Find(ctx).Places {
		note(p.Store.Path(), p.Store)
		if info, err := os.Stat(p.Store.Path()); err == nil && info.IsDir() {
			// A store that cannot be listed names no file.
			_ = l.list(ctx, p.Store, func(r memory.Record) error { note(r.File, p.Store); return nil })
		}
	}
	return by
}

// MayFix returns a function that says why a file outside of stores may not be changed, given its path
// with links resolved. It may be changed below the folders that the person works in or named, and where
// a store that lists it may be changed.
func (l *Library) MayFix(path string, listedBy []memory.StoreID) func(real string) error {
	around := memory.Place{Store: memory.StoreID(path), Project: l.folderAround(path)}
	reach := l.reachOf(&around, l.allowed())
	if around.Project == "" {
		reach.Project = ""
	}
	all := []system.Reach{reach}
	for _, id := range listedBy {
		if s, err := l.Store(id); err == nil {
			all = append(all, l.reach(id, s.Info()))
		}
	}
	for i := range all {
		all[i] = nested(all[i], path)
	}
	return func(real string) error {
		var err error
		for i := range all {
			if err = all[i].May(real); err == nil {
				return nil
			}
		}
		return err
	}
}

// marked returns places with the reason why a store is listed replaced where it lies outside of its
// project.
func (l *Library) marked(places []memory.Place) []memory.Place {
	places = slices.Clone(places)
	allowed := l.allowed()
	for i := range places {
		if why := l.whyOutside(&places[i], allowed); why != "" {
			places[i].Why = why
		}
	}
	return places
}

// whyOutside says by what a store outside of its project is named, or returns "" for any other store.
func (l *Library) whyOutside(p *memory.Place, allowed []string) string {
	path := p.Store.Path()
	if !p.Exists || p.Personal || path == p.Project {
		return ""
	}
	r := l.reachOf(p, allowed)
	r.Files = nil
	if r.Project == "" || r.May(system.Resolved(path)) == nil {
		return ""
	}
	by := p.NamedBy
	if by == "" {
		by = "the link " + l.Short(path)
	}
	return "named by " + by + ", outside of this project"
}
