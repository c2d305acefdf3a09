package watch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

var errRemote = errors.New("changes made on other machines send no events")

// hub shares one fsnotify watcher between followers. The watcher exists while
// there are followers.
type hub struct {
	start  func(func())
	open   func() (*fsnotify.Watcher, error)
	remote func(dir string) bool

	// arming guards notify, done and dirs. It is never taken by dispatch: fsnotify
	// may wait for dispatch while Add waits for fsnotify.
	arming sync.Mutex
	notify *fsnotify.Watcher
	done   chan struct{} // closed when dispatch has returned
	dirs   map[string]*watched

	mu       sync.Mutex // guards interest
	interest map[*follower]interest
}

// watched is a folder under watch.
type watched struct {
	info os.FileInfo // as it was when the watch was set
	refs map[*follower]bool
}

// arm makes sure that every folder that matters to f now is watched. It can be
// called at any time and is cheap when nothing changed.
func (h *hub) arm(f *follower) error {
	h.arming.Lock()
	defer h.arming.Unlock()
	if err := h.ready(); err != nil {
		return err
	}
	want := find(f.paths)
	// A folder can appear between looking and watching, so look once more.
	for range 5 {
		h.expect(f, want)
		if err := h.watch(f, want.dirs); err != nil {
			return err
		}
		again := find(f.paths)
		if again.equal(want) {
			return nil
		}
		want = again
	}
	return nil
}

func (h *hub) ready() error {
	if h.notify != nil {
		return nil
	}
	n, err := h.open()
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	done := make(chan struct{})
	h.notify, h.done, h.dirs = n, done, map[string]*watched{}
	h.start(func() { h.dispatch(n, done) })
	return nil
}

// expect tells dispatch which names f waits for.
func (h *hub) expect(f *follower, s interest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.interest == nil {
		h.interest = map[*follower]interest{}
	}
	h.interest[f] = s
}

// watch sets the folders that f has under watch to dirs.
func (h *hub) watch(f *follower, dirs map[string]bool) error {
	live := h.notify.WatchList()
	for dir := range dirs {
		if h.remote(dir) {
			return fmt.Errorf("watch %s: %w", dir, errRemote)
		}
		if err := h.ensure(f, dir, live); err != nil {
			return err
		}
	}
	for dir, d := range h.dirs {
		if d.refs[f] && !dirs[dir] {
			h.release(f, dir)
		}
	}
	return nil
}

// ensure watches the folder that is at dir now, which may be another than the
// one that was there before.
func (h *hub) ensure(f *follower, dir string, live []string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return nil // gone again: the next look finds what is there instead
	}
	d := h.dirs[dir]
	if d == nil {
		d = &watched{refs: map[*follower]bool{}}
	} else if os.SameFile(d.info, info) && slices.Contains(live, dir) {
		d.refs[f] = true
		return nil
	} else {
		_ = h.notify.Remove(dir) // fails when the watch ended with its folder
	}
	if err := h.notify.Add(dir); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	d.info, d.refs[f] = info, true
	h.dirs[dir] = d
	return nil
}

func (h *hub) release(f *follower, dir string) {
	d := h.dirs[dir]
	delete(d.refs, f)
	if len(d.refs) == 0 {
		_ = h.notify.Remove(dir) // fails when the watch ended with its folder
		delete(h.dirs, dir)
	}
}

// leave forgets f and, after the last follower, gives the watcher back.
func (h *hub) leave(f *follower) {
	h.arming.Lock()
	defer h.arming.Unlock()
	for dir, d := range h.dirs {
		if d.refs[f] {
			h.release(f, dir)
		}
	}
	h.mu.Lock()
	delete(h.interest, f)
	last := len(h.interest) == 0
	h.mu.Unlock()
	if last && h.notify != nil {
		_ = h.notify.Close()
		<-h.done
		h.notify, h.dirs = nil, nil
	}
}

// dispatch wakes the followers that wait for what happened. It ends when n is
// closed.
func (h *hub) dispatch(n *fsnotify.Watcher, done chan<- struct{}) {
	defer close(done)
	events, failures := n.Events, n.Errors
	for events != nil || failures != nil {
		select {
		case ev, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			h.wakeFor(ev)
		case _, ok := <-failures:
			if !ok {
				failures = nil
				continue
			}
			h.wakeAll() // events were lost: anything may have happened
		}
	}
}

func (h *hub) wakeFor(ev fsnotify.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for f, s := range h.interest {
		if isFile, ok := s.concerns(ev.Name); ok {
			f.poke(isFile || s.all[filepath.Dir(ev.Name)], isFile && ev.Has(fsnotify.Create))
		}
	}
}

func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for f := range h.interest {
		f.poke(true, false)
	}
}

// maxLinks is how many symbolic links are followed from one file, as many as
// Linux does.
const maxLinks = 40

// interest are the folders to watch for some files, and the names in them that
// matter: true for a file or a link to it, false for a folder on the way.
// In the folders of all every name matters.
type interest struct {
	dirs  map[string]bool
	names map[string]bool
	all   map[string]bool
}

// find returns the interest for paths as the file system stands. All of them are
// free of symbolic links, so that a folder is watched under one name only.
func find(paths []string) interest {
	s := interest{dirs: map[string]bool{}, names: map[string]bool{}, all: map[string]bool{}}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			continue
		}
		s.follow(abs)
		if real, ok := folder(abs); ok && isFolder(p) {
			s.dirs[real], s.all[real] = true, true
		}
	}
	return s
}

func (s interest) equal(o interest) bool {
	return maps.Equal(s.dirs, o.dirs) && maps.Equal(s.names, o.names) && maps.Equal(s.all, o.all)
}

// concerns reports whether a name that something happened to is waited for, and whether
// it is that of a file.
func (s interest) concerns(name string) (isFile, ok bool) {
	if isFile, ok = s.names[name]; ok {
		return isFile, true
	}
	return false, s.all[filepath.Dir(name)]
}

// isFolder reports whether a path to watch stands for all that is in the folder.
func isFolder(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// follow adds path, and what it points to if it is a symbolic link.
func (s interest) follow(path string) {
	for range maxLinks {
		dir := filepath.Dir(path)
		real, ok := folder(dir)
		if !ok {
			s.climb(dir)
			return
		}
		name := filepath.Join(real, filepath.Base(path))
		s.add(real, name, true)
		target, err := os.Readlink(name)
		if err != nil {
			return
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(real, target)
		}
		path = target
	}
}

// climb adds the nearest folder above the missing dir, with the name that must
// appear in it first.
func (s interest) climb(dir string) {
	for {
		up := filepath.Dir(dir)
		if real, ok := folder(up); ok {
			s.add(real, filepath.Join(real, filepath.Base(dir)), false)
			return
		}
		if up == dir {
			return
		}
		dir = up
	}
}

func (s interest) add(dir, name string, isFile bool) {
	s.dirs[dir] = true
	s.names[name] = s.names[name] || isFile
	if !s.names[dir] {
		s.names[dir] = false
	}
}

// folder returns the path of dir without symbolic links, if it is a folder.
func folder(dir string) (string, bool) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	info, err := os.Lstat(real)
	return real, err == nil && info.IsDir()
}
