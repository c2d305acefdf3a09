package program

import (
	"context"
	"path/filepath"
	"time"

	"winnow/core/home"
	"winnow/core/memory"
	"winnow/core/watch"
)

// agents follows what agents read, for Home.
type agents struct {
	home  *home.Reader
	catch Catcher
}

const (
	// settle is how long files must be quiet before they are read again.
	settle = 200 * time.Millisecond
	// restAfter is the shortest pause between two readings, as a multiple of what one took.
	restAfter = 10
)

// FollowHome sends what the agents read in a folder, in parts, and again after each change of a file that they
// read, until ctx ends; then it closes the channel. The working folder is "".
func (a agents) FollowHome(ctx context.Context, folder string) <-chan memory.Home {
	out := make(chan memory.Home)
	send := func(h memory.Home) {
		select {
		case out <- h:
		case <-ctx.Done():
		}
	}
	a.catch.start(func() {
		defer close(out)
		first := send
		for ctx.Err() == nil {
			began := time.Now()
			h, err := a.home.Home(ctx, memory.HomeOrder{Folder: folder, Failing: true}, first)
			if err != nil {
				return
			}
			send(h)
			first = nil // a later answer replaces the one before as a whole
			took := time.Since(began)
			a.waitForChange(ctx, &h)
			pause(ctx, max(settle, restAfter*took))
		}
	})
	return out
}

// waitForChange returns once a file that agents read changed, or ctx ended.
func (a agents) waitForChange(ctx context.Context, h *memory.Home) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for e := range watch.New(a.catch.start).Files(ctx, watched(h)) {
		if e.Changed {
			return
		}
	}
}

// watched returns the paths to watch: the sources, and the folders of notes, in which new ones appear.
func watched(h *memory.Home) []string {
	var paths []string
	for i := range h.Agents {
		for j := range h.Agents[i].Sources {
			s := &h.Agents[i].Sources[j]
			paths = memory.AppendNew(paths, s.Path)
			if s.Kind == memory.SourceMemoryIndex || s.Kind == memory.SourceMemoryTopic {
				paths = memory.AppendNew(paths, filepath.Dir(s.Path)+string(filepath.Separator))
			}
		}
	}
	return paths
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
