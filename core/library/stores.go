package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"winnow/core/compare"
	"winnow/core/detect"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/system"
)

// codeTooLong is the code of a record that is too long to be read.
const codeTooLong = "too-long"

// Each calls fn with every record of the stores, in the order of stores, on the caller's goroutine. It
// keeps no records. Failed lists stores that cannot be read, or that have records too long to be read;
// they do not stop the others. The error is that of fn or ctx.
func (l *Library) Each(
	ctx context.Context, stores []memory.StoreID, fn func(memory.StoreID, *memory.Record) error,
) (failed []memory.Unread, err error) {
	for _, id := range stores {
		var stopped error
		long := 0
		err := l.list(ctx, id, func(r memory.Record) error {
			if r.Problem != nil && r.Problem.Code == codeTooLong {
				long++
			}
			stopped = fn(id, &r)
			return stopped
		})
		if stopped := cmp.Or(stopped, ctx.Err()); stopped != nil {
			return failed, stopped
		}
		failed = append(failed, l.unreadOf(id, err, long)...)
	}
	return failed, nil
}

// unreadOf reports what was not read of a store: all of it, or the records that are too long.
func (l *Library) unreadOf(id memory.StoreID, err error, long int) []memory.Unread {
	u := memory.Unread{Path: l.Short(id.Path()), Store: id}
	switch {
	case err != nil && !errors.Is(err, memory.ErrNotFound):
		u.Problem = ProblemOf(err)
	case long > 0:
		u.Problem = &memory.Problem{
			Code: codeTooLong, What: fmt.Sprintf("Records longer than 1 MiB are left out: %d.", long),
			Hint: "look at them with another program: winnow doctor says on which lines they are",
		}
	default:
		return nil
	}
	return []memory.Unread{u}
}

func (l *Library) list(ctx context.Context, id memory.StoreID, fn func(memory.Record) error) error {
	s, err := l.Store(id)
	if err != nil {
		return err
	}
	return s.List(ctx, fn)
}

// Tally counts the audit findings of a store. It reads the whole store. Unlike Load, it does not finish a
// change that a crash interrupted.
func (l *Library) Tally(ctx context.Context, id memory.StoreID) (memory.Tally, error) {
	snap, _, err := l.detailed(ctx, id, false)
	if err != nil {
		return memory.Tally{}, err
	}
	found := l.audited(ctx, snap).Findings
	return memory.Tally{
		High:   memory.CountFindings(found, memory.High),
		Medium: memory.CountFindings(found, memory.Medium),
		Low:    memory.CountFindings(found, memory.Low),
		Files:  memory.CountFindings(found, 0),
		Writer: l.lastWriter(ctx, id, snap.ModTime),
	}, ctx.Err()
}

// lastWriter returns who changed a store at the given time: the person, if the newest entry of the history
// is theirs and from that time. Without a history it returns "".
func (l *Library) lastWriter(ctx context.Context, id memory.StoreID, at time.Time) memory.Who {
	h, err := l.History(ctx, id)
	if err != nil || len(h.Entries) == 0 {
		return ""
	}
	const noted = 2 * time.Second // the longest time between a history entry and its change
	if e := h.Entries[0]; e.Who == memory.Others || at.Sub(e.At) > noted {
		return memory.Others
	}
	return memory.You
}

// Systems returns the known systems, in the order in which they are searched.
func (l *Library) Systems() []memory.SystemInfo {
	all := make([]memory.SystemInfo, 0, len(l.systems))
	for i := range l.systems {
		s := &l.systems[i]
		all = append(all, memory.SystemInfo{ID: s.ID, Name: s.Name, Variables: s.Variables, Own: s.Serves != nil})
	}
	return all
}

// files returns the files that an audit of a store reads. That is the store's file, or, if the store is a
// folder, the files of its records. unread names what of the folder was not looked at.
func (l *Library) files(ctx context.Context, id memory.StoreID) (paths, unread []string) {
	if info, err := os.Stat(id.Path()); err == nil && !info.IsDir() {
		return []string{id.Path()}, nil
	}
	if s, err := l.Store(id); err == nil {
		snap, _ := l.read(ctx, s, func(memory.Snapshot) {}) // the audit of the path itself reports read errors
		unread = snap.Unread
		seen := map[string]bool{}
		for i := range snap.Records {
			if path := snap.Records[i].File; path != "" && !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	if len(paths) == 0 && id.System() == "" {
		paths = []string{id.Path()}
	}
	return paths, unread
}

// mostCompared is how many records of a project's stores are compared.
const mostCompared = 20_000

// Kin returns, for each record of a store, the records of the same project that are similar, in another
// store, or contradict it, in any store. Stores that every project loads at its start count as part of
// the project. It returns nil for a store that belongs to no project, and skips what cannot be read. The
// error is that of ctx.
func (l *Library) Kin(ctx context.Context, id memory.StoreID) (map[memory.ID][]memory.Kin, error) {
	return l.KinAmong(ctx, id, l.projectStores(ctx, id), nil)
}

// KinAmong is like Kin, for the given stores, of which the first is id. Own are that store's records, or
// nil to read them.
func (l *Library) KinAmong(
	ctx context.Context, id memory.StoreID, stores []memory.StoreID, own []memory.Record,
) (map[memory.ID][]memory.Kin, error) {
	if len(stores) == 0 {
		return nil, ctx.Err()
	}
	records, n := map[memory.StoreID][]memory.Record{}, len(own)
	if own != nil {
		records[id], stores = own, stores[1:]
	}
	_, err := l.Each(ctx, stores, func(s memory.StoreID, r *memory.Record) error {
		if n++; n > mostCompared {
			return errEnough
		}
		records[s] = append(records[s], *r)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	kin := compare.Across(l.AgentNames(), records)[id]
	type place struct {
		store  memory.StoreID
		record memory.ID
	}
	files := map[place]string{}
	for s, list := range records {
		for i := range list {
			files[place{s, list[i].ID}] = list[i].File
		}
	}
	for record, list := range kin {
		file := files[place{id, record}]
		kin[record] = slices.DeleteFunc(list, func(k memory.Kin) bool { // the same file, read by two systems
			return file != "" && file == files[place{k.Store, k.ID}]
		})
	}
	maps.DeleteFunc(kin, func(_ memory.ID, list []memory.Kin) bool { return len(list) == 0 })
	return kin, ctx.Err()
}

// AgentNames returns the names of the agents whose systems are known.
func (l *Library) AgentNames() (names []string) {
	for i := range l.systems {
		names = append(names, l.systems[i].Name)
	}
	return names
}

// mostKin is the largest number of records for which Follow looks for kin.
const mostKin = 2000

// withKin returns a snapshot with the kin of its records, and whether there are any. It does nothing for a
// project with one store only, whose records Similar compares.
func (f *follow) withKin(ctx context.Context, snap memory.Snapshot) (memory.Snapshot, bool) {
	if len(snap.Records) == 0 || len(snap.Records) > mostKin {
		return snap, false
	}
	stores := f.lib.projectStores(ctx, f.id)
	if len(stores) < 2 {
		return snap, false
	}
	var own []memory.Record
	if isComplete(&snap) {
		own = snap.Records
	}
	kin, err := f.lib.KinAmong(ctx, f.id, stores, own)
	if err != nil || len(kin) == 0 {
		return snap, false
	}
	return annotated(snap, func(_ int, r *memory.Record) bool {
		r.AddKin(kin[r.ID])
		return len(kin[r.ID]) > 0
	}), true
}

var errEnough = errors.New("enough")

// projectStores returns a store, followed by the other stores of its project and those that all projects
// load, in a fixed order. It returns nil for a store that belongs to no project.
func (l *Library) projectStores(ctx context.Context, id memory.StoreID) []memory.StoreID {
	l.mu.Lock()
	project := l.places[id].Project
	var stores, common []memory.StoreID
	for _, p := range l.places {
		switch {
		case !p.Exists || p.Store == id:
		case p.Project == project:
			stores = append(stores, p.Store)
		case p.Project == "":
			common = append(common, p.Store)
		}
	}
	l.mu.Unlock()
	if project == "" {
		return nil
	}
	for _, c := range common {
		if snap, err := l.Counts(ctx, c); err == nil && snap.Start.Bytes > 0 {
			stores = append(stores, c)
		}
	}
	slices.Sort(stores)
	return append([]memory.StoreID{id}, stores...)
}

// ProblemOf returns an error as a problem.
func ProblemOf(err error) *memory.Problem {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return p
	}
	return &memory.Problem{Code: "error", What: err.Error()}
}

// Composer returns the composer of a store's records.
func (l *Library) Composer(id memory.StoreID) (system.Composer, error) {
	s, err := l.Store(id)
	if err != nil {
		return nil, err
	}
	c, ok := s.(system.Composer)
	if !ok {
		return nil, fmt.Errorf("change a store of %s: %w", s.Info().Name, memory.ErrReadOnly)
	}
	return c, nil
}

// FindRecord returns the first record of a store for which fits is true.
func (l *Library) FindRecord(
	ctx context.Context,
	store memory.StoreID,
	fits func(*memory.Record) bool,
) (found memory.Record, err error) {
	err = l.EachOf(ctx, store, func(r *memory.Record) error {
		if fits(r) {
			found = *r
			return errEnough
		}
		return nil
	})
	switch err {
	case errEnough:
		return found, nil
	case nil:
		return found, fmt.Errorf("find the record in %s: %w", l.Short(store.Path()), memory.ErrNotFound)
	}
	return found, err
}

// RecordNamed returns the record of a store that a person means by an ID or the beginning of one.
func (l *Library) RecordNamed(
	ctx context.Context,
	store memory.StoreID,
	name memory.ID,
) (found memory.Record, _ error) {
	look := memory.NewLookup(string(name))
	err := l.EachOf(ctx, store, func(r *memory.Record) error {
		if look.Offer(memory.Named{ID: string(r.ID)}) {
			found = *r
		}
		return nil
	})
	if err == nil {
		err = look.Err()
	}
	var unclear *memory.UnclearError
	switch {
	case errors.As(err, &unclear):
		hint := detect.Redact("give more of it: " + strings.Join(unclear.Shown, ", "))
		return found, &memory.Problem{Code: "unclear-id", What: detect.Redact(unclear.Error()), Hint: hint}
	case errors.Is(err, memory.ErrNotFound):
		return found, fmt.Errorf("find the record in %s: %w", l.Short(store.Path()), memory.ErrNotFound)
	}
	return found, err
}

// EachOf calls fn with every record of one store. A missing store has none. It returns an error if the store
// cannot be read completely.
func (l *Library) EachOf(ctx context.Context, store memory.StoreID, fn func(*memory.Record) error) error {
	failed, err := l.Each(ctx, []memory.StoreID{store}, func(_ memory.StoreID, r *memory.Record) error { return fn(r) })
	if err == nil && len(failed) > 0 && !IsEmpty(failed[0].Problem) {
		err = failed[0].Problem
	}
	return err
}

// IsEmpty reports whether a problem only means that the store is missing or has no records.
func IsEmpty(p *memory.Problem) bool { return p.Code == "missing" || p.Code == "empty" }

// KeepsLessons reports whether a store holds lessons in the engine's form.
func (l *Library) KeepsLessons(id memory.StoreID) bool {
	return learn.KeepsLessons(l.Info(id).Described)
}

// Records returns the first mostCompared records of a store.
func (l *Library) Records(
	ctx context.Context,
	id memory.StoreID,
) (records []memory.Record, unread []memory.Unread, err error) {
	unread, err = l.Each(ctx, []memory.StoreID{id}, func(_ memory.StoreID, r *memory.Record) error {
		if len(records) == mostCompared {
			return errEnough
		}
		records = append(records, *r)
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return records, unread, err
}
