package atomicfile

import (
	"errors"
	"io/fs"
	"maps"
	"sync"
)

// Folders remembers which folders paths led to when a store was looked at, so that
// nothing is written into another folder that has such a path by then. Its zero value is
// ready; nil remembers nothing.
type Folders struct {
	mu  sync.Mutex
	all map[string]inode
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
		if dir, is, err := numbered(d, path); err == nil {
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

// numbered opens a folder, and tells which it is.
func numbered(d Disk, path string) (Folder, inode, error) {
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

// steadied returns d as a steady disk.
func steadied(d Disk) *steady {
	if s, ok := d.(*steady); ok {
		return s
	}
	return (*Folders)(nil).Steady(d).(*steady)
}

// Folder implements [Disk].
func (s *steady) Folder(path string) (Folder, error) {
	dir, is, err := numbered(s.Disk, path)
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

// stays returns nil while the path of the open folder leads to it.
func (p place) stays() error {
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
