package filestore

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/system"
)

// batch is a set of changes that are made together.
type batch struct {
	Writer
	ctx   context.Context
	stage func(system.Staged) error
	temp  string // base of the names of the temporary files

	fates      []memory.Applied
	twins      map[int]int  // changes that another one makes as well, since it is about the same file
	files      []fileChange // the changes that change something
	recovering bool         // it is being finished after a crash
	adopted    int
	notes      []string
}

// version is a state of a file.
type version struct {
	there bool
	text  string
}

// unknown is a digest that no content has.
const unknown = "unknown"

// digest identifies the version. It is empty if there is no file.
func (v version) digest() string {
	if !v.there {
		return ""
	}
	return atomicfile.Digest([]byte(v.text))
}

// fileChange is one change to be made.
type fileChange struct {
	memory.Change
	i        int // index of the change among those that were requested
	path     string
	real     string // path with the links of its folders resolved
	from, to version
	fromInfo atomicfile.Info // describes from
	made     bool
	kept     string    // name beside the file that holds what was displaced
	digests  [2]string // digests of from and to, if given rather than computed
}

// plan decides on all changes, given what is stored now.
func (b *batch) plan(changes []memory.Change) error {
	b.fates, b.twins = make([]memory.Applied, len(changes)), map[int]int{}
	for i := range changes {
		ch := &changes[i]
		b.fates[i].ID = ch.ID
		path, real, err := b.fileOf(ch)
		if err != nil {
			return err
		}
		now, err := atomicfile.Look(b.Disk, path)
		if err != nil {
			return err
		}
		s := fileChange{Change: *ch, i: i, path: path, real: real, fromInfo: now.Info}
		if !b.decide(&s, version{now.There, string(now.Data)}) || s.from == s.to {
			continue
		}
		if err := atomicfile.CanReplace(b.Disk, path); err != nil {
			return err
		}
		switch of := slices.IndexFunc(b.files, s.same); {
		case of < 0:
			b.files = append(b.files, s)
		case !b.files[of].makes(&s):
			return sameFileTwice(path)
		default:
			b.twins[i] = b.files[of].i
		}
	}
	b.order()
	return nil
}

// order puts deletions last: they need no disk space and can be fully undone.
func (b *batch) order() {
	slices.SortStableFunc(b.files, func(x, y fileChange) int { return last(x) - last(y) })
}

func last(s fileChange) int {
	if s.to.there {
		return 0
	}
	return 1
}

// same reports whether two changes are about the same file, even on a disk that ignores case.
func (s fileChange) same(o fileChange) bool {
	return s.real == o.real ||
		strings.EqualFold(s.real, o.real) && s.from.there && o.from.there && s.fromInfo.Dev == o.fromInfo.Dev &&
			s.fromInfo.Ino == o.fromInfo.Ino
}

// makes reports whether a change makes the edit of another, which reaches the file through a link.
func (s *fileChange) makes(o *fileChange) bool {
	return s.Do == memory.Editing && o.Do == memory.Editing && s.real == o.real && s.from == o.from && s.to == o.to
}

// settleTwins gives the changes that others made as well their fates.
func (b *batch) settleTwins() {
	for i, of := range b.twins {
		id := b.fates[i].ID
		b.fates[i] = b.fates[of]
		b.fates[i].ID = id
	}
}

func sameFileTwice(path string) *memory.Problem {
	return &memory.Problem{
		Code: "twice",
		What: "Two changes are about one file: " + path + ".",
		Hint: "make one after the other",
	}
}

// decide sets what a change makes of the stored version. It returns false, and sets the fate, if the
// change cannot be made or there is nothing to do.
func (b *batch) decide(s *fileChange, now version) bool {
	s.from, s.to = now, now
	fate := &b.fates[s.i]
	*fate = memory.Applied{ID: s.ID}
	found := b.found(fate.ID, now)
	found.AsSeen = now.there && s.madeFrom(now)
	found.Made = now.there && now.text == s.After
	after := s.After
	if s.Do == memory.Editing && now.there && !found.Made && !found.AsSeen {
		after = b.merge(s, now, &found)
	}
	makes := found.Decide(s.Do, fate)
	if makes {
		s.to = version{}
	}
	if makes && s.Do != memory.Deleting {
		s.to = version{true, after}
	}
	return makes
}

// found returns what a change finds in the place of a record.
func (b *batch) found(id memory.ID, now version) system.Found {
	if !now.there {
		return system.Found{}
	}
	return system.Found{
		There: true, Taken: "a file of that name stands there",
		Theirs: func() (string, memory.Record) { return now.text, b.Decode(id, now.text) },
	}
}

// madeFrom reports whether the change was made from this version.
func (s *fileChange) madeFrom(now version) bool {
	if s.Do == memory.Deleting && s.Record.RawCut() {
		return len(now.text) == s.Record.RawLen && strings.HasPrefix(now.text, s.Before)
	}
	return now.text == s.Before || s.digests[0] != "" && now.digest() == s.digests[0]
}

// merge returns what an edit makes of what another writer changed.
func (b *batch) merge(s *fileChange, now version, found *system.Found) string {
	if b.Reconcile == nil {
		found.Clash = "it"
		return now.text
	}
	merged, relation := b.Reconcile(s.ID, memory.Forms{{Before: s.Before, After: s.After}}, now.text)
	if relation == system.Diverged {
		found.Clash = "it too"
		return now.text
	}
	found.Made, found.Merged = merged == now.text, true
	return merged
}

// announce tells the caller what is about to be replaced.
func (b *batch) announce() error {
	if b.stage == nil {
		return nil
	}
	return b.stage(b.staging())
}

// staging returns what is about to be replaced, or was.
func (b *batch) staging() system.Staged {
	s := system.Staged{Temp: b.temp, Splices: memory.Splices{
		From: digests(b.files, func(s *fileChange) version { return s.from }),
		To:   digests(b.files, func(s *fileChange) version { return s.to }),
	}}
	for i := range b.files {
		s.Changes = append(s.Changes, b.change(&b.files[i]))
	}
	return s
}

// change returns a change as it is being made.
func (b *batch) change(s *fileChange) memory.Change {
	ch := s.Change
	ch.Before, ch.After, ch.Edited = s.from.text, s.to.text, memory.Record{}
	switch ch.Do {
	case memory.Editing:
		ch.Record, ch.Edited = b.Decode(ch.ID, ch.Before), b.Decode(ch.ID, ch.After)
		ch.Position = nil
		if b.Later && b.KeepDate {
			ch.Why = movedDate
		}
		if !b.KeepDate || s.date() != 0 {
			ch.Position = &memory.Position{Date: time.Unix(0, s.fromInfo.Mtime).UTC()}
		}
	case memory.Deleting:
		ch.Record = b.Decode(ch.ID, ch.Before)
		ch.Position = &memory.Position{Mode: s.fromInfo.Mode, Date: time.Unix(0, s.fromInfo.Mtime).UTC()}
	case memory.Adding:
		ch.Record = b.Decode(ch.ID, ch.After)
	}
	return ch
}

// movedDate is the note in the history about the edit of a file that a session may have read.
const movedDate = "the date of the file moves on by a millisecond, so that a running session notices the edit"

// date returns the modification time that the change records for its file, in nanoseconds, or 0.
func (s *fileChange) date() int64 {
	if s.Position == nil || s.Position.Date.IsZero() {
		return 0
	}
	return s.Position.Date.UnixNano()
}

// tempOf returns the name of a change's temporary file. Files in one folder need different names.
func (b *batch) tempOf(i int) string {
	base, end, _ := strings.Cut(b.temp, ".tmp")
	return base + "-" + strconv.Itoa(i+1) + ".tmp" + end
}

// run makes the changes.
func (b *batch) run() (system.Written, error) {
	if err := b.ctx.Err(); err != nil {
		return system.Written{}, err
	}
	if err := b.announce(); err != nil {
		return system.Written{}, err
	}
	for i := range b.files {
		left, err := b.makeChange(i)
		if err == nil {
			continue
		}
		backErr := b.takeBack()
		w := system.Written{Left: left}
		if errors.Is(err, memory.ErrConflict) && backErr == nil {
			w.Fates = b.fates
			return w, memory.ErrConflict
		}
		if backErr != nil {
			err = notTakenBack(err, backErr)
		}
		return w, err
	}
	b.finish()
	return system.Written{Staged: b.staging(), Fates: b.fates, Adopted: b.adopted, Notes: b.notes}, nil
}

// notTakenBack returns the error that only some of several files were changed.
func notTakenBack(err, backErr error) error {
	p := memory.Problem{Code: "half-done", What: err.Error(), Hint: "start again: what was begun is then finished"}
	var known *memory.Problem
	if errors.As(err, &known) {
		p.Code = known.Code
	}
	p.What += "; what was changed before could not be taken back: " + backErr.Error()
	return &p
}

// makeChange makes one change. left is set if a temporary file holds another writer's bytes.
func (b *batch) makeChange(i int) (left bool, err error) {
	s := &b.files[i]
	if !s.to.there {
		err = b.moveAway(i)
		s.made = err == nil
		return false, err
	}
	report, err := atomicfile.Replace(b.ctx, b.Disk, s.path, b.update(i))
	s.made, s.kept = err == nil && report.Rounds > 0, report.Kept
	if report.Foreign > 0 {
		b.adopted++
	}
	b.notes = append(b.notes, report.Notes...)
	return len(report.Left) > 0, err
}

// moveAway takes away the file of a deletion.
func (b *batch) moveAway(i int) error {
	s := &b.files[i]
	return atomicfile.Take(b.Disk, s.path, b.tempOf(i), func(data []byte) error {
		if now := (version{true, string(data)}); now != s.from {
			found := b.found(s.ID, now)
			found.Decide(memory.Deleting, &b.fates[s.i])
			return memory.ErrConflict
		}
		return nil
	})
}

// update returns the Update for the file of a change.
func (b *batch) update(i int) atomicfile.Update {
	s := &b.files[i]
	u := atomicfile.Update{
		Temp: b.tempOf(i),
		Real: true,
		Keep: len(b.files) > 1 && !b.recovering,
		Mode: uint32(b.Mode.Perm()),
		Time: s.date(),
	}
	u.KeepTime = b.KeepDate && s.Do == memory.Editing && u.Time == 0
	u.Later = b.Later && s.Do == memory.Editing
	if s.Do == memory.Adding && s.Position != nil && s.Position.Mode != 0 {
		u.Mode = s.Position.Mode
	}
	u.Next = func(data []byte) ([]byte, error) {
		now := version{data != nil, string(data)}
		if now != s.from && !b.decide(s, now) {
			if b.fates[s.i].Fate == memory.Refused {
				return nil, memory.ErrConflict
			}
			return nil, atomicfile.ErrUnchanged
		}
		return []byte(s.to.text), nil
	}
	ours := s.to.text
	u.Adopt = func(mine, base, found []byte) ([]byte, error) {
		if base == nil && string(mine) == ours {
			return found, nil // ours was already in place when it was found
		}
		return mine, nil // a whole file replaces the one before
	}
	planned := s.from
	u.Stage = func(_ string, from, _ []byte) error {
		if s.from == planned || b.recovering {
			return nil
		}
		planned = s.from
		return b.announce() // another writer came in between
	}
	return u
}

// takeBack undoes all changes, except for files that another writer has written since.
func (b *batch) takeBack() error {
	var errs []error
	for i := len(b.files) - 1; i >= 0; i-- {
		if s := &b.files[i]; s.made {
			errs = append(errs, b.undo(i))
		}
	}
	return errors.Join(errs...)
}

// undo undoes one change.
func (b *batch) undo(i int) error {
	s := &b.files[i]
	switch {
	case !s.to.there:
		return atomicfile.Return(b.Disk, s.path, b.tempOf(i))
	case !s.from.there:
		return b.removeAdded(i)
	case s.kept != "":
		return atomicfile.Restore(b.Disk, s.path, s.kept, s.checkMade)
	}
	u := atomicfile.Update{Temp: b.tempOf(i), Real: true, Time: s.fromInfo.Mtime}
	u.Next = func(data []byte) ([]byte, error) {
		if string(data) != s.to.text {
			return nil, atomicfile.ErrUnchanged // another writer has saved since, and that stays
		}
		return []byte(s.from.text), nil
	}
	_, err := atomicfile.Replace(context.WithoutCancel(b.ctx), b.Disk, s.path, u)
	return err
}

// checkMade returns nil if a file holds what the change put there.
func (s *fileChange) checkMade(data []byte) error {
	if string(data) != s.to.text {
		return atomicfile.ErrOther
	}
	return nil
}

// removeAdded removes an added file, unless another writer has written to it.
func (b *batch) removeAdded(i int) error {
	s := &b.files[i]
	err := atomicfile.Remove(b.Disk, s.path, b.tempOf(i), []byte(s.to.text))
	if errors.Is(err, atomicfile.ErrOther) {
		return nil
	}
	return err
}

// finish removes what was taken away or kept, now that all changes are made.
func (b *batch) finish() {
	for i := range b.files {
		s := &b.files[i]
		temp := s.kept
		if !s.to.there {
			temp = b.tempOf(i)
		}
		if temp == "" {
			continue
		}
		if err := atomicfile.Drop(b.Disk, s.path, temp); err != nil {
			b.notes = append(b.notes, "Changed, but a temporary file could not be removed: "+err.Error()+".")
		}
	}
}
