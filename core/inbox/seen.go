package inbox

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"winnow/core/approvals"
	"winnow/core/curate"
	"winnow/core/detect"
	"winnow/core/git"
	"winnow/core/learn"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/system"
)

// visitedStore is a store, with the records that differ from what a person saw.
type visitedStore struct {
	place   memory.Place
	records []memory.Record
	seen    *learn.Seen
	look    learn.Look
	past    func() storePast
	found   []learn.Difference
	doubts  map[memory.ID][]doubt // by record
}

// storePast is what the history of a store says about its records.
type storePast struct {
	learn.Past
	restores map[memory.ID]memory.Record // deleted records, whoever deleted them
}

// visitStores reads the known stores that can be changed. It takes no lock.
func (b *Reviewer) visitStores(ctx context.Context) (all []visitedStore, notes []string, err error) {
	verdicts, err := b.quarantine.Book.Read()
	if err == nil && !b.readOnly {
		verdicts, err = b.quarantine.Book.Keyed(ctx, b.now())
	}
	if err != nil || verdicts.Digest("") == "" {
		return nil, nil, err
	}
	b.lib.Find(ctx)
	for _, p := range b.lib.KnownPlaces() {
		s, err := b.lib.Store(p.Store)
		if err != nil || !p.Exists {
			continue
		}
		if w, ok := s.(system.Writer); !ok || w.CanWrite() != nil {
			continue
		}
		st, err := b.visitStore(ctx, p, s, &verdicts)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			notes = append(
				notes,
				fmt.Sprintf("%s was not looked at: %s.", p.Path, strings.TrimSuffix(detect.Redact(err.Error()), ".")),
			)
		default:
			all = append(all, st)
		}
	}
	if err := b.questionAll(ctx, all); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		why := strings.TrimSuffix(detect.Redact(err.Error()), ".")
		notes = append(notes, "Lessons that may not be true any more are told as before: "+why+".")
	}
	return all, notes, nil
}

// questionAll finds what speaks against the lessons of stores. What was noted counts at once.
func (b *Reviewer) questionAll(ctx context.Context, stores []visitedStore) error {
	changed := false
	for i := range stores {
		noted, err := b.questionLessons(ctx, &stores[i])
		if err != nil {
			return err
		}
		changed = changed || noted
	}
	if !changed {
		return nil
	}
	verdicts, err := b.quarantine.Book.Read()
	if err != nil {
		return err
	}
	for i := range stores {
		stores[i].look.Verdicts = &verdicts
	}
	return nil
}

// visitStore reads one store.
func (b *Reviewer) visitStore(
	ctx context.Context,
	p memory.Place,
	s system.Store,
	verdicts *approvals.Decisions,
) (visitedStore, error) {
	st := visitedStore{place: p, past: sync.OnceValue(func() storePast { return b.readPast(ctx, &p) })}
	_, approving := s.(system.Approving)
	st.look = learn.Look{
		Verdicts: verdicts, Now: b.now(), Store: library.ApprovalName(p.Store), Approving: approving,
		Past: func() learn.Past { return st.past().Past },
	}
	err := b.lib.EachOf(ctx, p.Store, func(r *memory.Record) error {
		switch {
		case len(st.records) == learn.MostSeen:
			return fmt.Errorf("it has more than %d records", learn.MostSeen)
		case r.Kind != "session" && r.Kind != "index" && r.Flags&memory.FlagDamaged == 0 && !r.RawCut():
			st.records = append(st.records, *r)
		}
		return nil
	})
	if err == nil {
		st.seen, err = b.quarantine.Seen(p.Store, filepath.Base(curate.Folder(b.state.Dir, library.RealID(p.Store))))
	}
	return st, err
}

// visitAgain reads a store anew, with what was seen of it and decided by now.
func (b *Reviewer) visitAgain(ctx context.Context, st *visitedStore) error {
	verdicts, err := b.quarantine.Book.Read()
	if err != nil {
		return err
	}
	s, err := b.lib.Store(st.place.Store)
	doubts := st.doubts
	if err == nil {
		*st, err = b.visitStore(ctx, st.place, s, &verdicts)
	}
	st.doubts = doubts
	return err
}

// readPast reads the history of a store. An unreadable history counts as empty.
func (b *Reviewer) readPast(ctx context.Context, of *memory.Place) storePast {
	p := storePast{
		learn.Past{
			Left:    map[approvals.Words]bool{},
			Removed: map[memory.ID]bool{},
			Deleted: map[approvals.Words]bool{},
		},
		map[memory.ID]memory.Record{},
	}
	left := map[approvals.Words]bool{} // what p.Left said of a record when it was deleted
	for _, e := range b.entriesOf(ctx, of) {
		own := e.Who != memory.Others
		for i := range e.Changes {
			ch := &e.Changes[i]
			words := learn.WordsOf(&ch.Record)
			switch {
			case ch.Do == memory.Deleting:
				p.restores[ch.ID] = ch.Record
				p.Removed[ch.ID] = own
				p.Deleted[words] = own
				left[words] = p.Left[words]
				delete(p.Left, words)
			case ch.Do == memory.Adding && own:
				delete(p.Removed, ch.ID)
				delete(p.Deleted, words)
				p.Left[words] = e.Undoes == "" || left[words] // an undo brings back what it was
			case ch.Do == memory.Editing && own:
				p.Left[learn.WordsOf(&ch.Edited)] = true
			}
		}
	}
	return p
}

// entriesOf returns the entries in the history of a store, the oldest first, with the changes that were made through
// the stores of other work trees of the repository to the memory that they share.
func (b *Reviewer) entriesOf(ctx context.Context, of *memory.Place) (all []memory.Entry) {
	h, _ := b.lib.History(ctx, of.Store)
	all = slices.Clone(h.Entries)
	slices.Reverse(all)
	s, err := b.lib.Store(of.Store)
	if err != nil || s.Info().Stays == nil {
		return all
	}
	for _, tree := range git.WorkTrees(of.Project) {
		if tree == of.Project {
			continue
		}
		other, _ := b.lib.History(ctx, memory.At(of.System, tree))
		for _, e := range other.Entries {
			e.Changes = slices.DeleteFunc(slices.Clone(e.Changes), func(ch memory.Change) bool {
				return !s.Info().Stays(&memory.Record{ID: ch.ID})
			})
			at := sort.Search(len(all), func(i int) bool { return all[i].At.After(e.At) })
			all = slices.Insert(all, at, e)
		}
	}
	return all
}

// compare finds the records of a store that differ from what was seen, and saves the rest as seen. The
// caller must hold the lock of the quarantine, except in a read-only library. If another process decided
// since the store was read, it is read again.
func (b *Reviewer) compare(ctx context.Context, st *visitedStore) error {
	if !b.readOnly && st.seen.Stale() {
		if err := b.visitAgain(ctx, st); err != nil {
			return err
		}
	}
	var save bool
	st.found, save = st.look.Compare(st.seen, st.records)
	if !save || b.readOnly {
		return ctx.Err()
	}
	return st.seen.Save()
}

// recordEntry returns the inbox entry of a record that differs from what was seen.
func (b *Reviewer) recordEntry(st *visitedStore, d *learn.Difference, box *learn.Box) memory.InboxEntry {
	r := d.Record
	e := memory.InboxEntry{
		ID:      d.ID,
		Kind:    d.Kind,
		Record:  r,
		Arrived: r.Created.Time,
		Store:   st.place.Store,
		Stored:  r.Raw,
		Later:   box.Desk.Later[d.ID],
		Origin: memory.Origin{
			Agent:   st.place.System,
			Session: r.Session,
			Folder:  st.place.Project,
			At:      r.Created.Time,
		},
	}
	if e.Arrived.IsZero() {
		e.Arrived = b.now()
	}
	if d.Kind == memory.NewRecord && d.Unapproved && st.wasDoubted(&r) {
		e.Kind = memory.DoubtedRecord
	}
	switch {
	case d.Kind == memory.GoneRecord:
		e.Arrived = d.Before.Gone
		if was, known := st.past().restores[r.ID]; known {
			e.Record, e.Restorable = was, true
		}
		return e
	case d.Kind == memory.ChangedRecord:
		e.Before = wordsBefore(d)
	}
	why := ""
	switch {
	case !d.Rejected.IsZero():
		day := d.Rejected.Format("2 January 2006")
		e.Again, why = "rejected on "+day+"; now in "+st.place.Path, "You rejected it on "+day+"."
	case e.Kind == memory.DoubtedRecord:
		e.Reasons = st.whyDoubted(&r)
	case d.Kind == memory.BackRecord:
		e.Again, why = "deleted here before", "You deleted it, and another writer brought it back."
	case d.Unapproved:
		e.Origin.Door, why = "clone", "Nobody approved it on this machine; no agent sees it before that."
	}
	e.Reasons = append(findings(append([]string{r.Title, r.Body}, r.Tools...)), e.Reasons...)
	for _, text := range system.Notes(system.Say(len(r.Secrets) > 0, "It holds what looks like a secret."), why) {
		e.Reasons = append(e.Reasons, memory.Reason{Against: true, Text: text})
	}
	e.Clean = isClean(e.Reasons)
	return e
}

// wasDoubted reports whether a record was approved once and something speaks against it: an undo took back that it is
// still true.
func (st *visitedStore) wasDoubted(r *memory.Record) bool {
	return len(st.doubts[r.ID]) > 0 && !st.look.Verdicts.FirstApproved(learn.WordsOf(r)).IsZero()
}

// whyDoubted returns what speaks against an approved record.
func (st *visitedStore) whyDoubted(r *memory.Record) (all []memory.Reason) {
	for _, d := range st.doubts[r.ID] {
		all = append(all, memory.Reason{Against: true, Text: detect.Redact(d.What)})
	}
	if len(all) == 0 {
		all = append(all, memory.Reason{
			Against: true, Text: "When Winnow last looked, it named what is gone, or forbade what works.",
		})
	}
	return all
}

// wordsBefore describes what a changed record said when it was seen.
func wordsBefore(d *learn.Difference) string {
	title, was, is := d.Before.Title, d.Before.Count, d.Record.Count.N
	parts := system.Notes(
		system.Say(!strings.HasPrefix(d.Record.Title, strings.TrimSuffix(title, "…")), "was: "+title),
		system.Say(is != was, fmt.Sprintf("relevance %d -> %d", was, is)),
	)
	return cmp.Or(strings.Join(parts, ", "), "its text was another")
}
