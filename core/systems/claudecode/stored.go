package claudecode

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// What is read.
const (
	maxLoaded = 4 << 20 // the largest instruction file that Claude Code reads
	maxTopic  = 1 << 20 // of a topic; longer ones are shown in part
	maxFiles  = 2000    // in a folder of rules or memories, and those below it
	maxDeep   = 8       // folders of rules or memories in each other
)

// stored is a file as it was read.
type stored struct {
	path    string
	text    string
	size    int64
	mode    fs.FileMode
	modTime time.Time
	cut     bool
	problem *memory.Problem // that it cannot be read; nil when it can
}

// missing reports whether there is nothing at the path.
func (s *stored) missing() bool { return s.problem != nil && s.problem.Code == quietread.CodeMissing }

// read returns the file at a path, at most so many bytes of it.
func read(path string, most int64) stored {
	f := filestore.Read(path, most)
	return stored{path: path, text: f.Text, size: f.Size, mode: f.Mode, modTime: f.ModTime, cut: f.Cut, problem: f.Problem}
}

// names returns what is in a folder, by name, at most so many of it.
func names(dir string, most int) []fs.DirEntry {
	entries, _, _ := filestore.Names(dir, most) // of a folder that cannot be read, what can
	return entries
}

// topicWalk is a walk over the files of a folder that end in .md.
type topicWalk struct {
	left int
	seen []fs.FileInfo // folders above, so that links do not lead round
	fn   func(path string)
	odd  []string // folders that are called as files are
}

// eachMarkdown calls fn with the files in a folder and those below it that end in .md,
// in the order of their names. It returns the folders that are called so too, and
// whether it came to its end.
func eachMarkdown(dir string, fn func(path string)) (odd []string, whole bool) {
	w := topicWalk{left: maxFiles, fn: fn}
	w.folder(dir)
	return w.odd, w.left > 0
}

func (w *topicWalk) folder(dir string) {
	info, err := os.Stat(dir)
	round := func(above fs.FileInfo) bool { return os.SameFile(above, info) }
	if err != nil || !info.IsDir() || len(w.seen) > maxDeep || slices.ContainsFunc(w.seen, round) {
		return
	}
	w.seen = append(w.seen, info)
	defer func() { w.seen = w.seen[:len(w.seen)-1] }()
	for _, e := range names(dir, maxFiles) {
		if w.left <= 0 {
			return
		}
		w.left--
		path := filepath.Join(dir, e.Name())
		isDir := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			to, err := os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if isDir = err == nil && to.IsDir(); isDir {
				continue // links to folders are not followed
			}
		}
		switch {
		case isDir:
			if strings.HasSuffix(e.Name(), ".md") {
				w.odd = append(w.odd, path)
			}
			if !strings.HasPrefix(e.Name(), ".") {
				w.folder(path)
			}
		case strings.HasSuffix(e.Name(), ".md") && !strings.HasPrefix(e.Name(), "."):
			w.fn(path)
		}
	}
}

// within reports whether a path is in a folder or below it, or the folder itself.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
