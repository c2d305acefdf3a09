package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strconv"
	"syscall"
)

// ErrUnchanged is returned by Update.Next when there is nothing to write.
var ErrUnchanged = errors.New("nothing to write")

// Update is what Replace is to do.
type Update struct {
	// Temp is the base name of the temporary file beside the target, unique to this
	// replacement; see NewTemp. Others are named after it.
	Temp string
	// Next returns the bytes that shall follow now; nil is no file. It is called again
	// for what another writer put there, so it must only compute. ErrUnchanged says
	// that now may stay; any other error ends the replacement.
	Next func(now []byte) ([]byte, error)
	// Adopt returns mine with what found has more than base. It is called when more
	// than one version of other writers has to be merged. A nil base is not known.
	// Without Adopt, a second version in a row ends the replacement as busy.
	Adopt func(mine, base, found []byte) ([]byte, error)
	// Stage is called before each exchange with the name of the temporary file that is
	// about to hold the bytes to, which were made of from. An error ends the
	// replacement. It may be nil.
	Stage func(temp string, from, to []byte) error
	// Mode is the mode of a file that was not there before; 0 stands for 0600.
	Mode uint32
	// KeepTime leaves the time of the last change as it is. Time sets another one, in
	// nanoseconds since 1970; 0 is none.
	KeepTime bool
	Time     int64
	// Later makes the time at least a millisecond later than that of the file before,
	// or as little more as the disk can keep: a program that compares the times of what it
	// read and of what it is about to write takes an equal or earlier one for its own.
	Later bool
	// Keep leaves what was displaced under the name in Report.Kept, so that Restore can
	// bring it back without room on the disk. It ends with Restore or Drop.
	Keep bool
	// Real says that the path was resolved before (see Resolve): a link in its last
	// place is refused, not followed.
	Real bool
}

// Report is what became of a replacement.
type Report struct {
	Rounds  int // exchanges; 0 when nothing was written
	Foreign int // versions of other writers that were displaced and merged in
	// Overtaken is set when another writer saved right after.
	Overtaken bool
	Notes     []string // sentences on what is promised less
	// Kept is the name beside the target that has what was displaced, for Update.Keep. It
	// is empty where that could not be kept: the first version was not what stood there, or
	// the disk cannot exchange.
	Kept string
	// From is what To was made of. Both are equal when nothing was written.
	From, To []byte
	// Left are temporary files that hold bytes of other writers which could not be put
	// back. It is set only with an error; Recover takes them in.
	Left []string
}

// Replace replaces the file at path by what u.Next makes of it. Links are followed
// first. Mode, owner and extended attributes stay; a new file has mode u.Mode, and
// missing folders are made with 0700. When it returns, the new bytes are durable.
//
// The error is that of ctx, of u.Next or u.Stage, or a *memory.Problem; the file is
// then as if nothing had been done, and no temporary file is left but those in
// Report.Left. Once the new bytes are in place ctx is no longer heeded.
//
// The folder is held open, and must be the one that its path leads to, before and after
// the exchange.
//
// A writer that does not rename, but writes into the open file, can be overwritten.
func Replace(ctx context.Context, d Disk, path string, u Update) (Report, error) {
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	d = asSteady(d)
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
		p.unmake(d)
	}
	return report, explained("save", path, err)
}

// maxRounds bounds how often another writer can be faster.
const maxRounds = 256

// part ends the name of a file that is not whole yet. Without it, a temporary file
// is whole and synced.
const part = ".part"

// replacement is one replacement under way.
type replacement struct {
	place
	u Update

	target State // what should be at the target
	source State // what Next is applied to: what is at the target, or was displaced

	first   []byte   // what was at the target at first
	mine    State    // our newest version
	placed  []Info   // our versions that have been in place
	base    []byte   // our version when one of another's was first displaced
	held    []string // files with displaced versions of others, in order
	created bool     // the target is ours and there was none before
	plain   bool     // the file system cannot exchange
	lost    bool     // a sync of the folder failed; no second one is tried

	report Report
	open   []File // kept open so that their numbers are not given to others
}

// run replaces the target.
func (r *replacement) run(ctx context.Context) (Report, error) {
	if err := r.look(); err != nil {
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

// round makes one version and tries to put it in place. It reports whether that is
// done, and nothing of another writer was displaced. Else the next round merges in what
// that writer saved.
func (r *replacement) round(ctx context.Context) (done bool, err error) {
	r.closeOld()
	// 1. Compute the next version. Nothing is written when the target has it all.
	next, err := r.merge()
	if err != nil {
		return false, err
	}
	r.report.From, r.report.To = r.source.Data, next
	if bytes.Equal(next, r.target.Data) && (r.target.There || next == nil) {
		return true, nil
	}
	// 2. Tell the caller, who notes in a history what is about to be replaced.
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
	// 4. Exchange the two files in one step, unless the target changed meanwhile.
	expected := r.target
	if err = r.alive(ctx); err == nil {
		done, err = r.exchange(temp)
	}
	if !done {
		r.drop(temp)
		if err == nil {
			err = r.look()
		}
		return false, err
	}
	r.report.Rounds++
	r.target, r.placed = mine, append(r.placed, mine.Info)
	// 5. Look at what was displaced: another writer may have saved in that instant.
	if r.created = !expected.There; r.created || r.plain {
		return true, nil
	}
	return r.displaced(temp, expected)
}

// close closes what the replacement holds open.
func (r *replacement) close() {
	for _, f := range r.open {
		f.Close()
	}
	r.open = nil
}

// closeOld closes what earlier rounds opened, but for the last.
func (r *replacement) closeOld() {
	for ; len(r.open) > 6; r.open = r.open[1:] {
		r.open[0].Close()
	}
}

// look reads what is at the target.
func (r *replacement) look() error {
	v, err := r.read(r.name)
	r.target, r.source = v, v
	return err
}

// stage calls Stage, unless ctx is done.
func (r *replacement) stage(ctx context.Context, temp string, next []byte) error {
	if err := r.alive(ctx); err != nil {
		return err
	}
	if r.u.Stage != nil {
		if err := r.u.Stage(temp, r.source.Data, next); err != nil {
			return callerError{err}
		}
	}
	return r.alive(ctx)
}

// alive returns the error of ctx, as long as nothing was exchanged.
func (r *replacement) alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil && len(r.placed) == 0 {
		return callerError{err}
	}
	return nil
}

// temp returns the name of the n-th temporary file, from 1.
func (r *replacement) temp(n int) string {
	if n == 1 {
		return r.u.Temp
	}
	return r.u.Temp + "." + strconv.Itoa(n)
}

// merge returns the next version: what Next makes of the source, with what our last
// version took over from displaced ones.
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

// displaced looks at what was displaced. It reports whether that is the expected
// version, and removes it then.
func (r *replacement) displaced(temp string, expected State) (bool, error) {
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
		// A version of ours that was in place for a moment: finish tries again.
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

// finish makes durable what is in place, removes what was displaced and reads back.
func (r *replacement) finish() error {
	if len(r.placed) == 0 {
		return nil
	}
	if err := r.checkPath(); swapped(err) {
		return err
	}
	if err := r.sync(); err != nil {
		return err
	}
	r.release()
	now, err := r.read(r.name)
	r.report.Overtaken = err == nil && !now.holds(r.mine.Data)
	if err != nil {
		r.report.Notes = append(r.report.Notes, "Saved, but it could not be read back: "+reason(err)+".")
	}
	return nil
}

// release removes the displaced versions of others, now that the version which has
// it all is durable.
func (r *replacement) release() {
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

// sync makes the names in the folder durable.
func (r *replacement) sync() error {
	err := r.dir.Sync()
	r.lost = err != nil
	return err
}

// without is what a file system without exchange promises.
const without = "This file system cannot exchange two files in one step: what another program saves within the same millisecond can be lost."

// exchange puts the file temp in place of the target. It is false, and nothing was
// done, when the target is not what it is believed to be.
func (r *replacement) exchange(temp string) (bool, error) {
	if err := r.checkPath(); err != nil {
		return false, err
	}
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

// install puts the file temp at the target, where there is none.
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

// promiseLess says once that there is no exchange.
func (r *replacement) promiseLess() {
	if !r.plain {
		r.plain = true
		r.report.Notes = append(r.report.Notes, without)
	}
}

// unsupported reports whether the file system or the kernel lacks an operation.
func unsupported(err error) bool {
	return errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EINVAL) ||
		errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP)
}

// drop removes a file of ours that has nothing anybody needs.
func (r *replacement) drop(name string) {
	if r.dir.Remove(name) != nil {
		// Once more: what interrupted the first may be over.
		_ = r.dir.Remove(name)
	}
}
