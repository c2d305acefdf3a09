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
	"winnow/core/memory"
	"winnow/core/systems/instructions"
)

// Limits of what is read.
const (
	maxLoaded = 4 << 20 // the largest instruction file that Claude Code reads
	maxTopic  = 1 << 20 // of a topic; longer ones are shown in part
	maxFiles  = 20_000  // in a folder of rules or memories and below it
	maxDeep   = 64      // nested folders of rules or memories
)

// names returns at most most entries of a folder, by name.
func names(dir string, most int) []fs.DirEntry {
	entries, _, _ := filestore.Names(dir, most) // an unreadable folder gives what could be read
	return entries
}

// walk visits the .md files in a folder and below it.
type walk struct {
	list func(dir string) []fs.DirEntry
	// follows reports whether to follow a link to a folder. If it is nil, no link is followed. refused
	// gets the links that are not followed or lead nowhere.
	follows func(path string) bool
	refused func(path string)
	fn      func(path string)

	left int             // entries that may still be looked at
	deep bool            // some folders were too deep
	seen map[string]bool // folders, with links resolved
	odd  []string        // folders whose names end in .md
}

// whole reports whether everything was looked at.
func (w *walk) whole() bool { return w.left > 0 && !w.deep }

// eachMarkdown calls fn with the .md files in a memory folder and below it, by name. Hidden files are
// left out. It returns the folders whose names end in .md, and whether it saw everything.
func eachMarkdown(dir string, fn func(path string)) (odd []string, whole bool) {
	w := walk{left: maxFiles, fn: fn, list: func(dir string) []fs.DirEntry {
		return slices.DeleteFunc(
			names(dir, maxFiles),
			func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") },
		)
	}}
	w.folder(dir, 0)
	return w.odd, w.whole()
}

// eachRule calls fn with the rules in a folder and below it, in the order in which the operating
// system lists them, which is the order in which they are injected, and refused with the links that are
// not followed. It reports whether it saw everything.
func (m *machine) eachRule(dir string, follows func(path string) bool, fn, refused func(path string)) bool {
	w := walk{left: maxFiles, fn: fn, follows: follows, refused: refused, list: m.ordered, seen: map[string]bool{}}
	if w.list == nil {
		w.list = asListed
	}
	w.folder(dir, 0)
	return w.whole()
}

// target returns where a link leads, or the link itself to a file if links are not followed. It returns false for a
// link that is left out.
func (w *walk) target(link string) (path string, isDir, ok bool) {
	to, err := os.Stat(link)
	isDir = err == nil && to.IsDir()
	switch {
	case w.follows == nil:
		return link, isDir, !isDir && !os.IsNotExist(err)
	case err != nil || !w.follows(link):
		w.refused(link)
		return link, isDir, false
	}
	return filestore.Real(link), isDir, true
}

func (w *walk) folder(dir string, depth int) {
	if w.follows == nil && depth > maxDeep {
		w.deep = true
		return
	}
	if w.follows != nil { // a link can lead to a folder again
		real := filestore.Real(dir)
		if w.seen[real] {
			return
		}
		w.seen[real] = true
	}
	for _, e := range w.list(dir) {
		if w.left <= 0 {
			return
		}
		w.left--
		path, isDir, ok := filepath.Join(dir, e.Name()), e.IsDir(), true
		if e.Type()&fs.ModeSymlink != 0 {
			path, isDir, ok = w.target(path)
		}
		if !ok {
			continue
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

// instructedFolders returns the folders below a project that may have instructions, nearest first,
// and what was not searched, as instructions.Below says it.
func instructedFolders(ctx context.Context, root string, most int) (folders []string, gap string) {
	found := instructions.Below(ctx, root, most, func(rel string, isDir bool) bool {
		switch path.Base(rel) {
		case "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md":
			return !isDir
		case ".claude":
			return true
		}
		return false
	})
	for _, f := range found.Folders(root) {
		if filepath.Base(f.Dir) != ".claude" { // its files belong to the folder around it
			folders = append(folders, f.Dir)
		}
	}
	return folders, found.Gap
}

// nested adds the instructions of a folder below the working folder: a session gets them with the
// first file that it reads there. As at the start of a session, AGENTS.md is read where Claude Code's own files
// have no text: there must be none in the folder, and none at the start.
func (c *chain) nested(dir string) {
	if c.withReads == nil {
		c.withReads = map[string]*doc{}
	}
	started := slices.DeleteFunc(slices.Clone(c.docs), func(d *doc) bool { return !d.start || d.isOfUser() })
	c.instruction(filepath.Join(dir, "CLAUDE.md"), layerProject, labelProject)
	c.instruction(filepath.Join(dir, ".claude", "CLAUDE.md"), layerProject, labelProject)
	c.instruction(filepath.Join(dir, "CLAUDE.local.md"), layerLocal, labelLocal)
	n := len(c.docs)
	c.rules(filepath.Join(dir, ".claude", "rules"), dir, layerProject, labelProject)
	always := slices.DeleteFunc(slices.Clone(c.docs[n:]), func(d *doc) bool { return d.globs != nil })
	waiting := slices.DeleteFunc(slices.Clone(c.docs[n:]), func(d *doc) bool { return d.globs == nil })
	copy(c.docs[n:], slices.Concat(always, waiting)) // rules without globs come first
	if n = len(c.docs); c.agents && (c.both || !c.ownTextIn(dir)) {
		for _, path := range pathsBelow(dir, "AGENTS.md", ".claude/AGENTS.md") {
			c.instruction(path, layerProject, labelProject)
		}
	}
	for _, d := range c.docs[n:] {
		d.byHook = true
		if d.start && d.kind == kindInstructions {
			d.leaveOutIfEqual(
				started,
				func(o *doc) bool { return o.kind != kindImport && filepath.Base(o.Path) != agentsName },
			)
		}
	}
}

// ownTextIn reports whether any of Claude Code's own instruction files in a folder that was read has text.
func (c *chain) ownTextIn(dir string) bool {
	return slices.ContainsFunc(
		pathsBelow(dir, "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"),
		func(path string) bool {
			d := c.byPath[path]
			return d != nil && d.start && !d.blank()
		},
	)
}

// addFoldersBelow adds the instructions of all folders below the working folder, in a search of most
// entries. No session gets them at its start.
func (c *chain) addFoldersBelow(ctx context.Context, most int) {
	dirs, gap := instructedFolders(ctx, c.cwd, most)
	c.gap = gap
	for _, dir := range dirs {
		if ctx.Err() != nil {
			return
		}
		n := len(c.docs)
		c.withReads = nil // a session may read in this folder alone
		c.nested(dir)
		rel, _ := filepath.Rel(c.cwd, dir) // dir is below it, so this cannot fail
		rel = filepath.ToSlash(rel)
		c.addSkippedImports()
		for _, d := range c.docs[n:] {
			if d.with = rel; d.start {
				d.start = false
				d.why = fmt.Sprintf("It comes when a file in %s is read, once a session.", rel)
			}
		}
	}
	for _, dir := range dirs {
		c.agentsLeftIn(dir)
	}
}

// agentsLeftIn adds the AGENTS.md of a folder below that no session reads, since a file of Claude Code's own is read
// instead, in that folder or at the start.
func (c *chain) agentsLeftIn(dir string) {
	path := filepath.Join(dir, agentsName)
	if c.off != "" || c.noAgents() != "" || filestore.Same(path, filepath.Join(dir, "CLAUDE.md")) {
		return
	}
	if d := c.add(path, layerProject, kindInstructions, labelProject); d != nil && d.start {
		d.start, d.unseen, d.loss = false, true, memory.LossBeside
		d.why = "It is read only where no CLAUDE.md, .claude/CLAUDE.md or CLAUDE.local.md with any text is in its folder, " +
			"in the working folder or above."
	}
}
