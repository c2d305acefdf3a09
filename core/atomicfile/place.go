package atomicfile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// maxLinks is how many links in a row are followed, as on Linux.
const maxLinks = 40

// place is a name in an open folder.
type place struct {
	dir  Folder
	name string
	disk Disk     // to look whether path still leads to dir; nil: that does not matter
	path string   // of dir
	made []string // folders that were made for it, outermost first
}

// Resolve returns the path that path leads to through links in its last place. What
// it leads to need not exist.
func Resolve(d Disk, path string) (string, error) {
	p, real, err := follow(d, path)
	if err != nil {
		return "", failed("open", path, err)
	}
	p.dir.Close()
	return real, nil
}

// locate opens the folder of path, and makes it when there will be something to
// write. Its error is ours when that is what u.Next says.
func locate(d Disk, path string, u Update) (p place, err error) {
	if !u.Real {
		if p, path, err = follow(d, path); err == nil {
			return p, nil
		}
	} else if p, err = open(d, path, true); err == nil {
		return p, nil
	}
	if err != folderGone {
		return p, err
	}
	if _, err := u.Next(nil); err != nil {
		return place{}, ours{err}
	}
	made, err := makeFolders(d, filepath.Dir(path))
	if err == nil {
		p, err = open(d, path, true)
	}
	p.made = made
	if err != nil {
		p.unmake(d)
	}
	return p, err
}

// open opens the folder of path. A link in the last place is followed unless real.
func open(d Disk, path string, real bool) (p place, err error) {
	if !real {
		p, _, err = follow(d, path)
		return p, err
	}
	return openPlace(d, path)
}

// openPlace opens the folder of path. A link in the last place is not followed.
func openPlace(d Disk, path string) (p place, err error) {
	p = place{name: filepath.Base(path), disk: d, path: filepath.Dir(path)}
	p.dir, err = openFolder(d, p.path)
	return p, err
}

// follow opens the folder where the links of path end, and returns the path of what
// is there, which is good with folderGone too. The system follows those before the
// last element.
func follow(d Disk, path string) (place, string, error) {
	for range maxLinks {
		p, err := openPlace(d, path)
		if err != nil {
			return place{}, path, err
		}
		target, err := p.dir.ReadLink(p.name)
		if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) || notALink(p.dir, p.name, err) {
			return p, path, nil
		}
		p.dir.Close()
		if err != nil {
			return place{}, "", err
		}
		if !filepath.IsAbs(target) {
			// Not Join: it would take the .. of a link by its letters.
			target = filepath.Dir(path) + string(filepath.Separator) + target
		}
		path = target
	}
	return place{}, "", linkLoop
}

// notALink reports whether reading a link failed because there is none: not every
// system says so by the error.
func notALink(dir Folder, name string, err error) bool {
	if err == nil {
		return false
	}
	info, statErr := dir.Stat(name)
	return statErr == nil && info.Kind != Symlink
}

// openFolder opens a folder and gives the errors their names.
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

// makeFolders makes the folder at path and those above it, durably, with mode 0700.
// It returns those that it made.
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

// unmake removes the folders that were made, where nothing came into them.
func (p place) unmake(d Disk) {
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
