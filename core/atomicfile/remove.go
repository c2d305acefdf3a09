package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"syscall"
)

// ErrOther says that a file does not hold what it should.
var ErrOther = errors.New("it holds something else")

// Remove removes the file at path when it holds was, by way of the name temp (see
// [Take]). The error is ErrOther when it holds something else or is missing.
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

// Take takes the file at path away when it holds what holds says, by giving it the name
// temp beside it (see NewTemp): so nobody can change it between the look and the
// removal, and Return brings it back as it was. One that holds something else goes back,
// and the error is that of holds; any other is a *memory.Problem. A link is refused. The
// file stays under the name temp until Drop.
func Take(d Disk, path, temp string, holds func(data []byte) error) error {
	return inPlace(asSteady(d), "remove", path, func(r *replacement) error { return r.take(temp, holds) })
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

func (r *replacement) take(temp string, holds func([]byte) error) error {
	if err := r.checkContent(r.name, holds); err != nil {
		return err
	}
	if err := r.checkPath(); err != nil {
		return err
	}
	if err := move(r.dir, r.name, temp); err != nil {
		return err
	}
	err := r.checkContent(temp, holds)
	if moved := r.checkPath(); err == nil && swapped(moved) {
		err = moved
	}
	if err == nil {
		err = r.dir.Sync()
	}
	if err == nil {
		return nil
	}
	if back := move(r.dir, temp, r.name); errors.Is(back, fs.ErrExist) {
		r.drop(temp) // the writer who was faster has saved again: that is newer
	}
	return err
}

// checkContent returns nil when the file name holds what holds says.
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

// Return gives what Take took its name back, unless another file has it by now, which stays,
// or nothing was taken.
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

// Restore puts what a replacement displaced, and left under the name temp, back in the
// place of the file at path, when holds says that this still is what the replacement put
// there. Another writer's file stays, and what was displaced goes.
func Restore(d Disk, path, temp string, holds func(data []byte) error) error {
	return inPlace(d, "bring back", path, func(r *replacement) error { return r.restore(temp, holds) })
}

func (r *replacement) restore(temp string, holds func([]byte) error) error {
	if r.checkContent(r.name, holds) == nil {
		err := r.dir.Exchange(temp, r.name)
		if err == nil && r.checkContent(temp, holds) != nil {
			err = r.dir.Exchange(temp, r.name) // another writer came in between: its file goes back
		}
		if err != nil {
			return err
		}
	}
	r.drop(temp)
	return r.dir.Sync()
}

// Drop removes what Take took, or what a replacement kept. One that is gone is no error.
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

// move gives the file from another name, unless that exists: then the error is [fs.ErrExist].
func move(dir Folder, from, to string) error {
	how, err := renameUnless(dir, from, to)
	if err == nil && how == byLink {
		err = dir.Remove(from)
	}
	return err
}

// The ways of renameUnless.
const (
	inOneStep = iota
	byLink    // both names stand for the file now
	byLook    // another file could have come in between
)

// renameUnless renames unless to exists: then the error is [fs.ErrExist]. Where the disk
// has no such step, a second name is as good, and else a look must do.
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
