package inbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
)

// finishApprovals finishes approvals that a crash interrupted. A proposal whose record is in the store is approved;
// any other waits again. If the store cannot be read, the proposal stays marked. The caller must hold the
// lock of the quarantine, and be about to change something. It returns the proposals that are approved now.
func (b *Reviewer) finishApprovals(ctx context.Context, box *learn.Box) (approved, notes []string) {
	for _, w := range slices.Clone(box.Waiting) {
		if w.Mark == nil {
			continue
		}
		err := b.finishApproval(ctx, box, w)
		switch {
		case err != nil:
			notes = append(notes, b.interrupted(&w, false, err))
		case box.Find(w.ID) == nil:
			approved = append(approved, w.ID)
			notes = append(notes, "The approval of "+w.ID+", which was interrupted, is finished.")
		}
	}
	return approved, notes
}

// finishApproval removes a marked proposal from the box if its approval changed the store. Otherwise it removes the
// mark.
func (b *Reviewer) finishApproval(ctx context.Context, box *learn.Box, w learn.Waiting) error {
	c, err := b.lib.Curator(w.Mark.Store)
	if err == nil {
		err = c.Recover(ctx)
	}
	if err != nil {
		return err
	}
	r, isMade, err := b.markedRecord(ctx, box, &w)
	if err != nil {
		return err
	}
	if !isMade {
		box.Find(w.ID).Mark = nil
		return box.Save()
	}
	if !w.Deletes {
		if err := b.noteRecord(ctx, approvals.Approve, w.Mark.Store, &r); err != nil {
			return err
		}
	}
	return b.noteApproval(ctx, box, w)
}

// markedRecord returns the record that an interrupted approval wrote, and whether the store has the change: the record,
// or for a deletion none.
func (b *Reviewer) markedRecord(
	ctx context.Context, box *learn.Box, w *learn.Waiting,
) (r memory.Record, isMade bool, err error) {
	mark := w.Mark
	verdicts, err := box.Book().Read()
	if err != nil {
		return r, false, err
	}
	lessons := b.lib.KeepsLessons(mark.Store)
	r, err = b.lib.FindRecord(ctx, mark.Store, func(r *memory.Record) bool {
		if w.Deletes {
			return r.ID == mark.Record
		}
		// an agent may have raised its count
		same := lessons && r.ID == mark.Record && verdicts.Digest(wordsText(r)) == mark.Words
		return mark.Digest != "" && (same || verdicts.Digest(r.Raw) == mark.Digest)
	})
	if errors.Is(err, memory.ErrNotFound) {
		return r, w.Deletes, nil
	}
	return r, err == nil && !w.Deletes, err
}

// interruptedApprovals says of each approval that a crash interrupted whether its store has the change. It changes
// nothing.
func (b *Reviewer) interruptedApprovals(ctx context.Context, box *learn.Box) (notes []string) {
	for i := range box.Waiting {
		if w := &box.Waiting[i]; w.Mark != nil {
			_, isMade, err := b.markedRecord(ctx, box, w)
			notes = append(notes, b.interrupted(w, isMade, err))
		}
	}
	return notes
}

// interrupted returns a sentence about an interrupted approval.
func (b *Reviewer) interrupted(w *learn.Waiting, isMade bool, err error) string {
	store := b.lib.Short(w.Mark.Store.Path())
	switch {
	case err != nil:
		const unknown = "The approval of %s was interrupted, and nobody can tell yet whether it was made: %v."
		return fmt.Sprintf(unknown, w.ID, err)
	case isMade:
		return "The approval of " + w.ID + " was interrupted: " + store +
			" is changed already, but the approval is not noted. The next decision here finishes it."
	}
	return "The approval of " + w.ID + " was interrupted before " + store +
		" was changed. It waits again once something is decided here."
}

// noteApproval moves a marked proposal from the box to the decisions.
func (b *Reviewer) noteApproval(ctx context.Context, box *learn.Box, w learn.Waiting) error {
	mark := *w.Mark
	w.Mark = nil
	d := learn.Decided{ID: w.ID, Waiting: &w, Store: mark.Store}
	if h, err := b.lib.History(ctx, mark.Store); err == nil {
		approved := func(ch memory.Change) bool { return ch.ID == mark.Record }
		for _, e := range h.Entries {
			if e.Who == memory.You && slices.ContainsFunc(e.Changes, approved) {
				d.Entries = []memory.EntryID{e.ID}
				break
			}
		}
	}
	box.Decide(&learn.Decision{At: b.now(), Do: mark.Do, Decided: []learn.Decided{d}})
	box.Remove(w.ID)
	return box.Save()
}

// undo reverses the last decision, its entries from last to first.
func (v *review) undo(ctx context.Context) (memory.InboxResult, error) {
	if len(v.box.Decisions) == 0 {
		return v.out, fmt.Errorf("undo a decision: %w", memory.ErrNothing)
	}
	last := v.box.Decisions[len(v.box.Decisions)-1]
	v.done = last
	v.done.Decided = nil
	for _, d := range slices.Backward(last.Decided) {
		var err error
		if d.Entries, err = v.takeBack(ctx, &last, &d); err != nil {
			v.out.Refused[d.ID] = err
			break
		}
		v.box.Decisions, v.box.Undone = withoutLast(v.box.Decisions), v.withEntry(v.box.Undone, d)
		if err := v.box.Save(); err != nil {
			return v.out, err
		}
	}
	v.out.IDs = v.decidedIDs()
	if n := len(v.done.Decided); n > 0 {
		v.out.What = fmt.Sprintf("Undid %s: %s", v.done.Do, memory.Noun{One: "entry", Many: "entries"}.Count(n))
	}
	return v.out, nil
}

// redoLast repeats the decision that was undone last, its entries from first to last.
func (v *review) redoLast(ctx context.Context) (memory.InboxResult, error) {
	if len(v.box.Undone) == 0 {
		return v.out, fmt.Errorf("redo a decision: %w", memory.ErrNothing)
	}
	last := v.box.Undone[len(v.box.Undone)-1]
	v.redo, v.done.Do, v.done.Allow, v.done.Why = true, last.Do, last.Allow, last.Why
	v.o = memory.InboxOrder{Do: last.Do, Allow: last.Allow, Anyway: v.o.Anyway, Why: last.Why}
	for _, d := range slices.Backward(last.Decided) {
		v.o.Store, v.again = d.Store, d.Entries
		if err := v.reviewEntry(ctx, d.ID); err != nil {
			v.out.Refused[d.ID] = err
			break
		}
	}
	v.out.IDs, v.out.What = v.decidedIDs(), v.summary()
	return v.out, nil
}

// decidedIDs returns the ids of the entries that were decided.
func (v *review) decidedIDs() (ids []string) {
	for i := range v.done.Decided {
		ids = append(ids, v.done.Decided[i].ID)
	}
	return ids
}

// redoOrder returns the order that reverses an undo in a store, or false if that undo changed no store.
func (v *review) redoOrder() (o memory.Order, ok bool) {
	n := len(v.again)
	if n == 0 {
		return o, false
	}
	return memory.Order{Do: memory.Redo, Entry: v.again[n-1], Anyway: v.o.Anyway}, true
}

// takeBack reverses the effects of one entry of a decision. It returns the history entries to redo, newest
// first.
func (v *review) takeBack(
	ctx context.Context, last *learn.Decision, d *learn.Decided,
) (undone []memory.EntryID, err error) {
	verdict := verdictBefore(last, d)
	for _, entry := range slices.Backward(d.Entries) {
		p, err := v.in.lib.Plan(ctx, d.Store, memory.Order{Do: memory.Undo, Entry: entry, Anyway: v.o.Anyway})
		undone = append(undone, cmp.Or(p.Undoes, entry))
		if errors.Is(err, memory.ErrNothing) { // already undone
			continue
		}
		if err == nil {
			_, err = v.withdraw(ctx, p, verdict)
		}
		if err != nil {
			return nil, err
		}
	}
	if d.Waiting == nil {
		return undone, v.makeUnseen(ctx, last.Do, d, verdict)
	}
	return undone, v.waitsAgain(ctx, last, d)
}

// verdictBefore returns the verdict about the words of an entry that undoes a decision.
func verdictBefore(last *learn.Decision, d *learn.Decided) approvals.Verdict {
	switch {
	case d.Rejected:
		return approvals.Reject
	case last.Do == memory.InboxReject:
		return approvals.Unreject
	}
	return approvals.Withdraw
}

// withdraw applies the plan of an undo, and takes the approval of the words that were written back.
func (v *review) withdraw(ctx context.Context, p memory.Plan, verdict approvals.Verdict) (memory.Result, error) {
	var words []approvals.Words
	for i := range p.Changes {
		// what had to leave for it comes back as it was
		if ch := &p.Changes[i]; ch.Do <= memory.Adding && !ch.Companion {
			words = append(words, learn.WordsOf(&ch.Record))
		}
	}
	// Words come first: after a crash, the store then has a record that no agent is given.
	if err := v.in.quarantine.Book.Note(ctx, verdict, v.in.now(), library.ApprovalName(p.Store), words...); err != nil {
		return memory.Result{}, err
	}
	return v.in.lib.Apply(ctx, p)
}

// waitsAgain puts the proposal of an undone decision back into the inbox.
func (v *review) waitsAgain(ctx context.Context, last *learn.Decision, d *learn.Decided) (err error) {
	if last.Do == memory.InboxReject || replaces(last.Do, d.Waiting) {
		err = v.in.quarantine.Book.Note(ctx, approvals.Unreject, v.in.now(), "", d.Waiting.Words())
	}
	w := *d.Waiting
	v.box.ForgetRuleDecision(w.ID)
	w.Asked = w.Asked || last.Auto
	v.box.Remove(d.ID) // a proposal that was put off is still there
	v.box.Waiting = append(v.box.Waiting, w)
	slices.SortStableFunc(v.box.Waiting, func(a, b learn.Waiting) int {
		return cmp.Or(a.Arrived.Compare(b.Arrived), cmp.Compare(a.ID, b.ID))
	})
	return err
}

// applyUndo applies the plan of an undo or redo that a person ordered in a store. If it is that of a
// decision, the inbox does what its own undo and redo do.
func (b *Reviewer) applyUndo(ctx context.Context, p memory.Plan) (memory.Result, error) {
	v := review{in: b, redo: p.Redoes != ""}
	box, err := b.quarantine.Look()
	if err != nil { // the inbox reports it
		return b.lib.Apply(ctx, p)
	}
	if v.box = box; v.decision(&p) == nil {
		return b.lib.Apply(ctx, p)
	}
	var leave func()
	if v.box, leave, err = b.quarantine.Enter(ctx, b.now()); err != nil {
		return memory.Result{}, err
	}
	defer leave()
	last := v.decision(&p)
	switch {
	case last == nil: // somebody else was faster
		return b.lib.Apply(ctx, p)
	case v.redo:
		d := last.Decided[len(last.Decided)-1]
		if d.Waiting == nil {
			if waits, err := v.recordWaits(ctx, &d); err != nil || !waits {
				return b.applyUnless(ctx, p, err)
			}
		}
		v.o = memory.InboxOrder{Do: last.Do, Allow: last.Allow, Store: d.Store, Anyway: p.Order.Anyway}
		v.done = learn.Decision{At: last.At, Do: last.Do, Allow: last.Allow, Why: last.Why}
		v.again, v.out.Refused = d.Entries, map[string]error{}
		err := v.reviewEntry(ctx, d.ID)
		return v.result, err
	}
	d := &last.Decided[0]
	result, err := v.withdraw(ctx, p, verdictBefore(last, d))
	if err != nil {
		return result, err
	}
	slices.Reverse(d.Entries)
	v.box.Undone = append(v.box.Undone, *last)
	what, note := "What was approved", " waits in the inbox again."
	if d.Waiting != nil {
		err = v.waitsAgain(ctx, last, d)
	} else {
		what = "What was decided"
		err = v.recordWaitsAgain(ctx, last, d)
	}
	if err := errors.Join(err, v.box.Save()); err != nil {
		note = " does not wait in the inbox again: " + err.Error()
	}
	result.Notes = append(result.Notes, what+note)
	return result, nil
}

// applyUnless applies a plan unless there is an error already.
func (b *Reviewer) applyUnless(ctx context.Context, p memory.Plan, err error) (memory.Result, error) {
	if err != nil {
		return memory.Result{}, err
	}
	return b.lib.Apply(ctx, p)
}

// recordWaits visits the store of a decided record, and reports whether the record waits for a decision.
func (v *review) recordWaits(ctx context.Context, d *learn.Decided) (bool, error) {
	if err := v.visit(ctx, d.Store); err != nil || len(v.stores) == 0 {
		return false, err
	}
	if err := v.in.compare(ctx, &v.stores[0]); err != nil {
		return false, err
	}
	return slices.ContainsFunc(v.stores[0].found, func(f learn.Difference) bool { return f.ID == d.ID }), nil
}

// recordWaitsAgain makes the record of an undone decision wait in the inbox again.
func (v *review) recordWaitsAgain(ctx context.Context, last *learn.Decision, d *learn.Decided) error {
	if err := v.visit(ctx, d.Store); err != nil {
		return err
	}
	return v.makeUnseen(ctx, last.Do, d, verdictBefore(last, d))
}

// visit reads one store with what was seen of it.
func (v *review) visit(ctx context.Context, id memory.StoreID) error {
	all, _, err := v.in.visitStores(ctx)
	v.stores = slices.DeleteFunc(all, func(st visitedStore) bool { return st.place.Store != id })
	return err
}

// decision returns the decision that a plan undoes or redoes, or nil if it is of none. An undone one is
// taken out of the decisions. Only the one that was undone last can be redone, while its entry waits.
func (v *review) decision(p *memory.Plan) *learn.Decision {
	if n := len(v.box.Undone); v.redo && n > 0 {
		last := &v.box.Undone[n-1]
		d := &last.Decided[len(last.Decided)-1]
		waits := d.Waiting == nil || v.box.Find(d.ID) != nil
		if waits && d.Store == p.Store && slices.Contains(d.Entries, p.Redoes) {
			return last
		}
	}
	for i := range v.box.Decisions {
		all := &v.box.Decisions[i]
		at := slices.IndexFunc(all.Decided, func(d learn.Decided) bool {
			return d.Store == p.Store && len(d.Entries) > 0 && d.Entries[0] == p.Undoes
		})
		if at < 0 {
			continue
		}
		taken := *all
		taken.Decided = slices.Clone(all.Decided[at : at+1])
		if all.Decided = slices.Delete(all.Decided, at, at+1); len(all.Decided) == 0 {
			v.box.Decisions = slices.Delete(v.box.Decisions, i, i+1)
		}
		return &taken
	}
	return nil
}

// makeUnseen makes a record wait in the inbox again.
func (v *review) makeUnseen(
	ctx context.Context, do memory.InboxAct, d *learn.Decided, verdict approvals.Verdict,
) error {
	delete(v.box.Desk.Later, d.ID)
	i := slices.IndexFunc(v.stores, func(st visitedStore) bool { return st.place.Store == d.Store })
	if i < 0 || do == memory.InboxLater {
		return nil
	}
	st := &v.stores[i]
	isHere := slices.ContainsFunc(st.records, func(r memory.Record) bool { return st.look.Key(&r) == d.Key })
	if do == memory.InboxApprove && len(d.Entries) == 0 && !isHere {
		if err := v.in.noteGone(ctx, st, d.Key, true); err != nil {
			return err
		}
	}
	for j := range st.records {
		if r := &st.records[j]; len(d.Entries) == 0 && st.look.Key(r) == d.Key {
			name, words := library.ApprovalName(d.Store), learn.WordsOf(r)
			if err := v.in.quarantine.Book.Note(ctx, verdict, v.in.now(), name, words); err != nil {
				return err
			}
		}
	}
	was := learn.Sight{}
	if d.Seen != nil {
		was = *d.Seen
	}
	was.Waits = true
	st.seen.Records[d.Key] = &was
	return st.seen.Save()
}
