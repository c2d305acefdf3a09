package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"winnow/core/memory"
)

const patience = 10 * time.Second

func start(f func()) { go f() }

// next returns the next event that reports a change.
func next(t *testing.T, ch <-chan Event) Event {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case ev, ok := <-ch:
			if !ok {
				t.Fatal("the channel was closed")
			}
			if ev.Changed {
				return ev
			}
		case <-late:
			t.Fatal("no event came")
		}
	}
}

// follow follows paths and waits until the watch is in place.
func follow(t *testing.T, w *Watcher, paths ...string) <-chan Event {
	t.Helper()
	ch := w.Files(t.Context(), paths)
	if ev := <-ch; ev.Changed {
		t.Errorf("first event = %+v, want one that only tells the mode", ev)
	}
	return ch
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tmp, path); err != nil {
		t.Fatal(err)
	}
}

// waitForText waits for an event after which path contains text.
func waitForText(t *testing.T, ch <-chan Event, path, text string) {
	t.Helper()
	for {
		next(t, ch)
		if got, _ := os.ReadFile(path); string(got) == text {
			return
		}
	}
}

func TestEveryRenameOverTheFileIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	put(t, path, "0")
	ch := follow(t, New(start), path)
	for _, text := range []string{"1", "22", "333"} {
		put(t, path, text)
		waitForText(t, ch, path, text)
	}
}

func TestLastOfABurstIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	ch := follow(t, New(start), path)
	for i := range 1000 {
		put(t, path, string(rune('a'+i%20)))
	}
	put(t, path, "last")
	waitForText(t, ch, path, "last")
}

func TestWritingInPlaceIsSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	put(t, path, "one")
	ch := follow(t, New(start), path)
	if err := os.WriteFile(path, []byte("two, in place"), 0o644); err != nil {
		t.Fatal(err)
	}
	waitForText(t, ch, path, "two, in place")
}

func TestFoldersMayVanishAndReturn(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a", "b", "memory.jsonl")
	ch := follow(t, New(start), path)
	for _, text := range []string{"first", "second time", "third, again"} {
		put(t, path, text)
		waitForText(t, ch, path, text)
		if err := os.RemoveAll(filepath.Join(root, "a")); err != nil {
			t.Fatal(err)
		}
		waitForText(t, ch, path, "")
	}
}

func TestFolderReplacedByRenameIsFollowed(t *testing.T) {
	root := t.TempDir()
	dir, other := filepath.Join(root, "sessions"), filepath.Join(root, "other")
	path := filepath.Join(dir, "memory.jsonl")
	put(t, path, "one")
	put(t, filepath.Join(other, "memory.jsonl"), "other")
	ch := follow(t, New(start), path)
	if err := os.Rename(dir, filepath.Join(root, "old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, dir); err != nil {
		t.Fatal(err)
	}
	waitForText(t, ch, path, "other")
	put(t, path, "and then")
	waitForText(t, ch, path, "and then")
}

func TestTargetOfALinkIsWatched(t *testing.T) {
	root := t.TempDir()
	real := filepath.Join(root, "real", "memory.jsonl")
	put(t, real, "one")
	link := filepath.Join(root, "sessions", "memory.jsonl")
	if err := os.Mkdir(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../real/memory.jsonl", link); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	ch := follow(t, New(start), link)
	put(t, real, "two, behind the link")
	waitForText(t, ch, link, "two, behind the link")
	put(t, link, "no link any more")
	waitForText(t, ch, link, "no link any more")
}

func TestOtherFilesOfTheFolderAreNotReported(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "memory.jsonl")
	ch := follow(t, New(start), path)
	for range 50 {
		put(t, filepath.Join(dir, "other.jsonl"), "x")
	}
	put(t, path, "mine")
	next(t, ch)
	if got, _ := os.ReadFile(path); string(got) != "mine" {
		t.Error("an event came for another file")
	}
}

// recorded returns a Watcher, and what it opened.
func recorded() (*Watcher, *[]*fsnotify.Watcher) {
	w, opened := New(start), &[]*fsnotify.Watcher{}
	w.open = func() (*fsnotify.Watcher, error) {
		n, err := fsnotify.NewWatcher()
		*opened = append(*opened, n)
		return n, err
	}
	return w, opened
}

func TestLostEventsMakeAFollowerLookAgain(t *testing.T) {
	w, opened := recorded()
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	ch := follow(t, w, path)
	(*opened)[0].Errors <- fsnotify.ErrEventOverflow
	next(t, ch)
}

func TestFollowersGiveTheirWatchBack(t *testing.T) {
	before := runtime.NumGoroutine()
	w, opened := recorded()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	var all []<-chan Event
	for _, name := range []string{"a", "b", "c"} {
		ch := w.Files(ctx, []string{filepath.Join(dir, name)})
		<-ch
		all = append(all, ch)
	}
	for _, n := range *opened {
		if list := n.WatchList(); len(list) != 1 {
			t.Errorf("%q are watched, want one folder", list)
		}
	}
	cancel()
	for _, ch := range all {
		for range ch { // until it is closed
		}
	}
	for _, n := range *opened {
		if !errors.Is(n.Add(dir), fsnotify.ErrClosed) {
			t.Error("the watch is still open")
		}
	}
	waitForGoroutines(t, before)
}

// waitForGoroutines gives goroutines that have closed their channel the time to return.
func waitForGoroutines(t *testing.T, want int) {
	t.Helper()
	for end := time.Now().Add(patience); runtime.NumGoroutine() > want; {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, want %d", runtime.NumGoroutine(), want)
		}
		runtime.Gosched()
	}
}

func TestModeIsLiveWhereEventsWork(t *testing.T) {
	ev := <-New(start).Files(t.Context(), []string{filepath.Join(t.TempDir(), "x")})
	if isRemote(t.TempDir()) {
		t.Skip("the temporary folder is on a network file system")
	}
	if ev.Mode != memory.WatchLive {
		t.Errorf("mode = %v, want live", ev.Mode)
	}
}
