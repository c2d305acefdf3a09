package claudecode

import (
	"io/fs"
	"path/filepath"
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

// within reports whether a path is in a folder or below it, or the folder itself.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
