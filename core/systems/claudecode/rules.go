package claudecode

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ruleWalk is a walk over the rules in a folder and those below it, in the order in which
// the system lists them: that is the order in which they are injected.
type ruleWalk struct {
	c    *chain
	left int
	// inside is the folder that links must not lead out of; empty where they may.
	inside string
	seen   []string // folders, as they are called without links
	fn     func(path string)
}

// allowed reports whether a link leads to a place that may be read.
func (w *ruleWalk) allowed(path string) bool {
	return w.inside == "" || within(followed(path), followed(w.inside))
}

func (w *ruleWalk) folder(dir string) {
	real := followed(dir)
	if len(w.seen) > maxFiles || slices.Contains(w.seen, real) {
		return
	}
	w.seen = append(w.seen, real)
	for _, e := range w.c.m.inOrder(dir) {
		if w.left--; w.left < 0 {
			return
		}
		path, isDir := filepath.Join(dir, e.Name()), e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			to, err := os.Stat(path)
			if err != nil || !w.allowed(path) {
				continue
			}
			path, isDir = followed(path), to.IsDir()
		}
		switch {
		case isDir:
			w.folder(path)
		case strings.HasSuffix(e.Name(), ".md"):
			w.fn(path)
		}
	}
}

// inOrder returns what is in a folder, in the order in which the system lists it.
func (m *machine) inOrder(dir string) []fs.DirEntry {
	if m.ordered != nil {
		return m.ordered(dir)
	}
	return asListed(dir)
}

func asListed(dir string) []fs.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()                   // nothing was written
	entries, _ := f.ReadDir(maxFiles) // of a folder that cannot be read, what can
	return entries
}
