package library

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/approvals"
	"winnow/core/detect"
	"winnow/core/learn"
	engine "winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/share"
)

// contents is a store as a sync reads it.
type contents struct {
	records []memory.Record
	history memory.History
	undone  []memory.Undone // what another writer undid of what was done here
}

// load reads the store, and what a person decided about it.
func (y *syncing) load(ctx context.Context) (err error) {
	if y.verdicts, err = y.Library.inbox.Book.Read(); err != nil {
		return err
	}
	c, err := y.curator(y.f.Store)
	if err == nil && y.o.Scratch == "" {
		err = c.Recover(ctx)
	}
	if err != nil {
		return err
	}
	y.store = contents{}
	failed, err := y.Each(ctx, []memory.StoreID{y.f.Store}, func(_ memory.StoreID, r *memory.Record) error {
		y.store.records = append(y.store.records, *r)
		return nil
	})
	if err == nil && len(failed) > 0 && !empty(failed[0].Problem) {
		err = failed[0].Problem
	}
	if err != nil {
		return err
	}
	if y.store.history, err = y.History(ctx, y.f.Store); err != nil {
		return err
	}
	if y.box, err = y.inbox.Look(); err != nil {
		return err
	}
	y.ids = y.sharedIDs(&y.f, &y.store.history, y.box)
	if y.store.undone, err = c.Guard(ctx, y.store.records); err != nil {
		return err
	}
	y.nameLines()
	return nil
}

// look takes the records of the store as lessons that are held.
func (y *syncing) look() {
	did := y.done(&y.store.history)
	y.identify(y.store.records, did, &y.store.history)
	y.records, y.words = map[string]memory.Record{}, map[approvals.Words]bool{}
	held := map[string]share.Held{}
	for i := range y.store.records {
		y.hold(&y.store.records[i], held)
	}
	y.unrevert(held)
	y.here = y.side(did, held)
}

// side returns this machine's part in the merge.
func (y *syncing) side(did map[string]deed, held map[string]share.Held) share.Here {
	return share.Here{
		Machine: y.f.Machine, Who: y.f.Machine, System: y.system(), Now: y.now(), Held: held,
		Deleted: func(id string) bool {
			d, by := did[id]
			from, others := y.sender(id)
			takenBack := d.undoes && others && from.Machine != y.f.Machine // an approval was undone: that is no deletion
			return by && d.kind == memory.Deleting && !takenBack
		},
		Restored: func(id string) bool { d, by := did[id]; return by && d.kind == memory.Adding },
		Saw: func(l share.Lesson) bool {
			if did[l.ID].kind != memory.Deleting {
				return false
			}
			p, _ := y.proposal(l, share.Count{})
			return did[l.ID].words == p.Words()
		},
		Rejected: func(l share.Lesson) bool {
			if !y.verdicts.AnyRejected() {
				return false
			}
			p, _ := y.proposal(l, share.Count{})
			_, is := y.verdicts.Rejected(p.Words())
			return is
		},
	}
}

// sound reports whether a record can be shared: somebody approved it here, and agents can use it.
func sound(r *memory.Record) bool {
	return !r.RawCut() && r.Problem == nil && r.Flags&(memory.FlagDamaged|memory.FlagDuplicate|memory.FlagUnseen) == 0
}

// nameLines names the lines of the store, by the id of the lesson. One that another writer made of what should stand has no name.
func (y *syncing) nameLines() {
	y.lines = map[string]string{}
	for i := range y.store.records {
		if r := &y.store.records[i]; sound(r) {
			y.lines[string(r.ID)] = digest(r.Raw)
		}
	}
	for _, u := range y.store.undone {
		delete(y.lines, string(u.ID))
	}
}

// hold takes a record of the store as a lesson that is held.
func (y *syncing) hold(r *memory.Record, held map[string]share.Held) {
	id := y.ids.of(r)
	if id == "" {
		return
	}
	if y.quiet[id] {
		y.records[id], y.words[learn.WordsOf(r)] = *r, true
		return
	}
	l, count, err := y.ids.lesson(r, id)
	h := share.Held{Count: count, Line: y.lines[id]}
	if err != nil || l.ID != id || !sound(r) {
		if err != nil && y.ids.texts != nil {
			y.out.Notes = append(y.out.Notes, detect.Redact(fmt.Sprintf("%s stays here: %v.", r.ID, err)))
		}
		theirs, known := y.theirs.Lessons[id]
		if !known {
			return
		}
		l, h.Line = theirs, "" // as if nobody had touched it
	} else {
		y.records[id], y.words[learn.WordsOf(r)] = *r, true
		y.localOnly(&l)
	}
	h.Lesson = l
	held[id] = h
}

// unrevert takes what should stand for records in which another writer undid a change: an agent that saved an older copy
// edited nothing. A person decides about these with the guard.
func (y *syncing) unrevert(held map[string]share.Held) {
	for _, u := range y.store.undone {
		r := memory.Record{Raw: u.Mine}
		if y.ids.texts != nil {
			r = y.ids.compose.Decode(u.Mine)
		}
		r.ID = u.ID
		h, is := held[y.ids.of(&r)]
		l, _, broken := y.ids.lesson(&r, y.ids.of(&r))
		if u.Kind != memory.Reverted || !is || broken != nil {
			continue
		}
		y.localOnly(&l)
		h.Lesson = l
		held[l.ID] = h
		y.out.Notes = append(y.out.Notes, detect.Redact(string(u.ID)+": an agent saved an older copy of it, which is not sent: winnow guard"))
	}
}

// system returns the system of the lessons of the store.
func (y *syncing) system() string { return string(y.info(y.f.Store).System) }

// localOnly gives a lesson what others have of the members that only say where it was made: its session, which
// is a hash for others, and its date, which is newer here when it was approved late. Of one that was deleted in the share it
// has what both sides had last: else it would look edited.
func (y *syncing) localOnly(l *share.Lesson) {
	theirs, there := y.theirs.Lessons[l.ID]
	if !there {
		theirs = y.base.Lesson(l.ID)
	}
	if id := l.Text(engine.KeySession); id != "" {
		l.Fields[engine.KeySession] = `"session-` + digest(y.f.Machine+"\x00"+id) + `"`
	}
	for _, key := range []string{engine.KeySession, engine.KeyCreated} {
		if value := theirs.Fields[key]; value != "" {
			l.Fields[key] = value
		}
	}
}

// deed is what a person did to a record, which said these words.
type deed struct {
	kind   memory.ChangeKind
	undoes bool // an earlier one
	words  approvals.Words
}

// done returns what a person did last to records, as the history has it: deleted them, or brought them
// back. What made room for others, and what a sync did, is not among that.
func (y *syncing) done(h *memory.History) map[string]deed {
	did := map[string]deed{}
	for i := range slices.Backward(h.Entries) {
		e, changes := &h.Entries[i], h.Entries[i].Changes
		if y.ids.texts != nil {
			changes = joined(e)
		}
		for _, ch := range changes {
			r := ch.Record
			r.ID = ch.ID
			id, back := y.ids.of(&r), ch.Do == memory.Adding && e.Undoes != ""
			if id == "" && ch.Do == memory.Editing {
				r.ID = y.ids.compose.Decode(ch.After).ID
				id = y.ids.of(&r)
			}
			if e.Who != memory.Others && e.Do != memory.Sync && !ch.Companion && (ch.Do == memory.Deleting || back) {
				did[id] = deed{ch.Do, e.Undoes != "", learn.WordsOf(&ch.Record)}
			} else {
				delete(did, id)
			}
		}
	}
	return did
}
