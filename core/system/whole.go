package system

import (
	"context"
	"fmt"

	"winnow/core/memory"
)

// Read returns a snapshot of a store, emitting parts of it first if the store supports that. The
// error is that of ctx, or of listing a store that has no snapshots.
func Read(ctx context.Context, s Store, emit func(memory.Snapshot)) (memory.Snapshot, error) {
	if sn, ok := s.(Snapshotter); ok {
		return sn.Snapshot(ctx, emit)
	}
	snap := memory.Snapshot{Place: s.Info().Place}
	err := s.List(ctx, func(r memory.Record) error {
		snap.Total++
		snap.Records = append(snap.Records, r)
		return nil
	})
	if ctx.Err() != nil {
		return snap, ctx.Err()
	}
	return snap, err
}

// ListSnapshot implements [Store.List] for a store whose snapshots contain all of its records.
func ListSnapshot(ctx context.Context, s interface {
	Store
	Snapshotter
}, fn func(memory.Record) error) error {
	snap, err := s.Snapshot(ctx, func(memory.Snapshot) {})
	if err != nil {
		return err
	}
	if p := snap.Problem; p != nil && p.Code != "empty" {
		return ListError(s, p)
	}
	for i := range snap.Records {
		if err := fn(snap.Records[i]); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// ListError returns the error for a store's problem as [Store.List] should return it:
// [memory.ErrNotFound] if the store is missing.
func ListError(s Store, p *memory.Problem) error {
	path := s.Info().Place.Path
	if p.Code == "missing" {
		return fmt.Errorf("list %s: %w", path, memory.ErrNotFound)
	}
	return fmt.Errorf("list %s: %w", path, p)
}
