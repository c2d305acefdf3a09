package library

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/core/system"
)

// searchers is how many stores a search reads at a time: more than most machines have processors to
// spare, so that a store on a slow disk does not hold up the others.
const searchers = 4

// partSize is after how many records of a store its hits are handed over.
const partSize = 256

// errPanicked is the cause of a search that ended because reading a store panicked.
var errPanicked = errors.New("search: reading a store panicked")

// Search looks for records that match all terms, in several stores at a time. It calls fn on the
// goroutine that called Search, with the parts of a store in its order, and of several stores as they
// are read. Failed is as from [Library.Each]. The error is that of fn or of ctx.
func (l *Library) Search(ctx context.Context, stores []memory.StoreID, terms []filter.Term, fn func(memory.SearchPart) error) (failed []memory.Unread, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := searching{
		lib: l, ctx: ctx, cancel: cancel, terms: terms, stores: stores,
		out: make(chan memory.SearchPart), failed: make([][]memory.Unread, len(stores)),
	}
	s.marked = slices.ContainsFunc(terms, func(t filter.Term) bool { return t.Name == "flag" })
	n := min(searchers, len(stores))
	s.running.Store(int32(n))
	for range n {
		l.start(s.work)
	}
	if n == 0 {
		close(s.out)
	}
	for part := range s.out { // until nobody reads any more
		if ctx.Err() == nil {
			if err := fn(part); err != nil {
				cancel(err)
			}
		}
	}
	return slices.Concat(s.failed...), context.Cause(ctx)
}

// searching is one call of Search.
type searching struct {
	lib     *Library
	ctx     context.Context
	cancel  context.CancelCauseFunc
	terms   []filter.Term
	marked  bool // terms ask for flags
	stores  []memory.StoreID
	next    atomic.Int32 // the position of the store to read next
	running atomic.Int32 // calls of work
	out     chan memory.SearchPart
	failed  [][]memory.Unread // by position
}

// work searches stores until none is left.
func (s *searching) work() {
	ended := false
	defer func() {
		if !ended {
			s.cancel(errPanicked)
		}
		if s.running.Add(-1) == 0 {
			close(s.out)
		}
	}()
	for i := s.next.Add(1) - 1; int(i) < len(s.stores) && s.ctx.Err() == nil; i = s.next.Add(1) - 1 {
		s.failed[i] = s.search(s.stores[i])
	}
	ended = true
}

// search searches one store, and hands over what it finds.
func (s *searching) search(id memory.StoreID) []memory.Unread {
	now, long := s.lib.now(), 0
	empty := func() memory.SearchPart { return memory.SearchPart{Store: id, Has: make([]int, len(s.terms))} }
	part := empty()
	wanted := func(r *memory.Record) bool {
		if part.Read >= partSize {
			s.hand(part)
			part = empty()
		}
		part.Read++
		if r.Problem != nil && r.Problem.Code == codeTooLong {
			long++
		}
		for i := range s.terms {
			if s.terms[i].Holds(r, now) {
				part.Has[i]++
			}
		}
		return filter.Matches(s.terms, r, now)
	}
	found := func(r memory.Record) error {
		r.Raw = "" // as long as the text again
		part.Records = append(part.Records, r)
		return s.ctx.Err()
	}
	err := s.list(id, wanted, found)
	part.Last = true
	s.hand(part)
	return s.lib.unread(id, err, long)
}

// list passes the records of a store that are wanted.
func (s *searching) list(id memory.StoreID, wanted func(*memory.Record) bool, found func(memory.Record) error) error {
	store, err := s.lib.store(id)
	if err != nil {
		return err
	}
	if q, ok := store.(system.Searcher); ok && !s.marked {
		return q.Search(s.ctx, wanted, found)
	}
	return store.List(s.ctx, func(r memory.Record) error {
		if wanted(&r) {
			return found(r)
		}
		return s.ctx.Err()
	})
}

// hand hands over a part, unless the search has ended.
func (s *searching) hand(part memory.SearchPart) {
	select {
	case s.out <- part:
	case <-s.ctx.Done():
	}
}
