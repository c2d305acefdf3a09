package share

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"winnow/core/jstext"
)

// Base is what the local store and the share agreed on when they were last synced. It is kept on this
// machine, for one store and one share.
type Base struct {
	entries map[string]entry // by id
}

// entry is what is known of one lesson.
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
	files, own := map[string][]byte{}, Counts{}
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
	b := &Base{entries: make(map[string]entry, len(r.outcomes))}
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
		e := entry{lesson: o.was.lesson, where: o.where, own: o.own.N, shown: o.was.shown}
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
		b.entries[o.id] = e
	}
	return b
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

// Lesson returns what both sides had of a lesson last; an empty one when nothing is known.
func (b *Base) Lesson(id string) Lesson {
	if b == nil {
		return Lesson{}
	}
	return b.entries[id].lesson
}

// Decide notes that a person decided a conflict: what the local store holds in that field then goes to
// the share with the next merge. Whoever decides for theirs sets the local field to it.
func (b *Base) Decide(c Conflict) {
	if e, there := b.entries[c.ID]; there {
		e.lesson.Fields = maps.Clone(e.lesson.Fields)
		set(e.lesson.Fields, c.Field, c.Theirs)
		b.entries[c.ID] = e
	}
}

// Bytes returns the base as a file: a lesson a line.
func (b *Base) Bytes() []byte {
	all := make(object, len(b.entries))
	for id, e := range b.entries {
		o := object{"lesson": lines(e.lesson.object(""), ""), "own": strconv.Itoa(e.own)}
		if e.where != both {
			o["where"] = quoted(string(e.where))
		}
		if e.offer != nil {
			o["offer"] = lines(e.offer.object(""), "")
		}
		shown := []byte(nil)
		for _, c := range e.shown {
			shown = append(append(shown, ','), c.json()...)
		}
		o["shown"] = string(closed(shown, 0, '[', ']'))
		all[id] = lines(o, "")
	}
	return object{"entries": lines(all, "  "), "format": strconv.Itoa(Version)}.file()
}

// ReadBase reads the file of a base. The error says why it is as good as none.
func ReadBase(data []byte) (*Base, error) {
	o, err := opened(data)
	if err != nil {
		return nil, err
	}
	if o["format"] != strconv.Itoa(Version) {
		return nil, fmt.Errorf("format %q: want %d", o["format"], Version)
	}
	all, err := parse(o["entries"])
	if err != nil {
		return nil, fmt.Errorf("entries: %w", err)
	}
	b := &Base{entries: make(map[string]entry, len(all))}
	for id, value := range all {
		e, err := readEntry(value)
		if err == nil && e.lesson.ID != id {
			err = fmt.Errorf("the id in it is %q", e.lesson.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("lesson %q: %w", id, err)
		}
		b.entries[id] = e
	}
	return b, nil
}

func readEntry(value string) (e entry, err error) {
	o, err := parse(value)
	if err != nil {
		return e, err
	}
	if e.lesson, err = readLesson(o["lesson"]); err != nil {
		return e, err
	}
	if offer, there := o["offer"]; there {
		l, err := readLesson(offer)
		if err != nil {
			return e, err
		}
		e.offer = &l
	}
	own, counted := wholeNumber(o["own"])
	e.own, e.where = own, where(jstext.Text(o["where"]))
	kind, err := jstext.Scan(o["shown"], func(p jstext.Part) bool {
		c, err := readCount(p.Value)
		e.shown, counted = append(e.shown, c), counted && err == nil
		return counted
	})
	if err != nil || !counted || kind != jstext.Array || len(e.shown) > mostShown || !slices.Contains([]where{both, away, offered, alone}, e.where) {
		return e, errors.New("damaged")
	}
	return e, nil
}
