package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"strconv"
)

// maxRounds bounds how often another writer can be faster.
const maxRounds = 256

// part ends the name of a file that is not whole yet. Without it, a temporary file
// is whole and synced.
const part = ".part"

// saving is one replacement under way.
type saving struct {
	place
	u Update

	target  version  // what is believed to stand at the target
	source  version  // what Next is applied to: what stands there, or was displaced
	first   []byte   // what stood there at first
	mine    version  // our newest version
	stood   []Info   // our versions that were in place
	base    []byte   // our version when one of another's was first displaced
	held    []string // files with displaced versions of others, in order
	created bool     // the target is ours and there was none before
	placed  bool     // a version of ours has been in place
	plain   bool     // the file system cannot exchange
	lost    bool     // a sync of the folder failed; no second one is tried

	report Report
	open   []File // kept open so that their numbers are not given to others
	chunk  []byte // for reading what is compared only
}

// version is a state of a file.
type version struct {
	there bool
	info  Info
	attrs []Attr
	data  []byte
}

// close closes what the saving holds open.
func (s *saving) close() {
	for _, f := range s.open {
		f.Close()
	}
	s.open = nil
}

// closeOld closes what earlier rounds opened, but for the last.
func (s *saving) closeOld() {
	for ; len(s.open) > 6; s.open = s.open[1:] {
		s.open[0].Close()
	}
}

// run replaces the target.
func (s *saving) run(ctx context.Context) (Report, error) {
	if err := s.look(); err != nil {
		return s.report, err
	}
	s.first = s.target.data
	for range maxRounds {
		done, err := s.round(ctx)
		if err == nil && done {
			err = s.finish()
		}
		if err != nil {
			return s.takeBack(err)
		}
		if done {
			return s.report, nil
		}
	}
	return s.takeBack(isBusy)
}

// look reads what stands at the target.
func (s *saving) look() error {
	v, err := s.read(s.name)
	s.target, s.source = v, v
	return err
}

// round makes one version and tries to put it in place. It reports whether that is
// done, and nothing of another writer was displaced.
func (s *saving) round(ctx context.Context) (bool, error) {
	s.closeOld()
	next, err := s.merge()
	if err != nil {
		return false, err
	}
	s.report.From, s.report.To = s.source.data, next
	if bytes.Equal(next, s.target.data) && (s.target.there || next == nil) {
		// What stands there has it all: it is as it was, or what we put there.
		return true, nil
	}
	temp := s.temp(len(s.held) + 1)
	if err := s.alive(ctx); err != nil {
		return false, err
	}
	if s.u.Stage != nil {
		if err := s.u.Stage(temp, s.source.data, next); err != nil {
			return false, ours{err}
		}
	}
	if err := s.alive(ctx); err != nil {
		return false, err
	}
	mine, err := s.write(temp, next)
	if err != nil {
		return false, err
	}
	s.mine = mine
	return s.swap(ctx, temp)
}

// alive returns the error of ctx, as long as nothing was exchanged.
func (s *saving) alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil && !s.placed {
		return ours{err}
	}
	return nil
}

// temp returns the name of the n-th temporary file, from 1.
func (s *saving) temp(n int) string {
	if n == 1 {
		return s.u.Temp
	}
	return s.u.Temp + "." + strconv.Itoa(n)
}

// merge returns the next version: what Next makes of the source, with what our last
// version took over from displaced ones.
func (s *saving) merge() ([]byte, error) {
	next, err := s.u.Next(s.source.data)
	if errors.Is(err, ErrUnchanged) {
		next, err = s.source.data, nil
	}
	if err != nil {
		return nil, ours{err}
	}
	if len(s.held) == 0 || bytes.Equal(s.base, s.mine.data) {
		return next, nil
	}
	if s.u.Adopt == nil {
		return nil, isBusy
	}
	if next, err = s.u.Adopt(next, s.base, s.mine.data); err != nil {
		return nil, ours{err}
	}
	return next, nil
}

// swap puts our version in place of the target, when that is still what is
// believed, and looks at what it displaced.
func (s *saving) swap(ctx context.Context, temp string) (bool, error) {
	err := s.alive(ctx)
	moved := false
	if err == nil {
		moved, err = s.exchange(temp)
	}
	if !moved {
		s.drop(temp)
		if err == nil {
			err = s.look()
		}
		return false, err
	}
	s.report.Rounds++
	expected := s.target
	s.placed, s.target, s.stood = true, s.mine, append(s.stood, s.mine.info)
	if s.created = !expected.there; s.created || s.plain {
		return true, nil
	}
	return s.displaced(temp, expected)
}

// displaced looks at what was displaced. It reports whether that is the expected
// version, and removes it then.
func (s *saving) displaced(temp string, expected version) (bool, error) {
	known, err := s.holds(temp, expected.data)
	if known && s.u.Keep && len(s.held) == 0 {
		s.report.Kept = temp
		return true, nil
	}
	if known {
		if err = s.dir.Remove(temp); err == nil {
			return true, nil
		}
	}
	if known && len(s.held) > 0 {
		// A version of ours that was in place for a moment: finish tries again.
		s.held = append(s.held, temp)
		return true, nil
	}
	if len(s.held) == 0 {
		s.base = s.mine.data
	}
	s.held = append(s.held, temp)
	if known || err != nil {
		return false, err
	}
	was, err := s.read(temp)
	if err == nil {
		s.source = was
		s.report.Foreign++
	}
	return false, err
}

// finish makes durable what is in place, removes what was displaced and reads back.
func (s *saving) finish() error {
	if !s.placed {
		return nil
	}
	if err := s.stays(); swapped(err) {
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	s.release()
	stands, err := s.holds(s.name, s.mine.data)
	s.report.Overtaken = err == nil && !stands
	if err != nil {
		s.report.Notes = append(s.report.Notes, "Saved, but it could not be read back: "+reason(err)+".")
	}
	return nil
}

// release removes the displaced versions of others, now that the version which has
// it all is durable.
func (s *saving) release() {
	if len(s.held) == 0 {
		return
	}
	for _, name := range s.held {
		s.drop(name)
	}
	s.held = nil
	if err := s.dir.Sync(); err != nil {
		s.report.Notes = append(s.report.Notes, "Saved, but a crash may bring back a temporary file: "+reason(err)+".")
	}
}

// sync makes the names in the folder durable.
func (s *saving) sync() error {
	err := s.dir.Sync()
	s.lost = err != nil
	return err
}
