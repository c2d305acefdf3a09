package claudecode

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
)

// Limits of the search for instructions below a project.
const (
	maxBelow      = 1000 // folders
	maxBelowDepth = 12
	maxBelowEach  = 1000 // entries of a folder
)

// skippedFolders hold code of others or generated files: many files, and no instructions.
var skippedFolders = []string{"node_modules", "vendor", "target", "dist", "build", "venv", "__pycache__"}

// instructedFolders returns the folders below a project that may have instructions, relative and with
// slashes, those nearer to it first. Links and hidden folders are not followed. It is false when there are more folders
// than are looked at.
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
		entries, cut, _ := filestore.Names(filepath.Join(root, filepath.FromSlash(at.rel)), maxBelowEach) // of a folder that cannot be read, what can
		whole = whole && !cut
		instructs := false
		for _, e := range entries {
			name := e.Name()
			switch {
			case name == ".claude" || !e.IsDir() && (name == "CLAUDE.md" || name == "CLAUDE.local.md"):
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
// first file that it reads there.
func (c *chain) nested(dir string) {
	c.instruction(filepath.Join(dir, "CLAUDE.md"), layerProject, labelProject)
	c.instruction(filepath.Join(dir, ".claude", "CLAUDE.md"), layerProject, labelProject)
	c.instruction(filepath.Join(dir, "CLAUDE.local.md"), layerLocal, labelLocal)
	n := len(c.docs)
	c.rules(filepath.Join(dir, ".claude", "rules"), dir, layerProject, labelProject)
	always := slices.DeleteFunc(slices.Clone(c.docs[n:]), func(d *doc) bool { return d.globs != nil })
	waiting := slices.DeleteFunc(slices.Clone(c.docs[n:]), func(d *doc) bool { return d.globs == nil })
	copy(c.docs[n:], slices.Concat(always, waiting)) // rules without globs come first
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
