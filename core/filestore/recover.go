package filestore

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/system"
)

// recover finishes the changes of a batch when one of them stands, and else takes all
// back.
func (b *batch) recover(staged system.Staged) (stands bool, err error) {
	from, to := split(staged.Splices.From, len(staged.Changes)), split(staged.Splices.To, len(staged.Changes))
	b.fates = make([]memory.Applied, len(staged.Changes))
	if !ours(staged.Temp) {
		return false, notOurs(staged.Temp)
	}
	for i := range staged.Changes {
		ch := staged.Changes[i]
		path, real, err := b.place(&ch)
		if err != nil {
			return false, err
		}
		s := step{Change: ch, i: i, path: path, real: real, known: [2]string{from[i], to[i]}}
		s.from = version{ch.Do != memory.Adding, ch.Before}
		s.to = version{ch.Do != memory.Deleting, ch.After}
		b.steps = append(b.steps, s)
	}
	any := false
	for i := range b.steps {
		if b.steps[i].made, err = b.settle(i); err != nil {
			return false, err
		}
		any = any || b.steps[i].made
	}
	if !any {
		return false, b.tidy()
	}
	return true, errors.Join(b.complete(), b.tidy())
}

// ours reports whether a name is one that Write gives to temporary files.
func ours(temp string) bool {
	return strings.HasPrefix(temp, ".winnow-") && strings.HasSuffix(temp, ".tmp") && filepath.Base(temp) == temp
}

func notOurs(temp string) *memory.Problem {
	return &memory.Problem{
		Code: "no-temp",
		What: fmt.Sprintf("%q is no name of a temporary file.", temp),
		Hint: "the history of this store is damaged; nothing was changed",
	}
}

// settle finds out whether one step was made, and removes what it left but for what
// another writer wrote.
func (b *batch) settle(i int) (made bool, err error) {
	s := &b.steps[i]
	if s.to.there {
		u := b.update(i)
		from := s.known[0]
		if from == "" {
			from = atomicfile.Digest(nil)
		}
		return atomicfile.Recover(b.ctx, b.Disk, s.path, b.tempOf(i), from, s.known[1], u)
	}
	now, err := atomicfile.Look(b.Disk, s.path)
	if err != nil {
		return false, err
	}
	if now.There {
		return false, drop(b.Disk, s.path, b.tempOf(i))
	}
	left, err := atomicfile.Look(b.Disk, beside(s.path, b.tempOf(i)))
	if err != nil || !left.There || s.seen(version{true, string(left.Data)}) {
		return err == nil, err
	}
	// What was taken away is not what it was thought to be: another writer saved it.
	_, err = atomicfile.Return(b.Disk, s.path, b.tempOf(i))
	return false, err
}

// complete makes the steps that were not made. What another writer changed since stays
// as it is.
func (b *batch) complete() error {
	var errs []error
	for i := range b.steps {
		s := &b.steps[i]
		if s.made {
			continue
		}
		now, err := atomicfile.Look(b.Disk, s.path)
		if err == nil && b.decide(s, version{now.There, string(now.Data)}) && s.from != s.to {
			s.was = now.Info
			_, err = b.make(i)
		}
		if err != nil && !errors.Is(err, memory.ErrConflict) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// tidy removes what deletions left, where their file is gone or stands again.
func (b *batch) tidy() error {
	var errs []error
	for i := range b.steps {
		if s := &b.steps[i]; s.Do == memory.Deleting {
			errs = append(errs, drop(b.Disk, s.path, b.tempOf(i)))
		}
	}
	return errors.Join(errs...)
}

// drop removes a temporary file whose folder may be gone.
func drop(d atomicfile.Disk, path, temp string) error {
	if err := atomicfile.Drop(d, path, temp); !isMissing(err) {
		return err
	}
	return nil
}

// beside returns the path of the file name beside another.
func beside(path, name string) string { return filepath.Join(filepath.Dir(path), name) }
