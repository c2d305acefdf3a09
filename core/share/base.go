package share

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// Base is what the local store and the share agreed on when they were last synced, and what the share had then. It is kept on this
// machine, for one store and one share.
type Base struct {
	// Commit is of the share that the lines tell all of; empty when they do not, and the next sync reads the whole share.
	Commit  string
	days    int               // of the share's settings
	until   time.Time         // the first of its deletions expires; zero for none
	file    *file             // what was read
	lines   map[string]line   // that differ from those of the file, by id; an empty one for what is gone
	open    map[string]bool   // lessons to look at; nil for all
	lessons map[string]Lesson // that lines refer to, by object
}

// file is the file of a base as it was read. Bases that come from it share it.
type file struct {
	hash  string
	lines map[string]line
}

// line returns what is known of a lesson.
func (b *Base) line(id string) line {
	l, differs := b.lines[id]
	if !differs && b.file != nil {
		l = b.file.lines[id]
	}
	return l
}

// set notes what is known of a lesson.
func (b *Base) set(id string, l line) {
	was := line{}
	if b.file != nil {
		was = b.file.lines[id]
	}
	if b.lines[id] = l; l == was {
		delete(b.lines, id)
	}
}

// all returns what is known of each lesson.
func (b *Base) all() iter.Seq2[string, line] {
	return func(yield func(string, line) bool) {
		for id, l := range b.lines {
			if l != (line{}) && !yield(id, l) {
				return
			}
		}
		if b.file == nil {
			return
		}
		for id, l := range b.file.lines {
			if _, differs := b.lines[id]; !differs && !yield(id, l) {
				return
			}
		}
	}
}

// copy returns a base with the same lines, to be changed.
func (b *Base) copy() *Base {
	next := *b
	if next.lines = maps.Clone(b.lines); next.lines == nil {
		next.lines = map[string]line{}
	}
	return &next
}

// Quiet reports whether nothing changed about a lesson since a merge that had nothing to do for it.
func (b *Base) Quiet(id string) bool {
	if b == nil || b.open == nil || b.open[id] {
		return false
	}
	l, there := b.lines[id]
	if !there && b.file != nil {
		_, there = b.file.lines[id]
		return there
	}
	return l != line{}
}

// line is what is known of a lesson, as the file of a base has it.
type line struct {
	// object and tomb are the lesson and the tombstone in the share, counts the recalls: our own, and the sum of all others.
	object, tomb string
	counts       string
	// held names the line of the store when a merge had nothing to do, "-" when the store has none; empty after another merge.
	held string
	from string // who brought it, as the caller notes that
	text string // the entry, and empty for none
}

// entry is what both sides had of one lesson.
type entry struct {
	lesson Lesson // the fields that were the same on both sides
	where  where
	own    int     // what this machine has counted up to then
	offer  *Lesson // what the share had, and waited here: who takes it has edited nothing
	// shown are the last counts that the local store held before and after a sync, the newest last.
	shown []Count
}

// where says on which sides a lesson was.
type where string

const (
	both    where = ""
	away    where = "away"    // in the share; the agent here dropped it
	offered where = "offered" // in the share; nobody took it here yet
	alone   where = "alone"   // here; it was deleted in the share
)

// mostShown is how many counts an entry remembers: half as many syncs may pass while an agent holds its copy.
const mostShown = 8

// Files returns the files to commit, by path; nil bytes remove one. Nothing is sent about lessons that are
// withheld. There are none when the share is as it should be.
func (r *Result) Files(withheld map[string]bool) map[string][]byte {
	files, own, change := map[string][]byte{}, Counts{}, false
	for _, f := range r.Share {
		if !withheld[f.ID] {
			files[f.Path] = f.Data
		}
	}
	for i := range r.outcomes {
		o := &r.outcomes[i]
		was, _ := r.share.counts(o.id)
		n := o.counted(was, withheld)
		if change = change || n != was; n != (Count{}) {
			own[o.id] = n
		}
	}
	if !change {
		return files
	}
	for id, l := range r.base.all() {
		if n, _ := readTally(l.counts); n != (Count{}) && r.base.Quiet(id) {
			own[id] = n
		}
	}
	files[r.counts] = own.Bytes()
	return files
}

// counted returns our own count of a lesson as the share is to have it, where it has another until then.
func (o *outcome) counted(was Count, withheld map[string]bool) Count {
	switch {
	case o.kept || withheld[o.id]:
		return was
	case o.there != nil || o.dead: // an edit can still win over the deletion
		return o.own
	}
	return Count{}
}

// Pushed returns the next base when the share has what [Result.Files] returned, and nothing was changed here
// yet. To be safe from being killed, save it beside the old one, with the id of the commit, before the push:
// with that commit in the share, it is the base.
func (r *Result) Pushed(withheld map[string]bool) *Base { return r.next(true, nil, withheld) }

// Base returns the next base when the local changes were made as well, save for those that wait in the inbox,
// by id. Save it beside that of Pushed, with the id of the plan, before the store is changed: with
// that plan in the history, it is the base. With an older one, the counts that a sync set would be taken for
// recalls here.
func (r *Result) Base(waiting, withheld map[string]bool) *Base {
	return r.next(false, waiting, withheld)
}

// Uncounted notes, before Base, that the store keeps the count of a lesson that it has.
func (r *Result) Uncounted(id string) {
	for i := range r.outcomes {
		if o := &r.outcomes[i]; o.id == id {
			o.shown = o.held
		}
	}
}

func (r *Result) next(undone bool, waiting, withheld map[string]bool) *Base {
	b := r.base.copy()
	b.days, b.until, b.open = r.share.Settings.ExpiryDays, r.until, nil
	tombs := map[string]string{}
	for _, f := range r.Share {
		if strings.HasPrefix(f.Path, Tombstones) {
			if tombs[f.ID] = ""; f.Data != nil {
				tombs[f.ID] = objectOf(f.Data)
			}
		}
	}
	for i := range r.outcomes {
		o := &r.outcomes[i]
		there, l := o.there, line{tomb: r.share.tombs[o.id], held: o.quietly, from: o.from}
		if tomb, changes := tombs[o.id]; changes && !withheld[o.id] {
			l.tomb = tomb
		}
		if withheld[o.id] {
			there = o.theirs
		}
		if l.object = r.object(o, there); l.object != r.base.line(o.id).object {
			l.from = "" // somebody else brought this one
		}
		own, others := r.share.counts(o.id)
		l.counts = tally(o.counted(own, withheld), others)
		if e := o.next(there, undone, undone || waiting[o.id]); e != nil {
			l.text = e.text(l.object == "" || !there.equal(e.lesson))
		}
		if l == (line{from: l.from}) {
			l = line{}
		}
		b.set(o.id, l)
	}
	return b
}

// next returns the next entry, where there is what the share is to have; nil for none. Undone says that nothing was changed here yet,
// and waits that this lesson is not.
func (o *outcome) next(there *Lesson, undone, waits bool) *entry {
	here, shown := o.here, o.shown
	if waits {
		here = o.mine
	}
	if undone && o.mine != nil {
		shown = o.held
	}
	e := entry{lesson: o.was.lesson, where: o.where, own: o.own.N, shown: o.was.shown}
	if o.here != nil {
		e.shown = remembered(remembered(e.shown, o.held), shown)
	}
	switch {
	case o.kept, there != nil && o.there == nil, here != nil && there == nil && o.where != alone:
		if !o.known {
			return nil
		}
		return &o.was
	case here == nil && there == nil:
		return nil
	case here != nil && there != nil:
		e.lesson, e.where = agreed(o.was.lesson, *here, *there), both
		if !here.equal(*there) && o.here != nil && o.here.equal(*there) {
			e.offer = there
		}
	case here != nil:
		e.lesson = *here
	case !o.known:
		e.lesson = *there
	case o.here != nil:
		e.offer = there // the first offer may still wait here: it stays the lesson
	}
	return &e
}

// object returns the object that a lesson is in the share: as it was read, or as we send it; empty for none.
func (r *Result) object(o *outcome, there *Lesson) string {
	switch there {
	case nil:
		return ""
	case o.theirs:
		return r.share.objects[o.id]
	}
	return objectOf(there.Bytes())
}

// remembered returns the counts that were shown, with one more.
func remembered(shown []Count, n Count) []Count {
	if k := len(shown); k > 0 && shown[k-1] == n {
		return shown
	}
	all := append(slices.Clone(shown), n)
	return all[max(0, len(all)-mostShown):]
}

// agreed returns the lesson with the fields that are the same on both sides, and the rest as it was.
func agreed(was, here, there Lesson) Lesson {
	if here.equal(there) {
		return here
	}
	l := there
	l.Fields = maps.Clone(was.Fields)
	if l.Fields == nil {
		l.Fields = map[string]string{}
	}
	if here.Kind != there.Kind {
		l.Kind = was.Kind
	}
	for _, key := range keys(here.Fields, there.Fields) {
		if here.Fields[key] == there.Fields[key] {
			l.Fields[key] = here.Fields[key]
		}
	}
	for key := range was.Fields {
		if here.Fields[key] == "" && there.Fields[key] == "" {
			delete(l.Fields, key)
		}
	}
	return l
}

// entry returns what both sides had of a lesson.
func (b *Base) entry(id string) (e entry, known bool) {
	if b == nil {
		return e, false
	}
	l := b.line(id)
	if l.text == "" {
		return e, false
	}
	e, err := l.entry(id, b.lessons)
	return e, err == nil
}

// Lesson returns what both sides had of a lesson last; an empty one when nothing is known.
func (b *Base) Lesson(id string) Lesson {
	e, _ := b.entry(id)
	return e.lesson
}

// Decide returns the base with conflicts that a person decided: what the local store holds in these fields then goes to the share with
// the next merge. Whoever decides for theirs sets the local field to it.
func (b *Base) Decide(decided ...Conflict) *Base {
	next := b.copy()
	for _, c := range decided {
		if e, there := next.entry(c.ID); there {
			e.lesson.Fields = maps.Clone(e.lesson.Fields)
			set(e.lesson.Fields, c.Field, c.Theirs)
			l := next.line(c.ID)
			l.held, l.text = "", e.text(true)
			next.set(c.ID, l)
		}
	}
	return next
}

// From returns who brought a lesson, as Bring noted it.
func (b *Base) From(id string) string {
	if b == nil {
		return ""
	}
	return b.line(id).from
}

// Bring notes who brought a lesson that was merged.
func (b *Base) Bring(id, from string) {
	if l := b.line(id); l != (line{}) {
		l.from = from
		b.set(id, l)
	}
}
