package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrOther means that a file does not hold what it should.
var ErrOther = errors.New("it holds something else")

// Remove removes the file at path if it holds was, by way of the name temp (see [Take]). The error
// is ErrOther if it holds something else or is missing.
func Remove(d Disk, path, temp string, was []byte) error {
	err := Take(d, path, temp, func(now []byte) error {
		if !bytes.Equal(now, was) {
			return ErrOther
		}
		return nil
	})
	if err != nil {
		return err
	}
	return Drop(d, path, temp)
}

// Take takes the file at path away if holds accepts its content, by renaming it to temp beside it
// (see NewTemp). So nobody can change it between the check and the removal, and Return brings it
// back unchanged. A file that holds refuses goes back, and Take returns the error of holds; any
// other error is a *memory.Problem. Take refuses a link. The file stays under the name temp until
// Drop.
func Take(d Disk, path, temp string, holds func(data []byte) error) error {
	return inPlace(d, "remove", path, func(r *replacement) error { return r.moveAway(temp, holds) })
}

// inPlace opens the folder of path, calls do, and explains its error.
func inPlace(d Disk, op, path string, do func(r *replacement) error) error {
	p, err := openPlace(d, path)
	if err != nil {
		return explained(op, path, err)
	}
	defer p.dir.Close()
	r := replacement{place: p}
	defer r.close()
	return explained(op, path, do(&r))
}

func (r *replacement) moveAway(temp string, holds func([]byte) error) error {
	if err := r.checkContent(r.name, holds); err != nil {
		return err
	}
	if err := move(r.dir, r.name, temp); err != nil {
		return err
	}
	err := r.checkContent(temp, holds)
	if err == nil {
		err = r.dir.Sync()
	}
	if err == nil {
		return nil
	}
	if back := move(r.dir, temp, r.name); errors.Is(back, fs.ErrExist) {
		r.drop(temp) // the faster writer has saved again, and that is newer
	}
	return err
}

// checkContent returns nil if holds accepts the content of the file name.
func (r *replacement) checkContent(name string, holds func([]byte) error) error {
	v, err := r.read(name)
	if err == nil && !v.There {
		err = callerError{ErrOther}
	}
	if err != nil {
		return err
	}
	if err := holds(v.Data); err != nil {
		return callerError{err}
	}
	return nil
}

// Return gives the file that Take took its name back, unless nothing was taken or another file has
// that name by now. The other file then stays.
func Return(d Disk, path, temp string) error {
	return inPlace(d, "bring back", path, func(r *replacement) error {
		err := move(r.dir, temp, r.name)
		if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = r.dir.Sync()
		}
		return err
	})
}

// Restore puts back what a replacement displaced and left under the name temp, if holds accepts the
// file at path as what the replacement put there. If another writer's file is there, it stays, and
// what was displaced is removed.
func Restore(d Disk, path, temp string, holds func(data []byte) error) error {
	return inPlace(d, "bring back", path, func(r *replacement) error { return r.restore(temp, holds) })
}

func (r *replacement) restore(temp string, holds func([]byte) error) error {
	if r.checkContent(r.name, holds) == nil {
		_, err := r.exchangeBack(temp, func(Info) bool { return r.checkContent(temp, holds) == nil })
		if err != nil {
			return err
		}
	}
	r.drop(temp)
	return r.dir.Sync()
}

// Drop removes what Take took, or what a replacement kept. A missing file is no error.
func Drop(d Disk, path, temp string) error {
	return inPlace(d, "remove", path, func(r *replacement) error {
		err := r.dir.Remove(temp)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = r.dir.Sync()
		}
		return err
	})
}

// move renames the file, unless to exists: then the error is [fs.ErrExist].
func move(dir Folder, from, to string) error {
	how, err := renameUnless(dir, from, to)
	if err == nil && how == byLink {
		err = dir.Remove(from)
	}
	return err
}

// How renameUnless renamed.
const (
	inOneStep = iota
	byLink    // both names now refer to the file
	byLook    // another file may have come in between
)

// renameUnless renames unless to exists: then the error is [fs.ErrExist]. If the disk cannot do
// that in one step, a second name is as good; otherwise it only checks first.
func renameUnless(dir Folder, from, to string) (how int, err error) {
	if err = dir.RenameNew(from, to); !unsupported(err) {
		return inOneStep, err
	}
	err = dir.Link(from, to)
	if !unsupported(err) && !errors.Is(err, syscall.EPERM) {
		return byLink, err
	}
	if _, err = dir.Stat(to); err == nil {
		return byLook, fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return byLook, err
	}
	return byLook, dir.Rename(from, to)
}

// RemoveLocked removes the file at path, one of our own for which the caller holds a lock, so that it need not be
// moved aside first as by [Remove]. A missing file is no error. The error is a *memory.Problem.
func RemoveLocked(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explained("remove", path, err)
}
