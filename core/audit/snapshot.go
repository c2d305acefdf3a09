package audit

import (
	"context"
	"sync/atomic"
	"time"

	"winnow/core/audit/judge"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// mostVerdicts limits the stores whose verdicts are kept, counting the readings with and without
// copies separately.
const mostVerdicts = 16

// Judging the records of a store on the screen takes turns of `turn`, with a rest of `pause`
// between them, so that keys are answered meanwhile.
const (
	turn  = 2 * time.Millisecond
	pause = time.Millisecond
)

// reading names one of the two readings of a store: by the rules, and for copies of the secrets
// that the first one found.
type reading struct {
	store  memory.StoreID
	copies bool
}

// verdicts are what a reading found in the records of a store, by revision, so that only changed
// records are judged again.
type verdicts struct {
	values *detect.TextSet // the secrets it looked for, besides the rules
	lines  judge.Known
	texts  atomic.Pointer[map[memory.ID]recordFindings]
}

// verdictsOf returns the verdicts kept for a reading of a store. They are empty if the reading
// looked for other values.
func (a *Auditor) verdictsOf(store memory.StoreID, values *detect.TextSet) *verdicts {
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
	k.texts.Store(&map[memory.ID]recordFindings{})
	a.verdicts[at] = k
	return k
}

// Snapshot returns the findings for a snapshot, worst first, and what was not judged. With a Texter
// it judges the texts of the store; otherwise it judges the records and the file. Verdicts are kept
// by revision, so that only changed records are judged. The findings have no offset, and ignored
// ones are marked. If ctx ends, findings are missing.
func (a *Auditor) Snapshot(
	ctx context.Context,
	s *memory.Snapshot,
	t system.Texter,
	ignored []memory.Ignore,
) (found []memory.Finding, unread []string) {
	decided := newDecisions(ignored, a.c.Now())
	read := func(values *detect.TextSet) ([]memory.Finding, []string, bool) {
		j, k, p := judge.OfRecords().Knowing(values), a.verdictsOf(s.Place.Store, values), newPool(mostInStore, decided)
		form := a.form(s.Place.System, func(f *system.Form) bool { return f.Decode != nil })
		switch {
		case t != nil:
			unread, all := a.stored(ctx, j, s, t, k, p)
			return p.findings(), unread, all
		case form != nil:
			a.lines(ctx, j, s, form, k, p)
		default:
			a.judgeTexts(j, s, k, p)
		}
		return p.findings(), nil, true
	}
	found, unread, _ = read(nil)
	again := false
	found = withCopies(found, nil, func(values *detect.TextSet) ([]memory.Finding, bool) {
		again = true
		found, _, all := read(values)
		if !all {
			unread = append(unread, "copies of secrets in the texts of the database")
		}
		return found, all
	})
	if !again {
		a.forgetCopies(s.Place.Store)
	}
	return found, unread
}

// forgetCopies drops the verdicts of a reading for copies of secrets that no longer exist.
func (a *Auditor) forgetCopies(store memory.StoreID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.verdicts, reading{store, true})
}

// lines judges records that are lines of a file, until ctx ends.
func (a *Auditor) lines(
	ctx context.Context,
	j *judge.Judge,
	s *memory.Snapshot,
	form *system.Form,
	k *verdicts,
	p *pool,
) {
	d := &judge.Doc{
		Path: s.Place.Path, Store: s.Place.Store, File: s.Place.Store.Path(), Form: form,
		Mode: s.Mode, Git: s.Git, OnDisk: true,
	}
	r := j.Open(d, func(f memory.Finding) { p.add(f, 0) })
	r.Approved = a.approvedIn(form, s.Place.Store)
	began := a.c.Now()
	for i := range s.Records {
		if a.c.Now().Sub(began) > turn {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return
			}
			began = a.c.Now()
		}
		r.Record(&k.lines, &s.Records[i])
	}
	r.Done()
	k.lines.Bound(len(s.Records))
}

// form returns the first form of a system that wanted accepts, or nil.
func (a *Auditor) form(id memory.SystemID, wanted func(f *system.Form) bool) *system.Form {
	for i := range a.c.Forms {
		if f := &a.c.Forms[i]; f.System == id && wanted(f) {
			return f
		}
	}
	return nil
}
