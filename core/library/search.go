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

// searchers is how many stores a search reads at a time. That is more than most machines have spare
// processors, so that a store on a slow disk does not hold up the others.
const searchers = 4

// partSize is how many records of a store are read before its hits are sent.
const partSize = 256

// errPanicked is the cause if a search ended because reading a store panicked.
var errPanicked = errors.New("search: reading a store panicked")

// Search finds the records that match all terms, in several stores at a time. It calls fn on the caller's
// goroutine. The parts of one store come in its order; parts of different stores are interleaved as they
// are read. Failed is as in [Library.Each]. The error is that of fn or ctx.
func (l *Library) Search(
	ctx context.Context,
	stores []memory.StoreID,
	terms []filter.Term,
	fn func(memory.SearchPart) error,
) (failed []memory.Unread, err error) {
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
		l.start(s.searchStores)
	}
	if n == 0 {
		close(s.out)
	}
	for part := range s.out { // until all searchers have ended
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
	marked  bool // some term asks for flags
	stores  []memory.StoreID
	next    atomic.Int32 // the position of the store to read next
	running atomic.Int32 // the number of running calls of work
	out     chan memory.SearchPart
	failed  [][]memory.Unread // by position
}

// searchStores searches stores until none is left.
func (s *searching) searchStores() {
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

// search searches one store, and sends what it finds.
func (s *searching) search(id memory.StoreID) []memory.Unread {
	now, long := s.lib.now(), 0
	empty := func() memory.SearchPart { return memory.SearchPart{Store: id, Has: make([]int, len(s.terms))} }
	part := empty()
	wanted := func(r *memory.Record) bool {
		if part.Read >= partSize {
			s.send(part)
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
		r.Raw = "" // not needed, and as long as the text again
		part.Records = append(part.Records, r)
		return s.ctx.Err()
	}
	err := s.list(id, wanted, found)
	part.Last = true
	s.send(part)
	return s.lib.unreadOf(id, err, long)
}

// list calls found with the wanted records of a store.
func (s *searching) list(id memory.StoreID, wanted func(*memory.Record) bool, found func(memory.Record) error) error {
	store, err := s.lib.Store(id)
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

// send sends a part, unless the search has ended.
func (s *searching) send(part memory.SearchPart) {
	select {
	case s.out <- part:
	case <-s.ctx.Done():
	}
}
