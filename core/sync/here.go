package sync

import (
	"context"
	"maps"
	"slices"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/learn"
	engine "winnow/core/lesson"
	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/share"
)

// contents is a store as read by a sync.
type contents struct {
	records []memory.Record
	history memory.History
	undone  []memory.Undone // changes made here that another writer undid
}

// load reads the store, its history, and what a person decided about it.
func (y *syncing) load(ctx context.Context) (err error) {
	if y.verdicts, err = y.syncer.inbox.Book.Read(); err != nil {
		return err
	}
	c, err := y.syncer.lib.Curator(y.f.Store)
	if err == nil && y.o.Scratch == "" {
		err = c.Recover(ctx)
	}
	if err != nil {
		return err
	}
	y.store, y.words = contents{}, nil
	if err := y.readStore(ctx); err != nil {
		return err
	}
	if y.store.history, err = y.syncer.lib.History(ctx, y.f.Store); err != nil {
		return err
	}
	if y.box, err = y.syncer.inbox.Look(); err != nil {
		return err
	}
	y.store.undone, err = c.Guard(ctx, y.store.records)
	return err
}

// readStore reads the store's records.
func (y *syncing) readStore(ctx context.Context) error {
	failed, err := y.syncer.lib.Each(ctx, []memory.StoreID{y.f.Store}, func(_ memory.StoreID, r *memory.Record) error {
		y.store.records = append(y.store.records, *r)
		return nil
	})
	return y.unreadable(err, failed)
}

// unreadable returns why the store or one of its records could not be read. An empty store is no error.
func (y *syncing) unreadable(err error, failed []memory.Unread) error {
	if err == nil && len(failed) > 0 && !library.IsEmpty(failed[0].Problem) {
		err = failed[0].Problem
	}
	return err
}

// prepareHere prepares this machine's side of the merge.
func (y *syncing) prepareHere() {
	did := y.done(&y.store.history)
	y.records = map[string]*memory.Record{}
	held := map[string]share.Lesson{}
	for i := range y.store.records {
		y.hold(&y.store.records[i], held)
	}
	y.restoreReverted(did, held)
	y.here = y.side(did, held)
}

// hasWords reports whether a record of the store has the same words.
func (y *syncing) hasWords(words approvals.Words) bool {
	if y.words == nil {
		y.words = map[approvals.Words]bool{}
		for _, r := range y.records {
			y.words[learn.WordsOf(r)] = true
		}
	}
	return y.words[words]
}

// side returns this machine's side of the merge.
func (y *syncing) side(did map[string]deed, held map[string]share.Lesson) share.Here {
	y.kept = map[string]approvals.Words{}
	return share.Here{
		Who: y.f.Machine, System: y.system(), Now: y.syncer.now(), Held: held,
		Deleted: func(id string) bool {
			d, by := did[id]
			if !by || d.kind != memory.Deleting || !d.undoes {
				return by && d.kind == memory.Deleting
			}
			from, others := y.sender(id)
			// undoing the approval of another machine's lesson is no deletion
			return !others || from.Machine == y.f.Machine
		},
		Restored: func(id string) bool { d, by := did[id]; return by && d.kind == memory.Adding },
		DeletedVersion: func(l share.Lesson) bool {
			if did[l.ID].kind != memory.Deleting {
				return false
			}
			p, _ := y.proposal(l)
			return slices.Contains(did[l.ID].versions, p.Words())
		},
		Rejected: func(l share.Lesson) bool {
			if !y.verdicts.AnyRejected() {
				return false
			}
			p, _ := y.proposal(l)
			_, is := y.verdicts.Rejected(p.Words())
			return is
		},
		Keeps:  y.keeps,
		Secret: holdsSecret,
	}
}

// sound reports whether a record can be shared: it was approved here, and agents can use it.
func sound(r *memory.Record) bool {
	return !r.RawCut() && r.Problem == nil && r.Flags&(memory.FlagDamaged|memory.FlagDuplicate|memory.FlagUnseen) == 0
}

// hold adds a record of the store to the lessons held. A record that cannot be shared is held as the
// share has it, as if nobody had edited it.
func (y *syncing) hold(r *memory.Record, held map[string]share.Lesson) {
	id := string(r.ID)
	l, err := share.FromLine(y.system(), r.Raw)
	if err != nil || l.ID != id || !sound(r) {
		if theirs, known := y.theirs.Lessons[id]; known {
			held[id] = theirs
		}
		return
	}
	y.records[id] = r
	y.localOnly(&l)
	if theirs := y.theirs.Lessons[id]; maps.Equal(l.Fields, theirs.Fields) {
		l.Fields = theirs.Fields // share the memory of equal fields
	}
	held[id] = l
}

// restoreReverted puts what a person did in the place of what another writer undid: an agent that saved an older
// copy neither edited nor added anything. A person decides about these with winnow guard. A deletion may be newer
// than the history that was read.
func (y *syncing) restoreReverted(did map[string]deed, held map[string]share.Lesson) {
	for _, u := range y.store.undone {
		if u.Kind == memory.CameBack {
			id := string(u.ID)
			deletion := deed{kind: memory.Deleting}
			if did[id].kind == memory.Deleting {
				deletion = did[id]
			}
			deletion.versions = append(deletion.versions, learn.WordsOf(&u.Record))
			did[id] = deletion
			delete(held, id)
			delete(y.records, id)
			continue
		}
		l, broken := share.FromLine(y.system(), u.Mine)
		if _, is := held[string(u.ID)]; !is || u.Kind != memory.Reverted || broken != nil {
			continue
		}
		y.localOnly(&l)
		held[l.ID] = l
		note := string(u.ID) + ": an agent saved an older copy of it, which is not sent: winnow guard"
		y.out.Notes = append(y.out.Notes, detect.Redact(note))
	}
}

// system returns the id of the store's system.
func (y *syncing) system() string { return string(y.syncer.lib.Info(y.f.Store).System) }

// localOnly replaces the members that only say where a lesson was made by the share's values: its
// session, which others see as a hash, and its date, which is newer here if it was approved late. If the
// share does not have the lesson, it uses what both sides last had. Otherwise it would look edited.
func (y *syncing) localOnly(l *share.Lesson) {
	theirs, there := y.theirs.Lessons[l.ID]
	if !there {
		theirs = y.base.Lesson(l.ID)
	}
	if id := l.Text(engine.KeySession); id != "" {
		l.Fields[engine.KeySession] = `"session-` + atomicfile.ShortDigest(y.f.Machine+"\x00"+id) + `"`
	}
	for _, key := range []string{engine.KeySession, engine.KeyCreated} {
		if value := theirs.Fields[key]; value != "" {
			l.Fields[key] = value
		}
	}
}

// deed is what a person did to a record.
type deed struct {
	kind   memory.ChangeKind
	undoes bool // it undid an earlier change
	// versions are the words of all versions deleted since a person last wrote the record. There are
	// several if an agent saved an older one again and the guard removed that too.
	versions []approvals.Words
}

// done returns, by shared id, the records that a person last deleted or brought back, according to the
// history. It leaves out what was removed to make room and what a sync did.
func (y *syncing) done(h *memory.History) map[string]deed {
	did, versions := map[string]deed{}, map[string][]approvals.Words{}
	// An agent that saves an older copy brings back what a person deleted, and drops it again with a newer one:
	// the deletion stands. One that counts a recall neither deletes nor restores.
	changesNothing := func(do memory.ChangeKind, before deed, known bool) bool {
		return do == memory.Editing || known && before.kind == memory.Deleting
	}
	for i := range slices.Backward(h.Entries) {
		e := &h.Entries[i]
		for _, ch := range e.Changes {
			id, back := string(ch.ID), ch.Do == memory.Adding && e.Undoes != ""
			before, known := did[id]
			person := e.Who != memory.Others && e.Do != memory.Sync && !ch.Companion
			switch {
			case person && ch.Do == memory.Deleting:
				versions[id] = append(versions[id], learn.WordsOf(&ch.Record))
				did[id] = deed{ch.Do, e.Undoes != "", versions[id]}
				continue
			case person && back:
				did[id] = deed{kind: ch.Do, undoes: true}
			case e.Who == memory.Others && changesNothing(ch.Do, before, known):
			default:
				delete(did, id)
			}
			if e.Who != memory.Others {
				delete(versions, id)
			}
		}
	}
	return did
}
