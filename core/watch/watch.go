// Package watch tells when files change, and by which means it knows. It
// watches folders, never files: a file that is replaced by a rename takes its
// watch with it. Where the operating system tells nothing, as on network file
// systems or when its limits are reached, the files are looked at every 2
// seconds instead.
package watch

import (
	"context"
	"time"

	"github.com/fsnotify/fsnotify"

	"winnow/core/memory"
)

const (
	settleTime = 15 * time.Millisecond // events closer than this become one
	pollEvery  = 2 * time.Second
	safetyNet  = 5 * time.Second // a look at the files even while events work
)

// Event says that files changed, or that Mode did.
type Event struct {
	Mode memory.WatchMode // WatchLive or WatchPoll
	// Changed is unset for an event that only tells the mode, as the first does.
	Changed bool
}

// Watcher watches files. It is safe for concurrent use.
type Watcher struct {
	start    func(func())
	open     func() (*fsnotify.Watcher, error)
	isRemote func(dir string) bool
}

// New returns a Watcher. It holds no resources until Files is called. start runs a
// function on a goroutine of its own, and takes its panics.
func New(start func(func())) *Watcher {
	return &Watcher{start: start, open: fsnotify.NewWatcher, isRemote: isRemote}
}

// Files watches the files at paths, absolute or relative to the working folder,
// until ctx ends; it then closes the channel. The files and their folders need
// not exist, and may vanish and return. A symbolic link is watched with
// what it points to. A path that ends in a separator stands for a folder and everything
// directly in it.
//
// The first event comes when the watch is in place and tells the mode. The
// channel holds the newest event only: a reader that is busy finds all changes
// since its last read in one. The last state of a file is always followed by
// an event.
func (w *Watcher) Files(ctx context.Context, paths []string) <-chan Event {
	f := newFollower(w, paths)
	w.start(func() { f.run(ctx) })
	return f.out
}

func newFollower(w *Watcher, paths []string) *follower {
	return &follower{Watcher: *w, paths: paths, out: make(chan Event, 1), wake: make(chan struct{}, 1)}
}
