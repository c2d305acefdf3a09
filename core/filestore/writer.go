package filestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/atomicfile"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/system"
)

// Writer makes the changes of records that are files. Its methods are those of
// [system.Writer], but for CanWrite: see the function of that name. All changes are
// checked before one is made, and one that cannot be made takes back those that were.
type Writer struct {
	Disk atomicfile.Disk
	// Seen has the folders of the files as they were looked at; nil where that is not known.
	Seen *atomicfile.Folders
	// Rand is what names of temporary files are made of; nil is crypto/rand.
	Rand io.Reader
	// Path returns the absolute path of the file of a record. The error is a
	// *memory.Problem for a record that has none, or must not be changed.
	Path func(id memory.ID, ch *memory.Change) (string, error)
	// Roots are folders: a file that is in none of them, with all links followed, is
	// refused. Without any, Path alone decides where a change may go.
	Roots []string
	// Decode returns the record in a stored form.
	Decode func(id memory.ID, stored string) memory.Record
	// Reconcile merges an edit with what another writer made of the record, as
	// [system.Composer] does; nil: another stored form is a conflict.
	Reconcile func(id memory.ID, made memory.Forms, theirs string) (merged string, s system.Relation)
	// KeepDate says that an edit leaves the date of the last change as it is, but for one
	// that is [system.Write.Verified].
	KeepDate bool
	// Later says that a program may hold what a file says, and compares its date before it
	// writes: an edit sets one that is later than before; see [atomicfile.Update].
	Later bool
	// Mode is that of a new file; 0 stands for 0600.
	Mode fs.FileMode
}

// Write implements [system.Writer]. Links in the last place are followed for an edit,
// and refused for a deletion and an addition. A folder that is missing is made for an
// addition. A change with a [memory.Position] of a file gives it its mode and date.
func (w Writer) Write(ctx context.Context, write system.Write) (_ system.Written, err error) {
	if err := ctx.Err(); err != nil {
		return system.Written{}, err
	}
	w.Disk = w.Seen.Steady(w.Disk)
	w.KeepDate = w.KeepDate && !write.Verified
	b := &batch{Writer: w, ctx: ctx, stage: write.Stage}
	if err := b.plan(write.Changes); err != nil {
		return system.Written{}, err
	}
	if slices.ContainsFunc(b.fates, jsonl.Refused) {
		return system.Written{Fates: b.fates}, memory.ErrConflict
	}
	if len(b.steps) == 0 {
		return system.Written{Fates: b.fates}, nil
	}
	if b.temp, err = atomicfile.NewTemp(w.Rand); err != nil {
		return system.Written{}, err
	}
	return b.run()
}

// place returns the file that a change is about, which is that to which links lead, for
// an edit, and where it lies with the links of its folders followed as well.
func (w Writer) place(ch *memory.Change) (path, real string, err error) {
	named, err := w.Path(ch.ID, ch)
	if err != nil {
		return "", "", err
	}
	path, err = atomicfile.Resolve(w.Disk, named)
	if isMissing(err) {
		path, err = named, nil // its folder is not there yet
	}
	if err != nil {
		return "", "", err
	}
	if ch.Do != memory.Editing && path != named {
		return "", "", isLink(named)
	}
	real = realPath(path)
	return path, real, w.inside(path, real)
}

// isMissing reports whether a problem of package atomicfile is that of a missing folder.
func isMissing(err error) bool {
	var p *memory.Problem
	return errors.As(err, &p) && p.Code == "folder-gone"
}

func isLink(path string) *memory.Problem {
	return &memory.Problem{
		Code: "is-link",
		What: filepath.Base(path) + " is a link to another file.",
		Hint: "change the file that it leads to, or remove the link yourself",
	}
}

// realPath returns path without links, as far as it exists; what does not exist is as path
// says.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	up, name := filepath.Split(strings.TrimRight(path, separator)) // not Dir: it would take the .. behind a link by its letters
	if err == nil || name == "" {
		return cmp.Or(real, path)
	}
	return filepath.Join(realPath(up), name)
}

const separator = string(filepath.Separator)

// inside returns nil for a file that lies in one of the roots with links followed, at real.
func (w Writer) inside(path, real string) error {
	within := func(root string) bool {
		return strings.HasPrefix(real, strings.TrimSuffix(realPath(root), separator)+separator)
	}
	if len(w.Roots) == 0 || slices.ContainsFunc(w.Roots, within) {
		return nil
	}
	return &memory.Problem{
		Code: "outside",
		What: fmt.Sprintf("%s leads to %s, which is not in the store's folder.", filepath.Base(path), real),
		Hint: "change that file by itself, if you mean it",
	}
}

// CanWrite returns nil, or the *memory.Problem that would keep files from being made and
// replaced in the folder dir, as far as can be told without changing anything. A folder
// that is missing can be made.
func CanWrite(disk atomicfile.Disk, dir string) error {
	const any = ".winnow-none" // which is not there: what is asked of is its folder
	return atomicfile.CanReplace(disk, filepath.Join(dir, any))
}

// Recover implements [system.Writer]: what was begun is finished, and what was not is
// taken back.
func (w Writer) Recover(ctx context.Context, s system.Staged) (stands bool, err error) {
	if len(s.Changes) == 0 {
		return false, nil // there is nothing that could be found without them
	}
	b := &batch{Writer: w, ctx: ctx, temp: s.Temp, again: true}
	return b.recover(s)
}

// digests returns the digests of the files of a batch as they stand in
// [memory.Splices], where one text has those of all files: so a change of which history
// keeps no copy can be recognised.
func digests(steps []step, of func(*step) version) string {
	all := make([]string, len(steps))
	for i := range steps {
		all[i] = of(&steps[i]).digest()
	}
	return strings.Join(all, ",")
}

// split returns the n digests in such a text, or n empty ones.
func split(text string, n int) []string {
	all := strings.Split(text, ",")
	if len(all) != n {
		return slices.Repeat([]string{unknown}, n)
	}
	return all
}

// recover finishes the changes of a batch when one of them stands, and else takes all
// back.
func (b *batch) recover(staged system.Staged) (stands bool, err error) {
	from, to := split(staged.Splices.From, len(staged.Changes)), split(staged.Splices.To, len(staged.Changes))
	b.fates = make([]memory.Applied, len(staged.Changes))
	if !ours(staged.Temp) {
		return false, notOurs(staged.Temp)
	}
	for i, ch := range staged.Changes {
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
	return false, atomicfile.Return(b.Disk, s.path, b.tempOf(i))
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
