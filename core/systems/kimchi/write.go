package kimchi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// CanWrite implements [system.Writer].
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
	if err == nil && !s.elsewhere {
		if f, failed := quietread.Open(s.path); failed == nil {
			f.Close() // what was only read loses nothing
		} else if p := worded(quietread.Problem(failed)); p.Code != quietread.CodeMissing {
			err = p
		}
	}
	return path, err
}

// Write implements [system.Writer]. The system's lock is taken when all is ready to be
// replaced, and held for that: what stands there by then is looked at again, and merged
// in by entries.
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
	c := s.change(ctx, w)
	defer c.release()
	u := c.update(temp)
	u.Real = true
	report, err := atomicfile.Replace(ctx, disk, path, u)
	switch {
	case errors.Is(err, memory.ErrConflict):
		return system.Written{Fates: c.fates, Left: len(report.Left) > 0}, memory.ErrConflict
	case err != nil:
		return system.Written{Left: len(report.Left) > 0}, err
	case report.Rounds == 0:
		return system.Written{Fates: c.fates}, nil
	}
	s.remember(s.d.split(string(report.To)))
	return system.Written{Staged: c.staged, Fates: c.fates, Adopted: c.adopted, Notes: report.Notes}, nil
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (stands bool, err error) {
	c := s.change(ctx, system.Write{Changes: staged.Changes})
	defer c.release()
	sp := staged.Splices
	return atomicfile.Recover(ctx, s.disk, s.path, staged.Temp, sp.From, sp.To, c.update(staged.Temp))
}

// change is a Write while it is made, as often as another writer comes in between.
type change struct {
	*Store
	system.Write
	ctx     context.Context
	known   []string // the entries as they were last looked at
	first   []byte   // the file as it was first read
	rounds  int
	adopted int
	unlock  func() // nil while the lock is not held

	// Of the last round:
	out    []byte
	fates  []memory.Applied
	staged system.Staged
}

func (s *Store) change(ctx context.Context, w system.Write) *change {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &change{Store: s, Write: w, ctx: ctx, known: s.base}
}

func (c *change) update(temp string) atomicfile.Update {
	return atomicfile.Update{Temp: temp, Next: c.next, Adopt: c.adopt, Stage: c.stage}
}

// next returns the file with the changes made in now.
func (c *change) next(now []byte) ([]byte, error) {
	if c.rounds++; c.rounds == 1 {
		c.first = now
	} else { // now is what another writer saved meanwhile
		_, c.adopted = c.d.adopt(string(c.first), string(c.first), string(now))
	}
	c.staged.Splices = memory.Splices{}
	if c.exact(now) {
		return c.out, nil
	}
	m, p := c.d.rewrite(string(now), c.Changes, c.known)
	c.out, c.fates = []byte(m.out), m.fates
	switch {
	case p != nil:
		return nil, p
	case slices.ContainsFunc(m.fates, refused):
		return nil, memory.ErrConflict
	case m.out == string(now):
		return nil, atomicfile.ErrUnchanged
	}
	if !c.takesBack() {
		if p := c.overfull(string(now), m.out, c.Changes); p != nil {
			return nil, p
		}
	}
	c.staged = system.Staged{Changes: m.changes}
	return c.out, nil
}

// takesBack reports whether the changes bring back what stood there, or take secrets
// out: no limit keeps a person from that.
func (c *change) takesBack() bool {
	return c.Exact != nil || slices.ContainsFunc(c.Changes, func(ch memory.Change) bool {
		return ch.Do == memory.Adding && ch.Spot != nil ||
			ch.Do == memory.Editing && strings.Count(ch.After, detect.Redacted) > strings.Count(ch.Before, detect.Redacted)
	})
}

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
	c.staged = system.Staged{Changes: c.Changes, Splices: memory.Splices{Parts: back}}
	return true
}

// adopt returns mine with what another writer's file has more than it began with.
func (c *change) adopt(mine, base, found []byte) ([]byte, error) {
	if err := c.lock(); err != nil { // of a recovery that has something to take in
		return nil, err
	}
	out, n := c.d.adopt(string(mine), string(base), string(found))
	c.adopted += n
	return []byte(out), nil
}

// stage passes on what is about to be replaced, and takes the lock for it.
func (c *change) stage(temp string, from, to []byte) error {
	sp := &c.staged.Splices
	if len(sp.Parts) == 0 || string(to) != string(c.out) {
		sp.Parts = difference(string(from), string(to))
	}
	sp.From, sp.To = atomicfile.Digest(from), atomicfile.Digest(to)
	c.staged.Temp = temp
	if c.Stage != nil {
		if err := c.Stage(c.staged); err != nil {
			return err
		}
	}
	return c.lock()
}

// lock takes the lock of the system, once. Where its folder does not exist nobody can
// hold it.
func (c *change) lock() error {
	if c.unlock != nil || c.elsewhere {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(c.path)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	take := atomicfile.FolderLock
	if c.d.id == Hermes {
		take = atomicfile.WholeLock
	}
	unlock, err := take(c.ctx, c.path+".lock", atomicfile.Waiting{Now: c.now, Pause: c.pause})
	if errors.Is(err, atomicfile.ErrHeld) {
		return &memory.Problem{
			Code: "locked",
			What: fmt.Sprintf("%s holds the lock of %s and did not give it back in 6.5 seconds. Nothing was changed.", c.d.name, filepath.Base(c.path)),
			Hint: "try again in a moment; a lock that a crash left counts as abandoned after 10 seconds",
		}
	}
	if err != nil {
		return err
	}
	c.unlock = unlock
	return nil
}

// release gives the lock back.
func (c *change) release() {
	if c.unlock != nil {
		c.unlock()
	}
}
