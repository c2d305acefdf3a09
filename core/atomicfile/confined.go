package atomicfile

import (
	"errors"
	"path/filepath"
)

// Confined returns d for changes that must not leave some folders. It changes no file for which may
// returns an error, and gives the caller that error. may gets the absolute path of the file with its
// links resolved, or "" if it cannot be told. It is asked about the folder that is open, so a link
// that is put on the way in the meantime leads nowhere else. Reading is not restricted.
func Confined(d Disk, may func(path string) error) Disk { return &confined{d, may} }

type confined struct {
	Disk
	may func(path string) error
}

// Folder implements [Disk].
func (c *confined) Folder(path string) (Folder, error) {
	dir, err := c.Disk.Folder(path)
	if err != nil {
		return nil, err
	}
	return &confinedFolder{Folder: dir, path: path, may: c.may}, nil
}

// confinedFolder is an open folder of a confined disk.
type confinedFolder struct {
	Folder
	path string
	may  func(path string) error

	asked   bool
	real    string          // with links resolved; "" if it is not the folder that path leads to
	allowed map[string]bool // names that may be changed, so that a change that was begun can be ended or undone
}

// located is implemented by a folder that can prove where it is.
type located interface {
	// isAt reports whether the open folder is at path and below all of path's folders.
	isAt(path string) bool
}

// check returns the error of may for the first of the names that may not be changed.
func (f *confinedFolder) check(names ...string) error {
	if !f.asked {
		f.asked = true
		f.real = where(f.Folder, f.path)
	}
	for _, name := range names {
		if f.allowed[name] {
			continue
		}
		path := f.real
		if path != "" {
			path = filepath.Join(path, name)
		}
		if err := f.may(path); err != nil {
			return callerError{err}
		}
		if f.allowed == nil {
			f.allowed = map[string]bool{}
		}
		f.allowed[name] = true
	}
	return nil
}

// where returns the path of an open folder that was opened by path, or "".
func where(dir Folder, path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return ""
	}
	if l, ok := dir.(located); ok && !l.isAt(real) {
		return ""
	}
	return real
}

// Allowed returns the error of the function given to [Confined] if the file at path, or the file that
// a link there leads to, may not be changed. It returns nil for any other disk.
func Allowed(d Disk, path string) error {
	p, real, err := followLinks(d, path)
	if err == nil {
		defer p.dir.Close()
		return named(mayChange(p.dir, p.name))
	}
	if !errors.Is(err, folderGone) {
		return nil // the change itself says what is wrong
	}
	return named(mayMake(d, filepath.Dir(real)))
}

// named returns the error of a caller without its mark.
func named(err error) error {
	if own := (callerError{}); errors.As(err, &own) {
		return own.error
	}
	return err
}

// mayChange returns why a name in an open folder may not be changed, or nil.
func mayChange(dir Folder, name string) error {
	if f, ok := dir.(*confinedFolder); ok {
		return f.check(name)
	}
	return nil
}

// mayMake returns why the missing folder at path may not be made, or nil.
func mayMake(d Disk, path string) error {
	for above := filepath.Dir(path); above != path; path, above = above, filepath.Dir(above) {
		if dir, err := d.Folder(above); err == nil {
			defer dir.Close()
			return mayChange(dir, filepath.Base(path))
		}
	}
	return nil
}

// Create implements [Folder].
func (f *confinedFolder) Create(name string, mode uint32) (File, error) {
	if err := f.check(name); err != nil {
		return nil, err
	}
	return f.Folder.Create(name, mode)
}

// Append implements [Folder].
func (f *confinedFolder) Append(name string, mode uint32) (File, bool, error) {
	if err := f.check(name); err != nil {
		return nil, false, err
	}
	return f.Folder.Append(name, mode)
}

// Exchange implements [Folder].
func (f *confinedFolder) Exchange(a, b string) error {
	if err := f.check(a, b); err != nil {
		return err
	}
	return f.Folder.Exchange(a, b)
}

// RenameNew implements [Folder].
func (f *confinedFolder) RenameNew(from, to string) error {
	if err := f.check(from, to); err != nil {
		return err
	}
	return f.Folder.RenameNew(from, to)
}

// Rename implements [Folder].
func (f *confinedFolder) Rename(from, to string) error {
	if err := f.check(from, to); err != nil {
		return err
	}
	return f.Folder.Rename(from, to)
}

// Link implements [Folder].
func (f *confinedFolder) Link(from, to string) error {
	if err := f.check(from, to); err != nil {
		return err
	}
	return f.Folder.Link(from, to)
}

// SetTime implements [Folder].
func (f *confinedFolder) SetTime(name string, mtime int64) error {
	if err := f.check(name); err != nil {
		return err
	}
	return f.Folder.SetTime(name, mtime)
}

// Remove implements [Folder].
func (f *confinedFolder) Remove(name string) error {
	if err := f.check(name); err != nil {
		return err
	}
	return f.Folder.Remove(name)
}

// MakeFolder implements [Folder].
func (f *confinedFolder) MakeFolder(name string, mode uint32) error {
	if err := f.check(name); err != nil {
		return err
	}
	return f.Folder.MakeFolder(name, mode)
}

// RemoveFolder implements [Folder].
func (f *confinedFolder) RemoveFolder(name string) error {
	if err := f.check(name); err != nil {
		return err
	}
	return f.Folder.RemoveFolder(name)
}
