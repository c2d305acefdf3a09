package audit

import (
	"sync"

	"winnow/core/audit/judge"
	"winnow/core/memory"
	"winnow/core/system"
)

// storesKnown is of how many stores is kept what was found in their records.
const storesKnown = 8

// batch is how many records are judged at once on a core.
const batch = 2000

// Snapshot returns what the audit says of the records of a snapshot and of its file,
// worst first. What was found in a record is kept by its revision, so that only what
// changed is judged. The findings have no offset, and no decision of a person is
// applied (see Apply).
func (a *Auditor) Snapshot(s *memory.Snapshot) []memory.Finding {
	form := a.formOf(s.Place.System)
	if form == nil {
		return a.texts(s)
	}
	d := &judge.Doc{
		Path: s.Place.Path, Store: s.Place.Store, File: s.Place.Store.Path(), Form: form,
		Mode: s.Mode, Size: s.Size, Git: s.Git, OnDisk: true,
	}
	j := a.judge.At(s.TakenAt)
	known := a.knownOf(s.Place.Store)
	a.learn(j, known, d, s.Records)
	p := newPool(mostInStore, nil)
	r := j.Open(d, func(f memory.Finding) { p.add(f, 0) })
	for i := range s.Records {
		r.Record(known, &s.Records[i])
	}
	r.Done()
	known.Keep(s.Records)
	found := p.findings()
	return found
}

// formOf returns the form of a system's records, or nil.
func (a *Auditor) formOf(id memory.SystemID) *system.Form {
	for i := range a.c.Forms {
		if f := &a.c.Forms[i]; f.System == id && f.Decode != nil {
			return f
		}
	}
	return nil
}

// knownOf returns what is known of a store's records.
func (a *Auditor) knownOf(store memory.StoreID) *judge.Known {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k := a.known[store]; k != nil {
		return k
	}
	if len(a.known) >= storesKnown {
		clear(a.known)
	}
	k := new(judge.Known)
	a.known[store] = k
	return k
}

// learn judges the records that are not known, on all cores when they are many.
func (a *Auditor) learn(j *judge.Judge, known *judge.Known, d *judge.Doc, records []memory.Record) {
	if len(records) <= batch {
		return
	}
	var wait sync.WaitGroup
	for len(records) > 0 {
		n := min(batch, len(records))
		part := records[:n]
		records = records[n:]
		wait.Add(1)
		a.c.Go(func() {
			defer wait.Done()
			for i := range part {
				j.Learn(known, d, &part[i])
			}
		})
	}
	wait.Wait()
}
