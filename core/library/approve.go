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

// wordsText returns the words of a record as one text, which that of no other record is.
func wordsText(r *memory.Record) string { return fmt.Sprintf("%q", learn.WordsOf(r)) }

// approve notes that a person approved what a plan made of the records of a store that asks for it:
// what they wrote, and changes of what they had approved. What comes back by an undo, and what one
// field of was set or a merge made, is approved if its own words were: they can be of a line that came
// with a clone, which nobody read. The notes say what could not be noted.
func (l *Library) approve(ctx context.Context, p *memory.Plan) (notes []string) {
	s, _ := l.store(p.Store)
	_, asks := s.(system.Approving)
	c, composes := s.(system.Composer)
	if !asks || !composes {
		return nil
	}
	o, strange := &p.Order, func(ch memory.Change) bool {
		before := c.Decode(ch.Before)
		return ch.Before != "" && !l.approved(&before)
	}
	back := slices.Contains([]memory.Act{memory.Undo, memory.Redo, memory.Reapply, memory.Restore}, o.Do) ||
		o.Do == memory.Merge && slices.ContainsFunc(p.Changes, strange)
	written := o.Do == memory.AddOne || o.Do == memory.Sync || // of those who are trusted, and counts of what was approved
		o.Do == memory.EditOne && (o.Form != "" || o.Edit.Raw != nil || o.Edit.Title != nil && o.Edit.Body != nil)
	var words []approvals.Words
	for i := range p.Changes {
		ch := &p.Changes[i]
		if ch.Do != memory.Adding && ch.Do != memory.Editing || ch.After == "" {
			continue
		}
		switch after := c.Decode(ch.After); {
		case l.approved(&after):
		case written || !back && ch.Before != "" && !strange(*ch):
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
