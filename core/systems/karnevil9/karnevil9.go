// Package karnevil9 reads and changes the lesson stores of KarnEvil9: JSON Lines
// files, one lesson a line, which the agent reads once when it starts and replaces
// when a session ends. Nothing but Write and Recover writes, and they by package
// atomicfile.
package karnevil9

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "karnevil9"

const name = "KarnEvil9"

// System returns the kind of store that KarnEvil9 keeps. now tells the time at
// which an agent is thought to load a store, in the agent's time zone.
func System(now func() time.Time) system.System {
	return system.System{
		ID: ID, Name: name,
		Variables: []memory.Fact{{Name: "KARNEVIL9_MEMORY_PATH", Text: "where KarnEvil9 keeps its lessons; looked at first"}},
		Find:      find, StoresIn: storesIn,
		Open:  func(path string) (system.Store, error) { return Open(path, now), nil },
		Forms: Forms(),
		Abilities: []system.Ability{{
			Store: "lessons", Recall: system.Exact, Edit: "all", Delete: "all", Watch: true, Learn: "from the journal",
		}},
	}
}

// Store is one file of lessons.
type Store struct {
	path    string
	now     func() time.Time
	disk    atomicfile.Disk
	rand    io.Reader          // of names and ids; safe for concurrent use
	folders atomicfile.Folders // where path leads
	// simulated is set when the store is listed through disk as well.
	simulated bool

	mu    sync.Mutex // guards what follows, all of it remembered to save work
	known *known
	git   memory.GitState
}

var (
	_ system.Store       = (*Store)(nil)
	_ system.Snapshotter = (*Store)(nil)
	_ system.Recaller    = (*Store)(nil)
	_ system.Watched     = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
	_ system.Sharer      = (*Store)(nil)
)

// Open returns the store at an absolute path. Nothing is read yet, and the file need not
// exist.
func Open(path string, now func() time.Time) *Store {
	return &Store{path: path, now: now, disk: atomicfile.OS(), rand: rand.Reader}
}

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	place := memory.Place{Store: memory.StoreID(s.path), System: ID, Path: s.path, ByPath: true}
	return system.Info{
		System: ID, Name: name, Place: place, Noun: memory.Noun{One: "lesson", Many: "lessons"}, Counts: true, Copies: true,
		Described: described(),
		Similar:   compare.Similar, Detail: s.Detail, Journals: journals(s.path), Journal: s.Journal,
	}
}

// described says how lessons are shown.
func described() memory.Description {
	return memory.Description{
		Title: "Task summary", Body: "Lesson",
		Arrives: "A lesson appears after an agent finishes its first session.",
		Columns: []string{"outcome", "rel", "used", "age", "next", "flags"}, Sort: "rel",
		FieldNames: []string{
			"lesson_id", "task_summary", "lesson", "outcome", "tool_names", "session_id", "created_at", "last_retrieved_at", "relevance_count",
		},
		ByLine: true, Evicts: true,
		Draft: memory.Draft{
			TextOnly: true, Modes: true, Tools: true, Without: true,
			Note: "The agent cuts an outcome at 20 characters, a task at 200 and a lesson at 500.",
		},
	}
}

// WatchPaths implements [system.Watched]: the file, and the locks that tell
// whether an agent runs.
func (s *Store) WatchPaths() []string { return append([]string{s.path}, locks(s.path)...) }

// List implements [system.Store]. The first of several records with one id is
// not flagged, since the others are not known yet.
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	s.folders.LookAt(s.disk, s.path)
	if s.simulated {
		return s.listOn(ctx, fn)
	}
	f, p := open(s.path)
	if p != nil {
		return s.fail("list", p)
	}
	defer f.Close()
	list, err := s.list(ctx, f)
	if err != nil {
		return s.fail("list", err)
	}
	return s.each(ctx, f.Whole(), list, fn)
}

// each calls fn for each record in src. list is what an agent would hold of it.
func (s *Store) each(ctx context.Context, src io.Reader, list *lesson.List, fn func(memory.Record) error) error {
	var names lesson.Namer
	for all := linesFrom(src); ; {
		l, err := all.record(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return s.fail("list", err)
		}
		c := l.copied()
		r := c.decode()
		names.Give(&r)
		list.Mark(&r)
		if err := fn(r); err != nil {
			return err
		}
	}
}

// Recall implements [system.Recaller].
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	f, p := open(s.path)
	if p != nil {
		r := recall(lesson.NewLoader(s.now(), s.now().Location()).List(), t)
		r.Notes = append(r.Notes, "An agent that runs as you do would start with no lessons. "+p.What)
		return r, nil
	}
	defer f.Close()
	list, err := s.list(ctx, f)
	if err != nil {
		return memory.Recall{}, s.fail("recall from", err)
	}
	return recall(list, t), nil
}

func (s *Store) fail(op string, err error) error {
	p, known := err.(*memory.Problem)
	switch {
	case known && p.Code == quietread.CodeMissing:
		err = memory.ErrNotFound
	case !known && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		err = quietread.Problem(err)
	}
	return fmt.Errorf("%s %s: %w", op, s.path, err)
}

// OpenOn returns the store at the absolute path of a disk, which may be one that
// tests simulate. It is listed, changed and recovered there; snapshots and recalls
// look at the disk of the system.
func OpenOn(d atomicfile.Disk, path string, now func() time.Time) *Store {
	s := Open(path, now)
	s.disk, s.simulated = d, true
	return s
}

// listOn is List through the disk of the store.
func (s *Store) listOn(ctx context.Context, fn func(memory.Record) error) error {
	state, err := atomicfile.Look(s.disk, s.path)
	if err != nil || !state.There {
		return fmt.Errorf("list %s: %w", s.path, errors.Join(memory.ErrNotFound, err))
	}
	list, err := load(ctx, bytes.NewReader(state.Data), int64(len(state.Data)), s.now())
	if err != nil {
		return s.fail("list", err)
	}
	return s.each(ctx, bytes.NewReader(state.Data), list, fn)
}
