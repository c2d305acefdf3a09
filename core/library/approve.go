package library

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/approvals"
	"winnow/core/learn"
	"winnow/core/memory"
	"winnow/core/system"
)

// approved reports whether a person approved the words of a record on this machine.
func (l *Library) approved(r *memory.Record) bool {
	return l.inbox.Book.Approved(learn.WordsOf(r))
}

// wordsText returns the words of a record as one text. Records with other words have other texts.
func wordsText(r *memory.Record) string { return fmt.Sprintf("%q", learn.WordsOf(r)) }

// approve records that a person approved the records that a plan wrote, in a store that requires approval.
// It approves what the person wrote, and changes of records that were approved before. It does not approve
// what an undo, a merge or the edit of a single field makes from words that were not approved: those may
// come from a cloned line that nobody has read. The notes say what is not approved.
func (l *Library) approve(ctx context.Context, p *memory.Plan) (notes []string) {
	s, _ := l.store(p.Store)
	_, asks := s.(system.Approving)
	c, composes := s.(system.Composer)
	if !asks || !composes {
		return nil
	}
	o, fromUnapproved := &p.Order, func(ch memory.Change) bool {
		before := c.Decode(ch.Before)
		return ch.Before != "" && !l.approved(&before)
	}
	back := slices.Contains([]memory.Act{memory.Undo, memory.Redo, memory.Reapply, memory.Restore}, o.Do) ||
		o.Do == memory.Merge && slices.ContainsFunc(p.Changes, fromUnapproved)
	written := o.Do == memory.AddOne || o.Do == memory.Sync || // a sync writes only from trusted people, and counts
		o.Do == memory.EditOne && (o.Form != "" || o.Edit.Raw != nil || o.Edit.Title != nil && o.Edit.Body != nil)
	var words []approvals.Words
	for i := range p.Changes {
		ch := &p.Changes[i]
		if ch.Do != memory.Adding && ch.Do != memory.Editing || ch.After == "" {
			continue
		}
		switch after := c.Decode(ch.After); {
		case l.approved(&after):
		case written || !back && ch.Before != "" && !fromUnapproved(*ch):
			words = append(words, learn.WordsOf(&after))
		case len(notes) == 0:
			notes = append(notes, "No agent is given it before you approve it: winnow inbox")
		}
	}
	if len(words) == 0 {
		return notes
	}
	if err := l.inbox.Book.Note(ctx, approvals.Approve, l.now(), words...); err != nil {
		notes = append(notes, "No agent is given it yet, because the approval could not be noted: "+err.Error())
	}
	return notes
}
