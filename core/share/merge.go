package share

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Held is a lesson in the local store, with the count stored there: what a sync set plus what was
// counted since.
type Held struct {
	Lesson
	Count
	Line string // names the stored line; empty if Lesson is not what that line says
}

// Here is this machine's side of a merge. A nil function counts as one that always returns false.
type Here struct {
	Machine string // see [Machine]; each store has its own name, even on one computer
	Who     string // the person, for tombstones
	System  string // the store's system; lessons of other systems are left alone
	Now     time.Time
	Held    map[string]Held // what the local store holds, by id
	// Deleted reports whether a person deleted a lesson that is no longer held. If not, the agent
	// dropped it.
	Deleted func(id string) bool
	// DeletedVersion reports whether a person here deleted this very version of a lesson, so that nobody edited
	// it since.
	DeletedVersion func(Lesson) bool
	// Restored reports whether a person brought back a lesson that was deleted, here or elsewhere.
	Restored func(id string) bool
	// Rejected reports whether a person rejected a version here. It is not offered again.
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
	Lesson Lesson   // the new version; empty for a removal
	Count  Count    // the count to store; additions only
	Fields []string // the fields that change, in order; edits only
	Why    string   // the reason for a removal or an unexpected addition
}

// File is a file to write to the share, or to remove if Data is nil.
type File struct {
	Path, ID string // ID is that of the lesson
	Data     []byte
}

// Conflict is a field that both sides changed. Values are canonical JSON, empty if the field is
// missing. Until a person decides, each side keeps its own.
type Conflict struct {
	ID, Field          string
	Base, Mine, Theirs string
}

// Note is a sentence about a lesson that a person should read.
type Note struct{ ID, Text string }

// Result is the outcome of a merge. All lists are sorted by id.
type Result struct {
	Local []Change
	// Counts are new counts for lessons that the store already has. They need no approval.
	Counts Counts
	// Share are the lesson and tombstone files to change in the share.
	Share     []File
	Conflicts []Conflict
	Notes     []Note

	base     *Base
	share    *State
	outcomes []outcome
	counts   string    // path of this machine's counts file
	until    time.Time // when the share's first deletion expires; zero if it has none
}

// outcome is what happens to one lesson.
type outcome struct {
	id    string
	was   entry // the entry in the base
	known bool  // whether the base has an entry
	from  string
	kept  bool // nothing was decided: the base entry stays
	dead  bool // the share has a tombstone for it
	// quietly names the store's line if there is nothing to do; "-" means the store has none.
	quietly string
	where   where // if it ends on one side only
	// mine and theirs are what each side has, here and there what it gets; nil for no lesson.
	mine, theirs, here, there *Lesson
	own                       Count
	held, shown               Count // the count in the local store before and after
}

// merging is one merge.
type merging struct {
	*Here
	*Result
}

// Merge compares the base, this machine and the share, and changes none of them. The base may be nil.
func Merge(base *Base, here *Here, share *State) *Result {
	m := merging{Here: here, Result: &Result{Counts: Counts{}, base: base, share: share, counts: CountFiles + here.Machine + ".json"}}
	if base == nil {
		m.base = &Base{}
	}
	if share.since != nil {
		m.until = share.since.until
	}
	for _, id := range m.ids() {
		o := outcome{id: id, from: m.base.line(id).from}
		o.was, o.known = m.base.entry(id)
		held, holds := here.Held[id]
		if holds {
			o.mine, o.here, o.held = &held.Lesson, &held.Lesson, held.Count
			if offer := o.was.offer; offer != nil && offer.equal(held.Lesson) {
				o.was.lesson = *offer
			}
		}
		if l, there := share.Lessons[id]; there {
			o.theirs, o.there = &l, &l
		}
		before := m.outputs()
		m.one(&o, base == nil)
		if m.outputs() == before && !share.partial && m.settled(&o) {
			if o.quietly = "-"; holds {
				o.quietly = held.Line
			}
		}
		m.outcomes = append(m.outcomes, o)
	}
	return m.Result
}

// ids returns the sorted ids of the lessons to merge: all that any side knows, except quiet ones.
func (m *merging) ids() []string {
	ids := map[string]bool{}
	for id := range m.base.looked() {
		ids[id] = true
	}
	for id := range m.Held {
		ids[id] = true
	}
	for id := range m.share.Lessons {
		ids[id] = true
	}
	for id := range m.share.Tombstones {
		ids[id] = true
	}
	for _, all := range []Counts{m.share.Own, m.share.Others} {
		for id := range all {
			ids[id] = true
		}
	}
	maps.DeleteFunc(ids, func(id string, _ bool) bool { return m.base.Quiet(id) })
	return slices.Sorted(maps.Keys(ids))
}

// settled reports whether another merge of the same input would again have nothing to do for this
// lesson, given that this one had nothing to do. Either both sides have the same, or only the share
// has the lesson and nobody here wants it.
func (m *merging) settled(o *outcome) bool {
	own, _ := m.share.counts(o.id)
	switch {
	case o.kept:
		return o.mine == nil && !o.known && o.theirs != nil
	case o.own != own && (o.there != nil || o.dead):
		return false
	case o.mine == nil:
		return o.theirs == nil || o.where == away && !o.dead
	}
	return o.theirs != nil && !o.dead && o.mine.equal(*o.theirs)
}

// outputs returns how many changes, conflicts and notes there are so far.
func (r *Result) outputs() int {
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

// tombstone returns the deletion that is in force for a lesson, or nil. It removes a tombstone that
// has expired, or whose lesson somebody edited since.
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
	m.expires(t.When)
	return &t
}

// expires records when a deletion made at that time expires, if that is the earliest.
func (m *merging) expires(deleted time.Time) {
	if at := deleted.Add(m.share.Settings.Expiry()); m.until.IsZero() || at.Before(m.until) {
		m.until = at
	}
}

// onlyHere decides about a lesson that the share does not have. Lost means there is no base.
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

// onlyThere decides about a lesson that this machine does not have.
func (m *merging) onlyThere(o *outcome) {
	synced, why := o.known && o.was.where == both, ""
	switch {
	case synced && (m.Deleted == nil || !m.Deleted(o.id)):
		o.where = away
		m.note(o, "It was dropped here, and stays in the share.")
		return
	case synced && (o.there.equal(o.was.lesson) || m.DeletedVersion != nil && m.DeletedVersion(*o.there)):
		t := Tombstone{ID: o.id, System: m.System, Who: m.Who, When: m.Now, Digest: o.there.Digest()}
		o.there, o.dead = nil, true
		m.expires(t.When)
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
		m.note(o, fmt.Sprintf("The edits of both sides cannot be shared together: %v.", err))
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

// mergeKind merges the kind, which a machine sets once. If both sides changed it, the alphabetically
// later one wins, so that all machines choose the same.
func mergeKind(base, mine, theirs string) string {
	switch base {
	case mine:
		return theirs
	case theirs:
		return mine
	}
	return max(mine, theirs)
}

// keys returns the sorted keys of both maps.
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

// set sets a field; an empty value removes it.
func set(fields map[string]string, key, value string) {
	if fields[key] = value; value == "" {
		delete(fields, key)
	}
}

// count adds up a lesson's recalls. Nothing that happens here lowers a count: a lower one in the store
// comes from an agent that wrote back an old copy.
func (m *merging) count(o *outcome) {
	held := m.Held[o.id].Count
	own, others := m.share.counts(o.id)
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

// countedSince returns how many recalls were counted here since the store held one of the shown
// counts. It starts from the highest one from which an agent can have reached held. Each recall raises
// both count and date, so a shown count with held's date must be held itself. If no date fits, only
// the counts are compared.
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
