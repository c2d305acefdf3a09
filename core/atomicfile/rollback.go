package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
)

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
