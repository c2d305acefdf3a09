package atomicfile

import (
	"path/filepath"
	"strings"
)

// TempOf returns a name for Update.Temp that is always the same for a path, so that what
// a crash left of a replacement is found by the next one. Two at a time exclude each
// other: hold a lock.
func TempOf(path string) string {
	const digits = 16
	return ".winnow-" + Digest([]byte(filepath.Base(path)))[:digits] + ".tmp"
}

// Sweep removes what an interrupted replacement of the file at path left beside it under
// the name temp: files that were not whole, and others of which over says, by what they
// hold and what the file holds now, that nothing of them is needed. Links are followed
// first. What cannot be read or removed stays.
func Sweep(d Disk, path, temp string, over func(left, now []byte) bool) {
	real, err := Resolve(d, path)
	if err != nil {
		return
	}
	dir, err := d.Folder(filepath.Dir(real))
	if err != nil {
		return
	}
	defer dir.Close()
	names, err := dir.Names()
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, temp) {
			continue
		}
		if strings.HasSuffix(name, part) || needless(dir, name, filepath.Base(real), over) {
			_ = dir.Remove(name) // else the next one will
		}
	}
}

// needless reports whether over says so of the file name beside target.
func needless(dir Folder, name, target string, over func(left, now []byte) bool) bool {
	left, err := held(dir, name)
	if err != nil {
		return false
	}
	now, err := held(dir, target)
	return err == nil && over(left, now)
}

// held returns what a regular file holds.
func held(dir Folder, name string) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Kind != Regular {
		err = ErrOther
	}
	if err != nil {
		return nil, err
	}
	return content(f, info.Size)
}
