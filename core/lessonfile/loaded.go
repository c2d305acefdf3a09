package lessonfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// tooLarge is the file size from which node cannot hold the content in one string. An agent then
// starts with no lessons.
const tooLarge = 1<<29 - 24

// fresh is the maximum time that anything remembered about a store is used, because lessons go on
// ageing.
const fresh = 30 * time.Second

// state identifies one state of a file.
type state struct {
	info fs.FileInfo
	at   time.Time // when it was read
}

// unchanged reports whether f is still in the same state. A file written just before it was read may be
// written again with the same time.
func (s *state) unchanged(f *quietread.File, now time.Time) bool {
	const coarse = 100 * time.Millisecond // file systems may have clocks this coarse
	return os.SameFile(s.info, f.Info) && s.info.Size() == f.Info.Size() &&
		s.info.ModTime().Equal(f.Info.ModTime()) && s.info.Mode() == f.Info.Mode() &&
		s.at.Sub(s.info.ModTime()) > coarse &&
		now.Sub(s.at) < fresh && !now.Before(s.at)
}

// cachedState is what is remembered about one state of the store.
type cachedState struct {
	state
	list   *lesson.List     // what an agent would hold after loading it
	snap   *memory.Snapshot // nil if only the list was read
	report report
}

// list returns what an agent would hold after loading f now.
func (s *Store) list(ctx context.Context, f *quietread.File) (*lesson.List, error) {
	now := s.now()
	s.mu.Lock()
	last := s.cache
	s.mu.Unlock()
	if last != nil && last.unchanged(f, now) {
		return last.list, nil
	}
	list, err := s.load(ctx, f.Whole(), f.Info.Size(), now, s.approved)
	if err == nil {
		s.setCache(&cachedState{state: state{info: f.Info, at: now}, list: list})
	}
	return list, err
}

// mostServed is the size in bytes of the beginning of a store in which agents are given what a person
// approved. A store has a tenth of that when it is full, but one that came with a clone can have any
// size, and an agent waits.
const mostServed = 1 << 20

// load returns what an agent would hold after loading the approved lines of src at now. Size is the
// length of src. With an error, that is what was loaded before.
func (s *Store) load(
	ctx context.Context,
	src io.Reader,
	size int64,
	now time.Time,
	approved func(*memory.Record) bool,
) (*lesson.List, error) {
	loader := lesson.NewLoader(now, now.Location())
	if size > tooLarge {
		return loader.List(), nil
	}
	if approved != nil {
		src = io.LimitReader(src, mostServed+1)
	}
	in := linesFrom(src)
	for l, err := range in.all(ctx) {
		if err != nil {
			return loader.List(), err
		}
		if approved != nil && in.off > mostServed || l.mayServe(approved) && !l.load(loader) {
			break
		}
	}
	return loader.List(), nil
}

// setCache caches what is known about the store; nil makes the next call read it again. If
// approvals decide what is served, nothing is cached, because they can change while the file stays
// the same.
func (s *Store) setCache(k *cachedState) {
	if s.approved != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache = k
}

// open opens the store for reading without changing anything.
func (s *Store) open() (*quietread.File, *memory.Problem) {
	f, err := quietread.Open(s.path)
	if err != nil {
		return nil, quietread.Reworded(unreadable(err), s.kind.Words)
	}
	return f, nil
}

// unreadable says why a store cannot be opened or read.
func unreadable(err error) *memory.Problem {
	p := quietread.Problem(err)
	switch p.Code {
	case quietread.CodeFolder:
		p.What = "This is a folder, but a store is a single file. An agent given this folder starts with no lessons."
		p.Hint = "open a file in it, or start winnow with the folder to look for stores below it"
	case quietread.CodeNotAFile:
		if odd := (*quietread.Irregular)(nil); errors.As(err, &odd) {
			p.What = fmt.Sprintf("This is %s, but a store is a regular file. It was not opened.", odd.Kind())
		}
		p.Hint = "name the file that holds the lessons"
	}
	return p
}
