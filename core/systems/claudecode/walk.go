package claudecode

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
)

// Limits of what is read.
const (
	maxLoaded = 4 << 20 // the largest instruction file that Claude Code reads
	maxTopic  = 1 << 20 // of a topic; longer ones are shown in part
	maxFiles  = 2000    // in a folder of rules or memories and below it
	maxDeep   = 8       // nested folders of rules or memories
)

// names returns at most most entries of a folder, by name.
func names(dir string, most int) []fs.DirEntry {
	entries, _, _ := filestore.Names(dir, most) // an unreadable folder gives what could be read
	return entries
}

// walk visits the .md files in a folder and below it.
type walk struct {
	list func(dir string) []fs.DirEntry
	// follows reports whether to follow a link to a folder. If it is nil, no link is followed.
	follows func(path string) bool
	fn      func(path string)

	left int      // entries that may still be looked at
	seen []string // folders, with links resolved
	odd  []string // folders whose names end in .md
}

// eachMarkdown calls fn with the .md files in a memory folder and below it, by name. Hidden files are
// left out. It returns the folders whose names end in .md, and whether it saw everything.
func eachMarkdown(dir string, fn func(path string)) (odd []string, whole bool) {
	w := walk{left: maxFiles, fn: fn, list: func(dir string) []fs.DirEntry {
		return slices.DeleteFunc(names(dir, maxFiles), func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
	}}
	w.folder(dir, 0)
	return w.odd, w.left > 0
}

// eachRule calls fn with the rules in a folder and below it, in the order in which the operating
// system lists them, which is the order in which they are injected. It reports whether it saw
// everything.
func (m *machine) eachRule(dir string, follows func(path string) bool, fn func(path string)) bool {
	w := walk{left: maxFiles, fn: fn, follows: follows, list: m.ordered}
	if w.list == nil {
		w.list = asListed
	}
	w.folder(dir, 0)
	return w.left > 0
}

func (w *walk) folder(dir string, depth int) {
	if w.follows == nil && depth > maxDeep {
		return
	}
	if w.follows != nil { // a link can lead to a folder again
		real := filestore.Real(dir)
		if len(w.seen) > maxFiles || slices.Contains(w.seen, real) {
			return
		}
		w.seen = append(w.seen, real)
	}
	for _, e := range w.list(dir) {
		if w.left <= 0 {
			return
		}
		w.left--
		path, isDir := filepath.Join(dir, e.Name()), e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			to, err := os.Stat(path)
			if isDir = err == nil && to.IsDir(); err != nil && (w.follows != nil || os.IsNotExist(err)) || isDir && w.follows == nil {
				continue
			}
			if w.follows != nil {
				if !w.follows(path) {
					continue
				}
				path = filestore.Real(path)
			}
		}
		called := strings.HasSuffix(e.Name(), ".md")
		switch {
		case isDir:
			if called {
				w.odd = append(w.odd, path)
			}
			w.folder(path, depth+1)
		case called:
			w.fn(path)
		}
	}
}

func asListed(dir string) []fs.DirEntry {
	entries, _, _ := filestore.Listing(dir, maxFiles) // an unreadable folder gives what could be read
	return entries
}

// Limits of the search for instructions below a project.
const (
	maxBelow      = 1000 // folders
	maxBelowDepth = 12
	maxBelowEach  = 1000 // entries of a folder
)

// skippedFolders hold third-party code or generated files: many files, and no instructions.
var skippedFolders = []string{"node_modules", "vendor", "target", "dist", "build", "venv", "__pycache__"}

// instructedFolders returns the folders below a project that may have instructions, relative and
// with slashes, nearest first. It does not follow links or enter hidden folders. It returns false
// if there are more folders than it looks at.
func instructedFolders(ctx context.Context, root string) (found []string, whole bool) {
	type place struct {
		rel   string
		depth int
	}
	queue, seen := []place{{"", 0}}, 0
	whole = true
	for len(queue) > 0 && ctx.Err() == nil {
		at := queue[0]
		queue = queue[1:]
		if seen++; seen > maxBelow {
			return found, false
		}
		entries, cut, _ := filestore.Names(filepath.Join(root, filepath.FromSlash(at.rel)), maxBelowEach) // an unreadable folder gives what could be read
		whole = whole && !cut
		instructs := false
		for _, e := range entries {
			name := e.Name()
			switch {
			case name == ".claude" || !e.IsDir() && (name == "CLAUDE.md" || name == "CLAUDE.local.md" || name == "AGENTS.md"):
				instructs = at.depth > 0
			case !e.IsDir() || strings.HasPrefix(name, ".") || slices.Contains(skippedFolders, name):
			case at.depth == maxBelowDepth:
				whole = false
			default:
				queue = append(queue, place{path.Join(at.rel, name), at.depth + 1})
			}
		}
		if instructs {
			found = append(found, at.rel)
		}
	}
	return found, whole
}

// nested adds the instructions of a folder below the working folder: a session gets them with the
// first file that it reads there. As at the start of a session, AGENTS.md is read where Claude Code's own files
// have no text: there must be none in the folder, and none at the start.
func (c *chain) nested(dir string) {
	c.instruction(filepath.Join(dir, "CLAUDE.md"), layerProject, labelProject)
	c.instruction(filepath.Join(dir, ".claude", "CLAUDE.md"), layerProject, labelProject)
	c.instruction(filepath.Join(dir, "CLAUDE.local.md"), layerLocal, labelLocal)
	n := len(c.docs)
	c.rules(filepath.Join(dir, ".claude", "rules"), dir, layerProject, labelProject)
	always := slices.DeleteFunc(slices.Clone(c.docs[n:]), func(d *doc) bool { return d.globs != nil })
	waiting := slices.DeleteFunc(slices.Clone(c.docs[n:]), func(d *doc) bool { return d.globs == nil })
	copy(c.docs[n:], slices.Concat(always, waiting)) // rules without globs come first
	if n = len(c.docs); c.agents && !c.ownTextIn(dir) {
		for _, path := range pathsBelow(dir, "AGENTS.md", ".claude/AGENTS.md") {
			c.instruction(path, layerProject, labelProject)
		}
	}
	for _, d := range c.docs[n:] {
		d.byHook = true
	}
}

// ownTextIn reports whether any of Claude Code's own instruction files in a folder that was read has text.
func (c *chain) ownTextIn(dir string) bool {
	return slices.ContainsFunc(pathsBelow(dir, "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"), func(path string) bool {
		d := c.byPath[path]
		return d != nil && d.start && !d.blank()
	})
}

// addFoldersBelow adds the instructions of all folders below the project. No session gets them at
// its start.
func (c *chain) addFoldersBelow(ctx context.Context) {
	dirs, whole := instructedFolders(ctx, c.root)
	c.unseen = !whole
	for _, rel := range dirs {
		n := len(c.docs)
		c.nested(filepath.Join(c.root, filepath.FromSlash(rel)))
		c.addSkippedImports()
		for _, d := range c.docs[n:] {
			if d.with = rel; d.start {
				d.start = false
				d.why = fmt.Sprintf("It comes when a file in %s is read, once a session.", rel)
			}
		}
	}
}
