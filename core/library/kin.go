package library

import (
	"context"
	"errors"
	"slices"

	"winnow/core/compare"
	"winnow/core/memory"
)

// mostCompared is how many records of the stores of a project are compared.
const mostCompared = 20_000

// Kin returns, for each record of a store, records of the same project that say nearly the
// same in another store or the contrary in any. Stores that every project loads at its
// start count as the project's. Kin is nil for a store of no project. It leaves out what
// cannot be read; the error is that of ctx.
func (l *Library) Kin(ctx context.Context, id memory.StoreID) (map[memory.ID][]memory.Kin, error) {
	return l.kinAmong(ctx, id, l.projectStores(ctx, id), nil)
}

// kinAmong is Kin among stores; the first is id. own are its records, if they are known.
func (l *Library) kinAmong(ctx context.Context, id memory.StoreID, stores []memory.StoreID, own []memory.Record) (map[memory.ID][]memory.Kin, error) {
	if len(stores) == 0 {
		return nil, ctx.Err()
	}
	records, n := map[memory.StoreID][]memory.Record{}, len(own)
	if own != nil {
		records[id], stores = own, stores[1:]
	}
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
	kin := compare.Across(records)[id]
	files := map[memory.StoreID]map[memory.ID]string{}
	for s, list := range records {
		files[s] = map[memory.ID]string{}
		for i := range list {
			files[s][list[i].ID] = list[i].File
		}
	}
	for record, list := range kin {
		file := files[id][record]
		kin[record] = slices.DeleteFunc(list, func(k memory.Kin) bool { // one file, which two systems read
			return file != "" && file == files[k.Store][k.ID]
		})
		if len(kin[record]) == 0 {
			delete(kin, record)
		}
	}
	return kin, ctx.Err()
}

// mostKin is how many records a store may have for Follow to look for their kin.
const mostKin = 2000

// withKin returns a snapshot with the kin of its records, and whether there are any. It is
// for stores that have others beside them: Similar compares the records of a single store.
func (l *Library) withKin(ctx context.Context, id memory.StoreID, snap memory.Snapshot) (memory.Snapshot, bool) {
	if len(snap.Records) == 0 || len(snap.Records) > mostKin {
		return snap, false
	}
	stores := l.projectStores(ctx, id)
	if len(stores) < 2 {
		return snap, false
	}
	var own []memory.Record
	if whole(&snap) {
		own = snap.Records
	}
	kin, err := l.kinAmong(ctx, id, stores, own)
	if err != nil || len(kin) == 0 {
		return snap, false
	}
	snap.Records = slices.Clone(snap.Records)
	for i := range snap.Records {
		snap.Records[i].AddKin(kin[snap.Records[i].ID])
	}
	return snap, true
}

var errEnough = errors.New("enough")

// projectStores returns a store, the others of its project that were found, and those that
// hold for all projects, in an order that stays.
func (l *Library) projectStores(ctx context.Context, id memory.StoreID) []memory.StoreID {
	l.mu.Lock()
	project := l.places[id].Project
	var stores, common []memory.StoreID
	for _, p := range l.places {
		switch {
		case !p.Exists || p.Store == id:
		case p.Project == project:
			stores = append(stores, p.Store)
		case p.Project == "":
			common = append(common, p.Store)
		}
	}
	l.mu.Unlock()
	if project == "" {
		return nil
	}
	for _, c := range common {
		if snap, err := l.Summary(ctx, c); err == nil && snap.Start.Bytes > 0 {
			stores = append(stores, c)
		}
	}
	slices.Sort(stores)
	return append([]memory.StoreID{id}, stores...)
}
