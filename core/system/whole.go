package system

import (
	"cmp"
	"context"
	"fmt"

	"winnow/core/memory"
)

// Read returns a snapshot of a store, in parts if the store can do so. The error is that of
// ctx, or of the listing of a store that has no snapshots.
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
	return snap, cmp.Or(ctx.Err(), err)
}

// ListSnapshot is [Store.List] of a store whose snapshots hold all of its records.
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

// ListError returns the problem of a store as [Store.List] does: [memory.ErrNotFound] for
// one that is missing.
func ListError(s Store, p *memory.Problem) error {
	path := s.Info().Place.Path
	if p.Code == "missing" {
		return fmt.Errorf("list %s: %w", path, memory.ErrNotFound)
	}
	return fmt.Errorf("list %s: %w", path, p)
}
