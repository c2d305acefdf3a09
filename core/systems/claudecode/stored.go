package claudecode

import (
	"io/fs"
	"path/filepath"
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
