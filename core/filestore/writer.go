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
func (w Writer) Write(ctx context.Context, write system.Write) (system.Written, error) {
	if err := ctx.Err(); err != nil {
		return system.Written{}, err
	}
	w.Disk = w.Seen.Steady(w.Disk)
	w.KeepDate = w.KeepDate && !write.Verified
	b := &batch{Writer: w, ctx: ctx, stage: write.Stage}
	if err := b.plan(write.Changes); err != nil {
		return system.Written{}, err
	}
	if b.refused() {
		return system.Written{Fates: b.fates}, memory.ErrConflict
	}
	if len(b.steps) == 0 {
		return system.Written{Fates: b.fates}, nil
	}
	var err error
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
	real, err = w.inside(path)
	return path, real, err
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

// inside returns where a file lies, with links followed. It is a problem when that is in
// none of the roots.
func (w Writer) inside(path string) (real string, err error) {
	real, err = atomicfile.RealPath(w.Disk, path)
	if err != nil || len(w.Roots) == 0 {
		return real, err
	}
	for _, root := range w.Roots {
		at, err := atomicfile.RealPath(w.Disk, root)
		if err != nil {
			return "", err
		}
		if strings.HasPrefix(real, strings.TrimSuffix(at, string(filepath.Separator))+string(filepath.Separator)) {
			return real, nil
		}
	}
	return "", &memory.Problem{
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
