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
	"winnow/core/system"
)

// Audit audits what the order names, and writes nothing. Findings that this machine or the
// order ignores are marked. When ctx ends, it returns what it found until then. tell, which
// may be nil, is called while it reads. After an error nothing was audited; single files
// that could not be read are in the audit.
func (l *Library) Audit(ctx context.Context, o memory.AuditOrder, in io.Reader, tell func(memory.Progress)) (memory.Audit, error) {
	o = l.storesIn(ctx, o)
	if o.Stores {
		for _, p := range l.Find(ctx).Places {
			if p.Exists {
				l.addStore(ctx, &o, p.Store)
			}
		}
	}
	kept, err := l.Ignored(ctx)
	o.Ignored = append(kept, o.Ignored...)
	a, runErr := l.audit.Run(ctx, o, in, tell)
	if err != nil {
		a.Failed = append(a.Failed, memory.Unread{Path: ignoredName, Problem: problemOf(err)})
	}
	return a, runErr
}

// storesIn returns the order with each path that names a system replaced by its stores' files.
func (l *Library) storesIn(ctx context.Context, o memory.AuditOrder) memory.AuditOrder {
	paths := o.Paths
	o.Paths = nil
	for _, path := range paths {
		only, _ := l.splitSystem(path)
		if only == "" {
			o.Paths = append(o.Paths, path)
			continue
		}
		for _, p := range l.FindIn(ctx, []string{path}).Places {
			l.addStore(ctx, &o, p.Store)
		}
	}
	return o
}

// addStore adds a store to an audit: its files, or the whole folder where it holds more
// text than its records show.
func (l *Library) addStore(ctx context.Context, o *memory.AuditOrder, id memory.StoreID) {
	if info, err := os.Stat(id.Path()); err == nil && info.IsDir() {
		if t, _ := l.texter(id); t != nil {
			o.Folders = append(o.Folders, id)
			return
		}
	}
	o.Paths = append(o.Paths, l.files(ctx, id)...)
}

// journal returns a function for the texts that the journal beside a store holds about a
// record; nil when there is no journal.
func (l *Library) journal(ctx context.Context, id memory.StoreID) func(*memory.Record) []string {
	if journal := l.info(id).Journal; journal != nil {
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
	kept, _ := l.Ignored(ctx) // where they cannot be read, every finding counts
	t, _ := l.texter(snap.Place.Store)
	if t != nil {
		snap.Uncovered = []string{audit.FreePages}
	}
	snap.Findings, snap.Unread = l.audit.Snapshot(ctx, &snap, t, kept)
	return snap
}

// texter returns a store that holds more text than its records show, and its place; nil for
// others.
func (l *Library) texter(id memory.StoreID) (system.Texter, memory.Place) {
	s, err := l.store(id)
	if err != nil {
		return nil, memory.Place{}
	}
	t, _ := s.(system.Texter)
	return t, l.place(s.Info().Place)
}

// ignoredName is the file in the state folder that holds the findings that a person
// ignores, in the form of a baseline.
const ignoredName = "ignored.json"

// Ignored returns the findings that this machine ignores, including expired entries. The
// error is a *memory.Problem when the file cannot be read: then nothing is ignored.
func (l *Library) Ignored(context.Context) ([]memory.Ignore, error) {
	if l.state.Dir == "" {
		return nil, nil
	}
	f, err := os.ReadFile(filepath.Join(l.state.Dir, ignoredName))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, &memory.Problem{Code: "ignored", What: "read ignored findings: " + err.Error(), Hint: "make the file readable; until then nothing is ignored"}
	}
	return baseline.Decode(f)
}

// Ignore ignores some findings and no longer ignores others, by their fingerprints. A
// finding that is ignored already gets the new reason.
func (l *Library) Ignore(ctx context.Context, add []memory.Ignore, remove []string) error {
	if l.readOnly {
		return fmt.Errorf("ignore findings: %w", memory.ErrReadOnly)
	}
	if l.state.Dir == "" {
		return &memory.Problem{Code: "no-state", What: "ignore findings: there is no folder to keep that in", Hint: "set HOME or XDG_STATE_HOME"}
	}
	err := l.replace(ctx, filepath.Join(l.state.Dir, ignoredName), atomicfile.Update{
		Next:  func(now []byte) ([]byte, error) { return decided(now, add, remove) },
		Adopt: func(_, _, found []byte) ([]byte, error) { return decided(found, add, remove) },
	})
	l.touch("")
	return err
}

// decided returns a baseline with the decisions made.
func decided(now []byte, add []memory.Ignore, remove []string) ([]byte, error) {
	var list []memory.Ignore
	if len(now) > 0 {
		var err error
		if list, err = baseline.Decode(now); err != nil {
			return nil, err
		}
	}
	list = slices.DeleteFunc(list, func(i memory.Ignore) bool {
		again := func(a memory.Ignore) bool { return a.Fingerprint == i.Fingerprint }
		return slices.Contains(remove, i.Fingerprint) || slices.ContainsFunc(add, again)
	})
	return baseline.Encode(append(list, add...)), nil
}
