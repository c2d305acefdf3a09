package inbox

import (
	"context"
	"fmt"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
)

// wordsText returns the words of a record as one text. Records with other words have other texts.
func wordsText(r *memory.Record) string { return fmt.Sprintf("%q", learn.WordsOf(r)) }

// noteRecord notes a verdict about what a record says, and the record.
func (b *Reviewer) noteRecord(ctx context.Context, v approvals.Verdict, store memory.StoreID, r *memory.Record) error {
	d, err := b.quarantine.Book.Keyed(ctx, b.now())
	if err != nil {
		return err
	}
	m := d.Mark(learn.WordsOf(r))
	if v == approvals.Approve {
		m.With = learn.RecordKey(&d, r)
	}
	return b.quarantine.Book.NoteMarks(ctx, v, b.now(), library.ApprovalName(store), m)
}

// noteGone withdraws what was approved for a record that a person accepts as gone. With back, it approves that
// again.
func (b *Reviewer) noteGone(ctx context.Context, st *visitedStore, key string, back bool) error {
	d, err := b.quarantine.Book.Read()
	if err != nil {
		return err
	}
	gone, said := d.Digest("gone\x00"+key), map[approvals.Mark]bool{}
	from, with, verdict := key, gone, approvals.Drop
	if back {
		from, with, verdict = gone, key, approvals.Approve
	}
	for i := range st.records {
		said[d.Mark(learn.WordsOf(&st.records[i]))] = true
	}
	var marks []approvals.Mark
	for _, m := range d.NotedWith(from) {
		m.With = ""
		v, noted := d.Noted(st.look.Store, m)
		if stands := back && noted && v == approvals.Drop || !back && d.ApprovedMark(st.look.Store, m); stands &&
			!said[m] {
			m.With = with
			marks = append(marks, m)
		}
	}
	if len(marks) == 0 {
		return nil
	}
	return b.quarantine.Book.NoteMarks(ctx, verdict, b.now(), st.look.Store, marks...)
}
