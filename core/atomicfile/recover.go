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

// rollBack makes it as if nothing had been done, and returns err. Versions of others
// that were displaced go back, or are taken into what stands there now.
func (r *replacement) rollBack(err error) (Report, error) {
	r.disk = nil // what was displaced goes back to where it was
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
		err = hinted(failed("save", r.name, err), "what another program wrote is kept in "+strings.Join(r.held, " and ")+" until the next change")
	}
	return r.report, err
}

// putBack takes our version out of the target, where it still is.
func (r *replacement) putBack() {
	if r.created {
		r.uncreate()
		return
	}
	if r.report.Kept != "" {
		r.held, r.report.Kept = append(r.held, r.report.Kept), ""
	}
	if len(r.held) == 0 {
		// What was displaced is removed already, and known.
		if _, err := r.write(r.u.Temp, r.source.Data); err == nil && !r.returned(r.u.Temp) {
			// Another writer has replaced ours: its bytes stand.
			r.drop(r.u.Temp)
		}
		return
	}
	// What comes back may be an earlier version of ours: then the one before it, too.
	for last := len(r.held) - 1; last >= 0 && r.returned(r.held[last]); last-- {
		r.held = r.held[:last]
	}
}

// returned puts the file name back at the target if ours is there, and removes ours.
// It is false when another writer's file is there: then name is as it was.
func (r *replacement) returned(name string) bool {
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
	put, err := r.dir.Stat(name)
	for range maxRounds {
		if err != nil || r.dir.Exchange(name, r.name) != nil {
			return false
		}
		var out Info
		if out, err = r.dir.Stat(name); err == nil && r.isMine(out) {
			r.drop(name)
			return true
		}
		if err == nil && out.Ino == put.Ino && out.Dev == put.Dev {
			return false
		}
		// Another writer came in between: its file goes back, being newer.
		put = out
	}
	return false
}

// isMine reports whether a file is a version that we put in place.
func (r *replacement) isMine(i Info) bool { return slices.ContainsFunc(r.placed, i.same) }

// uncreate removes a target that was not there before.
func (r *replacement) uncreate() {
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

// dropLinks removes displaced links for which another writer's file stands already:
// they hold no bytes.
func (r *replacement) dropLinks() {
	r.held = slices.DeleteFunc(r.held, func(name string) bool {
		info, err := r.dir.Stat(name)
		return err == nil && info.Kind == Symlink && r.dir.Remove(name) == nil
	})
}

// takeIn merges the versions that are still held into what stands at the target. Where
// that cannot be made durable they are left.
func (r *replacement) takeIn() {
	if len(r.held) == 0 || r.u.Adopt == nil || r.lost {
		return
	}
	same := func(b []byte) []byte { return b }
	if r.absorb(r.first, same, same) == nil {
		r.held = nil
	}
}

// absorb adopts the held versions into what stands at the target, by a replacement of its
// own beside them, and removes them. base is what they were made from, or nil. start is
// applied to what stands, and each to every version.
func (r *replacement) absorb(base []byte, start, each func([]byte) []byte) error {
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
