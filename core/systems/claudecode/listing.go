package claudecode

import (
	"io/fs"
	"os"
	"sync"
	"time"
)

// listing is the folder of projects as it was read last. All stores share it: each looks
// through it for the folders that are its own, which with many projects would be most of
// the work.
type listing struct {
	mu      sync.Mutex // guards what follows
	dir     string
	changed time.Time
	entries []fs.DirEntry
}

// settles is how long after a change a folder counts as read in full: the date of a
// second change could be that of the first.
const settles = 2 * time.Second

// names returns what is in a folder, as the function of that name, and reads it only
// when its date is another than the last time. What is returned is not to be changed.
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
