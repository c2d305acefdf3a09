package atomicfile

import (
	"bytes"
	"errors"
	"path/filepath"
)

// ErrOther is returned by Remove for a file that does not hold what it should.
var ErrOther = errors.New("it holds something else")

// Remove removes the file at path when it holds was. It is moved to the name temp first
// (see NewTemp), so that nobody can change it between the look and the removal; one that
// holds something else goes back, and the error is ErrOther. A link is not followed.
func Remove(d Disk, path, temp string, was []byte) error {
	dir, err := d.Folder(filepath.Dir(path))
	if err != nil {
		return said("remove", path, err)
	}
	defer dir.Close()
	name := filepath.Base(path)
	err = holding(dir, name, was)
	if err == nil {
		err = dir.Rename(name, temp)
	}
	if err != nil {
		return removed(path, err)
	}
	if err := holding(dir, temp, was); err != nil {
		return removed(path, errors.Join(err, dir.Rename(temp, name)))
	}
	if err := dir.Remove(temp); err != nil {
		return said("remove", path, err)
	}
	return said("remove", path, dir.Sync())
}

// removed returns what the user is told, and ErrOther as it is.
func removed(path string, err error) error {
	if errors.Is(err, ErrOther) {
		return err
	}
	return said("remove", path, err)
}

// holding returns nil when the file name holds was.
func holding(dir Folder, name string, was []byte) error {
	f, err := dir.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Kind != Regular || info.Size != int64(len(was)) {
		return ErrOther
	}
	now, err := content(f, info.Size)
	if err == nil && !bytes.Equal(now, was) {
		err = ErrOther
	}
	return err
}
