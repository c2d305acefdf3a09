package handbook

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

const name = "Handbook"

// System returns the kind of store that the Handbook's agent keeps. Nothing in it depends
// on the time.
func System(func() time.Time) system.System {
	return system.System{
		ID: ID, Name: name, Find: find, Spot: spot, Reads: reads,
		Open:  func(path string) (system.Store, error) { return Open(path) },
		Forms: Forms(),
		Abilities: []system.Ability{{
			Store: "memory", Recall: system.Exact, Edit: "all but the name", Delete: "all", Watch: true,
			Note: "The index is made anew with every change; the agent itself cannot delete.",
		}},
	}
}

// Store is one folder of memories.
type Store struct {
	system.Whole
	path string
	disk atomicfile.Disk
	rand io.Reader // nil is crypto/rand
	seen atomicfile.Folders
}

var (
	_ system.Store       = (*Store)(nil)
	_ system.Snapshotter = (*Store)(nil)
	_ system.Summarizer  = (*Store)(nil)
	_ system.Recaller    = (*Store)(nil)
	_ system.Watched     = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
)

// Open returns the store in the folder at path. Nothing is read yet, and the folder need
// not exist. The error says that path is relative to a working folder that is gone.
func Open(path string) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: the working folder cannot be named: %w", path, err)
	}
	return &Store{path: abs, disk: atomicfile.OS()}, nil
}

func noun() memory.Noun { return memory.Noun{One: "memory", Many: "memories"} }

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	return system.Info{System: ID, Name: name, Place: placeOf(s.path), Noun: noun(), Similar: compare.Similar, Along: s.Along}
}

// WatchPaths implements [system.Watched]: the folder.
func (s *Store) WatchPaths() []string { return []string{s.path + string(filepath.Separator)} }

// List implements [system.Store].
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	s.seen.Look(s.disk, s.path)
	d, snap, err := s.summary(ctx)
	if err != nil || snap.Problem != nil {
		return snap, err
	}
	for i := range d.files {
		if err := ctx.Err(); err != nil {
			return memory.Snapshot{}, err
		}
		snap.Records = append(snap.Records, d.record(i))
	}
	return snap, nil
}

// Summary implements [system.Summarizer].
func (s *Store) Summary(ctx context.Context) (memory.Snapshot, error) {
	_, snap, err := s.summary(ctx)
	return snap, err
}

// summary reads the folder and says what there is to say without its records.
func (s *Store) summary(ctx context.Context) (*dir, memory.Snapshot, error) {
	snap := memory.Snapshot{Place: s.Info().Place, Noun: noun()}
	d, p := s.read(ctx)
	if err := ctx.Err(); err != nil {
		return nil, memory.Snapshot{}, err
	}
	if p != nil {
		snap.Problem = p
		return d, snap, nil
	}
	snap.Place.Exists = true
	snap.Total = len(d.files)
	snap.Size, snap.ModTime = d.Size, d.ModTime
	if d.Info != nil {
		snap.Mode = d.Info.Mode()
		if d.Info.ModTime().After(snap.ModTime) {
			snap.ModTime = d.Info.ModTime()
		}
	}
	text, _ := section(d.notes())
	if d.stop() == nil {
		snap.Start = startOf(text)
	}
	snap.Facts = d.facts()
	snap.Health = d.health()
	return d, snap, nil
}

// CanWrite implements [system.Writer].
func (s *Store) CanWrite() error { return filestore.CanWrite(s.disk, s.path) }
