package atomicfile

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// CanReplace returns nil, or the *memory.Problem that would keep Replace from
// replacing the file at path, as far as can be told without changing anything.
func CanReplace(d Disk, path string) error {
	p, real, err := follow(d, path)
	if errors.Is(err, folderGone) {
		return failed("save", path, canMake(d, filepath.Dir(real)))
	}
	if err != nil {
		return failed("save", path, err)
	}
	defer p.dir.Close()
	info, err := p.dir.Stat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil:
		err = fits(info)
		if user := d.User(); err == nil && user > 0 && user != info.UID {
			err = otherOwner
		}
	}
	if mayErr := p.dir.Writable(); mayErr != nil {
		err = mayErr
	}
	return failed("save", path, err)
}

// canMake returns nil when the folder at path could be made.
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
