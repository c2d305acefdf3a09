package share

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Held is a lesson of the local store, with its count as it stands there: what a sync set, and what was
// counted since.
type Held struct {
	Lesson
	Count
	Line string // names the line that the store has; empty when that line is not what is held
}

// Here is this machine's part in a merge. The functions may be nil: then they are true of nothing.
type Here struct {
	Machine string // see [Machine]; each store has its own, also of one computer
	Who     string // the person, for tombstones
	System  string // of the store: lessons of other systems are left alone
	Now     time.Time
	Held    map[string]Held // what the local store holds, by id
	// Deleted reports whether a person deleted a lesson that is no longer held. Others were evicted.
	Deleted func(id string) bool
	// Saw reports whether a person deleted a lesson here that said the same: nobody edited it since. It may be nil.
	Saw func(Lesson) bool
	// Restored reports whether a person brought a lesson back that was deleted, here or elsewhere.
	Restored func(id string) bool
	// Rejected reports whether a person rejected a lesson here: it is not offered again.
	Rejected func(Lesson) bool
}

// Do is what happens to a local lesson.
type Do uint8

// The kinds of local changes.
const (
	Add Do = iota
	Edit
	Remove
)

// Change is what to change in the local store.
type Change struct {
	Do     Do
	ID     string
	Was    Lesson   // empty for an addition
	Lesson Lesson   // what it becomes; empty for a removal
	Count  Count    // of an addition: what the store shall hold
	Fields []string // of an edit: what differs, in order
	Why    string   // of a removal, and of an addition that one might not expect
}

// File is a file of the share to be written; with nil Data, removed.
type File struct {
	Path, ID string // ID is of the lesson that it is about
	Data     []byte
}

// Conflict is a field that both sides changed, each value as canonical JSON and empty where the
// field is missing. Until it is decided, both keep their own.
type Conflict struct {
	ID, Field          string
	Base, Mine, Theirs string
}

// Note is a sentence about a lesson that a person should read.
type Note struct{ ID, Text string }

// Result is what a merge comes to. All lists are in order of id.
type Result struct {
	Local []Change
	// Counts are what the store shall hold for lessons that it has already. Nobody needs to approve them.
	Counts Counts
	// Share are the lessons and tombstones that change in the share.
	Share     []File
	Conflicts []Conflict
	Notes     []Note

	base     *Base
	outcomes []outcome
	counts   string            // path of this machine's counts
	own      Counts            // as the share has them
	objects  map[string]string // of the lessons of the share
}

// outcome is what becomes of one lesson.
type outcome struct {
	id    string
	was   entry // of the base
	known bool  // there is one
	kept  bool  // nothing was decided: the base stays
	dead  bool  // the share has a tombstone of it
	// inputs are what it comes from, if there is nothing to do.
	inputs string
	where  where // if it ends on one side only
	// What each side has, and what it gets; nil for nothing.
	mine, theirs, here, there *Lesson
	own                       Count
	held, shown               Count // the count in the local store, and what it shall be
}

// merging is one merge.
type merging struct {
	*Here
	share *State
	*Result
}

// Merge compares the base, what is here, and the share. A nil base is none. It changes none of them.
func Merge(base *Base, here *Here, share *State) *Result {
	m := merging{Here: here, share: share, Result: &Result{
		Counts: Counts{}, base: base, counts: CountFiles + here.Machine + ".json", own: share.Own, objects: share.objects,
	}}
	if base == nil {
		m.base = &Base{}
	}
	ids := map[string]bool{}
	for id := range m.base.lines {
		ids[id] = true
	}
	for id := range here.Held {
		ids[id] = true
	}
	for id := range share.Lessons {
		ids[id] = true
	}
	for id := range share.Tombstones {
		ids[id] = true
	}
	maps.DeleteFunc(ids, func(id string, _ bool) bool { return m.base.quiet[id] })
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		o := outcome{id: id}
		o.was, o.known = m.base.entry(id)
		held := here.Held[id]
		if _, there := here.Held[id]; there {
			o.mine, o.here, o.held = &held.Lesson, &held.Lesson, held.Count
			if offer := o.was.offer; offer != nil && offer.equal(held.Lesson) {
				o.was.lesson = *offer
			}
		}
		if l, there := share.Lessons[id]; there {
			o.theirs, o.there = &l, &l
		}
		before := m.said()
		m.one(&o, base == nil)
		if same := o.mine != nil && o.theirs != nil && o.mine.equal(*o.theirs) && held.Line != ""; m.said() == before && !share.partial &&
			!o.kept && !o.dead && o.own == share.Own[id] && (same || o.mine == nil && o.where == away) {
			o.inputs = inputs(held.Line, o.own, share.Others[id])
		}
		m.outcomes = append(m.outcomes, o)
	}
	return m.Result
}

// said returns how much there is to do and to say.
func (r *Result) said() int {
	return len(r.Local) + len(r.Counts) + len(r.Share) + len(r.Conflicts) + len(r.Notes)
}

// one merges one lesson.
func (m *merging) one(o *outcome, lost bool) {
	foreign := o.theirs != nil && o.theirs.System != m.System
	if o.kept = foreign || len(m.share.names) > 0 && m.share.names[Name(o.id)]; o.kept {
		if o.known || o.mine != nil {
			m.note(o, map[bool]string{
				true:  "The share has a record of another system under this id: it is left as it is here and there.",
				false: "Its file in the share is refused: it is left as it is here and there.",
			}[foreign])
		}
		return
	}
	dead := m.tombstone(o)
	switch {
	case o.there == nil && o.mine != nil:
		m.onlyHere(o, dead, lost)
	case o.there != nil && o.mine == nil:
		m.onlyThere(o)
	case o.there != nil:
		m.both(o)
	}
	if !o.kept {
		m.count(o)
	}
}

// tombstone returns the deletion that holds for a lesson, or nil. One that has expired goes, and so does one of a
// lesson that somebody edited since.
func (m *merging) tombstone(o *outcome) *Tombstone {
	t, there := m.share.Tombstones[o.id]
	switch {
	case !there || t.System != m.System:
		return nil
	case o.theirs != nil && o.theirs.Digest() == t.Digest:
		m.write(Lessons, o, nil)
		o.there = nil
	case o.theirs != nil, m.Now.Sub(t.When) > m.share.Settings.Expiry():
		m.write(Tombstones, o, nil)
		return nil
	}
	o.dead = true
	return &t
}

// onlyHere decides about a lesson that the share does not have. Lost says that there is no base.
func (m *merging) onlyHere(o *outcome, dead *Tombstone, lost bool) {
	synced := o.known && o.was.where != alone
	untouched := o.known && o.mine.equal(o.was.lesson)
	restored := m.Restored != nil && m.Restored(o.id)
	switch {
	case restored:
	case untouched && !synced:
		o.where = alone
		return
	case dead != nil && lost:
		o.where = alone
		m.note(o, dead.sentence()+" It stays here alone, as nobody knows what this machine synced last. Edit it to share it again.")
		return
	case dead != nil && (untouched || !o.known || o.mine.Digest() == dead.Digest):
		m.remove(o, dead.sentence())
		return
	case untouched:
		m.remove(o, "Somebody removed it from the share.")
		return
	case dead != nil:
		m.note(o, dead.sentence()+" It was edited here since, and goes back to the share.")
	case synced:
		m.note(o, "Somebody removed it from the share. It was edited here since, and goes back.")
	}
	if o.there, o.dead = o.mine, false; dead != nil {
		m.write(Tombstones, o, nil)
	}
	m.write(Lessons, o, o.there.Bytes())
}

func (t *Tombstone) sentence() string {
	return fmt.Sprintf("%s deleted it on %s.", t.Who, t.When.UTC().Format(time.DateOnly))
}

func (m *merging) remove(o *outcome, why string) {
	o.here = nil
	m.Local = append(m.Local, Change{Do: Remove, ID: o.id, Was: *o.mine, Why: why})
}

// onlyThere decides about a lesson that is not held here.
func (m *merging) onlyThere(o *outcome) {
	synced, why := o.known && o.was.where == both, ""
	switch {
	case synced && (m.Deleted == nil || !m.Deleted(o.id)):
		o.where = away
		m.note(o, "It was dropped here, and stays in the share.")
		return
	case synced && (o.there.equal(o.was.lesson) || m.Saw != nil && m.Saw(*o.there)):
		t := Tombstone{ID: o.id, System: m.System, Who: m.Who, When: m.Now, Digest: o.there.Digest()}
		o.there, o.dead = nil, true
		m.write(Lessons, o, nil)
		m.write(Tombstones, o, t.Bytes())
		return
	case synced:
		why = "It was deleted here, and somebody edited it since."
	case o.known && o.was.where == away:
		o.where = away
		return
	}
	if o.where = offered; m.Rejected == nil || !m.Rejected(*o.there) {
		o.here = o.there
		m.Local = append(m.Local, Change{Do: Add, ID: o.id, Lesson: *o.here, Why: why})
	}
}

// both merges a lesson that both sides have, field by field.
func (m *merging) both(o *outcome) {
	if o.mine.equal(*o.theirs) {
		return
	}
	here, there := *o.mine, *o.theirs
	here.Fields, there.Fields = maps.Clone(here.Fields), maps.Clone(there.Fields)
	here.Kind = mergeKind(o.was.lesson.Kind, here.Kind, there.Kind)
	there.Kind = here.Kind
	var conflicts []Conflict
	var fields []string
	for _, key := range keys(here.Fields, there.Fields) {
		b, mine, theirs := o.was.lesson.Fields[key], here.Fields[key], there.Fields[key]
		switch {
		case mine == theirs:
		case theirs == b:
			set(there.Fields, key, mine)
		case mine == b:
			set(here.Fields, key, theirs)
			fields = append(fields, key)
		default:
			conflicts = append(conflicts, Conflict{ID: o.id, Field: key, Base: b, Mine: mine, Theirs: theirs})
		}
	}
	if err := tooLarge(there.Bytes()); err != nil {
		o.kept = true
		m.note(o, fmt.Sprintf("What both sides made of it cannot be shared together: %v.", err))
		return
	}
	m.Conflicts = append(m.Conflicts, conflicts...)
	if !here.equal(*o.mine) && (m.Rejected == nil || !m.Rejected(here)) {
		o.here = &here
		m.Local = append(m.Local, Change{Do: Edit, ID: o.id, Was: *o.mine, Lesson: here, Fields: fields})
	}
	if !there.equal(*o.theirs) {
		o.there = &there
		m.write(Lessons, o, there.Bytes())
	}
}

// mergeKind merges what a machine sets once. Of two changes the later in the alphabet holds everywhere.
func mergeKind(base, mine, theirs string) string {
	switch base {
	case mine:
		return theirs
	case theirs:
		return mine
	}
	return max(mine, theirs)
}

// keys returns the keys of both maps in order.
func keys(a, b map[string]string) []string {
	return slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, fields := range []map[string]string{a, b} {
			for key := range fields {
				if !yield(key) {
					return
				}
			}
		}
	}))
}

// set gives a field a value; an empty one removes it.
func set(fields map[string]string, key, value string) {
	if fields[key] = value; value == "" {
		delete(fields, key)
	}
}

// count adds up a lesson's recalls. A count never goes down by what happens here: a lower one is a copy that an
// agent held for longer.
func (m *merging) count(o *outcome) {
	held, own, others := m.Held[o.id].Count, m.share.Own[o.id], m.share.Others[o.id]
	counted := max(0, held.N-own.plus(others).N)
	if o.known && o.was.where != alone {
		own.N = max(own.N, o.was.own+o.was.countedSince(held))
	} else {
		own.N = min(own.N+counted, MostCounted)
	}
	if held.Used > max(own.Used, others.Used) {
		own.Used = held.Used
	}
	o.own, o.shown = own, o.held
	sum := own.plus(others)
	switch {
	case o.there == nil || o.here == nil:
	case o.mine == nil:
		m.Local[len(m.Local)-1].Count, o.shown = sum, sum
	case !m.share.partial:
		if o.shown.N = sum.N; sum.N != held.N {
			m.Counts[o.id] = o.shown
		}
	}
}

// countedSince returns how much was counted here since the store held one of the counts that were shown: the highest from
// which an agent can have come to held. Each recall raises the count and the date, so from one with the same date
// nothing was counted. Where no date fits, the count alone tells.
func (e *entry) countedSince(held Count) int {
	from := -1
	for _, dated := range []bool{true, false} {
		for _, c := range e.shown {
			if c == held || c.N < held.N && c.Used <= held.Used || !dated && c.N <= held.N {
				from = max(from, c.N)
			}
		}
		if from >= 0 {
			return held.N - from
		}
	}
	return 0
}

func (m *merging) write(folder string, o *outcome, data []byte) {
	m.Share = append(m.Share, File{Path: pathOf(folder, o.id), ID: o.id, Data: data})
}

func (m *merging) note(o *outcome, text string) {
	m.Notes = append(m.Notes, Note{ID: o.id, Text: text})
}
