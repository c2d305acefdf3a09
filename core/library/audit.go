package library

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/atomicfile"
	"winnow/core/audit"
	"winnow/core/audit/baseline"
	"winnow/core/memory"
	"winnow/core/statefile"
	"winnow/core/system"
)

// Audit audits what the order names, and writes nothing. It marks findings that this machine or the order
// ignores. When ctx ends, it returns what it found so far. It calls tell, which may be nil, while it
// reads. An error means that nothing was audited; single files that cannot be read are listed in the
// audit.
func (l *Library) Audit(
	ctx context.Context,
	o memory.AuditOrder,
	in io.Reader,
	tell func(memory.Progress),
) (memory.Audit, error) {
	for _, path := range o.Paths {
		if only, path := system.SplitName(l.systems, path); only == "" && path != "-" {
			l.name(l.Absolute(path))
		}
	}
	sources, gaps := l.sourcesBelow(ctx, o.Paths)
	if o.Staged {
		var more []memory.Unread
		sources, more = l.withIndex(ctx, o.Paths, sources)
		gaps = append(gaps, more...)
	}
	o, unread := l.storesIn(ctx, o)
	o.Sources, unread = sources, append(unread, gaps...)
	if o.Stores {
		for _, p := range l.Find(ctx).Places {
			if p.Exists {
				unread = append(unread, l.addStore(ctx, &o, p.Store)...)
			}
		}
	}
	kept, err := l.Ignored(ctx)
	o.Ignored = append(kept, o.Ignored...)
	a, runErr := l.audit.Run(ctx, o, in, tell)
	a.Failed = append(a.Failed, unread...)
	if err != nil {
		a.Failed = append(a.Failed, memory.Unread{Path: ignoredName, Problem: ProblemOf(err)})
	}
	return a, runErr
}

// storesIn returns the order with each path that names a system replaced by its stores' files, and what
// of those stores was not looked at.
func (l *Library) storesIn(ctx context.Context, o memory.AuditOrder) (_ memory.AuditOrder, unread []memory.Unread) {
	paths := o.Paths
	o.Paths = nil
	for _, path := range paths {
		only, _ := system.SplitName(l.systems, path)
		if only == "" {
			o.Paths = append(o.Paths, path)
			continue
		}
		for _, p := range l.FindIn(ctx, []string{path}).Places {
			unread = append(unread, l.addStore(ctx, &o, p.Store)...)
		}
	}
	return o, unread
}

// addStore adds a store to an audit: its files, or its whole folder if it holds more text than its records
// show. It returns what of the store was not looked at.
func (l *Library) addStore(ctx context.Context, o *memory.AuditOrder, id memory.StoreID) (unread []memory.Unread) {
	if info, err := os.Stat(id.Path()); err == nil && info.IsDir() {
		if t, _ := l.texter(id); t != nil {
			o.Folders = append(o.Folders, id)
			return nil
		}
	}
	paths, gaps := l.files(ctx, id)
	o.Paths = append(o.Paths, paths...)
	for _, gap := range gaps {
		unread = append(unread, memory.Unread{Path: l.Short(id.Path()), Problem: &memory.Problem{
			Code: "not-searched",
			What: "Not searched: " + gap + ".",
			Hint: "audit the folders below by their own paths",
		}})
	}
	return unread
}

// journal returns a function that returns a record's texts from the journal beside its store; nil if there
// is no journal.
func (l *Library) journal(ctx context.Context, id memory.StoreID) func(*memory.Record) []string {
	if journal := l.Info(id).Journal; journal != nil {
		return journal(ctx)
	}
	return nil
}

// AuditRules returns every rule of the audit.
func (l *Library) AuditRules() []memory.AuditRule { return audit.Rules() }

// audited returns a snapshot with its audit findings.
func (l *Library) audited(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
	snap.Place = l.place(snap.Place)
	snap.Audited = true
	kept, _ := l.Ignored(ctx) // if they cannot be read, every finding counts
	t, _ := l.texter(snap.Place.Store)
	if t != nil {
		snap.Uncovered = []string{audit.FreePages}
	}
	snap.Findings, snap.Unread = l.audit.Snapshot(ctx, &snap, t, kept)
	return snap
}

// texter returns a store and its place if the store holds more text than its records show, else nil.
func (l *Library) texter(id memory.StoreID) (system.Texter, memory.Place) {
	s, err := l.Store(id)
	if err != nil {
		return nil, memory.Place{}
	}
	t, _ := s.(system.Texter)
	return t, l.place(s.Info().Place)
}

// ignoredName is the file in the state folder with the findings that a person ignores. It has the format
// of a baseline.
const ignoredName = "ignored.json"

// Ignored returns the findings that this machine ignores, including expired entries. If the file cannot be
// read, nothing is ignored and the error is a *memory.Problem.
func (l *Library) Ignored(context.Context) ([]memory.Ignore, error) {
	if l.state.Dir == "" {
		return nil, nil
	}
	text, err := l.ignoredFile().Read()
	if err != nil {
		return nil, &memory.Problem{
			Code: "ignored",
			What: "read ignored findings: " + err.Error(),
			Hint: "make the file readable; until then nothing is ignored",
		}
	}
	return baseline.Decode(text)
}

func (l *Library) ignoredFile() statefile.File {
	return statefile.File{Path: filepath.Join(l.state.Dir, ignoredName)}
}

// Ignore ignores the findings in add, and stops ignoring those in remove, which are fingerprints. A
// finding that is already ignored gets the new reason.
func (l *Library) Ignore(ctx context.Context, add []memory.Ignore, remove []string) error {
	if l.readOnly {
		return fmt.Errorf("ignore findings: %w", memory.ErrReadOnly)
	}
	if err := memory.NoPlace(l.state.Dir, "ignored findings"); err != nil {
		return err
	}
	err := l.ignoredFile().Change(ctx, statefile.ForChange, func(now []byte) ([]byte, error) {
		return withDecisions(now, add, remove)
	})
	l.Touch("")
	return err
}

// IgnoreIn does what Ignore does in a baseline, a file that a project can share. It refuses a link.
func (l *Library) IgnoreIn(ctx context.Context, path string, add []memory.Ignore, remove []string) error {
	if l.readOnly {
		return fmt.Errorf("write %s: %w", path, memory.ErrReadOnly)
	}
	path = l.Absolute(path)
	if err := hasFolder(path); err != nil {
		return err
	}
	if l.state.Dir != "" {
		lock := statefile.File{Path: path, Lock: filepath.Join(l.state.Dir, "baseline.lock")}
		release, err := lock.Hold(ctx, statefile.ForChange)
		if err != nil {
			return err
		}
		defer release()
	}
	return l.ReplaceFile(ctx, path, atomicfile.Update{
		Mode: 0o644, Real: true,
		Next:  func(now []byte) ([]byte, error) { return withDecisions(now, add, remove) },
		Adopt: func(_, _, found []byte) ([]byte, error) { return withDecisions(found, add, remove) },
	})
}

// withDecisions returns the baseline now with entries added and removed, and without secrets in reasons. An
// entry that is added again keeps its rule if it has none now.
func withDecisions(now []byte, add []memory.Ignore, remove []string) ([]byte, error) {
	var list []memory.Ignore
	if len(now) > 0 {
		var err error
		if list, err = baseline.Decode(now); err != nil {
			return nil, err
		}
	}
	add = slices.Clone(add)
	list = slices.DeleteFunc(list, func(i memory.Ignore) bool {
		at := slices.IndexFunc(add, func(a memory.Ignore) bool { return a.Fingerprint == i.Fingerprint })
		if at >= 0 && add[at].Rule == "" {
			add[at].Rule = i.Rule
		}
		return at >= 0 || slices.Contains(remove, i.Fingerprint)
	})
	list = append(list, add...)
	for i := range list {
		Mask(&list[i].Reason)
	}
	return baseline.Encode(list), nil
}
