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

// settle finishes approvals that a crash interrupted. A proposal whose record is in the store is approved;
// any other waits again. If the store cannot be read, the proposal stays marked. The caller must hold the
// lock of the quarantine.
func (l *Library) settle(ctx context.Context, box *learn.Box) (notes []string) {
	if l.readOnly {
		return nil
	}
	for _, w := range slices.Clone(box.Waiting) {
		if w.Mark == nil {
			continue
		}
		if err := l.settled(ctx, box, w); err != nil {
			notes = append(notes, fmt.Sprintf("The approval of %s was interrupted, and nobody can tell yet whether it was made: %v.", w.ID, err))
		}
	}
	return notes
}

// settled removes a marked proposal from the box if it is in its store. Otherwise it removes the mark.
func (l *Library) settled(ctx context.Context, box *learn.Box, w learn.Waiting) error {
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
		v.box.Decisions, v.box.Undone = popped(v.box.Decisions), v.pushed(v.box.Undone, d)
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
		if err := v.one(ctx, d.ID); err != nil {
			v.out.Refused[d.ID] = err
			break
		}
	}
	v.out.What = v.what()
	return v.out, nil
}

// redone returns the order that reverses an undo in a store, or false if that undo changed no store.
func (v *review) redone() (o memory.Order, ok bool) {
	n := len(v.again)
	if n == 0 {
		return o, false
	}
	return memory.Order{Do: memory.Redo, Entry: v.again[n-1], Anyway: v.o.Anyway}, true
}

// takeBack reverses the effects of one entry of a decision. It returns the history entries for a redo.
func (v *review) takeBack(ctx context.Context, last *learn.Decision, d *learn.Decided) (undone []memory.EntryID, err error) {
	verdict := approvals.Withdraw
	if d.Rejected {
		verdict = approvals.Reject
	}
	for _, entry := range slices.Backward(d.Entries) {
		p, err := v.Plan(ctx, d.Store, memory.Order{Do: memory.Undo, Entry: entry, Anyway: v.o.Anyway})
		if errors.Is(err, memory.ErrNothing) { // already undone
			undone = append(undone, entry)
			continue
		}
		if err != nil {
			return nil, err
		}
		var words []approvals.Words
		for i := range p.Changes {
			if ch := &p.Changes[i]; ch.Do <= memory.Adding {
				words = append(words, learn.WordsOf(&ch.Record))
			}
		}
		// Words come first: after a crash, the store then has a record that no agent is given.
		if err := v.inbox.Book.Note(ctx, verdict, v.now(), words...); err != nil {
			return nil, err
		}
		result, err := v.Apply(ctx, p)
		if err != nil {
			return nil, err
		}
		undone = append(undone, result.Entry)
	}
	if d.Waiting == nil {
		return undone, v.unseen(ctx, last.Do, d, verdict)
	}
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
	return undone, err
}

// unseen makes a record wait in the inbox again.
func (v *review) unseen(ctx context.Context, do memory.InboxAct, d *learn.Decided, verdict approvals.Verdict) error {
	delete(v.box.Desk.Later, d.ID)
	i := slices.IndexFunc(v.stores, func(st visited) bool { return st.place.Store == d.Store })
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
