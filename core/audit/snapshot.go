package audit

import (
	"sync"

	"winnow/core/audit/judge"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// mostVerdicts is of how many stores what was found in their records is kept, with and
// without copies.
const mostVerdicts = 16

// batch is how many records are judged at once on a core.
const batch = 2000

// reading names one of the two readings of a store: by the rules, and for copies of the
// secrets that these found.
type reading struct {
	store  memory.StoreID
	copies bool
}

// verdicts are what a reading found in the records of a store, by their revisions, so that
// only records that changed are judged again.
type verdicts struct {
	values *detect.Texts // what it looked for beside the rules
	lines  judge.Known
	texts  map[memory.ID]recordFindings // guarded by the Auditor
}

// verdictsOf returns what is kept of a reading of a store; nothing when it looked for other
// values.
func (a *Auditor) verdictsOf(store memory.StoreID, values *detect.Texts) *verdicts {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := reading{store, values != nil}
	if k := a.verdicts[at]; k != nil && k.values.Same(values) {
		return k
	}
	if len(a.verdicts) >= mostVerdicts {
		clear(a.verdicts)
	}
	k := &verdicts{values: values}
	a.verdicts[at] = k
	return k
}

// Snapshot returns what the audit says of the records of a snapshot and of its file,
// worst first. What was found in a record is kept by its revision, so that only what
// changed is judged. The findings have no offset; those that a person ignores are marked.
func (a *Auditor) Snapshot(s *memory.Snapshot, ignored []memory.Ignore) []memory.Finding {
	read := a.plain
	if form := a.formOf(s.Place.System); form != nil {
		read = func(j *judge.Judge, s *memory.Snapshot, k *verdicts, p *pool) { a.lines(j, s, form, k, p) }
	}
	found, _ := a.withCopies(s, ignored, func(j *judge.Judge, k *verdicts, p *pool) bool {
		read(j, s, k, p)
		return true
	})
	return found
}

// withCopies reads a snapshot, and again when it has secrets, for places where one of them
// is and no rule finds it. read reports whether it read all. Complete is false when the
// second reading did not: then the findings are those of the first.
func (a *Auditor) withCopies(s *memory.Snapshot, ignored []memory.Ignore, read func(*judge.Judge, *verdicts, *pool) bool) (found []memory.Finding, complete bool) {
	decided := newDecisions(ignored, a.c.Now())
	j := a.judge.At(s.TakenAt)
	p := newPool(mostInStore, decided)
	read(j, a.verdictsOf(s.Place.Store, nil), p)
	found = p.findings()
	values, origins := valuesOf(found, nil)
	if values == nil {
		a.forgetCopies(s.Place.Store)
		return found, true
	}
	p = newPool(mostInStore, decided)
	if !read(j.Knowing(values), a.verdictsOf(s.Place.Store, values), p) {
		return found, false
	}
	found = p.findings()
	origins.name(found)
	return found, true
}

// forgetCopies drops what a reading for secrets found that are gone.
func (a *Auditor) forgetCopies(store memory.StoreID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.verdicts, reading{store, true})
}

// lines judges records that are lines of a file.
func (a *Auditor) lines(j *judge.Judge, s *memory.Snapshot, form *system.Form, k *verdicts, p *pool) {
	d := &judge.Doc{
		Path: s.Place.Path, Store: s.Place.Store, File: s.Place.Store.Path(), Form: form,
		Mode: s.Mode, Size: s.Size, Git: s.Git, OnDisk: true,
	}
	a.learn(j, &k.lines, d, s.Records)
	r := j.Open(d, func(f memory.Finding) { p.add(f, 0) })
	for i := range s.Records {
		r.Record(&k.lines, &s.Records[i])
	}
	r.Done()
	k.lines.Keep(s.Records)
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
