package share

import (
	"maps"
	"slices"
)

// Base is what the local store and the share agreed on when they were last synced. It is kept on this
// machine, for one store and one share.
type Base struct {
	lines   map[string]line   // by id
	quiet   map[string]bool   // nothing changed since a merge that had nothing to do for these
	lessons map[string]Lesson // that lines refer to, by object
}

// entry is what is known of one lesson.
type entry struct {
	lesson Lesson // the fields that were the same on both sides
	where  where
	own    int     // what this machine has counted up to then
	offer  *Lesson // what the share had, and waited here: who takes it has edited nothing
	// shown are the last counts that the local store held before and after a sync, the newest last.
	shown  []Count
	object string // of the share that the lesson is, if it is one
	inputs string // what a merge came from that had nothing to do; empty after another
	from   string // who brought it, as the caller notes that
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
	files, own := map[string][]byte{}, Counts{}
	for id := range r.base.quiet {
		if n, there := r.own[id]; there {
			own[id] = n
		}
	}
	for _, f := range r.Share {
		if !withheld[f.ID] {
			files[f.Path] = f.Data
		}
	}
	for _, o := range r.outcomes {
		_, there := r.own[o.id]
		switch {
		case o.kept || withheld[o.id]:
			if there {
				own[o.id] = r.own[o.id]
			}
		case (o.there != nil || o.dead) && o.own != Count{}: // an edit can still win over the deletion
			own[o.id] = o.own
		}
	}
	if !maps.Equal(own, r.own) {
		files[r.counts] = own.Bytes()
	}
	return files
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
	b := &Base{lines: make(map[string]line, len(r.outcomes)+len(r.base.quiet))}
	for id := range r.base.quiet {
		b.lines[id] = r.base.lines[id]
	}
	for i := range r.outcomes {
		o := &r.outcomes[i]
		here, there, shown := o.here, o.there, o.shown
		if undone || waiting[o.id] {
			here = o.mine
		}
		if withheld[o.id] {
			there = o.theirs
		}
		if undone && o.mine != nil {
			shown = o.held
		}
		e := entry{lesson: o.was.lesson, where: o.where, own: o.own.N, shown: o.was.shown, inputs: o.inputs, from: o.was.from}
		if o.here != nil {
			e.shown = remembered(remembered(e.shown, o.held), shown)
		}
		switch {
		case o.kept, there != nil && o.there == nil, here != nil && there == nil && o.where != alone:
			if !o.known {
				continue
			}
			e = o.was
		case here == nil && there == nil:
			continue
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
		if e.object = ""; there != nil && there.equal(e.lesson) {
			e.object = r.object(o, there)
		}
		b.lines[o.id] = e.line()
	}
	return b
}

// object returns the object that a lesson is in the share: as it was read, or as we send it.
func (r *Result) object(o *outcome, there *Lesson) string {
	if there == o.theirs {
		return r.objects[o.id]
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

// entry returns what is known of a lesson.
func (b *Base) entry(id string) (e entry, known bool) {
	if b == nil {
		return e, false
	}
	l, known := b.lines[id]
	if known {
		var err error
		e, err = l.entry(id, b.lessons)
		known = err == nil
	}
	return e, known
}

// Lesson returns what both sides had of a lesson last; an empty one when nothing is known.
func (b *Base) Lesson(id string) Lesson {
	e, _ := b.entry(id)
	return e.lesson
}

// Decide returns the base with conflicts that a person decided: what the local store holds in these fields then goes to the share with
// the next merge. Whoever decides for theirs sets the local field to it.
func (b *Base) Decide(decided ...Conflict) *Base {
	next := *b
	next.lines = maps.Clone(b.lines)
	for _, c := range decided {
		if e, there := next.entry(c.ID); there {
			e.lesson.Fields = maps.Clone(e.lesson.Fields)
			set(e.lesson.Fields, c.Field, c.Theirs)
			e.object = ""
			next.lines[c.ID] = e.line()
		}
	}
	return &next
}

// From returns who brought a lesson, as Bring noted it.
func (b *Base) From(id string) string {
	if b == nil {
		return ""
	}
	return b.lines[id].from
}

// Bring notes who brought a lesson that was merged.
func (b *Base) Bring(id, from string) {
	if l, there := b.lines[id]; there {
		l.from = from
		b.lines[id] = l
	}
}
