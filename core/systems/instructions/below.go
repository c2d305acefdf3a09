package instructions

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Found is the result of a search below a folder.
type Found struct {
	// Paths are relative to the folder, with slashes. The nearest come first.
	Paths []string
	// Gap says what was not searched, as the rest of a sentence that begins "Not searched:". It is
	// empty if everything was.
	Gap string
}

// Wanted reports whether a search is for the file or folder at a path relative to where it began.
type Wanted func(rel string, isDir bool) bool

// WantNames is for files that have one of some names.
func WantNames(names ...string) Wanted {
	return func(rel string, isDir bool) bool { return !isDir && slices.Contains(names, path.Base(rel)) }
}

// Below searches the folders below dir, nearest first, until it has seen most entries. From there on
// it takes what git's index lists. It visits each folder once, follows no link, and enters no folder
// of git and none of installed packages. Several searches of one question share the walk; see
// [system.Remember].
func Below(ctx context.Context, dir string, most int, wanted Wanted) Found {
	type folder struct {
		dir  string
		most int
	}
	if most < MostEntries { // a brief search may end with the first find
		return walkBelow(ctx, dir, most, wanted).matching(wanted)
	}
	all := system.Once(ctx, folder{dir, most}, func() *walk {
		return walkBelow(ctx, dir, most, func(string, bool) bool { return true })
	})
	return all.matching(wanted)
}

// walkBelow walks the folders below dir.
func walkBelow(ctx context.Context, dir string, most int, wanted Wanted) *walk {
	w := &walk{root: dir, left: most, wanted: wanted, seen: map[quietread.Identity]bool{}}
	for level := []string{""}; len(level) > 0 && ctx.Err() == nil; {
		var next []string
		for _, rel := range level {
			if ctx.Err() != nil || w.left <= 0 {
				w.cut = true
				break
			}
			next = append(next, w.folder(rel)...)
		}
		level = next
	}
	if !w.cut || ctx.Err() != nil {
		return w
	}
	w.gap = fmt.Sprintf("folders past the first %d entries", most)
	w.walked = len(w.found)
	if w.indexed(ctx) {
		w.gap = fmt.Sprintf("what git does not track, past the first %d entries", most)
	}
	return w
}

// walk is one search.
type walk struct {
	root   string
	left   int // entries that may still be seen
	cut    bool
	wanted Wanted
	seen   map[quietread.Identity]bool // folders, which a mount can show twice
	found  []entry
	walked int // how many were found by walking, if git's index gave more
	gap    string
}

// entry is a file or folder that a search met.
type entry struct {
	rel   string
	isDir bool
}

// matching returns what was found and is wanted.
func (w *walk) matching(wanted Wanted) Found {
	f := Found{Gap: w.gap}
	for i, e := range w.found {
		if wanted(e.rel, e.isDir) && (w.gap == "" || i < w.walked || w.isThere(e.rel)) {
			f.Paths = append(f.Paths, e.rel)
		}
	}
	return f
}

// skipped reports whether a folder is not searched: git's own, installed packages, and the work trees
// that Claude Code makes, which are other copies of the same project.
func skipped(rel string) bool {
	name := path.Base(rel)
	return name == ".git" || name == "node_modules" || strings.HasSuffix("/"+rel, "/.claude/worktrees")
}

// folder looks at the entries of a folder, and returns the folders among them.
func (w *walk) folder(rel string) (folders []string) {
	dir := filepath.Join(w.root, filepath.FromSlash(rel))
	entries, cut, _ := filestore.Names(dir, w.left) // what cannot be listed is read by no agent of this user either
	if len(entries) == 0 || w.visited(dir) {
		return nil
	}
	w.cut = w.cut || cut
	w.left -= len(entries)
	for _, e := range entries {
		at := path.Join(rel, e.Name())
		if w.wanted(at, e.IsDir()) {
			w.found = append(w.found, entry{at, e.IsDir()})
		}
		if e.IsDir() && !skipped(at) {
			folders = append(folders, at)
		}
	}
	return folders
}

// visited reports whether a folder was looked at before, and remembers it.
func (w *walk) visited(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	id, known := quietread.IdentityOf(info)
	if !known {
		return false
	}
	before := w.seen[id]
	w.seen[id] = true
	return before
}

// indexed adds what git's index lists and the walk did not reach. It reports whether git answered.
func (w *walk) indexed(ctx context.Context) bool {
	g, err := git.Find()
	if err != nil || git.Root(w.root) == "" {
		return false
	}
	p, err := g.Start(ctx, w.root, false, "ls-files", "-z", "--cached")
	if err != nil {
		return false
	}
	known := make(map[string]bool, len(w.found))
	for _, e := range w.found {
		known[e.rel] = true
	}
	err = p.Each(0, func(text []byte) error {
		for at, isDir := string(text), false; at != "." && !known[at]; at, isDir = path.Dir(at), true {
			if !filepath.IsLocal(filepath.FromSlash(at)) {
				break
			}
			known[at] = true
			if w.wanted(at, isDir) {
				w.found = append(w.found, entry{at, isDir})
			}
		}
		return nil
	})
	slices.SortFunc(w.found[w.walked:], func(a, b entry) int {
		return cmp.Or(cmp.Compare(strings.Count(a.rel, "/"), strings.Count(b.rel, "/")), cmp.Compare(a.rel, b.rel))
	})
	return err == nil
}

// isThere reports whether a path of the index is in the folder, and reached without a link.
func (w *walk) isThere(rel string) bool {
	dir := filepath.Join(w.root, filepath.FromSlash(path.Dir(rel)))
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || real != dir {
		return false
	}
	_, err = os.Lstat(filepath.Join(dir, path.Base(rel)))
	return err == nil
}

// MayLookBelow reports whether files below a folder can show that it is a project: in a repository, and
// elsewhere unless the home folder, where files of many projects lie, is in it.
func MayLookBelow(dir, home string) bool {
	return filestore.Exists(filepath.Join(dir, ".git")) || !filestore.Within(dir, filestore.Real(home))
}

// MostBrief is how many entries a search sees that only asks whether there is anything.
const MostBrief = 2000

// FirstBelow says which file below dir has one of some names, and where; nothing where it meets none among the
// first 2,000 entries. A session is given such a file when it works in that folder.
func FirstBelow(ctx context.Context, dir string, names ...string) (where string) {
	if len(names) == 0 {
		return ""
	}
	ctx, found := context.WithCancel(ctx)
	defer found()
	is := WantNames(names...)
	Below(ctx, dir, MostBrief, func(rel string, isDir bool) bool {
		if where == "" && is(rel, isDir) {
			where = path.Base(rel) + " in " + filepath.Join(dir, filepath.FromSlash(path.Dir(rel)))
			found()
		}
		return false
	})
	return where
}

// Folder is a folder in which something was found.
type Folder struct {
	Dir   string
	Names []string // of what was found in it
}

// Folders returns the folders below dir, the one that was searched, in which something was found:
// nearest first, without dir itself.
func (f *Found) Folders(dir string) (all []Folder) {
	at := map[string]int{}
	for _, rel := range f.Paths {
		folder, name := path.Split(rel)
		if folder == "" {
			continue
		}
		i, known := at[folder]
		if !known {
			i = len(all)
			at[folder] = i
			all = append(all, Folder{Dir: filepath.Join(dir, filepath.FromSlash(folder))})
		}
		all[i].Names = append(all[i].Names, name)
	}
	return all
}
