package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/approve"
	"winnow/core/atomicfile"
	"winnow/core/curate"
	"winnow/core/curate/plan"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/system"
)

// Plan makes a plan from an order. It changes nothing, so it also works in a read-only library. The error
// wraps [memory.ErrNotFound] for an unknown record or entry and [memory.ErrNothing] if there is nothing
// to undo or redo. It is a *memory.Problem for an invalid text.
func (l *Library) Plan(ctx context.Context, id memory.StoreID, o memory.Order) (memory.Plan, error) {
	c, err := l.Curator(id)
	if err != nil {
		return memory.Plan{}, err
	}
	p, err := c.Plan(ctx, o)
	if q := (*memory.Problem)(nil); errors.As(err, &q) && q.Code == plan.CodeFixed {
		err = cmp.Or(l.whyFixed(ctx, id, &o), err)
	}
	return p, err
}

// Apply makes the changes of a plan. It saves the old bytes in the history before it changes the store.
// After an error nothing has changed. With [memory.ErrConflict], the result says what is in the way. A
// proposal whose approval is undone waits in the inbox again.
func (l *Library) Apply(ctx context.Context, p memory.Plan) (memory.Result, error) {
	if l.readOnly {
		return memory.Result{}, fmt.Errorf("change %s: %w", p.Store, memory.ErrReadOnly)
	}
	c, err := l.Curator(p.Store)
	if err != nil {
		return memory.Result{}, err
	}
	if slices.ContainsFunc(p.Changes, func(ch memory.Change) bool { return ch.Do < memory.Pinning }) {
		if err := l.mayChange(&p); err != nil {
			return memory.Result{}, err
		}
	}
	var several []*LinkedFile
	if p.Final {
		several = LinkedFiles(changedFiles(p))
	}
	approval, err := l.approvalOf(ctx, &p)
	if err == nil {
		err = approval.Withdraw(ctx)
	}
	if err != nil {
		return memory.Result{}, fmt.Errorf("withdraw the approval of what this removes: %w", err)
	}
	result, err := c.Apply(ctx, p)
	if err == nil && p.Final {
		result.Notes = append(result.Notes, c.CleanOthers(ctx, &p)...)
	}
	for _, f := range several {
		if what, command := f.Left(l); what != "" {
			result.Notes = append(result.Notes, what+"; look with "+command)
		}
	}
	switch {
	case err == nil:
		result.Notes = append(result.Notes, approval.Approve(ctx)...)
	case result.Entry == "": // nothing was changed
		if back := approval.GiveBack(ctx); back != nil {
			err = errors.Join(err, back)
		}
	}
	l.Touch(p.Store)
	return result, err
}

// approvalOf reads what a plan means for the approvals in its store.
func (l *Library) approvalOf(ctx context.Context, p *memory.Plan) (*approve.Plan, error) {
	s, err := l.Store(p.Store)
	if err != nil {
		return nil, err
	}
	each := func(ctx context.Context, fn func(*memory.Record) error) error { return l.EachOf(ctx, p.Store, fn) }
	of := approve.Store{Name: ApprovalName(p.Store), Open: s, Now: l.now, Each: each}
	if l.state.Dir != "" {
		of.Book = l.book
	}
	return approve.Of(ctx, p, of)
}

// approvedIn returns the function that reports whether a person approved the words of a record on this machine,
// for the records of a store.
func (l *Library) approvedIn(store memory.StoreID) func(*memory.Record) bool {
	name := ApprovalName(store)
	return func(r *memory.Record) bool {
		return l.state.Untrusted == nil && l.book.Approved(name, learn.WordsOf(r))
	}
}

// ApprovalName returns the name of a store in the book of approvals.
func ApprovalName(store memory.StoreID) string { return string(RealID(store)) }

// Touch makes the followers of a store read it again; "" means all stores. Pins and decisions need this,
// as they change no watched file.
func (l *Library) Touch(id memory.StoreID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for f := range l.follows {
		if id == "" || f.id == id {
			select {
			case f.touched <- struct{}{}:
			default:
			}
		}
	}
}

// Finish completes or rolls back a change of a store that a crash interrupted.
func (l *Library) Finish(ctx context.Context, id memory.StoreID) error {
	c, err := l.Curator(id)
	if err != nil {
		return err
	}
	return c.Recover(ctx)
}

// History returns the changes made to a store, newest first.
func (l *Library) History(ctx context.Context, id memory.StoreID) (memory.History, error) {
	c, err := l.Curator(id)
	if err != nil {
		return memory.History{}, err
	}
	return c.History(ctx)
}

// Purge empties the history of a store. Pins and decisions stay.
func (l *Library) Purge(ctx context.Context, id memory.StoreID) error {
	if l.readOnly {
		return fmt.Errorf("purge the history of %s: %w", id, memory.ErrReadOnly)
	}
	c, err := l.Curator(id)
	if err != nil {
		return err
	}
	return c.Purge(ctx)
}

// Guard returns the changes that another writer undid and that need a decision.
func (l *Library) Guard(ctx context.Context, id memory.StoreID) ([]memory.Undone, error) {
	c, err := l.Curator(id)
	if err != nil {
		return nil, err
	}
	if err := c.Recover(ctx); err != nil { // must come before the records are read
		return nil, err
	}
	var records []memory.Record
	err = l.list(ctx, id, func(r memory.Record) error { records = append(records, r); return nil })
	if err != nil {
		return nil, err
	}
	return c.Guard(ctx, records)
}

// Form returns the editable fields of a record as text for an editor. An empty id means a new record.
func (l *Library) Form(ctx context.Context, id memory.StoreID, record memory.ID) (string, error) {
	c, err := l.Composer(id)
	var r memory.Record
	if err == nil && record != "" {
		r, err = l.FindRecord(ctx, id, func(r *memory.Record) bool { return r.ID == record })
	}
	if err != nil {
		return "", fmt.Errorf("edit %s: %w", record, err)
	}
	return c.Form(r.Raw), nil
}

// ReadOnly returns a copy of the library that changes neither stores nor their history.
func (l *Library) ReadOnly() *Library {
	quiet := l.keepIn(l.state.Dir)
	quiet.readOnly = true
	quiet.sessions = quiet.openSessions()
	return quiet
}

// keepIn returns a copy of the library that keeps its state in the folder dir.
func (l *Library) keepIn(dir string) *Library {
	l.mu.Lock()
	defer l.mu.Unlock()
	state := l.state
	if state.Dir != dir {
		state.Dir, state.Untrusted = dir, nil
	}
	other := New(l.systems, l.env, l.now, l.start, state, l.forms...)
	maps.Copy(other.places, l.places)
	other.typed = slices.Clone(l.typed)
	other.readOnly = l.readOnly
	other.sessions = other.openSessions()
	return other
}

// Curator returns the curator of a store.
func (l *Library) Curator(id memory.StoreID) (*curate.Curator, error) {
	s, err := l.Store(id)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.curators[id]; c != nil {
		return c, nil
	}
	drafts := ""
	if l.state.Dir != "" {
		drafts = filepath.Join(l.state.Dir, "drafts")
	}
	c := curate.Open(curate.Config{
		Dir: curate.Folder(l.state.Dir, RealID(id)), Store: id, System: s, Disk: atomicfile.OS(),
		Now: l.now, Rand: l.state.Rand, KeepFor: l.state.KeepFor, KeepBytes: l.state.KeepBytes,
		ReadOnly: l.readOnly, Drafts: drafts,
		Complete: func(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
			return l.forRules(ctx, id, snap, s)
		},
	})
	l.curators[id] = c
	return c, nil
}

// RealID returns the id of the store with symbolic links in its path resolved, even if the file does not
// exist yet. So a store has one history, whatever path it is opened by.
func RealID(id memory.StoreID) memory.StoreID {
	path := id.Path()
	if to, err := atomicfile.Resolve(atomicfile.OS(), path); err == nil {
		path = to
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if s := id.System(); s != "" {
		return memory.At(s, path)
	}
	return memory.StoreID(path)
}

// WriteFile writes a file that a person asked for, such as a report, a copy or a hook. The write is atomic
// and durable. If the file exists, it returns [fs.ErrExist], unless replace is set; then the file keeps
// its mode. It creates one missing folder, for its owner only. It refuses a path that is a link.
func (l *Library) WriteFile(ctx context.Context, path string, data []byte, replace bool, perm fs.FileMode) error {
	if l.readOnly {
		return fmt.Errorf("write %s: %w", path, memory.ErrReadOnly)
	}
	path = l.Absolute(path)
	if err := l.MayWriteFile(system.Resolved(path), path); err != nil {
		return err
	}
	if err := hasFolder(path); err != nil {
		return err
	}
	err := l.ReplaceFile(ctx, path, atomicfile.Update{
		Mode: uint32(perm.Perm()), Real: true,
		Next: func(now []byte) ([]byte, error) {
			if now != nil && !replace {
				return nil, fs.ErrExist
			}
			return data, nil
		},
		Adopt: func(mine, _, _ []byte) ([]byte, error) { return mine, nil },
	})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", path, fs.ErrExist)
	}
	return err
}

// hasFolder returns a problem if more than one folder would have to be made for a file.
func hasFolder(path string) error {
	if _, err := os.Stat(filepath.Dir(filepath.Dir(path))); err != nil {
		what := fmt.Sprintf("write %s: its folder is not there", path)
		return &memory.Problem{Code: "folder-gone", What: what, Hint: "make the folder first"}
	}
	return nil
}

// ReplaceFile updates a file atomically.
func (l *Library) ReplaceFile(ctx context.Context, path string, u atomicfile.Update) (err error) {
	if u.Temp, err = atomicfile.NewTemp(l.state.Rand); err == nil {
		_, err = atomicfile.Replace(ctx, l.diskFor(path), path, u)
	}
	return err
}

// diskFor returns the disk for a file that belongs to no store. A path in the project does not lead out
// of it.
func (l *Library) diskFor(path string) atomicfile.Disk {
	return atomicfile.Confined(atomicfile.OS(), func(real string) error { return l.MayWriteFile(real, path) })
}

// RemoveFile removes a file if its content is still was. Otherwise the error wraps [memory.ErrConflict].
func (l *Library) RemoveFile(_ context.Context, path string, was []byte) error {
	if l.readOnly {
		return fmt.Errorf("remove %s: %w", path, memory.ErrReadOnly)
	}
	temp, err := atomicfile.NewTemp(l.state.Rand)
	if err != nil {
		return err
	}
	err = atomicfile.Remove(l.diskFor(l.Absolute(path)), l.Absolute(path), temp, was)
	if errors.Is(err, atomicfile.ErrOther) {
		return fmt.Errorf("remove %s: %w", path, memory.ErrConflict)
	}
	return err
}

// Absolute returns a path made absolute from the working folder; ~/ is the home folder.
func (l *Library) Absolute(path string) string {
	rest, home := strings.CutPrefix(path, "~"+string(filepath.Separator))
	switch {
	case home && l.env.Home != "":
		path = filepath.Join(l.env.Home, rest)
	case !filepath.IsAbs(path):
		path = filepath.Join(l.env.Dir, path)
	default:
		path = filepath.Clean(path)
	}
	return realCase(l.env.GOOS, path)
}
