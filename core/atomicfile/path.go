package atomicfile

import (
	"errors"
	"io/fs"
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
	p.name = filepath.Base(path)
	p.dir, err = openFolder(d, filepath.Dir(path))
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

// Target remembers the file that a path led to. Its zero value is ready.
type Target struct {
	mu    sync.Mutex
	first string // where the path of File first led
}

// File returns the file that path leads to; path is the same in every call. The history belongs to
// the file that path led to at first. If it leads to another file now, the error is a
// *memory.Problem, since nobody chose that file.
func (t *Target) File(d Disk, path string) (string, error) {
	to, err := Resolve(d, path)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == "" {
		t.first = to
	}
	if to != t.first && to != path {
		return "", &memory.Problem{
			Code: "is-link",
			What: "The path is a link to another file than when the store was opened.",
			Hint: "another program put a link there; look where it leads, and open the store again if that is meant",
		}
	}
	return to, nil
}
