package filestore

import (
	"context"
	"errors"
	"io"
	"slices"

	"winnow/core/atomicfile"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// OneFile makes the changes of records that are parts of one file. CanWrite, Write and Recover
// implement [system.Writer].
//
// No lock is held while a change is prepared. What another writer saves in that time is found when
// the files are exchanged. The changes are then made again in what it saved, and what it added is
// adopted.
type OneFile struct {
	Disk   atomicfile.Disk
	Path   string
	Target *atomicfile.Target // the file that Path led to at first
	Rand   io.Reader          // for names of temporary files; nil is crypto/rand
	// Readable returns why the file cannot be read as a file of the system. It returns nil if the
	// file can be read or is missing. May be nil.
	Readable func() error
	// Rewrite returns the file with the changes made in it as it is now, whoever has written it
	// since they were planned. All other bytes stay. The error is a *memory.Problem. It only
	// computes.
	Rewrite func(now string, w *system.Write) (jsonl.Made, error)
	// Adopt returns mine with the records that found has more than base, and their number.
	Adopt func(mine, base, found string) (merged string, n int)
	// Lock takes the system's own lock once everything is ready to be exchanged. It is nil if there
	// is none. Its error is a *memory.Problem, or that of the context.
	Lock func(ctx context.Context) (release func(), err error)
	// Done is called with the file as written. May be nil.
	Done func(text string)
}

// CanWrite implements [system.Writer].
func (f OneFile) CanWrite() error {
	_, err := f.target()
	return err
}

// target returns the file to be replaced, or the problem that forbids it.
func (f OneFile) target() (string, error) {
	path, err := f.Target.File(f.Disk, f.Path)
	if err == nil {
		err = atomicfile.CanReplace(f.Disk, path)
	}
	if err == nil && f.Readable != nil {
		err = f.Readable()
	}
	return path, err
}

// Readable returns why the file at path cannot be opened, in a store's own words, or nil.
func Readable(path string, words map[string]memory.Problem) error {
	f, err := quietread.Open(path)
	if err == nil {
		return f.Close()
	}
	if p := quietread.Reworded(quietread.Problem(err), words); p.Code != quietread.CodeMissing {
		return p
	}
	return nil
}

// Write implements [system.Writer].
func (f OneFile) Write(ctx context.Context, w system.Write) (system.Written, error) {
	path, err := f.target()
	if err != nil {
		return system.Written{}, err
	}
	temp, err := atomicfile.NewTemp(f.Rand)
	if err != nil {
		return system.Written{}, err
	}
	c := rewriting{OneFile: f, Write: w, ctx: ctx}
	defer c.release()
	u := c.update(temp)
	u.Real = true
	report, err := atomicfile.Replace(ctx, f.Disk, path, u)
	switch {
	case errors.Is(err, memory.ErrConflict):
		return system.Written{Fates: c.made.Fates, Left: len(report.Left) > 0}, memory.ErrConflict
	case err != nil:
		return system.Written{Left: len(report.Left) > 0}, err
	case report.Rounds == 0:
		return system.Written{Staged: system.Staged{Standing: c.made.Standing}, Fates: c.made.Fates}, nil
	}
	if f.Done != nil {
		f.Done(string(report.To))
	}
	return system.Written{Staged: c.staged, Fates: c.made.Fates, Adopted: c.adopted, Notes: report.Notes}, nil
}

// Recover implements [system.Writer].
func (f OneFile) Recover(ctx context.Context, staged system.Staged) (made bool, err error) {
	c := rewriting{OneFile: f, Write: system.Write{Changes: staged.Changes}, ctx: ctx}
	defer c.release()
	return atomicfile.Recover(
		ctx,
		f.Disk,
		f.Path,
		staged.Temp,
		staged.Splices.From,
		staged.Splices.To,
		c.update(staged.Temp),
	)
}

// rewriting is a Write in progress, repeated as often as another writer comes in between.
type rewriting struct {
	OneFile
	system.Write
	ctx     context.Context
	first   []byte // the file as first read
	rounds  int
	adopted int
	unlock  func()     // nil while the lock is not held
	made    jsonl.Made // by the last round
	carried bool       // made has changes of an earlier round
	staged  system.Staged
}

func (c *rewriting) update(temp string) atomicfile.Update {
	return atomicfile.Update{Temp: temp, Next: c.next, Adopt: c.adopt, Stage: c.stage}
}

// next returns the file with the changes made in now.
func (c *rewriting) next(now []byte) (_ []byte, err error) {
	c.carried = false
	if c.rounds++; c.rounds == 1 {
		c.first = now
	} else { // now is what another writer saved meanwhile
		_, c.adopted = c.OneFile.Adopt(string(c.first), string(c.first), string(now))
	}
	if c.undoExact(now) {
		return []byte(c.made.Text), nil
	}
	c.made, err = c.Rewrite(string(now), &c.Write)
	switch {
	case err != nil:
		return nil, err
	case slices.ContainsFunc(c.made.Fates, jsonl.Refused):
		return nil, memory.ErrConflict
	case c.made.Text == string(now):
		return nil, atomicfile.ErrUnchanged
	}
	return []byte(c.made.Text), nil
}

// undoExact reverses the bytes that [system.Write.Exact] names, if now is what they led to.
func (c *rewriting) undoExact(now []byte) bool {
	if c.Exact == nil || atomicfile.Digest(now) != c.Exact.To {
		return false
	}
	back := jsonl.Inverse(c.Exact.Parts)
	text, ok := jsonl.Splice(string(now), back)
	if !ok || atomicfile.Digest([]byte(text)) != c.Exact.From {
		return false
	}
	c.made = jsonl.Made{Text: text, Parts: back, Changes: c.Changes, Fates: make([]memory.Applied, len(c.Changes))}
	for i := range c.Changes {
		c.made.Fates[i].ID = c.Changes[i].ID
	}
	return true
}

// adopt returns mine with what another writer's file has more than base.
func (c *rewriting) adopt(mine, base, found []byte) ([]byte, error) {
	if err := c.lock(); err != nil { // a recovery that has something to merge
		return nil, err
	}
	merged, n := c.OneFile.Adopt(string(mine), string(base), string(found))
	c.adopted += n
	c.carry()
	return []byte(merged), nil
}

// carry adds to what this round made what an earlier round put in place. A file that another writer made of ours does
// not need it again, but the history does, to undo it and to finish it after a crash.
func (c *rewriting) carry() {
	for _, ch := range c.staged.Changes {
		isSame := func(o memory.Change) bool { return o.ID == ch.ID && o.Do == ch.Do }
		if slices.ContainsFunc(c.made.Changes, isSame) {
			continue
		}
		c.made.Changes, c.carried = append(c.made.Changes, ch), true
		for i := range c.made.Fates {
			if f := &c.made.Fates[i]; f.ID == ch.ID && f.Fate == memory.Gone {
				f.Fate = memory.Done
			}
		}
	}
}

// stage tells the caller what is about to be replaced, and takes the lock for it.
func (c *rewriting) stage(temp string, from, to []byte) error {
	parts := c.made.Parts
	switch {
	case c.carried: // the parts would not undo everything
		parts = nil
	case len(parts) == 0 || string(to) != c.made.Text: // something was adopted as well
		parts = jsonl.Difference(string(from), string(to))
	}
	c.staged = system.Staged{
		Temp: temp, Changes: c.made.Changes, Standing: c.made.Standing,
		Splices: memory.Splices{From: atomicfile.Digest(from), To: atomicfile.Digest(to), Parts: parts},
	}
	if c.Stage != nil {
		if err := c.Stage(c.staged); err != nil {
			return err
		}
	}
	return c.lock()
}

// lock takes the lock once. It is held until release.
func (c *rewriting) lock() (err error) {
	if c.unlock == nil && c.Lock != nil {
		c.unlock, err = c.Lock(c.ctx)
	}
	return err
}

func (c *rewriting) release() {
	if c.unlock != nil {
		c.unlock()
	}
}
