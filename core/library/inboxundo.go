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

// settle ends approvals that a crash interrupted: a proposal whose record is in the store is approved,
// and any other waits again. One whose store cannot be read stays marked. The lock of the
// quarantine must be held.
func (l *Library) settle(ctx context.Context, box *learn.Box) (notes []string) {
	if l.readOnly {
		return nil
	}
	settled := false
	for _, w := range slices.Clone(box.Waiting) {
		if w.Mark == nil {
			continue
		}
		is, err := l.settled(ctx, box, w)
		if err != nil {
			notes = append(notes, fmt.Sprintf("The approval of %s was interrupted, and nobody can tell yet whether it was made: %v.", w.ID, err))
			continue
		}
		settled = true
		if found := box.Find(w.ID); !is && found != nil {
			found.Mark = nil
		}
	}
	if settled {
		if err := box.Save(); err != nil {
			notes = append(notes, err.Error()+".")
		}
	}
	return notes
}

// settled reports whether a marked proposal is in its store, and takes it out of the box then.
func (l *Library) settled(ctx context.Context, box *learn.Box, w learn.Waiting) (bool, error) {
	mark := *w.Mark
	verdicts, err := box.Book().Read()
	if err != nil {
		return false, err
	}
	c, err := l.curator(mark.Store)
	if err == nil {
		err = c.Recover(ctx)
	}
	if err != nil {
		return false, err
	}
	lessons := l.keepsLessons(mark.Store)
	r, err := l.recordOf(ctx, mark.Store, func(r *memory.Record) bool {
		same := lessons && r.ID == mark.Record && verdicts.Digest(wordsText(r)) == mark.Words // of which an agent raised the count
		return mark.Digest != "" && (same || verdicts.Digest(r.Raw) == mark.Digest)
	})
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	if err == nil {
		err = box.Book().Note(ctx, approvals.Approve, l.now(), learn.WordsOf(&r))
	}
	if err != nil {
		return false, err
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
	return true, nil
}

// undo takes the last decision back, its entries from the last to the first.
func (v *review) undo(ctx context.Context) (memory.InboxResult, error) {
	if len(v.box.Decisions) == 0 {
		return v.out, fmt.Errorf("undo a decision: %w", memory.ErrNothing)
	}
	last := &v.box.Decisions[len(v.box.Decisions)-1]
	n := len(last.Decided)
	for i := n - 1; i >= 0; i-- {
		d := last.Decided[i]
		if err := v.takeBack(ctx, last.Do, &d); err != nil {
			v.out.Refused[d.ID] = err
			break
		}
		last.Decided = last.Decided[:i]
		if i == 0 {
			v.box.Decisions = v.box.Decisions[:len(v.box.Decisions)-1]
		}
		if err := v.box.Save(); err != nil {
			return v.out, err
		}
	}
	left := 0
	if len(v.out.Refused) > 0 {
		left = len(last.Decided)
	}
	v.out.What = fmt.Sprintf("Undid %s: %s", last.Do, memory.Noun{One: "entry", Many: "entries"}.Count(n-left))
	return v.out, nil
}

// takeBack takes back what one entry of a decision came to.
func (v *review) takeBack(ctx context.Context, do memory.InboxAct, d *learn.Decided) error {
	verdict := approvals.Withdraw
	if d.Rejected {
		verdict = approvals.Reject
	}
	for _, entry := range slices.Backward(d.Entries) {
		p, err := v.Plan(ctx, d.Store, memory.Order{Do: memory.Undo, Entry: entry, Anyway: v.o.Anyway})
		if errors.Is(err, memory.ErrNothing) {
			continue // it is undone already
		}
		if err != nil {
			return err
		}
		var words []approvals.Words
		for i := range p.Changes {
			if ch := &p.Changes[i]; ch.Do <= memory.Adding {
				words = append(words, learn.WordsOf(&ch.Record))
			}
		}
		// The words first: a crash leaves a record that no agent is told.
		if err := v.q.Book.Note(ctx, verdict, v.now(), words...); err != nil {
			return err
		}
		if _, err := v.Apply(ctx, p); err != nil {
			return err
		}
	}
	if d.Waiting == nil {
		return v.unseen(ctx, do, d, verdict)
	}
	if do == memory.InboxReject {
		if err := v.q.Book.Note(ctx, approvals.Withdraw, v.now(), d.Waiting.Words()); err != nil {
			return err
		}
	}
	v.box.Remove(d.ID) // as it is after a decision to put it off
	v.box.Waiting = append(v.box.Waiting, *d.Waiting)
	slices.SortStableFunc(v.box.Waiting, func(a, b learn.Waiting) int {
		return cmp.Or(a.Arrived.Compare(b.Arrived), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

// unseen has a record wait again.
func (v *review) unseen(ctx context.Context, do memory.InboxAct, d *learn.Decided, verdict approvals.Verdict) error {
	delete(v.box.Desk.Later, d.ID)
	i := slices.IndexFunc(v.stores, func(st visited) bool { return st.place.Store == d.Store })
	if i < 0 || do == memory.InboxLater {
		return nil
	}
	st := &v.stores[i]
	for j := range st.records {
		if r := &st.records[j]; len(d.Entries) == 0 && st.look.Key(r) == d.Key {
			if err := v.q.Book.Note(ctx, verdict, v.now(), learn.WordsOf(r)); err != nil {
				return err
			}
		}
	}
	if delete(st.seen.Records, d.Key); d.Seen != nil {
		st.seen.Records[d.Key] = d.Seen
	}
	return st.seen.Save()
}
