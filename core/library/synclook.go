package library

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"winnow/core/approvals"
	"winnow/core/curate"
	"winnow/core/detect"
	"winnow/core/learn"
	engine "winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/share"
)

// contents is a store as read by a sync.
type contents struct {
	records []stored
	history memory.History
	undone  []memory.Undone // changes made here that another writer undid
}

// stored is a record of the store. If its line is unchanged since the last sync, it is decoded only when
// needed.
type stored struct {
	id     memory.ID
	no     int
	form   string
	rev    memory.Revision
	twice  bool // an earlier record has the same id
	record *memory.Record
}

// lineStore is a store with one lesson per line.
type lineStore interface {
	Lines(ctx context.Context, fn func(no int, form string, size int) error) error
	Record(no int, form string) memory.Record
}

// load reads the store, its history, and what a person decided about it.
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
	y.store, y.words = contents{}, nil
	if err := y.readStore(ctx); err != nil {
		return err
	}
	if y.store.history, err = y.History(ctx, y.f.Store); err != nil {
		return err
	}
	if y.box, err = y.inbox.Look(); err != nil {
		return err
	}
	y.ids = y.sharedIDs(&y.f, &y.store.history, y.box)
	if err := y.guard(ctx, c); err != nil {
		return err
	}
	y.nameLines()
	return nil
}

// readStore reads the store's records, and decodes only those whose lines the base does not have.
func (y *syncing) readStore(ctx context.Context) error {
	s, err := y.Library.store(y.f.Store)
	if err != nil {
		return err
	}
	lines, ok := s.(lineStore)
	if !ok || y.texts(y.f.Store) != nil {
		failed, err := y.Each(ctx, []memory.StoreID{y.f.Store}, func(_ memory.StoreID, r *memory.Record) error {
			whole := *r
			whole.Rev = engine.Revision(r.Raw)
			y.store.records = append(y.store.records, stored{r.ID, r.Line, r.Raw, whole.Rev, false, &whole})
			return nil
		})
		return y.unreadable(err, failed)
	}
	long, names, known := 0, engine.Namer{}, y.base.Lines()
	y.store.records = make([]stored, 0, len(known)+len(known)/8)
	err = lines.Lines(ctx, func(no int, form string, size int) error {
		if size > 0 {
			long++
			return nil
		}
		r := stored{no: no, form: form, rev: engine.Revision(form)}
		own, is := known[string(r.rev)]
		if !is {
			whole := lines.Record(no, form)
			own, r.record = string(whole.ID), &whole
		}
		id, first := names.Name(own, no)
		r.id, r.twice = id, first > 0
		y.store.records = append(y.store.records, r)
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return y.unreadable(nil, y.unreadOf(y.f.Store, err, long))
}

// unreadable returns why the store or one of its records could not be read. An empty store is no error.
func (y *syncing) unreadable(err error, failed []memory.Unread) error {
	if err == nil && len(failed) > 0 && !empty(failed[0].Problem) {
		err = failed[0].Problem
	}
	return err
}

// decode returns a record of the store, decoded.
func (y *syncing) decode(s *stored) *memory.Record {
	if s.record == nil {
		st, _ := y.Library.store(y.f.Store) // readStore opened it
		r := st.(lineStore).Record(s.no, s.form)
		s.record = &r
	}
	if s.record.ID = s.id; s.twice {
		s.record.Flags |= memory.FlagDuplicate
	}
	return s.record
}

// guard finds the changes made here that another writer undid.
func (y *syncing) guard(ctx context.Context, c *curate.Curator) error {
	looks, err := c.Guarded(ctx, func(yield func(memory.ID, string) bool) {
		for i := range y.store.records {
			if r := &y.store.records[i]; !yield(r.id, r.form) {
				return
			}
		}
	})
	if err != nil || looks == nil {
		return err
	}
	records := make([]memory.Record, len(y.store.records))
	for i := range records {
		r := &y.store.records[i]
		if records[i] = (memory.Record{ID: r.id, Line: r.no, Rev: r.rev, Raw: r.form, RawLen: len(r.form)}); r.record != nil || looks(r.id, r.form) {
			records[i] = *y.decode(r)
		}
	}
	y.store.undone, err = c.Guard(ctx, records)
	return err
}

// look prepares this machine's side of the merge.
func (y *syncing) look() {
	did := y.done(&y.store.history)
	y.identify(did, &y.store.history)
	y.records = map[string]*memory.Record{}
	held := map[string]share.Held{}
	for i := range y.store.records {
		y.hold(&y.store.records[i], held)
	}
	y.restoreReverted(held)
	y.here = y.side(did, held)
}

// hasWords reports whether a record of the store has the same words.
func (y *syncing) hasWords(words approvals.Words) bool {
	if y.words == nil {
		y.words = map[approvals.Words]bool{}
		for i := range y.store.records {
			r := y.decode(&y.store.records[i])
			_, held := y.records[y.ids.of(r)]
			if sound(r) && (held || y.base.Quiet(y.ids.of(r))) {
				y.words[learn.WordsOf(r)] = true
			}
		}
	}
	return y.words[words]
}

// side returns this machine's side of the merge.
func (y *syncing) side(did map[string]deed, held map[string]share.Held) share.Here {
	return share.Here{
		Machine: y.f.Machine, Who: y.f.Machine, System: y.system(), Now: y.now(), Held: held,
		Deleted: func(id string) bool {
			d, by := did[id]
			if !by || d.kind != memory.Deleting || !d.undoes {
				return by && d.kind == memory.Deleting
			}
			from, others := y.sender(id)
			return !others || from.Machine == y.f.Machine // undoing the approval of another machine's lesson is no deletion
		},
		Restored: func(id string) bool { d, by := did[id]; return by && d.kind == memory.Adding },
		DeletedVersion: func(l share.Lesson) bool {
			if did[l.ID].kind != memory.Deleting {
				return false
			}
			p, _ := y.proposal(l, share.Count{})
			return slices.Contains(did[l.ID].versions, p.Words())
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

// sound reports whether a record can be shared: it was approved here, and agents can use it.
func sound(r *memory.Record) bool {
	return !r.RawCut() && r.Problem == nil && r.Flags&(memory.FlagDamaged|memory.FlagDuplicate|memory.FlagUnseen) == 0
}

// nameLines records the revision of each line by the lesson's id. It leaves out lines in which another
// writer undid a change, and those with a secret, because gate needs to know all secrets of the store.
func (y *syncing) nameLines() {
	y.lines = make(map[string]string, len(y.store.records))
	for i := range y.store.records {
		r := &y.store.records[i]
		if r.record == nil && !r.twice || r.record != nil && sound(y.decode(r)) && len(r.record.Secrets) == 0 {
			y.lines[string(r.id)] = string(r.rev)
		}
	}
	for _, u := range y.store.undone {
		delete(y.lines, string(u.ID))
	}
}

// hold adds a record of the store to the lessons held. A record that cannot be shared is held as the
// share has it.
func (y *syncing) hold(s *stored, held map[string]share.Held) {
	if y.ids.texts == nil && y.base.Quiet(string(s.id)) {
		return
	}
	r := y.decode(s)
	id := y.ids.of(r)
	if id == "" {
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
		l, h.Line = theirs, "" // as if nobody had edited it
	} else {
		y.records[id] = r
		if y.localOnly(&l); maps.Equal(l.Fields, y.theirs.Lessons[id].Fields) {
			l.Fields = y.theirs.Lessons[id].Fields // share the memory of equal fields
		}
	}
	h.Lesson = l
	held[id] = h
}

// restoreReverted replaces records in which another writer undid a change by what they should be: an agent that
// saved an older copy edited nothing. A person decides about these with winnow guard.
func (y *syncing) restoreReverted(held map[string]share.Held) {
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

// system returns the id of the store's system.
func (y *syncing) system() string { return string(y.info(y.f.Store).System) }

// localOnly replaces the members that only say where a lesson was made by the share's values: its
// session, which others see as a hash, and its date, which is newer here if it was approved late. If the
// share does not have the lesson, it uses what both sides last had. Otherwise it would look edited.
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
			person := e.Who != memory.Others && e.Do != memory.Sync && !ch.Companion
			switch {
			case person && ch.Do == memory.Deleting:
				versions[id] = append(versions[id], learn.WordsOf(&ch.Record))
				did[id] = deed{ch.Do, e.Undoes != "", versions[id]}
				continue
			case person && back:
				did[id] = deed{kind: ch.Do, undoes: true}
			case e.Who == memory.Others && ch.Do == memory.Editing: // an agent that counts a recall neither deletes nor restores
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
