package share

import (
	"maps"
)

// Base is what the last sync left: what the local store and the share agreed on, by the id of the lesson. Each pair
// of store and share has its own base, kept on this machine. It holds no text that is only on this machine, and no
// field with a secret.
type Base struct {
	entries map[string]entry
}

// entry is what both sides had of one lesson at the last sync.
type entry struct {
	lesson Lesson // the version that was the same on both sides; empty if it is alone
	where  where
	// version is the digest of a version that is no edit if the store has it: the one that stays here
	// alone, or the share's version that waited here for approval. Their texts are not kept, because
	// what is here alone may hold a secret.
	version string
	// whole is the digest of the lesson with the fields that were left out of it because they hold a secret; else
	// empty.
	whole string
}

// where says which side had a lesson.
type where string

const (
	both    where = ""
	away    where = "away"    // only in the share: the agent here dropped it
	offered where = "offered" // only in the share: nobody took it here yet
	alone   where = "alone"   // only here: it was deleted in the share
)

// Files returns the files to commit, by path; nil bytes remove a file. Withheld lessons are left out.
// It returns none if the share is up to date.
func (r *Result) Files(withheld map[string]bool) map[string][]byte {
	files := map[string][]byte{}
	for _, f := range r.Share {
		if !withheld[f.ID] {
			files[f.Path] = f.Data
		}
	}
	if s := r.share.Settings; s.Version > 0 && s.Version < formVersion {
		s.Version = formVersion // programs that know only the older format refuse it from now on
		files[SettingsFile] = s.bytes()
	}
	return files
}

// Base returns the base for when the share has taken [Result.Files]. To survive being killed, save it
// beside the old base, with the commit id, before the push. If the share then has that commit, this is
// the base.
func (r *Result) Base(withheld map[string]bool) *Base {
	next := &Base{entries: map[string]entry{}}
	for i := range r.outcomes {
		o := &r.outcomes[i]
		there := o.there
		if withheld[o.id] {
			there = o.theirs
		}
		e, known := o.next(there)
		if known {
			next.entries[o.id] = r.secretFree(e)
		}
	}
	return next
}

// secretFree returns an entry without the fields that hold a secret.
func (r *Result) secretFree(e entry) entry {
	if r.secret == nil {
		return e
	}
	whole := e.lesson
	e.lesson.Fields = maps.Clone(whole.Fields)
	maps.DeleteFunc(e.lesson.Fields, r.holdsSecret)
	if len(e.lesson.Fields) < len(whole.Fields) {
		e.whole = whole.Digest()
	}
	return e
}

// next returns the next entry, and whether there is one. There is what the share will have. What changes here
// waits for a person, so the store has what it had.
func (o *outcome) next(there *Lesson) (e entry, known bool) {
	here := o.mine
	nothingDone := o.kept || there != nil && o.there == nil || here != nil && there == nil && o.where != alone
	switch {
	case nothingDone:
		return o.was, o.known
	case here == nil && there == nil:
		return e, false
	case here == nil:
		return o.offered(*there), true
	case there == nil:
		return entry{where: o.where, version: here.Digest()}, true
	case here.equal(*there):
		return entry{lesson: *here, where: both}, true
	}
	// Both sides differ: a version of the share waits here, or a person has to decide.
	e = o.was
	e.where, e.version = both, ""
	if o.here != nil && o.here.equal(*there) {
		e.version = there.Digest()
	}
	return e, o.known && e.lesson.ID != ""
}

// offered returns the entry of a lesson that only the share will have.
func (o *outcome) offered(there Lesson) entry {
	e := entry{lesson: o.was.lesson, where: o.where}
	switch {
	case !o.known:
		e.lesson = there
	case o.here != nil:
		e.version = there.Digest() // e.lesson stays the first offer, which may still wait here
	}
	return e
}

// completed returns the entry with the lesson that its digests name, if the store or the share has that version.
func (e entry) completed(mine, theirs *Lesson) entry {
	for _, l := range []*Lesson{theirs, mine} {
		if l != nil && e.whole != "" && l.Digest() == e.whole {
			e.lesson, e.whole = *l, ""
		}
	}
	if mine != nil && e.version != "" && mine.Digest() == e.version {
		e.lesson, e.whole = *mine, ""
	}
	return e
}

// entry returns the entry of a lesson, and whether there is one.
func (b *Base) entry(id string) (e entry, known bool) {
	if b == nil {
		return e, false
	}
	e, known = b.entries[id]
	return e, known
}

// Lesson returns what both sides last agreed on for a lesson; empty if nothing is known, or if it is
// here alone.
func (b *Base) Lesson(id string) Lesson {
	e, _ := b.entry(id)
	return e.lesson
}

// Decide returns the base after a person decided conflicts for what is here: the next merge sends these lessons to
// the share. To decide for theirs, the caller also writes the share's version into the store.
func (b *Base) Decide(decided ...Conflict) *Base {
	next := &Base{entries: maps.Clone(b.entries)}
	for _, c := range decided {
		next.entries[c.ID] = entry{lesson: c.Theirs, where: both}
	}
	return next
}
