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

// Limits of what is read.
const (
	maxLoaded = 4 << 20 // the largest instruction file that Claude Code reads
	maxTopic  = 1 << 20 // of a topic; longer ones are shown in part
	maxFiles  = 2000    // in a folder of rules or memories and below it
	maxDeep   = 8       // nested folders of rules or memories
)

// stored is a file as it was read.
type stored struct {
	path    string
	text    string
	size    int64
	modTime time.Time
	cut     bool
	problem *memory.Problem // that it cannot be read; nil when it can
}

// missing reports whether the file does not exist.
func (s *stored) missing() bool { return s.problem != nil && s.problem.Code == quietread.CodeMissing }

// read reads at most so many bytes of a file.
func read(path string, most int64) stored {
	f := filestore.Read(path, most)
	return stored{path: path, text: f.Text, size: f.Size, modTime: f.ModTime, cut: f.Cut, problem: f.Problem}
}

// names returns at most so many entries of a folder, by name.
func names(dir string, most int) []fs.DirEntry {
	entries, _, _ := filestore.Names(dir, most) // of a folder that cannot be read, what can
	return entries
}

// within reports whether a path is a folder or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
