package system

import "winnow/core/memory"

// Found is what a change finds in the place of its record when it is made. Every kind of store fills it in by how its
// own records are found and compared; what becomes of the change is decided by [Found.Decide] alone.
type Found struct {
	// There says that a record stands in the place.
	There bool
	// AsSeen says that the record is the one that a deletion saw, whatever its agent counted since.
	AsSeen bool
	// Made says that the store has already what an edit or an addition makes.
	Made bool
	// Merged says that an edit is made in what another writer changed.
	Merged bool
	// Clash is what another writer changed, if an edit cannot be merged with that: "it", "its title too".
	Clash string
	// Taken says what an addition finds in its place if it is not Made: "another record has its id".
	Taken string
	// Theirs returns the record's stored form, and what that says. It is called if a change is refused, and is nil if
	// there is no record.
	Theirs func() (string, memory.Record)
}

// Decide says in fate what becomes of a change, and reports whether the store is to be changed for it.
//
//	           not there   there as seen   made already   another
//	deletion   gone        made                           refused
//	edit       refused     made            done           merged, or refused for a clash
//	addition   made                        gone           refused
func (f *Found) Decide(do memory.ChangeKind, fate *memory.Applied) bool {
	switch do {
	case memory.Deleting:
		return f.decideDeletion(fate)
	case memory.Editing:
		return f.decideEdit(fate)
	case memory.Adding:
		return f.decideAddition(fate)
	}
	return false // pins change nothing that is stored
}

func (f *Found) decideDeletion(fate *memory.Applied) bool {
	switch {
	case !f.There:
		fate.Fate, fate.Why = memory.Gone, "another writer removed it already"
		return false
	case !f.AsSeen:
		f.refuse(fate, "another writer changed it")
		return false
	}
	return true
}

func (f *Found) decideEdit(fate *memory.Applied) bool {
	switch {
	case f.Made:
		return false
	case !f.There:
		f.refuse(fate, "another writer removed it")
		return false
	case f.Clash != "":
		f.refuse(fate, "another writer changed "+f.Clash)
		return false
	case f.Merged:
		fate.Fate = memory.Merged
	}
	return true
}

func (f *Found) decideAddition(fate *memory.Applied) bool {
	switch {
	case f.Made:
		fate.Fate, fate.Why = memory.Gone, "it stands there already"
		return false
	case f.There:
		f.refuse(fate, f.Taken)
		return false
	}
	return true
}

// refuse says in fate why a change is not made, and what stands in the place of its record.
func (f *Found) refuse(fate *memory.Applied, why string) {
	fate.Fate, fate.Why = memory.Refused, why
	if f.Theirs != nil {
		fate.Theirs, fate.TheirRecord = f.Theirs()
	}
}
