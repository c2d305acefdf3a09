package share

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"
)

// Base is what the last sync left: what the local store and the share agreed on, and what the share
// had. Each pair of store and share has its own base, kept on this machine.
type Base struct {
	// Commit is the share's commit that the lines describe completely. If it is empty, they are not
	// complete and the next sync reads the whole share.
	Commit  string
	days    int               // ExpiryDays in the share's settings
	until   time.Time         // when the share's first deletion expires; zero if it has none
	file    *file             // the base as read
	lines   map[string]line   // by id, only lines that differ from the file; an empty line means removed
	open    map[string]bool   // ids of the lessons a merge must look at; nil means all
	lessons map[string]Lesson // lessons that lines refer to, by object
}

// file is a base as read from disk. All bases derived from it share it.
type file struct {
	hash  string
	lines map[string]line
}

// line returns the line of a lesson.
func (b *Base) line(id string) line {
	l, differs := b.lines[id]
	if !differs && b.file != nil {
		l = b.file.lines[id]
	}
	return l
}

// set stores the line of a lesson.
func (b *Base) set(id string, l line) {
	was := line{}
	if b.file != nil {
		was = b.file.lines[id]
	}
	if b.lines[id] = l; l == was {
		delete(b.lines, id)
	}
}

// all returns the lines of all lessons by id.
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

// size returns how many lessons the lines of the base and of its file name. Those in both count twice.
func (b *Base) size() int {
	n := len(b.lines)
	if b.file != nil {
		n += len(b.file.lines)
	}
	return n
}

// copy returns a copy whose lines can be changed.
func (b *Base) copy() *Base {
	next := *b
	if next.lines = maps.Clone(b.lines); next.lines == nil {
		next.lines = map[string]line{}
	}
	return &next
}

// Quiet reports whether a lesson is unchanged since a merge that had nothing to do for it. Such a
// lesson is skipped.
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

// line is one lesson's line in the file of a base.
type line struct {
	// object and tomb are the git objects of the lesson and its tombstone in the share.
	object, tomb string
	counts       string // this machine's recalls and the sum of all others, see tally
	// held names the lesson's line in the store if the last merge had nothing to do; "-" means the
	// store had none. After any other merge it is empty.
	held string
	from string // who brought the lesson, as the caller noted it
	text string // the entry as JSON; empty for none
}

// entry is what both sides had of one lesson at the last sync.
type entry struct {
	lesson Lesson // the fields that were the same on both sides
	where  where
	own    int     // what this machine had counted by then
	offer  *Lesson // the share's version that waited here for approval; accepting it is no edit
	// shown are the last counts that the local store held before and after a sync, newest last.
	shown []Count
}

// where says which side had a lesson.
type where string

const (
	both    where = ""
	away    where = "away"    // only in the share: the agent here dropped it
	offered where = "offered" // only in the share: nobody took it here yet
	alone   where = "alone"   // only here: it was deleted in the share
)

// mostShown is how many counts an entry remembers. A sync adds up to two, so an agent may hold its
// copy of the store across half as many syncs.
const mostShown = 8

// Files returns the files to commit, by path; nil bytes remove a file. Withheld lessons are left out.
// It returns none if the share is up to date.
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

// counted returns the own count of a lesson to send; was is the one that the share has now.
func (o *outcome) counted(was Count, withheld map[string]bool) Count {
	switch {
	case o.kept || withheld[o.id]:
		return was
	case o.there != nil || o.dead: // a deleted lesson keeps its count: a later edit can still bring it back
		return o.own
	}
	return Count{}
}

// Pushed returns the base for when the share has taken [Result.Files] and nothing was changed here
// yet. To survive being killed, save it beside the old base, with the commit id, before the push. If
// the share then has that commit, this is the base.
func (r *Result) Pushed(withheld map[string]bool) *Base { return r.next(true, nil, withheld) }

// Base returns the base for when the local changes were made too, except those waiting in the inbox,
// by id. Save it beside the one from Pushed, with the plan id, before the store changes. If the
// history then has that plan, this is the base. With an older base, counts that a sync set would be
// taken for recalls on this machine.
func (r *Result) Base(waiting, withheld map[string]bool) *Base {
	return r.next(false, waiting, withheld)
}

// Uncounted records that the store kept its old count of a lesson. Call it before Base.
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
			l.from = "" // somebody else wrote this version
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

// next returns the next entry, or nil for none. There is what the share will have. Undone means that
// nothing was changed here yet, waits that this lesson's change was not made.
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
		e.offer = there // e.lesson stays the first offer, which may still wait here
	}
	return &e
}

// object returns the git object of there, a version in the share: as read or as sent; "" for nil.
func (r *Result) object(o *outcome, there *Lesson) string {
	switch there {
	case nil:
		return ""
	case o.theirs:
		return r.share.objects[o.id]
	}
	return objectOf(there.Bytes())
}

// remembered appends a count to those shown, and keeps the last mostShown.
func remembered(shown []Count, n Count) []Count {
	if k := len(shown); k > 0 && shown[k-1] == n {
		return shown
	}
	all := append(slices.Clone(shown), n)
	return all[max(0, len(all)-mostShown):]
}

// agreed returns the lesson with the fields that are the same on both sides, and the others from was.
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

// entry returns the entry of a lesson, and whether there is one that can be read.
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

// Lesson returns what both sides last agreed on for a lesson; empty if nothing is known.
func (b *Base) Lesson(id string) Lesson {
	e, _ := b.entry(id)
	return e.lesson
}

// Decide returns the base after a person decided conflicts. The next merge sends the local values of
// these fields to the share. To decide for theirs, the caller also sets the local field to it.
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

// Sender returns who brought a lesson, as recorded by SetSender.
func (b *Base) Sender(id string) string {
	if b == nil {
		return ""
	}
	return b.line(id).from
}

// SetSender records who brought a merged lesson.
func (b *Base) SetSender(id, from string) {
	if l := b.line(id); l != (line{}) {
		l.from = from
		b.set(id, l)
	}
}
