package claudecode

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// listing caches the entries of the folder of projects. All stores share it: each searches it for its
// own folders, and reading it again would be most of the work with many projects.
type listing struct {
	mu      sync.Mutex // guards what follows
	dir     string
	changed time.Time
	entries []fs.DirEntry
}

// settles is how long after a change a listing is not cached: a second change could leave the same
// date.
const settles = 2 * time.Second

// names is the function of that name, and reads the folder only when its date has changed. The result
// must not be changed.
func (l *listing) names(dir string, now time.Time) []fs.DirEntry {
	info, err := os.Stat(dir)
	if err != nil || l == nil {
		return names(dir, maxProjects)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir == dir && l.changed.Equal(info.ModTime()) {
		return l.entries
	}
	entries := names(dir, maxProjects)
	if now.Sub(info.ModTime()) > settles {
		l.dir, l.changed, l.entries = dir, info.ModTime(), entries
	}
	return entries
}
