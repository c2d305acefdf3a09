// Package approve keeps the approvals of a store true to a plan: what the plan removes is withdrawn before it is
// applied, and what a person wrote or brought back is approved after it.
package approve

import (
	"context"
	"errors"
	"slices"
	"time"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/system"
)

// Store is what the approvals of a plan depend on of its store.
type Store struct {
	Name string // of the store in the book
	Open system.Store
	// Book is what a person approved on this machine; nil where nothing can be changed.
	Book *approvals.Book
	Now  func() time.Time
	// Each passes on the records of the store.
	Each func(context.Context, func(*memory.Record) error) error
}

// Plan is what a plan means for the approvals in its store.
type Plan struct {
	p       *memory.Plan
	store   Store
	compose system.Composer     // nil where nothing can be changed
	asks    bool                // the store serves only what was approved
	before  approvals.Decisions // what was decided before the plan
	// dropped are approved words that the plan removes from the store. settled are words that are not approved
	// any more, or are in doubt, and that the plan removes: an undo does not approve them.
	dropped, settled []approvals.Mark
}

// Of reads what a plan means for the approvals in its store.
func Of(ctx context.Context, p *memory.Plan, s Store) (a *Plan, err error) {
	a = &Plan{p: p, store: s}
	_, a.asks = s.Open.(system.Approving)
	compose, ok := s.Open.(system.Composer)
	if !ok || s.Book == nil {
		return a, nil
	}
	a.compose = compose
	if a.before, err = s.Book.Read(); err == nil && a.asks {
		a.before, err = s.Book.Keyed(ctx, s.Now())
	}
	if err != nil {
		return nil, err
	}
	gone, err := a.removed(ctx)
	if err != nil {
		return nil, err
	}
	for m, with := range gone {
		if m.With = with; a.before.ApprovedMark(a.store.Name, m) {
			a.dropped = append(a.dropped, m)
		} else {
			a.settled = append(a.settled, m)
		}
	}
	return a, nil
}

// removed returns the words that the plan removes from the store and that somebody decided about, and what each is
// dropped with. It includes earlier words of a record, which another writer may have replaced since. Words that
// another record of the store has too are not among them.
func (a *Plan) removed(ctx context.Context) (map[approvals.Mark]string, error) {
	gone, changed := map[approvals.Mark]string{}, map[memory.ID]bool{}
	for i := range a.p.Changes {
		ch := &a.p.Changes[i]
		if ch.Do > memory.Editing {
			continue
		}
		changed[ch.ID] = true
		if ch.Do == memory.Deleting || !slices.Equal(a.wordsOf(ch.Before, &ch.Record), a.wordsAfter(ch)) {
			a.addEarlier(gone, ch)
		}
		for _, w := range a.wordsOf(ch.Before, &ch.Record) {
			m := a.before.Mark(w)
			v, noted := a.before.Noted(a.store.Name, m)
			approved := a.before.ApprovedMark(a.store.Name, m) || a.before.Doubted(a.store.Name, w)
			if approved || noted && v == approvals.Drop {
				gone[m] = ""
			}
		}
	}
	for i := range a.p.Changes {
		for _, w := range a.wordsAfter(&a.p.Changes[i]) {
			delete(gone, a.before.Mark(w))
		}
	}
	if len(gone) == 0 {
		return gone, nil
	}
	err := a.store.Each(ctx, func(r *memory.Record) error {
		if !changed[r.ID] {
			delete(gone, a.before.Mark(learn.WordsOf(r)))
		}
		return nil
	})
	return gone, err
}

// addEarlier adds what was approved for the record of a change before it said what it says now, and what an earlier
// removal of the same form dropped.
func (a *Plan) addEarlier(gone map[approvals.Mark]string, ch *memory.Change) {
	form := a.formDigest(ch.Before)
	for _, m := range a.before.NotedWith(learn.RecordKey(&a.before, a.recordOf(ch.Before, &ch.Record))) {
		if m.With = ""; a.before.ApprovedMark(a.store.Name, m) {
			gone[m] = form
		}
	}
	for _, m := range a.droppedWith(form) {
		gone[m] = form
	}
}

// droppedWith returns the earlier words that were dropped with a record of this form and are dropped still.
func (a *Plan) droppedWith(form string) (all []approvals.Mark) {
	for _, m := range a.before.NotedWith(form) {
		m.With = ""
		if v, noted := a.before.Noted(a.store.Name, m); noted && v == approvals.Drop {
			all = append(all, m)
		}
	}
	return all
}

// formDigest returns the digest of a stored form; "" for none.
func (a *Plan) formDigest(form string) string {
	if form == "" {
		return ""
	}
	return a.before.Digest("form\x00" + form)
}

// recordOf returns the record of a stored form: as the store lists it, if that is known, else as it is decoded.
func (a *Plan) recordOf(form string, listed *memory.Record) *memory.Record {
	if listed.ID != "" {
		return listed
	}
	decoded := a.compose.Decode(form)
	return &decoded
}

// wordsAfter returns the words that a change writes.
func (a *Plan) wordsAfter(ch *memory.Change) []approvals.Words {
	switch ch.Do {
	case memory.Adding:
		return a.wordsOf(ch.After, &ch.Record)
	case memory.Editing:
		return a.wordsOf(ch.After, &ch.Edited)
	}
	return nil
}

// wordsOf returns the words of a stored form: as the store lists it, which may be unknown, and as it is decoded
// by itself. A record that is a file can differ in both.
func (a *Plan) wordsOf(form string, listed *memory.Record) (words []approvals.Words) {
	if listed.ID != "" {
		words = append(words, learn.WordsOf(listed))
	}
	if form != "" {
		decoded := a.compose.Decode(form)
		words = append(words, learn.WordsOf(&decoded))
	}
	return slices.Compact(words)
}

// Withdraw withdraws the approval of what the plan removes. It comes before the change: after a crash in between
// the store has a record that no agent is given.
func (a *Plan) Withdraw(ctx context.Context) error {
	if err := a.note(ctx, approvals.Drop, a.dropped); err != nil {
		return err
	}
	return a.note(ctx, approvals.Withdraw, a.settled)
}

// GiveBack approves again what Withdraw withdrew, as the plan changed nothing.
func (a *Plan) GiveBack(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return errors.Join(a.note(ctx, approvals.Approve, a.dropped), a.note(ctx, approvals.Drop, a.settled))
}

func (a *Plan) note(ctx context.Context, v approvals.Verdict, marks []approvals.Mark) error {
	if len(marks) == 0 {
		return nil
	}
	return a.store.Book.NoteMarks(ctx, v, a.store.Now(), a.store.Name, marks...)
}

// Approve records that a person approved the records that the plan wrote. It approves what an undo brings back if
// it was approved when the person removed it. In a store that requires approval it also approves what the person
// wrote, and changes of records that were approved before. It does not approve what an undo, a merge or the edit of
// a single field makes from words that were not approved: those may come from a cloned line that nobody has read.
// The notes say what is not approved.
func (a *Plan) Approve(ctx context.Context) (notes []string) {
	if a.compose == nil {
		return nil
	}
	goesBack := slices.Contains([]memory.Act{memory.Undo, memory.Redo, memory.Restore}, a.p.Order.Do)
	derives := !goesBack && a.p.Order.Do != memory.Reapply && !a.mergesUnapproved()
	var words []approvals.Mark
	for i := range a.p.Changes {
		ch := &a.p.Changes[i]
		if ch.After == "" || ch.Do > memory.Adding {
			continue
		}
		derived := derives && ch.Before != "" && !a.fromUnapproved(ch)
		more, waits := a.approvedBy(ch, goesBack, a.written(ch) || derived)
		words = append(words, more...)
		if waits && len(notes) == 0 {
			notes = append(notes, "No agent is given it before you approve it: winnow inbox")
		}
	}
	if err := a.note(ctx, approvals.Approve, words); err != nil {
		notes = append(notes, "No agent is given it yet, because the approval could not be noted: "+err.Error())
	}
	return notes
}

// approvedBy returns the words that a change of a person approves, and whether other words of it wait. GoesBack
// is set for an undo, own if the person wrote the words or they come from approved ones.
func (a *Plan) approvedBy(ch *memory.Change, goesBack, own bool) (words []approvals.Mark, waits bool) {
	listed := &ch.Record
	if ch.Do == memory.Editing {
		listed = &ch.Edited
	}
	key := learn.RecordKey(&a.before, a.recordOf(ch.After, listed))
	if goesBack {
		for _, m := range a.droppedWith(a.formDigest(ch.After)) {
			m.With = key
			words = append(words, m)
		}
	}
	for _, w := range a.wordsAfter(ch) {
		m := a.before.Mark(w)
		v, noted := a.before.Noted(a.store.Name, m)
		m.With = key
		known := noted && v == approvals.Approve && slices.Contains(a.before.NotedWith(key), m)
		switch {
		case goesBack && noted && v == approvals.Drop, !known && a.asks && own:
			words = append(words, m)
		case a.asks && !a.before.Approved(a.store.Name, w):
			waits = true
		}
	}
	return words, waits
}

// written reports whether a person wrote all of what a change writes that an approval covers.
func (a *Plan) written(ch *memory.Change) bool {
	o := &a.p.Order
	switch o.Do {
	case memory.AddOne, memory.Sync: // a sync writes only from trusted people, and counts
		return true
	case memory.EditOne:
		after := a.compose.Decode(ch.After)
		when := o.Edit.When != nil || memory.SameWhen(after.When) == ""
		return o.Form != "" || o.Edit.Raw != nil || o.Edit.Title != nil && o.Edit.Body != nil && when
	}
	return false
}

// mergesUnapproved reports whether the plan merges words that were not approved.
func (a *Plan) mergesUnapproved() bool {
	unapproved := func(ch memory.Change) bool { return a.fromUnapproved(&ch) }
	return a.p.Order.Do == memory.Merge && slices.ContainsFunc(a.p.Changes, unapproved)
}

// fromUnapproved reports whether a change is of a record that was not approved.
func (a *Plan) fromUnapproved(ch *memory.Change) bool {
	if ch.Before == "" {
		return false
	}
	before := a.compose.Decode(ch.Before)
	return !a.before.Approved(a.store.Name, learn.WordsOf(&before))
}
