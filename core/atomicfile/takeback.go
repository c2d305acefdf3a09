package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
)

// without is what a file system without exchange promises.
const without = "This file system cannot exchange two files in one step: what another program saves within the same millisecond can be lost."

// exchange puts the file temp in place of the target. It is false, and nothing was
// done, when the target is not what it is believed to be.
func (s *saving) exchange(temp string) (bool, error) {
	if err := s.stays(); err != nil {
		return false, err
	}
	if !s.target.there {
		return s.install(temp)
	}
	now, err := s.dir.Stat(s.name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !now.same(s.target.info) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = s.dir.Exchange(temp, s.name)
	if unable(err) {
		s.promiseLess()
		err = s.dir.Rename(temp, s.name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// install puts the file temp at the target, where there is none.
func (s *saving) install(temp string) (bool, error) {
	err := s.dir.RenameNew(temp, s.name)
	if unable(err) {
		// A second name is made in one step, too, and only where there is none.
		if err = s.dir.Link(temp, s.name); err == nil {
			s.drop(temp)
		}
	}
	if unable(err) || errors.Is(err, syscall.EPERM) {
		if _, err = s.dir.Stat(s.name); errors.Is(err, fs.ErrNotExist) {
			s.promiseLess()
			err = s.dir.Rename(temp, s.name)
		} else if err == nil {
			err = fs.ErrExist
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// promiseLess says once that there is no exchange.
func (s *saving) promiseLess() {
	if !s.plain {
		s.plain = true
		s.report.Notes = append(s.report.Notes, without)
	}
}

// unable reports whether the file system or the kernel lacks an operation.
func unable(err error) bool {
	return errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP)
}

// drop removes a file of ours that has nothing anybody needs.
func (s *saving) drop(name string) {
	if s.dir.Remove(name) != nil {
		// Once more: what interrupted the first may be over.
		_ = s.dir.Remove(name)
	}
}

// takeBack makes it as if nothing had been done, and returns err. Versions of others
// that were displaced go back, or are taken into what stands there now.
func (s *saving) takeBack(err error) (Report, error) {
	s.disk = nil // what was displaced goes back to where it was
	if s.placed {
		s.putBack()
		s.dropLinks()
		s.takeIn()
		if !s.lost {
			_ = s.sync()
		}
	}
	s.report.Rounds, s.report.From, s.report.To = 0, nil, nil
	if s.report.Left = s.held; len(s.held) > 0 {
		err = hinted(failed("save", s.name, err), "what another program wrote is kept in "+strings.Join(s.held, " and ")+" until the next change")
	}
	return s.report, err
}

// putBack takes our version out of the target, where it still is.
func (s *saving) putBack() {
	if s.created {
		s.uncreate()
		return
	}
	if s.report.Kept != "" {
		s.held, s.report.Kept = append(s.held, s.report.Kept), ""
	}
	if len(s.held) == 0 {
		// What was displaced is removed already, and known.
		if _, err := s.write(s.u.Temp, s.source.data); err == nil && !s.returned(s.u.Temp) {
			// Another writer has replaced ours: its bytes stand.
			s.drop(s.u.Temp)
		}
		return
	}
	// What comes back may be an earlier version of ours: then the one before it, too.
	for last := len(s.held) - 1; last >= 0 && s.returned(s.held[last]); last-- {
		s.held = s.held[:last]
	}
}

// returned puts the file name back at the target if ours is there, and removes ours.
// It is false when another writer's file is there: then name is as it was.
func (s *saving) returned(name string) bool {
	there, err := s.dir.Stat(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return s.dir.RenameNew(name, s.name) == nil
	}
	if err != nil || !s.isMine(there) {
		return false
	}
	if s.plain {
		return s.dir.Rename(name, s.name) == nil
	}
	put, err := s.dir.Stat(name)
	for range maxRounds {
		if err != nil || s.dir.Exchange(name, s.name) != nil {
			return false
		}
		var out Info
		if out, err = s.dir.Stat(name); err == nil && s.isMine(out) {
			s.drop(name)
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
func (s *saving) isMine(i Info) bool { return slices.ContainsFunc(s.stood, i.same) }

// uncreate removes a target that was not there before.
func (s *saving) uncreate() {
	there, err := s.dir.Stat(s.name)
	if err != nil || !s.isMine(there) {
		return
	}
	if err := s.dir.RenameNew(s.name, s.u.Temp); err != nil {
		if unable(err) {
			s.drop(s.name)
		}
		return
	}
	if out, err := s.dir.Stat(s.u.Temp); err == nil && !s.isMine(out) && s.dir.RenameNew(s.u.Temp, s.name) == nil {
		return
	}
	s.drop(s.u.Temp)
}

// dropLinks removes displaced links for which another writer's file stands already:
// they hold no bytes.
func (s *saving) dropLinks() {
	s.held = slices.DeleteFunc(s.held, func(name string) bool {
		info, err := s.dir.Stat(name)
		return err == nil && info.Kind == Symlink && s.dir.Remove(name) == nil
	})
}

// takeIn merges the versions that are still held into what stands at the target. Where
// that cannot be made durable they are left.
func (s *saving) takeIn() {
	if len(s.held) == 0 || s.u.Adopt == nil || s.lost {
		return
	}
	next := func(now []byte) ([]byte, error) {
		out := now
		for _, name := range s.held {
			v, err := s.read(name)
			if err == nil {
				out, err = s.u.Adopt(out, s.first, v.data)
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
	if s.absorb(next) == nil {
		s.held = nil
	}
}

// absorb runs a replacement of its own beside the held files, and removes them.
func (s *saving) absorb(next func([]byte) ([]byte, error)) error {
	temp := s.u.Temp + ".in"
	for slices.Contains(s.held, temp) {
		temp += "+"
	}
	in := &saving{place: s.place, u: Update{Temp: temp, Next: next, Adopt: s.u.Adopt}}
	defer in.close()
	report, err := in.run(context.Background())
	s.report.Notes = append(s.report.Notes, report.Notes...)
	if err != nil {
		return err
	}
	for _, name := range s.held {
		if err := s.dir.Remove(name); err != nil {
			return err
		}
	}
	return s.sync()
}
