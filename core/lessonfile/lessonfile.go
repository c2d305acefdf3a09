// Package lessonfile reads and changes stores that are one JSON Lines file, one lesson of the
// lesson engine a line. A [Kind] holds the differences between systems with such stores. Only Write
// and Recover write, through package atomicfile.
package lessonfile

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/jsonl"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Kind holds the differences between systems with such stores. A function that a system does not
// need is nil.
type Kind struct {
	// Info describes the store at a path.
	Info func(path string) system.Info
	// Place returns the place of the store at a path.
	Place func(path string) memory.Place
	// Words are the system's own words for a missing or empty file, by problem code.
	Words map[string]memory.Problem
	// Locks are the files that an agent holds while it runs. Writer says which agent is running, or
	// returns "".
	Locks  func(path string) []string
	Writer func(path string) string
	// Recall renders what an agent that holds the list recalls for a task.
	Recall func(list *lesson.List, t memory.Task) memory.Recall
	// Disk, if it is not nil, is changed instead of the real one. Records are read from the real one.
	Disk atomicfile.Disk
}

// Store is one file of lessons.
type Store struct {
	kind   Kind
	path   string
	now    func() time.Time
	disk   atomicfile.Disk
	rand   io.Reader         // for names and ids; safe for concurrent use
	target atomicfile.Target // the file that path led to at first
	// approved is nil when agents are given every lesson; see Serve.
	approved func(*memory.Record) bool

	mu    sync.Mutex // guards the fields below, which are all caches
	cache *cachedState
	git   memory.GitState
	gitAt time.Time // when git was asked
}

var (
	_ system.Store       = (*Store)(nil)
	_ system.Snapshotter = (*Store)(nil)
	_ system.Recaller    = (*Store)(nil)
	_ system.Watched     = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
	_ system.Sharer      = (*Store)(nil)
	_ system.Picker      = (*Store)(nil)
)

// Open returns the store of a kind at an absolute path. now returns the time at which an agent is
// assumed to load it, in the agent's time zone. Nothing is read yet, and the file need not exist.
func Open(k Kind, path string, now func() time.Time) *Store {
	return &Store{kind: k, path: path, now: now, disk: cmp.Or(k.Disk, atomicfile.OS()), rand: rand.Reader}
}

// Serve restricts what agents are given to the lessons for which approved returns true. approved
// looks at a record's title, outcome and body. Call it before using the store.
func (s *Store) Serve(approved func(*memory.Record) bool) { s.approved = approved }

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	info := s.kind.Info(s.path)
	info.Place, info.Noun, info.Counts = s.kind.Place(s.path), memory.Noun{One: "lesson", Many: "lessons"}, true
	info.Similar, info.Detail, info.DetailIsOfStore = compare.Similar, s.detail, true
	return info
}

// WatchPaths implements [system.Watched]: the file, and the locks that show whether an agent is
// running.
func (s *Store) WatchPaths() []string {
	paths := []string{s.path}
	if s.kind.Locks != nil {
		paths = append(paths, s.kind.Locks(s.path)...)
	}
	return paths
}

// List implements [system.Store]. The first of several records with the same id is not flagged,
// because the others are not known yet.
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	f, p := s.open()
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
	for l, err := range linesFrom(src).all(ctx) {
		if err != nil {
			return s.fail("list", err)
		}
		r := l.decode()
		names.Give(&r)
		list.Mark(&r)
		s.mark(&r)
		if err := fn(r); err != nil {
			return err
		}
	}
	return nil
}

// Pick implements [system.Picker].
func (s *Store) Pick(ctx context.Context, served []system.Served) (picked []memory.Record, err error) {
	served = slices.Clone(served)
	f, p := s.open()
	if p != nil {
		return nil, s.fail("read", p)
	}
	defer f.Close()
	var names lesson.Namer
	for l, err := range linesFrom(f.Whole()).all(ctx) {
		if err != nil {
			return nil, s.fail("read", err)
		}
		own := ""
		if l.size == 0 {
			own = jsonl.OwnID(l.text)
		}
		id, _ := names.Name(own, l.no)
		isServed := func(r system.Served) bool { return string(r.ID) == own && l.hasWordsOf(&r) }
		if i := slices.IndexFunc(served, isServed); i >= 0 {
			served = slices.Delete(served, i, i+1)
			picked = append(picked, memory.Record{ID: id, Line: l.no, Raw: l.text, RawLen: max(l.size, len(l.text))})
		}
	}
	return picked, nil
}

// mark flags a record that nobody approved.
func (s *Store) mark(r *memory.Record) {
	if s.approved != nil && !s.approved(r) {
		r.Flags |= memory.FlagUnseen
		r.Notes = append(r.Notes, "It waits in the inbox for your approval: no agent is given it.")
	}
}

// Lessons returns what an agent would hold after loading the store now, if every lesson was approved.
func (s *Store) Lessons(ctx context.Context) (*lesson.List, error) {
	list, err := s.loadNow(ctx, nil)
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Approved returns what an agent would hold after loading the store now, if approved returns true for
// what a person approved. It does not wait for a slow disk when ctx is done: with an error of reading, or
// that of ctx, the list has what was read before.
func (s *Store) Approved(ctx context.Context, approved func(*memory.Record) bool) (*lesson.List, error) {
	return s.loadNow(ctx, approved)
}

func (s *Store) loadNow(ctx context.Context, approved func(*memory.Record) bool) (*lesson.List, error) {
	f, p := s.open()
	if p != nil {
		return nil, s.fail("read", p)
	}
	defer f.Close()
	list, err := s.load(ctx, quietread.Until(ctx, f.Whole()), f.Info.Size(), s.now(), approved)
	if err != nil {
		err = s.fail("read", err)
	}
	return list, err
}

// Recall implements [system.Recaller].
func (s *Store) Recall(ctx context.Context, t memory.Task) (memory.Recall, error) {
	f, p := s.open()
	if p != nil {
		r := s.kind.Recall(lesson.NewLoader(s.now(), s.now().Location()).List(), t)
		r.Notes = append(r.Notes, "An agent running as you would start with no lessons. "+p.What)
		return r, nil
	}
	defer f.Close()
	list, err := s.list(ctx, f)
	if err != nil {
		return memory.Recall{}, s.fail("recall from", err)
	}
	return s.kind.Recall(list, t), nil
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
