package karnevil9

import (
	"context"
	"errors"
	"slices"

	"winnow/core/atomicfile"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// CanWrite implements [system.Writer]. A store that does not exist can be written
// where its folder can: an addition creates it. A folder is not made, so that what
// was removed with its folder stays away.
func (s *Store) CanWrite() error {
	_, err := s.writable(s.disk)
	return err
}

// writable is CanWrite on a disk, and returns the path of the file that is to be replaced.
func (s *Store) writable(disk atomicfile.Disk) (string, error) {
	path, err := s.folders.File(disk, s.path)
	if err == nil {
		err = atomicfile.CanReplace(disk, path)
	}
	if err == nil && !s.simulated {
		err = s.readable()
	}
	return path, err
}

// readable returns why the store cannot be opened or is too large to be held, if it
// is there.
func (s *Store) readable() error {
	f, p := open(s.path)
	if p == nil {
		p = overLimit(f.Info.Size(), 0)
		f.Close() // what was only read loses nothing
	}
	if p != nil && p.Code != quietread.CodeMissing {
		return p
	}
	return nil
}

// Write implements [system.Writer]. The agent has no lock of its own: what it saves
// in the same instant is found by exchanging the files, and merged in.
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	disk := s.folders.Steady(s.disk)
	path, err := s.writable(disk)
	if err != nil {
		return system.Written{}, err
	}
	temp, err := atomicfile.NewTemp(s.rand)
	if err != nil {
		return system.Written{}, err
	}
	c := change{Write: w}
	u := c.update(temp)
	u.Real = true
	report, err := atomicfile.Replace(ctx, disk, path, u)
	s.forget()
	switch {
	case errors.Is(err, memory.ErrConflict):
		return system.Written{Fates: c.fates, Left: len(report.Left) > 0}, memory.ErrConflict
	case err != nil:
		return system.Written{Left: len(report.Left) > 0}, err
	case report.Rounds == 0:
		return system.Written{Staged: system.Staged{Standing: c.staged.Standing}, Fates: c.fates}, nil
	}
	return system.Written{Staged: c.staged, Fates: c.fates, Adopted: c.adopted, Notes: report.Notes}, nil
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (stands bool, err error) {
	defer s.forget()
	c := change{Write: system.Write{Changes: staged.Changes}}
	sp := staged.Splices
	return atomicfile.Recover(ctx, s.disk, s.path, staged.Temp, sp.From, sp.To, c.update(staged.Temp))
}

// forget makes the next look read the store again: a file of ours may have the
// place, the size and within the grain of the clock the time of the one before.
func (s *Store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded = nil
	if s.seen != nil {
		stale := *s.seen
		stale.state = state{}
		s.seen = &stale
	}
}

// change is a Write while it is made, as often as another writer comes in between.
type change struct {
	system.Write
	base    []byte // the store as it was first read
	rounds  int
	adopted int

	// Of the last round:
	out    []byte
	fates  []memory.Applied
	staged system.Staged
}

func (c *change) update(temp string) atomicfile.Update {
	return atomicfile.Update{Temp: temp, Next: c.next, Adopt: c.adopt, Stage: c.stage}
}

// next returns the store with the changes made in now.
func (c *change) next(now []byte) ([]byte, error) {
	if c.rounds++; c.rounds == 1 {
		c.base = now
	} else { // now is what another writer saved meanwhile
		_, c.adopted = jsonl.Adopt(string(c.base), string(c.base), string(now))
	}
	c.staged.Splices.From = "" // not known of this round
	if p := overLimit(int64(len(now)), recordsIn(now)); p != nil {
		return nil, p
	}
	if c.exact(now) {
		return c.out, nil
	}
	out, made := jsonl.Rewrite(string(now), c.Changes)
	c.staged = system.Staged{Splices: made.Splices, Changes: made.Changes, Standing: made.Standing}
	c.out, c.fates = []byte(out), made.Fates
	if slices.ContainsFunc(made.Fates, refused) {
		return nil, memory.ErrConflict
	}
	if out == string(now) {
		return nil, atomicfile.ErrUnchanged
	}
	return c.out, nil
}

func refused(a memory.Applied) bool { return a.Fate == memory.Refused }

// exact inverts the bytes that [system.Write] names, where now is what they led to.
func (c *change) exact(now []byte) bool {
	if c.Exact == nil || atomicfile.Digest(now) != c.Exact.To {
		return false
	}
	back := jsonl.Inverse(c.Exact.Parts)
	out, ok := jsonl.Splice(string(now), back)
	if !ok || atomicfile.Digest([]byte(out)) != c.Exact.From {
		return false
	}
	c.out, c.fates = []byte(out), make([]memory.Applied, len(c.Changes))
	for i, ch := range c.Changes {
		c.fates[i] = memory.Applied{ID: ch.ID, Fate: memory.Done}
	}
	c.staged = system.Staged{
		Splices: memory.Splices{From: c.Exact.To, To: c.Exact.From, Parts: back}, Changes: c.Changes,
	}
	return true
}

// adopt returns mine with what another writer's file has more than it began with.
func (c *change) adopt(mine, base, found []byte) ([]byte, error) {
	out, n := jsonl.Adopt(string(mine), string(base), string(found))
	c.adopted += n
	return []byte(out), nil
}

// stage passes on what is about to be replaced.
func (c *change) stage(temp string, from, to []byte) error {
	sp := &c.staged.Splices
	if string(to) != string(c.out) { // something was adopted as well
		*sp = memory.Splices{Parts: difference(from, to)}
	}
	if sp.From == "" {
		sp.From, sp.To = atomicfile.Digest(from), atomicfile.Digest(to)
	}
	c.staged.Temp = temp
	if c.Stage == nil {
		return nil
	}
	return c.Stage(c.staged)
}
