package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"winnow/core/activity"
	"winnow/core/detect"
	engine "winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/system"
)

// Timeline returns what happened to a record, even one that is gone. The error wraps [memory.ErrNotFound]
// if the record is unknown.
func (l *Library) Timeline(ctx context.Context, id memory.StoreID, record memory.ID) (activity.Timeline, error) {
	f, err := l.pastOf(ctx, id, record)
	if err != nil {
		return activity.Timeline{}, err
	}
	t, ok := f.Timeline(record)
	if !ok {
		err = fmt.Errorf("find %s: %w", record, memory.ErrNotFound)
	}
	return t, err
}

// Activity returns what happened in a store.
func (l *Library) Activity(ctx context.Context, id memory.StoreID) (activity.Store, error) {
	f, err := l.pastOf(ctx, id, "")
	return f.Store(), err
}

// pastOf returns all that is known about a store, or, if only is set, about that record.
func (l *Library) pastOf(ctx context.Context, id memory.StoreID, only memory.ID) (f activity.Facts, err error) {
	s, err := l.Store(id)
	if err != nil {
		return f, err
	}
	snap, err := l.read(ctx, s, func(memory.Snapshot) {})
	if err == nil && snap.Problem != nil && snap.Problem.Code != "empty" { // even an empty store has a past
		err = fmt.Errorf("read %s: %w", id.Path(), snap.Problem)
	}
	if err != nil {
		return f, err
	}
	info := s.Info()
	f = activity.Facts{
		Now:       l.now(),
		System:    info.System,
		Noun:      snap.Noun,
		Counts:    info.Counts || slices.ContainsFunc(snap.Records, hasCount),
		FileDates: info.FileDates,
		Redact:    detect.Redact, Held: snap.Held, Cap: snap.Cap,
	}
	note := func(what string, err error) {
		if err != nil {
			f.Notes = append(f.Notes, what+": "+err.Error())
		}
	}
	f.History, err = l.History(ctx, id)
	note("the history cannot be read", err)
	f.Journal, f.Journaled, err = journalRecords(ctx, info)
	note("the journal cannot be read whole", err)
	var compared []memory.Record
	if f.Records, compared, err = l.allOf(ctx, id, snap, only); err != nil {
		return f, err
	}
	if n := len(f.Records) - len(compared); n > 0 && only == "" {
		f.Notes = append(
			f.Notes,
			fmt.Sprintf(
				"sessions were not searched for %s: only for the first %d",
				f.Noun.OrRecord().Count(n),
				mostCompared,
			),
		)
	}
	searched := append(compared, earlierRecords(&f, only)...)
	given, failed, err := l.sessions.Given(ctx, l.projectOf(id), l.KeepsLessons(id), searched)
	f.Sessions = given
	note("some sessions cannot be listed", failed)
	return f, err
}

// hasCount reports whether a record has a recall count.
func hasCount(r memory.Record) bool { return r.Count != memory.Count{} }

// journalRecords returns the records that a journal says were learnt. Whole is false if that may not be all.
func journalRecords(ctx context.Context, info system.Info) (all []memory.Record, whole bool, err error) {
	if info.Learnt == nil {
		return nil, false, nil
	}
	all, err = info.Learnt(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return all, err == nil, err
}

// allOf returns the records of a store without their texts, and in compared, with texts, the first of them
// to look for in sessions. If only is set, both have just that record.
func (l *Library) allOf(
	ctx context.Context,
	id memory.StoreID,
	snap memory.Snapshot,
	only memory.ID,
) (all, compared []memory.Record, err error) {
	left := snap.Total - snap.Aside
	take := func(_ memory.StoreID, r *memory.Record) error {
		left--
		counted := left >= 0 && !engine.Undecoded(r)
		if only != "" && r.ID != only || only == "" && !counted {
			return nil
		}
		if len(compared) < mostCompared {
			compared = append(compared, *r)
		}
		bare := *r
		bare.Body, bare.Raw = "", ""
		all = append(all, bare)
		return nil
	}
	_, err = l.Each(ctx, []memory.StoreID{id}, take) // no need to check for unread stores: the snapshot was read
	return all, compared, err
}

// earlierRecords returns the records as they were before each change, since sessions may have been given those.
func earlierRecords(f *activity.Facts, only memory.ID) (all []memory.Record) {
	files := make(map[memory.ID]string, len(f.Records))
	for i := range f.Records {
		files[f.Records[i].ID] = f.Records[i].File
	}
	for _, e := range f.History.Entries {
		for i := range e.Changes {
			c := &e.Changes[i]
			if c.Record.Raw == "" || only != "" && c.ID != only || len(all) == mostCompared {
				continue
			}
			was := c.Record
			was.ID, was.File = c.ID, cmp.Or(was.File, files[c.ID])
			all = append(all, was)
		}
	}
	return all
}

// SessionsOf summarizes the newest sessions of a store's project.
func (l *Library) SessionsOf(ctx context.Context, id memory.StoreID) ([]memory.SessionSummary, error) {
	return l.sessions.Summaries(ctx, l.projectOf(id))
}

// Evidence returns how the sessions of a store's project ended in which its records were recalled.
func (l *Library) Evidence(ctx context.Context, id memory.StoreID) (map[memory.ID]memory.Evidence, error) {
	records, _, err := l.Records(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.evidence(ctx, id, records)
}

// evidence is like Evidence, for the given records of the store.
func (l *Library) evidence(
	ctx context.Context,
	id memory.StoreID,
	records []memory.Record,
) (map[memory.ID]memory.Evidence, error) {
	return l.sessions.Weigh(ctx, l.projectOf(id), l.Info(id), records)
}

// projectOf returns the folder whose sessions belong to a store; "" means those of all folders.
func (l *Library) projectOf(id memory.StoreID) string {
	l.mu.Lock()
	project := l.places[id].Project
	l.mu.Unlock()
	switch {
	case project != "" || id.System() != "":
		return project
	case system.Inside(l.env.Dir, id.Path()):
		return l.env.Dir
	}
	return filepath.Dir(id.Path())
}
