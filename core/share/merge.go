package share

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"winnow/core/jstext"
)

// Here is this machine's side of a merge. A nil function counts as one that always returns false.
type Here struct {
	Who    string // for tombstones
	System string // the store's system; lessons of other systems are left alone
	Now    time.Time
	Held   map[string]Lesson // what the local store holds, by id
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
	// Keeps reports whether a person here rejected that others deleted a lesson that is held. It goes back
	// to the share.
	Keeps func(id string) bool
	// Secret reports whether a text holds a secret. The base keeps no such field.
	Secret func(text string) bool
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
	Was    Lesson // empty for an addition
	Lesson Lesson // the new version; empty for a removal
	Why    string // the reason for a removal or an unexpected addition
}

// File is a file to write to the share, or to remove if Data is nil.
type File struct {
	Path, ID string // ID is that of the lesson
	Data     []byte
}

// Conflict is a lesson that both sides changed. Until a person decides, each side keeps its own.
type Conflict struct {
	ID           string
	Mine, Theirs Lesson
}

// Note is a sentence about a lesson that a person should read.
type Note struct{ ID, Text string }

// Result is the outcome of a merge. All lists are sorted by id.
type Result struct {
	// Local are the changes that others made. A person approves or rejects each.
	Local []Change
	// Share are the lesson and tombstone files to change in the share.
	Share     []File
	Conflicts []Conflict
	Notes     []Note

	base     *Base
	share    *State
	secret   func(text string) bool
	outcomes []outcome
}

// outcome is what happens to one lesson.
type outcome struct {
	id    string
	was   entry // the entry in the base
	known bool  // whether the base has an entry
	kept  bool  // nothing was decided: the base entry stays
	dead  bool  // the share has a tombstone for it
	where where // if it ends on one side only
	// mine and theirs are what each side has, here and there what it gets; nil for no lesson.
	mine, theirs, here, there *Lesson
}

// merging is one merge.
type merging struct {
	*Here
	*Result
}

// Merge compares the base, this machine and the share, and changes none of them. The base may be nil.
func Merge(base *Base, here *Here, share *State) *Result {
	m := merging{Here: here, Result: &Result{base: base, share: share, secret: here.Secret}}
	for _, id := range m.ids() {
		o := outcome{id: id}
		o.was, o.known = m.base.entry(id)
		held, holds := here.Held[id]
		if holds {
			o.mine, o.here = &held, &held
		}
		if l, there := share.Lessons[id]; there {
			o.theirs, o.there = &l, &l
		}
		o.was = o.was.completed(o.mine, o.theirs)
		m.lesson(&o, base == nil)
		m.outcomes = append(m.outcomes, o)
	}
	return m.Result
}

// ids returns the sorted ids of all lessons that any side knows.
func (m *merging) ids() []string {
	ids := map[string]bool{}
	if m.base != nil {
		for id := range m.base.entries {
			ids[id] = true
		}
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
	return slices.Sorted(maps.Keys(ids))
}

// lesson merges one lesson.
func (m *merging) lesson(o *outcome, lost bool) {
	foreign := o.theirs != nil && o.theirs.System != m.System
	if o.kept = foreign || len(m.share.names) > 0 && m.share.names[fileName(o.id)]; o.kept {
		if o.known || o.mine != nil {
			what := "Its file in the share is refused"
			if foreign {
				what = "The share has a record of another system under this id"
			}
			m.note(o, what+": it is left as it is here and there.")
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
	return &t
}

// isRestored reports whether a person restored a lesson here, or keeps it.
func (m *merging) isRestored(id string) bool {
	return m.Restored != nil && m.Restored(id) || m.Keeps != nil && m.Keeps(id)
}

// isDeleted reports whether a person deleted a lesson here.
func (m *merging) isDeleted(id string) bool { return m.Deleted != nil && m.Deleted(id) }

// isOf reports whether a tombstone is of this lesson as far as is known: of the version that is here, or of one that
// was never synced here.
func (o *outcome) isOf(dead *Tombstone) bool { return !o.known || o.mine.Digest() == dead.Digest }

// onlyHere decides about a lesson that the share does not have. Lost means there is no base.
func (m *merging) onlyHere(o *outcome, dead *Tombstone, lost bool) {
	synced := o.known && o.was.where != alone
	untouched := o.known && o.mine.equal(o.was.lesson)
	switch {
	case m.isRestored(o.id):
	case untouched && !synced:
		o.where = alone
		return
	case dead != nil && lost:
		o.where = alone
		m.note(
			o,
			dead.sentence()+" It stays here alone, as nobody knows what this machine synced last. Edit it to share it again.",
		)
		return
	case dead != nil && (untouched || o.isOf(dead)):
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
	deleted := m.isDeleted(o.id)
	// What the agent here dropped may have come back, and been deleted before a sync saw it.
	synced, why := o.known && (o.was.where == both || o.was.where == away && deleted), ""
	switch {
	case synced && !deleted:
		o.where = away
		m.note(o, "It was dropped here, and stays in the share.")
		return
	case synced && (o.there.equal(o.was.lesson) || m.DeletedVersion != nil && m.DeletedVersion(*o.there)):
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

// both merges a lesson that both sides have: whoever edited it since the last sync wins. If both did, a person decides.
func (m *merging) both(o *outcome) {
	mine, theirs := *o.mine, *o.theirs
	switch {
	case mine.equal(theirs):
	case o.known && theirs.equal(o.was.lesson):
		o.there = o.mine
		m.write(Lessons, o, mine.Bytes())
	case !o.known || !mine.equal(o.was.lesson):
		m.Conflicts = append(m.Conflicts, Conflict{ID: o.id, Mine: mine, Theirs: theirs})
	case m.Rejected == nil || !m.Rejected(theirs):
		o.here = o.theirs
		m.Local = append(m.Local, Change{Do: Edit, ID: o.id, Was: mine, Lesson: theirs})
	}
}

func (m *merging) write(folder string, o *outcome, data []byte) {
	m.Share = append(m.Share, File{Path: pathOf(folder, o.id), ID: o.id, Data: data})
}

// holdsSecret reports whether a field of a lesson, with its canonical value, holds a secret.
func (r *Result) holdsSecret(key, value string) bool {
	return r.secret(key) || r.secret(value) || r.secret(jstext.Text(value))
}

func (m *merging) note(o *outcome, text string) {
	m.Notes = append(m.Notes, Note{ID: o.id, Text: text})
}
