package watch

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"winnow/core/memory"
)

// follower is one call of Files.
type follower struct {
	Watcher
	paths []string
	out   chan Event
	wake  chan struct{} // holds a token while there is news

	mu       sync.Mutex // guards news and interest
	news     news
	interest interest

	// Only run uses the fields below.
	notify *fsnotify.Watcher      // nil until it can be opened
	done   chan struct{}          // closed when dispatch has returned
	dirs   map[string]os.FileInfo // the watched folders, as they were when added
	mode   memory.WatchMode
	remote bool
	stamps []stamp
}

// news is what dispatch found since the follower last checked.
type news struct {
	any     bool
	touched bool // one of the files was touched
	urgent  bool // a complete file was put in place
}

func (f *follower) note(touched, urgent bool) {
	f.mu.Lock()
	f.news.any = true
	f.news.touched = f.news.touched || touched
	f.news.urgent = f.news.urgent || urgent
	f.mu.Unlock()
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// takeNews returns the news. With later it leaves news that is not urgent for the next call.
func (f *follower) takeNews(later bool) (n news) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.news.urgent || !later {
		n, f.news = f.news, news{}
	}
	return n
}

// run sends an event at once when a file is put in place by a rename. For everything else it waits
// for the settle time, because a file written in place is incomplete at its first event. Everything
// within a settle time becomes one event at its end.
func (f *follower) run(ctx context.Context) {
	defer close(f.out)
	defer f.closeWatch()
	f.arm()
	f.stamps = stampsOf(f.paths)
	f.send(false)

	look := time.NewTimer(f.lookAgain())
	defer look.Stop()
	var settle <-chan time.Time // set while events are being collected
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
			if settle == nil {
				if f.takeNews(true).urgent {
					f.check(true)
				}
				settle = time.After(settleTime)
			}
		case <-settle:
			settle = nil
			if n := f.takeNews(false); n.any {
				f.check(n.touched)
				settle = time.After(settleTime)
			}
		case <-look.C:
			f.check(false)
			look.Reset(f.lookAgain())
		}
	}
}

func (f *follower) lookAgain() time.Duration {
	if f.mode == memory.WatchLive {
		return safetyNet
	}
	return pollEvery
}

// check renews the watch if folders moved, and sends an event if the files were touched or look
// different, or if the mode changed.
func (f *follower) check(touched bool) {
	before := f.mode
	f.arm()
	now := stampsOf(f.paths)
	for i := range now {
		touched = touched || !now[i].equal(f.stamps[i])
	}
	f.stamps = now
	if touched || f.mode != before {
		f.send(touched)
	}
}

// arm watches the folders that matter now, and sets the mode.
func (f *follower) arm() {
	f.mode = memory.WatchPoll
	if f.remote {
		return
	}
	err := f.watchFolders()
	if err == nil {
		f.mode = memory.WatchLive
	}
	f.remote = errors.Is(err, errRemote)
}

// closeWatch closes the watch.
func (f *follower) closeWatch() {
	if f.notify != nil {
		_ = f.notify.Close()
		<-f.done
	}
}

// send puts the event into the channel, replacing one that was not read yet.
func (f *follower) send(changed bool) {
	ev := Event{Mode: f.mode, Changed: changed}
	select {
	case old := <-f.out:
		ev.Changed = ev.Changed || old.Changed
	default:
	}
	f.out <- ev
}

// stamp distinguishes states of a file without reading it. within does the same for the content of
// a folder.
type stamp struct {
	info   os.FileInfo
	within uint64
}

func stampsOf(paths []string) []stamp {
	all := make([]stamp, len(paths))
	for i, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			continue
		}
		all[i].info = info
		if info.IsDir() && isFolder(p) {
			all[i].within = folderHash(p)
		}
	}
	return all
}

// mostWithin is the maximum number of entries of a folder to check for changes without an event.
const mostWithin = 5000

// folderHash returns a hash of the names, sizes and times of a folder's entries.
func folderHash(dir string) uint64 {
	entries, _ := os.ReadDir(dir) // an unreadable folder counts as empty
	h := fnv.New64a()
	for _, e := range entries[:min(len(entries), mostWithin)] {
		fmt.Fprintln(h, e.Name())
		if info, err := e.Info(); err == nil {
			fmt.Fprintln(h, info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
	}
	return h.Sum64()
}

func (s stamp) equal(o stamp) bool {
	if s.info == nil || o.info == nil {
		return s.info == o.info
	}
	return s.within == o.within && os.SameFile(s.info, o.info) && s.info.Size() == o.info.Size() &&
		s.info.ModTime().Equal(o.info.ModTime()) && s.info.Mode() == o.info.Mode()
}
