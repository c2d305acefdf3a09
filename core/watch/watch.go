// Package watch reports when files change, and how it knows. It watches folders and never files,
// because the watch of a file is lost when the file is replaced by a rename. If the operating
// system sends no events, as on network file systems or when its limits are reached, it checks the
// files every 2 seconds instead.
package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"

	"winnow/core/memory"
)

const (
	settleTime = 15 * time.Millisecond // events closer together than this become one
	pollEvery  = 2 * time.Second
	safetyNet  = 5 * time.Second // checks the files even while events work
)

// Event reports that files changed, or that Mode did.
type Event struct {
	Mode memory.WatchMode // WatchLive or WatchPoll
	// Changed is false for an event that only reports the mode, like the first one.
	Changed bool
}

// Watcher watches files. It is safe for concurrent use.
type Watcher struct {
	start    func(func())
	open     func() (*fsnotify.Watcher, error)
	isRemote func(dir string) bool
}

// New returns a Watcher. It holds no resources until Files is called. start runs a function on its
// own goroutine and handles its panics.
func New(start func(func())) *Watcher {
	return &Watcher{start: start, open: fsnotify.NewWatcher, isRemote: isRemote}
}

// Files watches the files at paths, absolute or relative to the working folder, until ctx ends;
// then it closes the channel. The files and their folders need not exist, and may vanish and
// return. A symbolic link is watched together with its target. A path that ends in a separator
// means a folder and everything directly in it.
//
// The first event arrives when the watch is in place, and reports the mode. The channel holds only
// the newest event: a busy reader gets all changes since its last read in one event. The last
// change of a file is always followed by an event.
func (w *Watcher) Files(ctx context.Context, paths []string) <-chan Event {
	f := newFollower(w, paths)
	w.start(func() { f.run(ctx) })
	return f.out
}

func newFollower(w *Watcher, paths []string) *follower {
	return &follower{Watcher: *w, paths: paths, out: make(chan Event, 1), wake: make(chan struct{}, 1)}
}
