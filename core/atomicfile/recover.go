package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Recover finishes or rolls back a replacement of the file at path that a crash interrupted, and
// removes its temporary files. temp and the digests from and to are those of the last call of
// Stage. It reports whether the changes of u.Next were made. What another writer saved in the same
// instant is merged in if it was displaced and exists nowhere else. The temporary files of a
// finished replacement are simply removed. The caller holds the lock.
func Recover(ctx context.Context, d Disk, path, temp, from, to string, u Update) (made bool, err error) {
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
	made, err = r.run()
	return made, explained("recover", path, err)
}

// recovery is a replacement that is being finished or rolled back.
type recovery struct {
	replacement
	temp, from, to string
}

func (r *recovery) run() (bool, error) {
	if err := r.readTarget(); err != nil {
		return false, err
	}
	names, err := r.leftovers()
	if err != nil {
		return false, err
	}
	standing := r.target.There && Digest(r.target.Data) == r.to
	found, err := r.removeOwn(names, standing)
	if err != nil {
		return false, err
	}
	if len(found.foreign) > 0 {
		r.held = found.foreign
		return r.takeOver(standing)
	}
	if len(names) > 0 {
		if err := r.sync(); err != nil {
			return false, err
		}
	}
	if found.unmade || found.displaced || standing {
		return standing || found.displaced, nil
	}
	return r.targetHasChanges()
}

// leftovers are the temporary files that a replacement left.
type leftovers struct {
	unmade    bool     // one held what was to be written
	displaced bool     // one held what was displaced
	foreign   []string // those that hold another writer's bytes
}

// removeOwn removes the leftovers that hold nothing of another writer.
func (r *recovery) removeOwn(names []string, standing bool) (found leftovers, err error) {
	for _, name := range names {
		v, err := r.readLeftover(name)
		if err != nil && !errors.Is(err, noMode) {
			return found, err
		}
		digest := Digest(v.Data)
		switch {
		case err != nil:
			// Incomplete, or not put there by a replacement.
		case name == r.u.Temp && name == r.temp && digest == r.to:
			found.unmade = true
		case name == r.u.Temp && name == r.temp && digest == r.from:
			found.displaced = true
		case name != r.temp && standing:
			// Merge it into what is there now.
		default:
			found.foreign = append(found.foreign, name)
			continue
		}
		if err := r.dir.Remove(name); err != nil {
			return found, err
		}
	}
	return found, nil
}

// readLeftover reads a temporary file. An incomplete one has mode noMode, and is not opened: its owner
// may not read it.
func (r *recovery) readLeftover(name string) (State, error) {
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

// targetHasChanges reports whether what is at the target includes the changes.
func (r *recovery) targetHasChanges() (bool, error) {
	if r.target.There && Digest(r.target.Data) == r.from {
		return false, nil
	}
	_, err := r.u.Next(r.target.Data)
	return errors.Is(err, ErrUnchanged), nil
}

// takeOver merges displaced versions of other writers into what is there, and makes the changes
// again if possible.
func (r *recovery) takeOver(standing bool) (bool, error) {
	if r.u.Adopt == nil {
		return standing, isBusy
	}
	made := true
	apply := func(b []byte) []byte {
		next, err := r.u.Next(b)
		if err == nil {
			return next
		}
		made = made && errors.Is(err, ErrUnchanged)
		return b
	}
	start := func(now []byte) []byte {
		made = true
		return apply(now)
	}
	err := r.adoptHeld(nil, start, apply)
	return made, err
}

// Sweep removes what an interrupted replacement of the file at path left beside it under the name
// temp: incomplete files, and others that needless accepts, given their content and the file's
// content now. It follows links first. What cannot be read or removed stays.
func Sweep(d Disk, path, temp string, needless func(left, now []byte) bool) {
	p, _, err := followLinks(d, path)
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
		if strings.HasSuffix(name, part) ||
			err == nil && nowErr == nil && left.There && now.There && needless(left.Data, now.Data) {
			_ = p.dir.Remove(name) // otherwise the next one will
		}
	}
}

// rollBack restores the state before the replacement, and returns err. Displaced versions of other
// writers go back, or are merged into what is there now.
func (r *replacement) rollBack(err error) (Report, error) {
	if len(r.placed) > 0 {
		r.putBack()
		r.dropLinks()
		r.takeIn()
		if !r.lost {
			_ = r.sync()
		}
	}
	r.report.Rounds, r.report.From, r.report.To = 0, nil, nil
	if r.report.Left = r.held; len(r.held) > 0 {
		err = withHint(
			failed("save", r.name, err),
			"what another program wrote is kept in "+strings.Join(r.held, " and ")+" until the next change",
		)
	}
	return r.report, err
}

// putBack takes our version out of the target, if it is still there.
func (r *replacement) putBack() {
	if r.created {
		r.removeCreated()
		return
	}
	if r.report.Kept != "" {
		r.held, r.report.Kept = append(r.held, r.report.Kept), ""
	}
	if len(r.held) == 0 {
		// What was displaced is already removed, but its content is known.
		back, err := r.write(r.u.Temp, r.source.Data)
		if err != nil || r.putFileBack(r.u.Temp) {
			return
		}
		// Another writer has replaced ours, so its bytes stay, and those that were displaced by what came back.
		if now, err := r.dir.Stat(r.u.Temp); err == nil && now.same(back.Info) {
			r.drop(r.u.Temp)
		} else {
			r.held = append(r.held, r.u.Temp)
		}
		return
	}
	// What comes back may be an earlier version of ours. Then also restore the one before it.
	for last := len(r.held) - 1; last >= 0 && r.putFileBack(r.held[last]); last-- {
		r.held = r.held[:last]
	}
}

// putFileBack puts the file name back at the target if our version is there, and removes ours. It
// returns false if another writer's file is there; name then holds what it did, or another writer's version that was
// displaced and is not merged in yet.
func (r *replacement) putFileBack(name string) bool {
	there, err := r.dir.Stat(r.name)
	if errors.Is(err, fs.ErrNotExist) {
		return r.dir.RenameNew(name, r.name) == nil
	}
	if err != nil || !r.isMine(there) {
		return false
	}
	if r.plain {
		return r.dir.Rename(name, r.name) == nil
	}
	isBack, _ := r.exchangeBack(name, r.isMine)
	if isBack {
		r.drop(name)
	}
	return isBack
}

// maxReturns limits how often another writer can be faster than what is put back.
const maxReturns = 5

// exchangeBack puts the file name at the target in place of a file that isOurs accepts, which name then is. It returns
// false if another writer came in between: its file is newer and goes back. After an error name may be the newest file.
func (r *replacement) exchangeBack(name string, isOurs func(Info) bool) (bool, error) {
	var before Info // what the exchange before the last put at the target
	put, err := r.dir.Stat(name)
	for range maxReturns {
		if err == nil {
			err = r.dir.Exchange(name, r.name)
		}
		if err != nil {
			return false, err
		}
		out, err := r.dir.Stat(name)
		switch {
		case err != nil:
			return false, err
		case isOurs(out):
			return true, nil
		case out.same(before):
			return false, nil
		}
		before, put = put, out
	}
	return false, isBusy
}

// isMine reports whether a file is a version that we put in place.
func (r *replacement) isMine(i Info) bool { return slices.ContainsFunc(r.placed, i.same) }

// removeCreated removes a target that did not exist before.
func (r *replacement) removeCreated() {
	there, err := r.dir.Stat(r.name)
	if err != nil || !r.isMine(there) {
		return
	}
	if err := r.dir.RenameNew(r.name, r.u.Temp); err != nil {
		if unsupported(err) {
			r.drop(r.name)
		}
		return
	}
	if out, err := r.dir.Stat(r.u.Temp); err == nil && !r.isMine(out) && r.dir.RenameNew(r.u.Temp, r.name) == nil {
		return
	}
	r.drop(r.u.Temp)
}

// dropLinks removes displaced links that another writer's file has already replaced. They hold no
// bytes.
func (r *replacement) dropLinks() {
	r.held = slices.DeleteFunc(r.held, func(name string) bool {
		info, err := r.dir.Stat(name)
		return err == nil && info.Kind == Symlink && r.dir.Remove(name) == nil
	})
}

// takeIn merges the versions still held into what is at the target. It leaves them if that cannot
// be made durable.
func (r *replacement) takeIn() {
	if len(r.held) == 0 || r.u.Adopt == nil || r.lost {
		return
	}
	same := func(b []byte) []byte { return b }
	if r.adoptHeld(r.first, same, same) == nil {
		r.held = nil
	}
}

// adoptHeld adopts the held versions into what is at the target, by a separate replacement, and then
// removes them. base is what they were made from, or nil. start is applied to the target, and each
// to every version.
func (r *replacement) adoptHeld(base []byte, start, each func([]byte) []byte) error {
	next := func(now []byte) ([]byte, error) {
		out := start(now)
		for _, name := range r.held {
			v, err := r.read(name)
			if err == nil {
				out, err = r.u.Adopt(out, base, each(v.Data))
			}
			if err != nil {
				return nil, err
			}
		}
		if bytes.Equal(out, now) {
			return nil, ErrUnchanged
		}
		return out, nil
	}
	temp := r.u.Temp + ".in"
	for slices.Contains(r.held, temp) {
		temp += "+"
	}
	in := &replacement{place: r.place, u: Update{Temp: temp, Next: next, Adopt: r.u.Adopt}}
	defer in.close()
	report, err := in.run(context.Background())
	r.report.Notes = append(r.report.Notes, report.Notes...)
	if err != nil {
		return err
	}
	for _, name := range r.held {
		if err := r.dir.Remove(name); err != nil {
			return err
		}
	}
	return r.sync()
}
