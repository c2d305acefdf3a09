package curate

import (
	"slices"

	"winnow/core/curate/history"
	"winnow/core/curate/plan"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/system"
)

// secretBack is a record in which another writer brought back what was redacted.
type secretBack struct {
	undone memory.Undone
	by     []*history.Redaction // newest first, none of which keeps it
	name   memory.ID            // of the record, as the history has it
}

// secretsBack returns the records in which is back what was redacted, by the ids that
// they have without it.
func (j *judge) secretsBack(s *scrubbed, hits map[int]hit) map[memory.ID]*secretBack {
	st := j.curator.file.State
	all := map[memory.ID]*secretBack{}
	for _, h := range hits {
		b := &secretBack{name: h.cleaned.ID}
		slices.Sort(h.by)
		for _, i := range slices.Backward(h.by) {
			if r := &st.Redactions[i]; !slices.Contains(r.Kept, b.name) {
				b.by = append(b.by, r)
			}
		}
		if len(b.by) == 0 {
			continue
		}
		noted := b.by[0].Sighted(b.name)
		b.undone = memory.Undone{
			Kind: memory.SecretBack, ID: b.name, Entry: b.by[0].Entry, Times: noted.Times, At: noted.Last,
			Mine: h.cleaned.Raw, MyRecord: h.cleaned, Theirs: h.record.Raw, Record: masking(h.record, h.spans),
		}
		all[b.name] = b
	}
	return all
}

// masking returns a record with secrets where redacted texts are, so that they are masked
// in places that no rule finds.
func masking(r *memory.Record, spans []detect.Span) memory.Record {
	var texts []string
	for _, p := range spans {
		texts = append(texts, r.Raw[p.Start:p.End])
	}
	out := *r
	plan.Mask(&out, detect.PrepareRedaction(memory.Redaction{Also: texts}).Places)
	return out
}

// joins takes in how the same record undoes another change too: redacting it again does
// that again as well.
func (b *secretBack) joins(u *memory.Undone) {
	switch u.Kind {
	case memory.CameBack:
		b.undone.ID, b.undone.Mine, b.undone.MyRecord = u.ID, "", memory.Record{}
	case memory.Reverted:
		b.undone.ID, b.undone.Mine, b.undone.MyRecord = u.ID, u.Mine, u.MyRecord
	}
}

// sighted returns the events that note in which record redacted texts are back, if that
// is new in this state of the store, and counts it.
func (c *Curator) sighted(b *secretBack, state string) (news []history.Event) {
	for i, r := range b.by {
		noted := r.Sighted(b.name)
		if noted.In(state) {
			continue
		}
		e := history.Event{Kind: history.Undone, ID: r.Entry, Record: b.name, How: memory.SecretBack, State: state, At: c.c.Now()}
		if news = append(news, e); i == 0 {
			b.undone.Times, b.undone.At = b.undone.Times+1, e.At
		}
	}
	return news
}

// redactedAgain returns the change that takes out what is back. A record that was deleted
// since goes, and in one that was edited since the edit is made again.
func (j *judge) redactedAgain(s *scrubbed, p *history.Promise, u *memory.Undone) memory.Change {
	ch := memory.Change{Do: memory.Editing, ID: u.Record.ID, Before: u.Theirs, Line: u.Record.Line, Record: u.Record, Why: "a redacted secret was back"}
	if u.Mine == "" {
		ch.Do = memory.Deleting
		return ch
	}
	clean := u.Record
	clean.Raw = s.clean(u.Theirs)
	clean.RawLen += len(clean.Raw) - len(u.Theirs)
	ch.After = clean.Raw
	if p != nil && !p.Gone {
		if merged, relation := j.reconcile(p, &clean); relation == system.Reverted {
			ch.After = merged
		}
	}
	return ch
}

// unknowable returns the redactions that may be undone or not: nobody can know.
func unknowable(lost []*history.Redaction) (all []memory.Undone) {
	for _, r := range lost {
		id := history.RedactionID(r.Entry)
		why := "an older version made " + string(id) + " and kept no hashes"
		if r.Key != "" {
			why = "the key of " + string(id) + " is lost"
		}
		all = append(all, memory.Undone{
			Kind: memory.CannotTell, ID: id, Entry: r.Entry, Times: 1, At: r.At,
			Record: memory.Record{ID: id, Title: why},
		})
	}
	return all
}
