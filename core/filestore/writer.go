package filestore

import (
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

// Writer makes the changes of records that are files. Its methods implement [system.Writer], except
// for CanWrite, which is a function here. All changes are checked before any is made. If one cannot
// be made, those already made are undone.
type Writer struct {
	Disk atomicfile.Disk
	// Rand is used for the names of temporary files; nil is crypto/rand.
	Rand io.Reader
	// Path returns the absolute path of a record's file. The error is a *memory.Problem for a
	// record that has no file or must not be changed.
	Path func(id memory.ID, ch *memory.Change) (string, error)
	// Decode returns the record in a stored form.
	Decode func(id memory.ID, stored string) memory.Record
	// Reconcile merges an edit with what another writer made of the record, as [system.Composer]
	// does. If it is nil, a different stored form is a conflict.
	Reconcile func(id memory.ID, made memory.Forms, theirs string) (merged string, s system.Relation)
	// KeepDate says that an edit keeps the file's modification time, unless it is
	// [system.Write.Verified].
	KeepDate bool
	// Later says that a program may hold the file's content and compares its modification time
	// before it writes. An edit then sets a later time; see [atomicfile.Update].
	Later bool
	// Mode is the mode of a new file; 0 means 0600.
	Mode fs.FileMode
}

// Write implements [system.Writer]. It follows a link in the last path element for an edit, and
// refuses it for a deletion or an addition. The same edit of one file through several links is made once. An
// addition creates a missing folder. A change with a [memory.Position] of a file sets the file's mode and date.
func (w Writer) Write(ctx context.Context, write system.Write) (_ system.Written, err error) {
	if err := ctx.Err(); err != nil {
		return system.Written{}, err
	}
	w.KeepDate = w.KeepDate && !write.Verified
	b := &batch{Writer: w, ctx: ctx, stage: write.Stage}
	if err := b.plan(write.Changes); err != nil {
		return system.Written{}, err
	}
	if slices.ContainsFunc(b.fates, jsonl.Refused) {
		return system.Written{Fates: b.fates}, memory.ErrConflict
	}
	if len(b.files) == 0 {
		return system.Written{Fates: b.fates}, nil
	}
	if b.temp, err = atomicfile.NewTemp(w.Rand); err != nil {
		return system.Written{}, err
	}
	defer b.settleTwins()
	return b.run()
}

// fileOf returns the file that a change is about; for an edit, links to it are followed. real is the
// same path with the links of its folders resolved as well.
func (w Writer) fileOf(ch *memory.Change) (path, real string, err error) {
	named, err := w.Path(ch.ID, ch)
	if err != nil {
		return "", "", err
	}
	path, err = atomicfile.Resolve(w.Disk, named)
	if isMissing(err) {
		path, err = named, nil // its folder does not exist yet
	}
	if err != nil {
		return "", "", err
	}
	if ch.Do != memory.Editing && path != named {
		return "", "", isLink(named)
	}
	return path, system.Resolved(path), atomicfile.Allowed(w.Disk, path)
}

// isMissing reports whether err is package atomicfile's problem of a missing folder.
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

// CanWrite returns nil, or the *memory.Problem that would keep files from being created and
// replaced in the folder dir. It checks what it can without changing anything. A missing folder is
// no obstacle, since it can be made.
func CanWrite(disk atomicfile.Disk, dir string) error {
	const any = ".winnow-none" // does not exist: the question is about its folder
	return atomicfile.CanReplace(disk, filepath.Join(dir, any))
}

// Recover implements [system.Writer]. It finishes what was begun, and undoes what was not
// completed.
func (w Writer) Recover(ctx context.Context, s system.Staged) (made bool, err error) {
	if len(s.Changes) == 0 {
		return false, nil // without them, nothing could be found
	}
	b := &batch{Writer: w, ctx: ctx, temp: s.Temp, recovering: true}
	return b.recover(s)
}

// digests returns the digests of a batch's files as stored in [memory.Splices], where one text
// holds those of all files. So a change can be recognized even though the history keeps no copy of
// it.
func digests(files []fileChange, of func(*fileChange) version) string {
	all := make([]string, len(files))
	for i := range files {
		all[i] = of(&files[i]).digest()
	}
	return strings.Join(all, ",")
}

// split returns the n digests in such a text, or n empty strings.
func split(text string, n int) []string {
	all := strings.Split(text, ",")
	if len(all) != n {
		return slices.Repeat([]string{unknown}, n)
	}
	return all
}

// recover finishes the changes of a batch if one of them was made. Otherwise it undoes them all.
func (b *batch) recover(staged system.Staged) (made bool, err error) {
	from, to := split(staged.Splices.From, len(staged.Changes)), split(staged.Splices.To, len(staged.Changes))
	b.fates = make([]memory.Applied, len(staged.Changes))
	if !isOurTemp(staged.Temp) {
		return false, notOurs(staged.Temp)
	}
	for i, ch := range staged.Changes {
		path, real, err := b.fileOf(&ch)
		if err != nil {
			return false, err
		}
		s := fileChange{Change: ch, i: i, path: path, real: real, digests: [2]string{from[i], to[i]}}
		s.from = version{ch.Do != memory.Adding, ch.Before}
		s.to = version{ch.Do != memory.Deleting, ch.After}
		b.files = append(b.files, s)
	}
	any := false
	for i := range b.files {
		if b.files[i].made, err = b.recoverFile(i); err != nil {
			return false, err
		}
		any = any || b.files[i].made
	}
	if !any {
		return false, b.removeLeftovers()
	}
	return true, errors.Join(b.complete(), b.removeLeftovers())
}

// isOurTemp reports whether Write gives temporary files such a name.
func isOurTemp(temp string) bool {
	return strings.HasPrefix(temp, ".winnow-") && strings.HasSuffix(temp, ".tmp") && filepath.Base(temp) == temp
}

func notOurs(temp string) *memory.Problem {
	return &memory.Problem{
		Code: "no-temp",
		What: fmt.Sprintf("%q is not the name of a temporary file.", temp),
		Hint: "the history of this store is damaged; nothing was changed",
	}
}

// recoverFile finds out whether a change was made. It removes what the change left behind, except for what
// another writer wrote.
func (b *batch) recoverFile(i int) (made bool, err error) {
	s := &b.files[i]
	if s.to.there {
		u := b.update(i)
		from := s.digests[0]
		if from == "" {
			from = atomicfile.Digest(nil)
		}
		return atomicfile.Recover(b.ctx, b.Disk, s.path, b.tempOf(i), from, s.digests[1], u)
	}
	now, err := atomicfile.Look(b.Disk, s.path)
	if err != nil {
		return false, err
	}
	if now.There {
		return false, removeTemp(b.Disk, s.path, b.tempOf(i))
	}
	left, err := atomicfile.Look(b.Disk, beside(s.path, b.tempOf(i)))
	if err != nil || !left.There || s.madeFrom(version{true, string(left.Data)}) {
		return err == nil, err
	}
	// What was taken away is not the expected version: another writer saved it.
	return false, atomicfile.Return(b.Disk, s.path, b.tempOf(i))
}

// complete makes the changes that were not made. What another writer has changed since stays.
func (b *batch) complete() error {
	var errs []error
	for i := range b.files {
		s := &b.files[i]
		if s.made {
			continue
		}
		now, err := atomicfile.Look(b.Disk, s.path)
		if err == nil && b.decide(s, version{now.There, string(now.Data)}) && s.from != s.to {
			s.fromInfo = now.Info
			_, err = b.makeChange(i)
		}
		if err != nil && !errors.Is(err, memory.ErrConflict) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// removeLeftovers removes what deletions left, if their file is gone or exists again.
func (b *batch) removeLeftovers() error {
	var errs []error
	for i := range b.files {
		if s := &b.files[i]; s.Do == memory.Deleting {
			errs = append(errs, removeTemp(b.Disk, s.path, b.tempOf(i)))
		}
	}
	return errors.Join(errs...)
}

// removeTemp removes a temporary file whose folder may be gone.
func removeTemp(d atomicfile.Disk, path, temp string) error {
	if err := atomicfile.Drop(d, path, temp); !isMissing(err) {
		return err
	}
	return nil
}

// beside returns the path of the file name in the same folder as path.
func beside(path, name string) string { return filepath.Join(filepath.Dir(path), name) }
