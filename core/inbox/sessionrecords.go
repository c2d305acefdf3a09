package inbox

import (
	"context"

	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/session"
)

// SessionRecords returns the records that a session left and those that it was given, if stores of its
// project or of the user still have them in the same words. Notes say which stores could not be read. The
// error is that of ctx.
func (b *Reviewer) SessionRecords(
	ctx context.Context,
	s *session.Session,
) (left, given []memory.Kin, notes []string, err error) {
	facts := learn.Facts(s)
	for _, p := range b.lib.Find(ctx).Places {
		if !p.Exists || s.Folder != "" && !library.UsedIn(s.Folder, &p) {
			continue
		}
		id := p.Store
		records, unread, err := b.lib.Records(ctx, id)
		if err != nil {
			return nil, nil, nil, err
		}
		for i := range records {
			if r := &records[i]; r.Session != "" && r.Session == s.ID && string(r.ID) != s.ID {
				left = append(left, memory.Kin{Store: id, ID: r.ID, Title: r.Title})
			}
		}
		for _, u := range unread {
			notes = append(notes, "not read: "+u.Path+": "+u.Problem.What)
		}
		for _, i := range learn.IndexOf(records, b.lib.KeepsLessons(id)).Recalled(facts) {
			given = append(given, memory.Kin{Store: id, ID: records[i].ID, Title: records[i].Title})
		}
	}
	return append(left, b.proposedBy(s)...), given, notes, ctx.Err()
}

// proposedBy returns the waiting proposals of a session.
func (b *Reviewer) proposedBy(s *session.Session) (left []memory.Kin) {
	box, err := b.quarantine.Look()
	if err != nil {
		return nil // the inbox itself reports the error
	}
	for i := range box.Waiting {
		if w := &box.Waiting[i]; w.Origin.Session == s.ID && w.Origin.Agent == s.System {
			left = append(left, memory.Kin{ID: memory.ID(w.ID), Title: w.Title})
		}
	}
	return left
}
