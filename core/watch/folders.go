package watch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"
)

var errRemote = errors.New("changes made on other machines send no events")

// watchFolders makes sure that every folder that matters now is watched. It is cheap if nothing
// changed.
func (f *follower) watchFolders() error {
	if f.notify == nil {
		n, err := f.open()
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
		done := make(chan struct{})
		f.notify, f.done, f.dirs = n, done, map[string]os.FileInfo{}
		f.start(func() { f.dispatch(n, done) })
	}
	// A folder can appear between looking and watching, so repeat until nothing is new.
	for range 5 {
		want := find(f.paths)
		f.mu.Lock()
		watched := want.equal(f.interest)
		f.interest = want
		f.mu.Unlock()
		if err := f.watch(want.dirs); err != nil || watched {
			return err
		}
	}
	return nil
}

// watch changes the set of watched folders to dirs.
func (f *follower) watch(dirs map[string]bool) error {
	live := f.notify.WatchList()
	for dir := range dirs {
		err := errRemote
		if !f.isRemote(dir) {
			err = f.add(dir, live)
		}
		if err != nil {
			return fmt.Errorf("watch %s: %w", dir, err)
		}
	}
	for dir := range f.dirs {
		if !dirs[dir] {
			_ = f.notify.Remove(dir) // fails if the watch ended with its folder
			delete(f.dirs, dir)
		}
	}
	return nil
}

// add watches the folder now at dir, which may not be the one that was there before.
func (f *follower) add(dir string, live []string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return nil // gone again: the next look finds what replaced it
	}
	if was := f.dirs[dir]; was != nil {
		if os.SameFile(was, info) && slices.Contains(live, dir) {
			return nil
		}
		_ = f.notify.Remove(dir) // fails if the watch ended with its folder
	}
	if err := f.notify.Add(dir); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	f.dirs[dir] = info
	return nil
}

// dispatch wakes the follower when something happened that it waits for, and ends when n is closed.
// It needs its own goroutine, because fsnotify may wait for it while Add waits for fsnotify.
func (f *follower) dispatch(n *fsnotify.Watcher, done chan<- struct{}) {
	defer close(done)
	for {
		select {
		case ev, ok := <-n.Events:
			if !ok {
				return
			}
			f.mu.Lock()
			in := f.interest
			f.mu.Unlock()
			if isFile, ok := in.matters(ev.Name); ok {
				f.note(isFile || in.all[filepath.Dir(ev.Name)], isFile && ev.Has(fsnotify.Create))
			}
		case _, ok := <-n.Errors:
			if !ok {
				return
			}
			f.note(true, false) // events were lost: anything may have happened
		}
	}
}

// maxLinks is the maximum number of symbolic links to follow from one file, as in Linux.
const maxLinks = 40

// interest is the set of folders to watch for some files, and of names in them that matter: true
// for a file or a link to it, false for a folder on the way. In the folders of all, every name
// matters.
type interest struct {
	dirs  map[string]bool
	names map[string]bool
	all   map[string]bool
}

// find returns the current interest for paths. Its paths are free of symbolic links, so that each
// folder is watched under one name only.
func find(paths []string) interest {
	s := interest{dirs: map[string]bool{}, names: map[string]bool{}, all: map[string]bool{}}
	for _, p := range paths {
		abs, _ := filepath.Abs(p) // fails only if the working folder is gone
		s.addFollowed(abs)
		if real, ok := folder(abs); ok && isFolder(p) {
			s.dirs[real], s.all[real] = true, true
		}
	}
	return s
}

func (s interest) equal(o interest) bool {
	return maps.Equal(s.dirs, o.dirs) && maps.Equal(s.names, o.names) && maps.Equal(s.all, o.all)
}

// matters reports whether an event for a name matters, and whether the name is that of a file.
func (s interest) matters(name string) (isFile, ok bool) {
	if isFile, ok = s.names[name]; ok {
		return isFile, true
	}
	return false, s.all[filepath.Dir(name)]
}

// isFolder reports whether a path to watch stands for everything in a folder.
func isFolder(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// addFollowed adds path and, if it is a symbolic link, what it points to.
func (s interest) addFollowed(path string) {
	for range maxLinks {
		dir := filepath.Dir(path)
		real, ok := folder(dir)
		if !ok {
			s.addNearest(dir)
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

// addNearest adds the nearest existing folder above the missing dir, with the name that must appear in
// it first.
func (s interest) addNearest(dir string) {
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
