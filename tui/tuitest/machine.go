package tuitest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
)

// Machine is a machine with stores of many systems, in memory. It counts what it is asked
// for. Fields are set before a test begins; Slow is how long a store takes.
type Machine struct {
	Survey memory.Survey
	Stores map[memory.StoreID]*MachineStore

	mu                       sync.Mutex // guards what follows
	summaries, tallies       []memory.StoreID
	recalls                  []memory.Task
	busy, most, tally, tallM int
	cancelled                int
}

// MachineStore is one store of a Machine.
type MachineStore struct {
	Snapshot memory.Snapshot
	Tally    memory.Tally
	Recall   memory.Recall
	Err      error
	Slow     time.Duration
	// Many is how many more records Each delivers, each with this title.
	Many  int
	Title string
}

// Add adds a store.
func (m *Machine) Add(p memory.Place, s MachineStore) {
	if m.Stores == nil {
		m.Stores = map[memory.StoreID]*MachineStore{}
	}
	p.Exists = true
	s.Snapshot.Place = p
	s.Snapshot.Total = max(s.Snapshot.Total, len(s.Snapshot.Records))
	if s.Snapshot.Seq == 0 {
		s.Snapshot.Seq = 1
	}
	m.Survey.Places = append(m.Survey.Places, p)
	m.Survey.Looked = []memory.Looked{{Where: "~", Found: len(m.Survey.Places)}}
	m.Stores[p.Store] = &s
}

// Find looks for stores.
func (m *Machine) Find(context.Context) memory.Survey { return m.Survey }

func pause(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Summary reads the counts of a store.
func (m *Machine) Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error) {
	m.mu.Lock()
	m.summaries = append(m.summaries, id)
	m.busy++
	m.most = max(m.most, m.busy)
	s := m.Stores[id]
	m.mu.Unlock()
	err := pause(ctx, s.Slow)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy--
	if err == nil {
		err = s.Err
	}
	snap := s.Snapshot
	snap.Records = nil
	return snap, err
}

// Tally counts the findings of a store.
func (m *Machine) Tally(ctx context.Context, id memory.StoreID) (memory.Tally, error) {
	m.mu.Lock()
	m.tallies = append(m.tallies, id)
	m.tally++
	m.tallM = max(m.tallM, m.tally)
	s := m.Stores[id]
	m.mu.Unlock()
	err := pause(ctx, s.Slow)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tally--
	return s.Tally, err
}

// Follow delivers the state of a store.
func (m *Machine) Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot {
	out := make(chan memory.Snapshot)
	go func() {
		defer close(out)
		select {
		case out <- m.Stores[id].Snapshot:
			<-ctx.Done()
		case <-ctx.Done():
		}
	}()
	return out
}

// Recall returns what a store recalls.
func (m *Machine) Recall(ctx context.Context, id memory.StoreID, t memory.Task) (memory.Recall, error) {
	m.mu.Lock()
	m.recalls = append(m.recalls, t)
	s := m.Stores[id]
	m.mu.Unlock()
	if err := pause(ctx, s.Slow); err != nil {
		return memory.Recall{}, err
	}
	r := s.Recall
	r.Task = t
	return r, nil
}

// Search delivers the records of stores that match, slow stores last.
func (m *Machine) Search(
	ctx context.Context,
	stores []memory.StoreID,
	terms []filter.Term,
	fn func(memory.SearchPart) error,
) (unread []memory.Unread, err error) {
	stores = slices.SortedStableFunc(
		slices.Values(stores),
		func(a, b memory.StoreID) int { return cmp.Compare(m.Stores[a].Slow, m.Stores[b].Slow) },
	)
	for _, id := range stores {
		s := m.Stores[id]
		if err := pause(ctx, s.Slow); err != nil {
			m.mu.Lock()
			m.cancelled++
			m.mu.Unlock()
			return unread, err
		}
		if s.Err != nil {
			unread = append(unread, memory.Unread{Path: string(id), Problem: &memory.Problem{What: s.Err.Error()}})
			continue
		}
		records := slices.Clone(s.Snapshot.Records)
		for range s.Many {
			records = append(records, memory.Record{ID: "many", Title: s.Title})
		}
		part := memory.SearchPart{Store: id, Read: len(records), Last: true}
		part.Records = slices.DeleteFunc(
			records,
			func(r memory.Record) bool { return !filter.Matches(terms, &r, time.Time{}) },
		)
		if err := fn(part); err != nil {
			return unread, err
		}
	}
	return unread, nil
}

// Asked is what a Machine was asked for.
type Asked struct {
	Summaries, Tallies []memory.StoreID
	Recalls            []memory.Task
	MostReading        int // summaries at the same time
	MostAuditing       int
	Cancelled          int // searches that were given up
}

// Asked returns what was asked for until now.
func (m *Machine) Asked() Asked {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Asked{
		Summaries: slices.Clone(m.summaries), Tallies: slices.Clone(m.tallies), Recalls: slices.Clone(m.recalls),
		MostReading: m.most, MostAuditing: m.tallM, Cancelled: m.cancelled,
	}
}
