package atomicfile

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"sync"
	"syscall"

	"winnow/core/memory"
)

// maxLinks is the number of links followed in a row, as on Linux.
const maxLinks = 40

// place is a name in an open folder.
type place struct {
	dir  Folder
	name string
	disk Disk     // to check whether path still leads to dir; nil: no check
	path string   // of dir
	made []string // folders created for it, outermost first
}

// Resolve follows the links in the last element of path. The result need not exist.
func Resolve(d Disk, path string) (string, error) {
	p, real, err := followLinks(d, path)
	if err != nil {
		return "", failed("open", path, err)
	}
	p.dir.Close()
	return real, nil
}

// locate opens the folder of path, and creates it if there will be something to write. Its error is
// the caller's own if u.Next returned it.
func locate(d Disk, path string, u Update) (place, error) {
	p, path, err := find(d, path, u.Real)
	if err != folderGone {
		return p, err
	}
	if _, err := u.Next(nil); err != nil {
		return place{}, callerError{err}
	}
	made, err := makeFolders(d, filepath.Dir(path))
	if err == nil {
		p, err = openPlace(d, path)
	}
	p.made = made
	if err != nil {
		p.removeCreated(d)
	}
	return p, err
}

// find opens the folder of path, and returns the path of what is there. It follows a link in the
// last element unless real is set.
func find(d Disk, path string, real bool) (p place, at string, err error) {
	if !real {
		return followLinks(d, path)
	}
	p, err = openPlace(d, path)
	return p, path, err
}

// openPlace opens the folder of path. It does not follow a link in the last element.
func openPlace(d Disk, path string) (p place, err error) {
	p = place{name: filepath.Base(path), disk: d, path: filepath.Dir(path)}
	p.dir, err = openFolder(d, p.path)
	return p, err
}

// followLinks opens the folder in which the links of path end, and returns the path of what is there.
// The path is valid even with folderGone. The system follows links before the last element.
func followLinks(d Disk, path string) (place, string, error) {
	for range maxLinks {
		p, err := openPlace(d, path)
		if err != nil {
			return place{}, path, err
		}
		target, err := linkTarget(p.dir, p.name)
		if err == nil && target == "" {
			return p, path, nil
		}
		p.dir.Close()
		if err != nil {
			return place{}, "", err
		}
		if !filepath.IsAbs(target) {
			// Not Join, which would resolve the .. of a link lexically.
			target = filepath.Dir(path) + string(filepath.Separator) + target
		}
		path = target
	}
	return place{}, "", linkLoop
}

// linkTarget returns the target of the link name, or "" if it is missing or not a link.
func linkTarget(dir Folder, name string) (string, error) {
	target, err := dir.ReadLink(name)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil { // not every system has an error that says it is not a link
		if info, statErr := dir.Stat(name); statErr == nil && info.Kind != Symlink {
			return "", nil
		}
	}
	return target, err
}

// openFolder opens a folder, and names the path in errors.
func openFolder(d Disk, path string) (Folder, error) {
	dir, err := d.Folder(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, folderGone
	case errors.Is(err, syscall.ELOOP):
		return nil, linkLoop
	}
	return dir, err
}

// MakeFolder creates the folder at path and its parents, durably, with mode 0700.
func MakeFolder(d Disk, path string) error {
	_, err := makeFolders(d, path)
	return explained("make", path, err)
}

// makeFolders creates the folder at path and its parents, durably, with mode 0700. It returns the
// folders that it created.
func makeFolders(d Disk, path string) (made []string, err error) {
	dir, err := d.Folder(path)
	if err == nil {
		return nil, dir.Close()
	}
	above := filepath.Dir(path)
	if !errors.Is(err, fs.ErrNotExist) || above == path {
		return nil, err
	}
	if made, err = makeFolders(d, above); err != nil {
		return made, err
	}
	parent, err := d.Folder(above)
	if err != nil {
		return made, err
	}
	defer parent.Close()
	err = parent.MakeFolder(filepath.Base(path), 0o700)
	if errors.Is(err, fs.ErrExist) {
		return made, nil
	}
	if err != nil {
		return made, err
	}
	return append(made, path), parent.Sync()
}

// RemoveFolders removes folders, which are given outermost first, unless something has been put into
// them.
func RemoveFolders(d Disk, folders []string) { place{made: folders}.removeCreated(d) }

// removeCreated removes the folders that were created, unless something has been put into them.
func (p place) removeCreated(d Disk) {
	for i := len(p.made) - 1; i >= 0; i-- {
		parent, err := d.Folder(filepath.Dir(p.made[i]))
		if err != nil {
			return
		}
		err = parent.RemoveFolder(filepath.Base(p.made[i]))
		parent.Close()
		if err != nil {
			return
		}
	}
}

// CanReplace returns nil, or the *memory.Problem that would keep Replace from replacing the file at
// path. It checks what it can without changing anything.
func CanReplace(d Disk, path string) error {
	p, real, err := followLinks(d, path)
	if errors.Is(err, folderGone) {
		if err := mayMake(d, filepath.Dir(real)); err != nil {
			return explained("save", path, err)
		}
		return failed("save", path, canMake(d, filepath.Dir(real)))
	}
	if err != nil {
		return failed("save", path, err)
	}
	defer p.dir.Close()
	if err := mayChange(p.dir, p.name); err != nil {
		return explained("save", path, err)
	}
	info, err := p.dir.Stat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil:
		err = replaceable(info)
		if user := d.User(); err == nil && user > 0 && user != info.UID {
			err = otherOwner
		}
	}
	if mayErr := p.dir.Writable(); mayErr != nil {
		err = mayErr
	}
	return failed("save", path, err)
}

// canMake returns nil if the folder at path could be created.
func canMake(d Disk, path string) error {
	for {
		dir, err := d.Folder(path)
		if err == nil {
			defer dir.Close()
			return dir.Writable()
		}
		above := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || above == path {
			return err
		}
		path = above
	}
}

// Folders remembers which folders some paths led to when a store was looked at, so that nothing is
// written into a different folder at the same path later. Its zero value is ready. A nil Folders
// remembers nothing.
type Folders struct {
	mu    sync.Mutex
	all   map[string]inode
	first string // where the path of File first led
}

// inode identifies a folder. It is zero on a system that does not number folders.
type inode struct{ dev, ino uint64 }

// Look remembers the folders at paths, in place of those of the previous look. Call it before
// reading what is in them. It does not remember a folder that cannot be opened.
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

// File returns the file that path leads to; path is the same in every call. The history belongs to
// the file that path led to at first. If it leads to another file now, the error is a
// *memory.Problem, since nobody chose that file.
func (f *Folders) File(d Disk, path string) (string, error) {
	to, err := Resolve(d, path)
	if err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = cmp.Or(f.first, to)
	if to != f.first && to != path {
		return "", &memory.Problem{
			Code: "is-link",
			What: "The path is a link to another file than when the store was opened.",
			Hint: "another program put a link there; look where it leads, and open the store again if that is meant",
		}
	}
	return to, nil
}

// Add adds folders to those of the last look, unless they are known.
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

// Steady returns d for one change: every folder of the look, and every folder opened through d,
// must stay the one that its path leads to.
func (f *Folders) Steady(d Disk) Disk {
	s := &steady{Disk: d, all: map[string]inode{}}
	if f != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		maps.Copy(s.all, f.all)
	}
	return s
}

// openNumbered opens a folder, and identifies it.
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

// steady is a disk whose folders must not be swapped for others.
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

// checkPath returns nil as long as the path of the open folder leads to it.
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

// isFolderSwap reports whether the error means that a folder is not the one that its path leads to.
func isFolderSwap(err error) bool {
	return errors.Is(err, folderSwapped) || errors.Is(err, folderRemoved)
}
