package atomicfile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

// State is a file as it stands.
type State struct {
	There bool
	Info  Info
	Data  []byte
}

// Look reads the file at path. A link in the last place is not followed: see Resolve.
// A file or folder that is missing is no error. What cannot be replaced is a
// *memory.Problem, as in Replace.
func Look(d Disk, path string) (State, error) {
	dir, err := d.Folder(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, failed("read", path, err)
	}
	defer dir.Close()
	s := saving{place: place{dir: dir, name: filepath.Base(path)}}
	defer s.close()
	v, err := s.read(s.name)
	return State{v.there, v.info, v.data}, failed("read", path, err)
}

// Take takes the file at path away when it holds what holds says, by giving it the name
// temp beside it (see NewTemp): so nobody can change it between the look and the
// removal, and Return brings it back as it was. One that holds something else goes back,
// and the error is that of holds; any other is a *memory.Problem. A link is refused. The
// file stays under the name temp until Drop.
func Take(d Disk, path, temp string, holds func(data []byte) error) error {
	p, err := openPlace(steadied(d), path)
	if err != nil {
		return said("remove", path, err)
	}
	defer p.dir.Close()
	s := saving{place: p}
	defer s.close()
	if err := s.take(temp, holds); err != nil {
		return said("remove", path, err)
	}
	return nil
}

func (s *saving) take(temp string, holds func([]byte) error) error {
	if err := s.agrees(s.name, holds); err != nil {
		return err
	}
	if err := s.stays(); err != nil {
		return err
	}
	if err := renameUnless(s.dir, s.name, temp); err != nil {
		return err
	}
	err := s.agrees(temp, holds)
	if moved := s.stays(); err == nil && swapped(moved) {
		err = moved
	}
	if err == nil {
		err = s.dir.Sync()
	}
	if err == nil {
		return nil
	}
	if back := renameUnless(s.dir, temp, s.name); errors.Is(back, fs.ErrExist) {
		s.drop(temp) // the writer who was faster has saved again: that is newer
	}
	return err
}

// agrees returns nil when the file name holds what holds says.
func (s *saving) agrees(name string, holds func([]byte) error) error {
	v, err := s.read(name)
	if err == nil && !v.there {
		err = ours{ErrOther}
	}
	if err != nil {
		return err
	}
	if err := holds(v.data); err != nil {
		return ours{err}
	}
	return nil
}

// Return gives what Take took its name back, and reports whether it did: not when
// another file has it by now, which stays, or when nothing was taken.
func Return(d Disk, path, temp string) (bool, error) {
	dir, err := openFolder(d, filepath.Dir(path))
	if err != nil {
		return false, said("bring back", path, err)
	}
	defer dir.Close()
	err = renameUnless(dir, temp, filepath.Base(path))
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = dir.Sync()
	}
	return err == nil, said("bring back", path, err)
}

// Restore puts what a replacement displaced, and left under the name temp, back in the
// place of the file at path, when holds says that this still is what the replacement put
// there. It reports whether it did: another writer's file stays, and what was displaced
// goes.
func Restore(d Disk, path, temp string, holds func(data []byte) error) (bool, error) {
	dir, err := openFolder(d, filepath.Dir(path))
	if err != nil {
		return false, said("bring back", path, err)
	}
	defer dir.Close()
	s := saving{place: place{dir: dir, name: filepath.Base(path)}}
	defer s.close()
	back, err := s.restore(temp, holds)
	return back, said("bring back", path, err)
}

func (s *saving) restore(temp string, holds func([]byte) error) (back bool, err error) {
	if s.agrees(s.name, holds) == nil {
		if err := s.dir.Exchange(temp, s.name); err != nil {
			return false, err
		}
		back = s.agrees(temp, holds) == nil
		if !back {
			// Another writer came in between: its file goes back.
			if err := s.dir.Exchange(temp, s.name); err != nil {
				return false, err
			}
		}
	}
	s.drop(temp)
	return back, s.dir.Sync()
}

// Drop removes what Take took, or what a replacement kept. One that is gone is no error.
func Drop(d Disk, path, temp string) error {
	dir, err := openFolder(d, filepath.Dir(path))
	if err != nil {
		return said("remove", path, err)
	}
	defer dir.Close()
	err = dir.Remove(temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = dir.Sync()
	}
	return said("remove", path, err)
}

// renameUnless renames unless to exists: then the error is [fs.ErrExist]. Where the disk
// has no such step, a second name is as good, and else a look must do.
func renameUnless(dir Folder, from, to string) error {
	err := dir.RenameNew(from, to)
	if !unable(err) {
		return err
	}
	if err = dir.Link(from, to); err == nil {
		return dir.Remove(from)
	}
	if !unable(err) && !errors.Is(err, syscall.EPERM) {
		return err
	}
	if _, err = dir.Stat(to); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return dir.Rename(from, to)
}

// RealPath returns path without links, as far as it exists; what does not exist is as
// path says. The path is absolute. The error is a *memory.Problem.
func RealPath(d Disk, path string) (string, error) {
	root := filepath.VolumeName(path) + string(filepath.Separator)
	at, rest := root, path[len(filepath.VolumeName(path)):]
	for links := 0; ; {
		rest = strings.TrimLeft(rest, string(filepath.Separator))
		name, more, _ := strings.Cut(rest, string(filepath.Separator))
		switch name {
		case "":
			return at, nil
		case ".":
			rest = more
			continue
		case "..":
			at, rest = filepath.Dir(at), more
			continue
		}
		target, err := linkAt(d, at, name)
		if err != nil {
			return "", failed("open", path, err)
		}
		if target == "" {
			at, rest = filepath.Join(at, name), more
			continue
		}
		if links++; links > maxLinks {
			return "", failed("open", path, linkLoop)
		}
		rest = target + string(filepath.Separator) + more
		if filepath.IsAbs(target) {
			at, rest = filepath.VolumeName(target)+string(filepath.Separator), rest[len(filepath.VolumeName(target)):]
		}
	}
}

// linkAt returns where the link name in the folder at leads, and nothing when it is
// none or not there.
func linkAt(d Disk, at, name string) (string, error) {
	dir, err := d.Folder(at)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrPermission) {
		return "", nil // what is in a folder that may only be passed through is not told
	}
	if err != nil {
		return "", err
	}
	defer dir.Close()
	target, err := dir.ReadLink(name)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrNotExist) || notALink(dir, name, err) {
		return "", nil
	}
	return target, err
}
