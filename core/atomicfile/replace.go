package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strconv"
	"syscall"
)

// ErrUnchanged is what Update.Next returns if there is nothing to write.
var ErrUnchanged = errors.New("nothing to write")

// Update says what Replace is to do.
type Update struct {
	// Temp is the base name of the temporary file beside the target. It is unique to this
	// replacement; see NewTemp. Other temporary files are named after it.
	Temp string
	// Next returns the bytes that follow now; a nil now means that there is no file. It is called
	// again for what another writer put there, so it must only compute. ErrUnchanged means that now
	// may stay. Any other error ends the replacement.
	Next func(now []byte) ([]byte, error)
	// Adopt returns mine with what found has more than base. It is called if more than one version
	// of other writers has to be merged. A nil base is unknown. Without Adopt, a second version in
	// a row ends the replacement as busy.
	Adopt func(mine, base, found []byte) ([]byte, error)
	// Stage is called before each exchange with the name of the temporary file that is about to
	// hold to, which was made from from. An error ends the replacement. May be nil.
	Stage func(temp string, from, to []byte) error
	// Mode is the mode of a new file; 0 means 0600.
	Mode uint32
	// KeepTime keeps the modification time. Time sets it, in nanoseconds since 1970; 0 does not.
	KeepTime bool
	Time     int64
	// Later makes the modification time at least a millisecond later than before, or as little more
	// as the disk can store. A program that compares the times of what it read and of what it is
	// about to overwrite takes an equal or earlier time for its own.
	Later bool
	// Keep keeps what was displaced under the name in Report.Kept, so that Restore can bring it
	// back even on a full disk. It stays until Restore or Drop.
	Keep bool
	// Real says that the path is already resolved (see Resolve): a link in its last element is
	// refused, not followed.
	Real bool
}

// Report is the outcome of a replacement.
type Report struct {
	Rounds  int // exchanges; 0 if nothing was written
	Foreign int // versions of other writers that were displaced and merged in
	// Overtaken is set if another writer saved right afterwards.
	Overtaken bool
	Notes     []string // sentences about weaker guarantees
	// Kept is the name beside the target that holds what was displaced, for Update.Keep. It is
	// empty if that could not be kept: the first version displaced was not the expected one, or the
	// disk cannot exchange.
	Kept string
	// From is what To was made from. They are equal if nothing was written.
	From, To []byte
	// Left are temporary files with bytes of other writers that could not be put back. It is set
	// only with an error; Recover merges them in.
	Left []string
}

// Replace replaces the file at path by what u.Next makes of it. It follows links first. Mode, owner
// and extended attributes stay. A new file gets mode u.Mode, and missing folders are created with
// mode 0700. When Replace returns, the new bytes are durable.
//
// The error is that of ctx, of u.Next or u.Stage, or a *memory.Problem. The file is then as if
// nothing had been done, and no temporary files are left except those in Report.Left. Once the new
// bytes are in place, ctx is ignored.
//
// The folder is held open: what is put in its place meanwhile is not written to.
//
// A writer that writes into the open file instead of renaming can be overwritten.
func Replace(ctx context.Context, d Disk, path string, u Update) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	p, err := locate(d, path, u)
	if errors.Is(err, ErrUnchanged) {
		return Report{}, nil
	}
	if err != nil {
		return Report{}, explained("save", path, err)
	}
	r := &replacement{place: p, u: u}
	report, err := r.run(ctx)
	r.close()
	p.dir.Close()
	if err != nil {
		p.removeCreated(d)
	}
	return report, explained("save", path, err)
}

// maxRounds limits how often another writer can be faster.
const maxRounds = 256

// part ends the name of an incomplete file. A temporary file without it is complete and synced.
const part = ".part"

// replacement is a replacement in progress.
type replacement struct {
	place
	u Update

	target State // what should be at the target
	source State // what Next is applied to: the target, or what was displaced

	first   []byte   // what was at the target initially
	mine    State    // our newest version
	placed  []Info   // our versions that have been in place
	base    []byte   // our version when another writer's was first displaced
	held    []string // files with displaced versions of other writers, in order
	created bool     // the target is ours and did not exist before
	plain   bool     // the file system cannot exchange
	lost    bool     // a sync of the folder failed; it is not tried again

	report Report
	open   []File // kept open so that their inode numbers are not reused
}

// run replaces the target.
func (r *replacement) run(ctx context.Context) (Report, error) {
	if err := r.readTarget(); err != nil {
		return r.report, err
	}
	r.first = r.target.Data
	for range maxRounds {
		done, err := r.round(ctx)
		if err == nil && done {
			err = r.finish()
		}
		if err != nil {
			return r.rollBack(err)
		}
		if done {
			return r.report, nil
		}
	}
	return r.rollBack(isBusy)
}

// round makes one version and tries to put it in place. It reports whether that succeeded without
// displacing another writer's version. Otherwise the next round merges in what that writer saved.
func (r *replacement) round(ctx context.Context) (done bool, err error) {
	r.closeOld()
	// 1. Compute the next version. Nothing is written if the target already has everything.
	next, err := r.merge()
	if err != nil {
		return false, err
	}
	r.report.From, r.report.To = r.source.Data, next
	if bytes.Equal(next, r.target.Data) && (r.target.There || next == nil) {
		return true, nil
	}
	// 2. Tell the caller, who records in a history what is about to be replaced.
	temp := r.temp(len(r.held) + 1)
	if err := r.stage(ctx, temp, next); err != nil {
		return false, err
	}
	// 3. Write the version to a temporary file and sync it.
	mine, err := r.write(temp, next)
	if err != nil {
		return false, err
	}
	r.mine = mine
	// 4. Exchange the two files in one step, unless the target has changed meanwhile.
	expected := r.target
	if err = r.cancelled(ctx); err == nil {
		done, err = r.exchange(temp)
	}
	if !done {
		r.drop(temp)
		if err == nil {
			err = r.readTarget()
		}
		return false, err
	}
	r.report.Rounds++
	r.target, r.placed = mine, append(r.placed, mine.Info)
	// 5. Look at what was displaced: another writer may have saved in that instant.
	if r.created = !expected.There; r.created || r.plain {
		return true, nil
	}
	return r.checkDisplaced(temp, expected)
}

// close closes what the replacement holds open.
func (r *replacement) close() {
	for _, f := range r.open {
		f.Close()
	}
	r.open = nil
}

// closeOld closes what earlier rounds opened, except for the last one.
func (r *replacement) closeOld() {
	for ; len(r.open) > 6; r.open = r.open[1:] {
		r.open[0].Close()
	}
}

// readTarget reads what is at the target.
func (r *replacement) readTarget() error {
	v, err := r.read(r.name)
	r.target, r.source = v, v
	return err
}

// stage calls Stage, unless ctx is done.
func (r *replacement) stage(ctx context.Context, temp string, next []byte) error {
	if err := r.cancelled(ctx); err != nil {
		return err
	}
	if r.u.Stage != nil {
		if err := r.u.Stage(temp, r.source.Data, next); err != nil {
			return callerError{err}
		}
	}
	return r.cancelled(ctx)
}

// cancelled returns the error of ctx until something was exchanged.
func (r *replacement) cancelled(ctx context.Context) error {
	if err := ctx.Err(); err != nil && len(r.placed) == 0 {
		return callerError{err}
	}
	return nil
}

// temp returns the name of the n-th temporary file, counted from 1.
func (r *replacement) temp(n int) string {
	if n == 1 {
		return r.u.Temp
	}
	return r.u.Temp + "." + strconv.Itoa(n)
}

// merge returns the next version: what Next makes of the source, plus what our last version took
// over from displaced ones.
func (r *replacement) merge() ([]byte, error) {
	next, err := r.u.Next(r.source.Data)
	if errors.Is(err, ErrUnchanged) {
		next, err = r.source.Data, nil
	}
	if err != nil {
		return nil, callerError{err}
	}
	if len(r.held) == 0 || bytes.Equal(r.base, r.mine.Data) {
		return next, nil
	}
	if r.u.Adopt == nil {
		return nil, isBusy
	}
	if next, err = r.u.Adopt(next, r.base, r.mine.Data); err != nil {
		return nil, callerError{err}
	}
	return next, nil
}

// checkDisplaced checks what was displaced. It reports whether that is the expected version, and if so
// removes it.
func (r *replacement) checkDisplaced(temp string, expected State) (bool, error) {
	was, err := r.read(temp)
	known := err == nil && was.holds(expected.Data)
	if known && r.u.Keep && len(r.held) == 0 {
		r.report.Kept = temp
		return true, nil
	}
	if known {
		if err = r.dir.Remove(temp); err == nil {
			return true, nil
		}
	}
	first := len(r.held) == 0
	r.held = append(r.held, temp)
	switch {
	case known && !first:
		// It is one of our versions that was briefly in place: finish tries again.
		return true, nil
	case first:
		r.base = r.mine.Data
	}
	if err == nil {
		r.source = was
		r.report.Foreign++
	}
	return false, err
}

// finish makes what is in place durable, removes what was displaced, and reads back.
func (r *replacement) finish() error {
	if len(r.placed) == 0 {
		return nil
	}
	if err := r.sync(); err != nil {
		return err
	}
	r.removeHeld()
	now, err := r.read(r.name)
	r.report.Overtaken = err == nil && !now.holds(r.mine.Data)
	if err != nil {
		r.report.Notes = append(r.report.Notes, "Saved, but it could not be read back: "+reason(err)+".")
	}
	return nil
}

// removeHeld removes the displaced versions of other writers, now that the version that includes them
// is durable.
func (r *replacement) removeHeld() {
	if len(r.held) == 0 {
		return
	}
	for _, name := range r.held {
		r.drop(name)
	}
	r.held = nil
	if err := r.dir.Sync(); err != nil {
		r.report.Notes = append(r.report.Notes, "Saved, but a crash may bring back a temporary file: "+reason(err)+".")
	}
}

// sync makes the folder's entries durable.
func (r *replacement) sync() error {
	err := r.dir.Sync()
	r.lost = err != nil
	return err
}

// without is what cannot be guaranteed on a file system that cannot exchange.
const without = "This file system cannot exchange two files in one step: what another program saves within the same millisecond can be lost."

// exchange puts the file temp in place of the target. It returns false, without doing anything, if
// the target is not the expected one.
func (r *replacement) exchange(temp string) (bool, error) {
	if !r.target.There {
		return r.install(temp)
	}
	now, err := r.dir.Stat(r.name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !now.same(r.target.Info) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	err = r.dir.Exchange(temp, r.name)
	if unsupported(err) {
		r.promiseLess()
		err = r.dir.Rename(temp, r.name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// install puts the file temp at the target, if nothing is there.
func (r *replacement) install(temp string) (bool, error) {
	how, err := renameUnless(r.dir, temp, r.name)
	switch {
	case errors.Is(err, fs.ErrExist):
		return false, nil
	case err != nil:
		return false, err
	case how == byLink:
		r.drop(temp)
	case how == byLook:
		r.promiseLess()
	}
	return true, nil
}

// promiseLess notes once that the file system cannot exchange.
func (r *replacement) promiseLess() {
	if !r.plain {
		r.plain = true
		r.report.Notes = append(r.report.Notes, without)
	}
}

// unsupported reports whether the file system or the kernel does not support an operation.
func unsupported(err error) bool {
	return errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP)
}

// drop removes one of our files that nobody needs.
func (r *replacement) drop(name string) {
	if r.dir.Remove(name) != nil {
		// Try again: whatever interrupted the first try may be over.
		_ = r.dir.Remove(name)
	}
}
