package atomicfile

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"sync"

	"winnow/core/memory"
)

// Folders remembers which folders paths led to when a store was looked at, so that
// nothing is written into another folder that has such a path by then. Its zero value is
// ready; nil remembers nothing.
type Folders struct {
	mu    sync.Mutex
	all   map[string]inode
	first string // where the path of File led at first
}

// inode tells a folder from others. It is zero on a system that does not number them.
type inode struct{ dev, ino uint64 }

// Look remembers the folders at paths, in place of those of the look before. It comes
// before what is in them is read. One that cannot be opened is not remembered.
func (f *Folders) Look(d Disk, paths ...string) {
	f.mu.Lock()
	f.all = nil
	f.mu.Unlock()
	f.Add(d, paths...)
}

// LookAt is Look for the folder of the file that path leads to.
func (f *Folders) LookAt(d Disk, path string) {
	if to, err := Resolve(d, path); err == nil {
		path = to
	}
	f.Look(d, filepath.Dir(path))
}

// File returns the file that path, always the same one, leads to. What it led to at first
// is the file that the history belongs to. It is a *memory.Problem when that is another
// one now: nobody chose that.
func (f *Folders) File(d Disk, path string) (string, error) {
	to, err := Resolve(d, path)
	if err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == "" {
		f.first = to
	}
	if to != f.first && to != path {
		return "", &memory.Problem{
			Code: "is-link",
			What: "The path is a link to another file than when the store was opened.",
			Hint: "another program put a link there; look where it leads, and open the store again if that is meant",
		}
	}
	return to, nil
}

// Add adds folders to those of the look, where they were not known before it.
func (f *Folders) Add(d Disk, paths ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = map[string]inode{}
	}
	for _, path := range paths {
		if _, known := f.all[path]; known {
			continue
		}
		if dir, is, err := openNumbered(d, path); err == nil {
			dir.Close()
			f.all[path] = is
		}
	}
}

// Steady returns d for one change: each folder of the look, and each that is opened
// through it, must stay the one that its path leads to.
func (f *Folders) Steady(d Disk) Disk {
	s := &steady{Disk: d, all: map[string]inode{}}
	if f != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		maps.Copy(s.all, f.all)
	}
	return s
}

// openNumbered opens a folder, and tells which it is.
func openNumbered(d Disk, path string) (Folder, inode, error) {
	dir, err := d.Folder(path)
	if err != nil {
		return nil, inode{}, err
	}
	info, err := dir.Stat(".")
	if err != nil {
		dir.Close()
		return nil, inode{}, err
	}
	return dir, inode{info.Dev, info.Ino}, nil
}

// steady is a disk of which no folder may be swapped for another.
type steady struct {
	Disk
	mu  sync.Mutex
	all map[string]inode
}

// asSteady returns d as a steady disk.
func asSteady(d Disk) *steady {
	if s, ok := d.(*steady); ok {
		return s
	}
	return (*Folders)(nil).Steady(d).(*steady)
}

// Folder implements [Disk].
func (s *steady) Folder(path string) (Folder, error) {
	dir, is, err := openNumbered(s.Disk, path)
	s.mu.Lock()
	defer s.mu.Unlock()
	was, known := s.all[path]
	switch {
	case known && errors.Is(err, fs.ErrNotExist):
		return nil, folderRemoved
	case err != nil:
		return nil, err
	case known && is != was:
		dir.Close()
		return nil, folderSwapped
	}
	s.all[path] = is
	return dir, nil
}

// checkPath returns nil while the path of the open folder leads to it.
func (p place) checkPath() error {
	if p.disk == nil {
		return nil
	}
	dir, err := p.disk.Folder(p.path)
	if err != nil {
		return err
	}
	return dir.Close()
}

// swapped reports whether a folder is not the one that its path leads to.
func swapped(err error) bool {
	return errors.Is(err, folderSwapped) || errors.Is(err, folderRemoved)
}
