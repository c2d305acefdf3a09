package karnevil9

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

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
