package library

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"winnow/core/compare"
	"winnow/core/memory"
)

// mostCompared is how many records of the stores of a project are compared.
const mostCompared = 20_000

// Kin returns, for the records of a store, those of other stores of the same project
// that say nearly the same or the contrary. It is nil for a store that belongs to no
// project, or to one that has no other. What cannot be read is left out; the error is
// that of ctx.
func (l *Library) Kin(ctx context.Context, id memory.StoreID) (map[memory.ID][]memory.Kin, error) {
	stores := l.besides(id)
	if len(stores) < 2 {
		return nil, ctx.Err()
	}
	records, n := map[memory.StoreID][]memory.Record{}, 0
	_, err := l.Each(ctx, stores, func(s memory.StoreID, r *memory.Record) error {
		if n++; n > mostCompared {
			return errEnough
		}
		records[s] = append(records[s], *r)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return compare.Across(records)[id], ctx.Err()
}

var errEnough = errors.New("enough")

// besides returns a store and the others of its project that were found, in an order that
// stays.
func (l *Library) besides(id memory.StoreID) []memory.StoreID {
	l.mu.Lock()
	defer l.mu.Unlock()
	project := l.places[id].Project
	if project == "" {
		return nil
	}
	var stores []memory.StoreID
	for _, p := range l.places {
		if p.Project == project && p.Exists {
			stores = append(stores, p.Store)
		}
	}
	slices.SortFunc(stores, func(a, b memory.StoreID) int {
		if (a == id) != (b == id) {
			if a == id {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	return stores
}
