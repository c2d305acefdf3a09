package claudecode

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
)

const indexName = "MEMORY.md"

// memoryFolder is a folder of auto memory.
type memoryFolder struct {
	dir string
	// name is empty for the folder in use. Otherwise it is the name of the project folder around
	// it.
	name string
	// unused is a sentence that says why no session reads it; empty for the folder in use.
	unused string

	index  *index   // nil if there is none
	files  []string // topics, relative and with slashes, by name
	topics []*topic // empty until read is called
	more   bool     // some files were left out
	odd    []string // folders whose names end in .md
}

// topic is a memory about one thing.
type topic struct {
	filestore.File
	rel    string
	header header
}

// field returns the text of a header key, or "" if there is none.
func (t *topic) field(key string) string { return t.header.text(key) }

// list lists the folder without reading its topics.
func (s *memoryFolder) list() {
	odd, whole := eachMarkdown(s.dir, func(path string) {
		rel, _ := filepath.Rel(s.dir, path) // path is below s.dir, so this cannot fail
		if rel == indexName {
			x := indexOf(filestore.Read(path, maxTopic))
			s.index = &x
			return
		}
		s.files = append(s.files, filepath.ToSlash(rel))
	})
	slices.Sort(s.files)
	s.odd, s.more = odd, !whole
}

// asListed returns the topics in the order in which the operating system lists them.
func (s *memoryFolder) asListed() (files []string) {
	w := walk{left: maxFiles, list: asListed, fn: func(path string) {
		rel, _ := filepath.Rel(s.dir, path) // path is below s.dir, so this cannot fail
		if _, known := slices.BinarySearch(s.files, filepath.ToSlash(rel)); known {
			files = append(files, filepath.ToSlash(rel))
		}
	}}
	w.folder(s.dir, 0)
	return files
}

// read reads the topics.
func (s *memoryFolder) read(ctx context.Context) error {
	s.topics = make([]*topic, 0, len(s.files))
	for _, rel := range s.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := &topic{File: filestore.Read(filepath.Join(s.dir, filepath.FromSlash(rel)), maxTopic), rel: rel}
		if t.Missing() {
			continue // removed meanwhile
		}
		t.header = headerOf(t.Text)
		s.topics = append(s.topics, t)
	}
	return nil
}

// empty reports whether the folder holds no memory.
func (s *memoryFolder) empty() bool { return s.index == nil && len(s.files) == 0 }

// listed returns the first line of the index that names a file.
func (s *memoryFolder) listed(file string) (indexLine, bool) {
	if s.index == nil {
		return indexLine{}, false
	}
	i := slices.IndexFunc(s.index.lines, func(l indexLine) bool { return l.file == file })
	if i < 0 {
		return indexLine{}, false
	}
	return s.index.lines[i], true
}

// dangling returns the index lines that name a missing file.
func (s *memoryFolder) dangling() (out []indexLine) {
	if s.index == nil {
		return nil
	}
	for _, l := range s.index.lines {
		if _, found := slices.BinarySearch(s.files, l.file); !found && l.file != indexName && !s.has(l.file) {
			out = append(out, l)
		}
	}
	return out
}

// has reports whether a file that was not listed is in the folder all the same: a long listing is cut.
func (s *memoryFolder) has(rel string) bool {
	return s.more && filestore.Exists(filepath.Join(s.dir, filepath.FromSlash(rel)))
}

// unlisted returns the topics that no index line names.
func (s *memoryFolder) unlisted() (out []string) {
	for _, f := range s.files {
		if _, ok := s.listed(f); !ok {
			out = append(out, f)
		}
	}
	return out
}

// id returns the ID of a file of the folder.
func (s *memoryFolder) id(rel string) memory.ID {
	if s.name == "" {
		return memory.ID(memoryPrefix + rel)
	}
	return memory.ID(memoryPrefix + "@" + s.name + "/" + rel)
}

// stem returns the name of a topic's file without its extension.
func stem(rel string) string {
	return strings.TrimSuffix(rel[strings.LastIndexByte(rel, '/')+1:], ".md")
}

// dateMoves is an upper bound of how far our edits under a running session advance a file's date.
const dateMoves = 2 * time.Second

// days returns the number of whole days between two times, at least 0. An edit that only advanced
// the date does not change it.
func days(since, now time.Time) int {
	return max(0, int((now.Sub(since)+dateMoves)/(24*time.Hour)))
}

// caveat returns the note that Claude Code puts before a memory that it reads, or "" for a memory
// that is at most a day old.
func caveat(modTime, now time.Time) string {
	n := days(modTime, now)
	if modTime.IsZero() || n < 2 {
		return ""
	}
	return fmt.Sprintf(caveatText, n)
}

const caveatText = "<system-reminder>This memory is %d days old. Memories are point-in-time observations, not live state — claims about code " +
	"behavior or file:line citations may be outdated. Verify against current code before asserting as fact.</system-reminder>"
