package atomicfile

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// Recover finishes or takes back a replacement of the file at path that a crash
// interrupted, and removes its temporary files. Temp and the digests of from and to
// are those of the last call of Stage. It reports whether the changes of u.Next
// stand. What another writer had saved in the same instant is merged in, where it was
// displaced and is nowhere else. Temporary files of a finished replacement are
// removed just so. The caller holds the lock.
func Recover(ctx context.Context, d Disk, path, temp, from, to string, u Update) (stands bool, err error) {
	if filepath.Base(temp) != temp || !strings.HasPrefix(temp, ".winnow-") {
		return false, failed("recover", path, errors.New("not a name of a temporary file"))
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p, _, err := find(d, path, u.Real)
	if errors.Is(err, folderGone) {
		return false, nil
	}
	if err != nil {
		return false, failed("recover", path, err)
	}
	defer p.dir.Close()
	u.Temp, _, _ = strings.Cut(temp, ".tmp")
	u.Temp += ".tmp"
	r := &recovery{replacement: replacement{place: p, u: u}, temp: temp, from: from, to: to}
	defer r.close()
	stands, err = r.run()
	return stands, explained("recover", path, err)
}

// recovery is one replacement being finished or taken back.
type recovery struct {
	replacement
	temp, from, to string
}

func (r *recovery) run() (bool, error) {
	if err := r.look(); err != nil {
		return false, err
	}
	names, err := r.leftovers()
	if err != nil {
		return false, err
	}
	standing := r.target.There && Digest(r.target.Data) == r.to
	unmade, displaced := false, false
	var foreign []string
	for _, name := range names {
		v, err := r.leftover(name)
		if err != nil && !errors.Is(err, noMode) {
			return false, err
		}
		digest := Digest(v.Data)
		switch {
		case err != nil:
			// Never whole, or one that nobody put there.
		case name == r.u.Temp && name == r.temp && digest == r.to:
			unmade = true
		case name == r.u.Temp && name == r.temp && digest == r.from:
			displaced = true
		case name != r.temp && standing:
			// Merged into what stands there.
		default:
			foreign = append(foreign, name)
			continue
		}
		if err := r.dir.Remove(name); err != nil {
			return false, err
		}
	}
	if len(foreign) > 0 {
		r.held = foreign
		return r.takeOver(standing)
	}
	if len(names) > 0 {
		if err := r.sync(); err != nil {
			return false, err
		}
	}
	if unmade || displaced || standing {
		return standing || displaced, nil
	}
	return r.judged()
}

// leftover reads a temporary file. One that is not whole is noMode, and is not opened:
// its owner may not read it.
func (r *recovery) leftover(name string) (State, error) {
	info, err := r.dir.Stat(name)
	if strings.HasSuffix(name, part) || err == nil && info.Kind == Regular && info.Mode&0o777 == 0 {
		return State{}, noMode
	}
	return r.read(name)
}

// leftovers returns the temporary files of the replacement, in order.
func (r *recovery) leftovers() ([]string, error) {
	names, err := r.dir.Names()
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, r.u.Temp) })
	slices.Sort(names)
	return names, err
}

// judged reports whether the changes stand in what is at the target.
func (r *recovery) judged() (bool, error) {
	if r.target.There && Digest(r.target.Data) == r.from {
		return false, nil
	}
	_, err := r.u.Next(r.target.Data)
	return errors.Is(err, ErrUnchanged), nil
}

// takeOver takes displaced versions of others into what stands there, and makes the
// changes again where they can be made.
func (r *recovery) takeOver(standing bool) (bool, error) {
	if r.u.Adopt == nil {
		return standing, isBusy
	}
	stands := true
	apply := func(b []byte) []byte {
		next, err := r.u.Next(b)
		if err == nil {
			return next
		}
		stands = stands && errors.Is(err, ErrUnchanged)
		return b
	}
	start := func(now []byte) []byte {
		stands = true
		return apply(now)
	}
	err := r.absorb(nil, start, apply)
	return stands, err
}

// Sweep removes what an interrupted replacement of the file at path left beside it under
// the name temp: files that were not whole, and others of which needless says, by what
// they hold and what the file holds now, that nothing of them is needed. Links are
// followed first. What cannot be read or removed stays.
func Sweep(d Disk, path, temp string, needless func(left, now []byte) bool) {
	p, _, err := follow(d, path)
	if err != nil {
		return
	}
	defer p.dir.Close()
	r := replacement{place: p}
	defer r.close()
	names, err := p.dir.Names()
	if err != nil {
		return
	}
	for _, name := range names {
		if !strings.HasPrefix(name, temp) {
			continue
		}
		left, err := r.read(name)
		now, nowErr := r.read(p.name)
		if strings.HasSuffix(name, part) || err == nil && nowErr == nil && left.There && now.There && needless(left.Data, now.Data) {
			_ = p.dir.Remove(name) // else the next one will
		}
	}
}
