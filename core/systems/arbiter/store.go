package arbiter

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// Store is a database of Arbiter.
type Store struct {
	system.Whole
	path    string
	now     func() time.Time
	running func(path string) []memory.Running
	// patience is how long a change waits for the lock of another program.
	patience time.Duration
	folders  atomicfile.Folders // where path leads

	mu sync.Mutex
	// known is what was decoded last, so that a record is not searched again for what it
	// was searched for before; schema is from the same time.
	known  map[memory.ID]memory.Record
	schema schema
}

// newStore returns the store at path. running returns the processes that have it open.
func newStore(path string, now func() time.Time, running func(string) []memory.Running) *Store {
	return &Store{path: path, now: now, running: running, patience: sqlite.Patience}
}

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	return system.Info{System: ID, Name: name, Place: place(s.path, ""), Noun: lessons(), Similar: compare.Similar}
}

// WatchPaths implements [system.Watched].
func (s *Store) WatchPaths() []string { return []string{s.path, s.path + "-wal", s.path + "-journal"} }

// listPart is how many records are read at once.
const listPart = 2000

// List implements [system.System]: the lessons by their ids, then memory entries and
// scratchpads.
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	s.folders.LookAt(atomicfile.OS(), s.path)
	for first := 0; ; first += listPart {
		p, err := s.read(ctx, first, listPart)
		if p := (*memory.Problem)(nil); errors.As(err, &p) && p.Code == quietread.CodeMissing {
			return fmt.Errorf("list %s: %w", s.path, memory.ErrNotFound)
		}
		if err != nil {
			return err
		}
		for i := range p.records {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(p.records[i]); err != nil {
				return err
			}
		}
		if first+listPart >= p.total() {
			return nil
		}
	}
}

// mostRecords is how many records a snapshot holds at most, and mostBytes how long their
// stored forms are then about.
const (
	mostRecords = 50_000
	mostBytes   = 64 << 20
)

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	s.folders.LookAt(atomicfile.OS(), s.path)
	return s.snapshot(ctx, mostRecords)
}

// Summary implements [system.Summarizer].
func (s *Store) Summary(ctx context.Context) (memory.Snapshot, error) {
	return s.snapshot(ctx, 0)
}

func (s *Store) snapshot(ctx context.Context, most int) (memory.Snapshot, error) {
	snap := memory.Snapshot{Place: s.Info().Place, TakenAt: s.now(), Noun: lessons()}
	if info, err := os.Stat(s.path); err == nil {
		snap.Size, snap.Mode, snap.ModTime = info.Size(), info.Mode(), info.ModTime()
	}
	if wal, err := os.Stat(s.path + "-wal"); err == nil && wal.Size() > 0 {
		snap.Size += wal.Size()
		if wal.ModTime().After(snap.ModTime) {
			snap.ModTime = wal.ModTime()
		}
	}
	p, err := s.read(ctx, 0, most)
	if err != nil {
		if ctx.Err() != nil {
			return memory.Snapshot{}, ctx.Err()
		}
		snap.Problem = problem(err)
		return snap, nil
	}
	snap.Records, snap.Total = p.records, p.total()
	snap.Aside = p.entries + p.pads
	snap.Held, snap.Unused, snap.Scopes = p.lessons, p.unused, p.scopes
	snap.Running = s.running(s.path)
	snap.Facts, snap.Health = p.facts(), p.health()
	if len(snap.Running) > 0 {
		snap.Writer = fmt.Sprintf("arbiter, pid %d, has it open", snap.Running[0].PID)
	}
	if err := s.canWrite(&p.schema); err != nil {
		snap.ReadOnly = err.Error()
	}
	return snap, nil
}

// problem returns err as a problem.
func problem(err error) *memory.Problem {
	var p *memory.Problem
	if errors.As(err, &p) {
		if p.Code == quietread.CodeMissing {
			return &memory.Problem{
				Code: p.Code,
				What: "There are no lessons here yet: the database does not exist.",
				Hint: "Arbiter makes it when it is started for the first time",
			}
		}
		return p
	}
	return &memory.Problem{
		Code: "unreadable-database",
		What: "The database cannot be read as one of Arbiter: " + err.Error() + ".",
		Hint: "check that it is the tenants.db of Arbiter; nothing was changed",
	}
}

// read reads at most so many records of the store, from first on.
func (s *Store) read(ctx context.Context, first, most int) (page, error) {
	s.mu.Lock()
	known, tenants := s.known, s.schema.tenants
	s.mu.Unlock()
	var p page
	err := sqlite.Look(ctx, s.path, func(db *sql.DB) error {
		p = page{first: first, most: most, seen: known, tenants: tenants}
		return p.read(ctx, db)
	})
	if err != nil {
		return p, err
	}
	if l, err := sqlite.Inspect(ctx, s.path); err == nil {
		p.layout = l
	}
	s.remember(&p)
	return p, nil
}

// remember keeps what a page decoded for the next one.
func (s *Store) remember(p *page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.schema = p.schema
	if p.most == 0 {
		return
	}
	known := make(map[memory.ID]memory.Record, len(p.records))
	for i := range p.records {
		known[p.records[i].ID] = p.records[i]
	}
	s.known = known
}

// lastSchema returns the schema as it was read last.
func (s *Store) lastSchema() schema {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.schema
}
