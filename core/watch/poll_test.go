package watch

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"winnow/core/memory"
)

// exhausted returns a Watcher on a machine whose watches are all in use.
func exhausted() *Watcher {
	w := New(start)
	w.open = func() (*fsnotify.Watcher, error) { return nil, syscall.EMFILE }
	return w
}

func TestPollingTakesOverWhenNoWatchIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ch := exhausted().Files(ctx, []string{path})
		if ev := <-ch; ev.Mode != memory.WatchPoll || ev.Changed {
			t.Errorf("first event = %+v, want mode poll", ev)
		}
		for _, text := range []string{"one", "two, longer"} {
			start := time.Now()
			put(t, path, text)
			if ev := <-ch; !ev.Changed {
				t.Errorf("event = %+v, want a change", ev)
			}
			if d := time.Since(start); d > pollEvery {
				t.Errorf("the change was seen after %v, want at most %v", d, pollEvery)
			}
		}
	})
}

func TestPollingSeesAFileOfTheSameSizeAndTime(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.jsonl")
	put(t, path, "one")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ch := exhausted().Files(ctx, []string{path})
		<-ch
		other := filepath.Join(dir, "other")
		put(t, other, "two")
		if err := os.Chtimes(other, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(other, path); err != nil {
			t.Fatal(err)
		}
		if ev := <-ch; !ev.Changed {
			t.Errorf("event = %+v, want a change", ev)
		}
	})
}

func TestQuietFilesSendNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	put(t, path, "one")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ch := exhausted().Files(ctx, []string{path})
		<-ch
		select {
		case ev := <-ch:
			t.Errorf("event %+v for a file that did not change", ev)
		case <-time.After(time.Minute):
		}
	})
}

func TestPollingEndsWhenAWatchIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	w := exhausted()
	f := newFollower(w, []string{path})
	f.arm()
	if f.mode != memory.WatchPoll {
		t.Fatalf("mode = %v, want poll", f.mode)
	}
	f.open = fsnotify.NewWatcher
	f.stamps = stampsOf(f.paths)
	f.check(false)
	defer f.closeWatch()
	if ev := <-f.out; ev.Mode != memory.WatchLive || ev.Changed {
		t.Errorf("event = %+v, want mode live", ev)
	}
}

func TestNetworkFileSystemsArePolled(t *testing.T) {
	w := New(start)
	w.isRemote = func(string) bool { return true }
	ev := <-w.Files(t.Context(), []string{filepath.Join(t.TempDir(), "x")})
	if ev.Mode != memory.WatchPoll {
		t.Errorf("mode = %v, want poll", ev.Mode)
	}
}

func TestUnreadEventsBecomeOne(t *testing.T) {
	f := &follower{out: make(chan Event, 1)}
	f.mode = memory.WatchPoll
	f.send(true)
	f.mode = memory.WatchLive
	f.send(false)
	if ev := <-f.out; ev != (Event{Mode: memory.WatchLive, Changed: true}) {
		t.Errorf("event = %+v, want the last mode and the change", ev)
	}
}
