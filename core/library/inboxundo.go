package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/memory"
)

// finishApprovals finishes approvals that a crash interrupted. A proposal whose record is in the store is approved;
// any other waits again. If the store cannot be read, the proposal stays marked. The caller must hold the
// lock of the quarantine.
func (l *Library) finishApprovals(ctx context.Context, box *learn.Box) (notes []string) {
	if l.readOnly {
		return nil
	}
	for _, w := range slices.Clone(box.Waiting) {
		if w.Mark == nil {
			continue
		}
		if err := l.finishApproval(ctx, box, w); err != nil {
			notes = append(notes, fmt.Sprintf("The approval of %s was interrupted, and nobody can tell yet whether it was made: %v.", w.ID, err))
		}
	}
	return notes
}

// finishApproval removes a marked proposal from the box if it is in its store. Otherwise it removes the mark.
func (l *Library) finishApproval(ctx context.Context, box *learn.Box, w learn.Waiting) error {
	mark := *w.Mark
	verdicts, err := box.Book().Read()
	if err != nil {
		return err
	}
	c, err := l.curator(mark.Store)
	if err == nil {
		err = c.Recover(ctx)
	}
	if err != nil {
		return err
	}
	lessons := l.keepsLessons(mark.Store)
	r, err := l.recordOf(ctx, mark.Store, func(r *memory.Record) bool {
		same := lessons && r.ID == mark.Record && verdicts.Digest(wordsText(r)) == mark.Words // an agent may have raised its count
		return mark.Digest != "" && (same || verdicts.Digest(r.Raw) == mark.Digest)
	})
	if errors.Is(err, memory.ErrNotFound) {
		box.Find(w.ID).Mark = nil
		return box.Save()
	}
	if err == nil {
		err = box.Book().Note(ctx, approvals.Approve, l.now(), learn.WordsOf(&r))
	}
	if err != nil {
		return err
	}
	w.Mark = nil
	d := learn.Decided{ID: w.ID, Waiting: &w, Store: mark.Store}
	if h, err := l.History(ctx, mark.Store); err == nil {
		for _, e := range h.Entries {
			if e.Who == memory.You && slices.ContainsFunc(e.Changes, func(ch memory.Change) bool { return ch.ID == mark.Record }) {
				d.Entries = []memory.EntryID{e.ID}
				break
			}
		}
	}
	box.Decisions = append(box.Decisions, learn.Decision{At: l.now(), Do: mark.Do, Decided: []learn.Decided{d}})
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
	v.redo, v.done.Do, v.done.Allow = true, last.Do, last.Allow
	v.o = memory.InboxOrder{Do: last.Do, Allow: last.Allow, Anyway: v.o.Anyway}
	for _, d := range slices.Backward(last.Decided) {
		v.o.Store, v.again = d.Store, d.Entries
		if err := v.reviewEntry(ctx, d.ID); err != nil {
			v.out.Refused[d.ID] = err
			break
		}
	}
	v.out.What = v.summary()
	return v.out, nil
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
func (v *review) takeBack(ctx context.Context, last *learn.Decision, d *learn.Decided) (undone []memory.EntryID, err error) {
	verdict := approvals.Withdraw
	if d.Rejected {
		verdict = approvals.Reject
	}
	for _, entry := range slices.Backward(d.Entries) {
		p, err := v.Plan(ctx, d.Store, memory.Order{Do: memory.Undo, Entry: entry, Anyway: v.o.Anyway})
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

// withdraw applies the plan of an undo, and takes the approval of the words that were written back.
func (v *review) withdraw(ctx context.Context, p memory.Plan, verdict approvals.Verdict) (memory.Result, error) {
	var words []approvals.Words
	for i := range p.Changes {
		if ch := &p.Changes[i]; ch.Do <= memory.Adding {
			words = append(words, learn.WordsOf(&ch.Record))
		}
	}
	// Words come first: after a crash, the store then has a record that no agent is given.
	if err := v.inbox.Book.Note(ctx, verdict, v.now(), words...); err != nil {
		return memory.Result{}, err
	}
	return v.apply(ctx, p)
}

// waitsAgain puts the proposal of an undone decision back into the inbox.
func (v *review) waitsAgain(ctx context.Context, last *learn.Decision, d *learn.Decided) (err error) {
	if last.Do == memory.InboxReject || replaces(last.Do, d.Waiting) {
		err = v.inbox.Book.Note(ctx, approvals.Withdraw, v.now(), d.Waiting.Words())
	}
	w := *d.Waiting
	w.Asked = w.Asked || last.Auto
	v.box.Remove(d.ID) // a proposal that was put off is still there
	v.box.Waiting = append(v.box.Waiting, w)
	slices.SortStableFunc(v.box.Waiting, func(a, b learn.Waiting) int {
		return cmp.Or(a.Arrived.Compare(b.Arrived), cmp.Compare(a.ID, b.ID))
	})
	return err
}

// applyUndo applies the plan of an undo or redo that a person ordered in a store. If it is that of an
// approval, the inbox does what its own undo and redo do.
func (l *Library) applyUndo(ctx context.Context, p memory.Plan) (memory.Result, error) {
	v := review{Library: l, redo: p.Redoes != ""}
	box, err := l.inbox.Look()
	if err != nil { // the inbox reports it
		return l.apply(ctx, p)
	}
	if v.box = box; v.approval(&p) == nil {
		return l.apply(ctx, p)
	}
	var leave func()
	if v.box, leave, err = l.inbox.Enter(ctx, l.now()); err != nil {
		return memory.Result{}, err
	}
	defer leave()
	last := v.approval(&p)
	switch {
	case last == nil: // somebody else was faster
		return l.apply(ctx, p)
	case v.redo:
		d := last.Decided[len(last.Decided)-1]
		v.o = memory.InboxOrder{Do: last.Do, Allow: last.Allow, Store: d.Store, Anyway: p.Order.Anyway}
		v.done, v.again, v.out.Refused = learn.Decision{At: last.At, Do: last.Do, Allow: last.Allow}, d.Entries, map[string]error{}
		err := v.reviewEntry(ctx, d.ID)
		return v.result, err
	}
	result, err := v.withdraw(ctx, p, approvals.Withdraw)
	if err != nil {
		return result, err
	}
	d := &last.Decided[0]
	slices.Reverse(d.Entries)
	v.box.Undone = append(v.box.Undone, *last)
	note := "What was approved waits in the inbox again."
	if err := errors.Join(v.waitsAgain(ctx, last, d), v.box.Save()); err != nil {
		note = "What was approved does not wait in the inbox again: " + err.Error()
	}
	result.Notes = append(result.Notes, note)
	return result, nil
}

// approval returns the approval that a plan undoes or redoes, or nil if it is of none. An undone one is
// taken out of the decisions. Only the approval that was undone last can be redone, while its proposal waits.
func (v *review) approval(p *memory.Plan) *learn.Decision {
	if n := len(v.box.Undone); v.redo && n > 0 {
		last := &v.box.Undone[n-1]
		if d := &last.Decided[len(last.Decided)-1]; v.box.Find(d.ID) != nil && d.Store == p.Store && slices.Contains(d.Entries, p.Redoes) {
			return last
		}
	}
	for i := range v.box.Decisions {
		all := &v.box.Decisions[i]
		at := slices.IndexFunc(all.Decided, func(d learn.Decided) bool {
			return d.Waiting != nil && d.Store == p.Store && len(d.Entries) > 0 && d.Entries[0] == p.Undoes
		})
		if at < 0 {
			continue
		}
		one := *all
		one.Decided = slices.Clone(all.Decided[at : at+1])
		if all.Decided = slices.Delete(all.Decided, at, at+1); len(all.Decided) == 0 {
			v.box.Decisions = slices.Delete(v.box.Decisions, i, i+1)
		}
		return &one
	}
	return nil
}

// makeUnseen makes a record wait in the inbox again.
func (v *review) makeUnseen(ctx context.Context, do memory.InboxAct, d *learn.Decided, verdict approvals.Verdict) error {
	delete(v.box.Desk.Later, d.ID)
	i := slices.IndexFunc(v.stores, func(st visitedStore) bool { return st.place.Store == d.Store })
	if i < 0 || do == memory.InboxLater {
		return nil
	}
	st := &v.stores[i]
	for j := range st.records {
		if r := &st.records[j]; len(d.Entries) == 0 && st.look.Key(r) == d.Key {
			if err := v.inbox.Book.Note(ctx, verdict, v.now(), learn.WordsOf(r)); err != nil {
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
