package system

import (
	"context"
	"slices"

	"winnow/core/memory"
)

// Composer is implemented by a Store whose records can be written by hand. Stored forms have no
// line end. A Composer does no IO.
type Composer interface {
	// Decode returns the record of a stored form.
	Decode(stored string) memory.Record
	// Compose returns stored with the fields of e set, and all bytes outside the changed values
	// unchanged. For an empty stored it returns a new record with an id of its own. The error is a
	// *memory.Problem that says which field is invalid, and why.
	Compose(stored string, e memory.Edit) (string, error)
	// Form returns the editable fields as text for an editor; for an empty stored, an empty form.
	Form(stored string) string
	// ParseForm reads a form back and returns the fields that differ from stored. The error is a
	// *memory.Problem that names the line.
	ParseForm(stored, form string) (memory.Edit, error)
	// Unite merges one or more records: it returns the first one with the highest count, the newest
	// dates and the tools of all, and the fields of e.
	Unite(stored []string, e memory.Edit) (string, error)
	// Mend returns the form closest to stored that the agent can use. It returns false if only
	// dropping the record helps, or if nothing is wrong.
	Mend(stored string) (string, bool)
	// Recalled returns stored as the system rewrites it after a recall.
	Recalled(stored string) (string, error)
	// Redact returns stored with the secrets selected by redaction replaced, and the number of
	// replacements.
	Redact(stored string, redaction memory.Redaction) (string, int)
	// Reconcile compares theirs, the form in the store, with a person's changes to the record. It
	// returns theirs with those changes applied and everything the agent added kept: a count or
	// date that the person did not lower never goes down.
	Reconcile(made memory.Forms, theirs string) (merged string, s Relation)
	// DroppedByRule says which of the system's own rules would remove r from a store that now holds
	// records: [memory.Evicted] or [memory.PrunedAway]. It returns false if no rule explains it.
	DroppedByRule(records []memory.Record, r *memory.Record) (memory.UndoneKind, bool)
}

// Relation says how a stored record relates to a person's changes to it.
type Relation uint8

// The relations.
const (
	Kept     Relation = iota // it contains everything the person set
	Reverted                 // what the person set is back to its former value
	Diverged                 // what the person set has a third value
)

// Whole implements part of [Composer] for systems whose agents keep or rewrite a record as a whole,
// drop none by a rule, can read every form, and count no recalls. Stores embed it.
type Whole struct{}

// Reconcile implements [Composer].
func (Whole) Reconcile(made memory.Forms, theirs string) (string, Relation) {
	return ReconcileWhole(made, theirs)
}

// DroppedByRule implements [Composer]: no rule drops a record.
func (Whole) DroppedByRule([]memory.Record, *memory.Record) (memory.UndoneKind, bool) {
	return 0, false
}

// Mend implements [Composer]: no form needs mending.
func (Whole) Mend(string) (string, bool) { return "", false }

// Recalled implements [Composer]: a recall changes nothing.
func (Whole) Recalled(stored string) (string, error) { return stored, nil }

// ReconcileWhole is [Composer.Reconcile] for records that are kept or rewritten as a whole.
func ReconcileWhole(made memory.Forms, theirs string) (string, Relation) {
	switch mine := made.Mine(); {
	case mine == theirs:
		return theirs, Kept
	case slices.Contains(made.Earlier(), theirs):
		return mine, Reverted
	default:
		return mine, Diverged
	}
}

// Companion returns the change that gives a record the form after, as a consequence of changes that
// a person asked for. Old is the current record, or nil if there is none yet.
func Companion(old *memory.Record, after memory.Record, why string) memory.Change {
	ch := memory.Change{Do: memory.Adding, ID: after.ID, Record: after, After: after.Raw, Companion: true, Why: why}
	if old != nil {
		after.Line = old.Line
		ch.Do, ch.Record, ch.Edited, ch.Before, ch.Line = memory.Editing, *old, after, old.Raw, old.Line
	}
	return ch
}

// Write is what a Writer does in one step.
type Write struct {
	Changes []memory.Change
	// Exact is tried first: if the store is byte for byte in the state Exact.To, its parts are
	// inverted, and Changes only describe the result.
	Exact *memory.Splices
	// Verified dates edited records now, if [Info.FileDates] is set.
	Verified bool
	// Stage is called before anything is replaced, with the coming replacement, and again if
	// another writer came in between. If it returns an error, the write ends and nothing is
	// changed.
	Stage func(Staged) error
}

// Staged is a replacement that is about to happen.
type Staged struct {
	// Temp is the base name of the file beside the store that holds the new bytes and, for a moment
	// after the replacement, the old ones. A store of several files has one with that name beside
	// each file that changes. A database has no such file, but has a name here when something is
	// changed.
	Temp string
	// Splices are empty for a store that is not a single file.
	Splices memory.Splices
	// Changes are those that will be made, with Before as currently stored.
	Changes []memory.Change
	// Standing are additions that need not be made because the store already has them in another
	// form, such as with a higher count. Their After is that form.
	Standing []memory.Change
}

// Written is the result of a Write.
type Written struct {
	Staged
	// Fates has one element for each requested change.
	Fates []memory.Applied
	// Adopted is the number of records that another writer saved at the same moment and that were
	// merged in.
	Adopted int
	// Notes list guarantees that the store's file system lacks.
	Notes []string
	// Left is set only together with an error: what another writer saved could not be put back and
	// is still in a temporary file. Recover merges it when called with the last staged replacement
	// without its changes.
	Left bool
}

// Writer is implemented by a Store that can be changed. For one store, Write and Recover never run
// at the same time, in any process.
type Writer interface {
	// CanWrite returns nil, or a *memory.Problem that says why the store cannot be changed and what
	// to do about it. It changes nothing.
	CanWrite() error
	// Write makes the changes in the current store, under the system's own lock, and keeps what
	// others wrote. If one change is refused, none is made and the error is [memory.ErrConflict].
	// Any other error is a *memory.Problem, and the store is unchanged. A change that others
	// already made counts as done. If no change remains, nothing is written and Staged is zero.
	Write(ctx context.Context, w Write) (Written, error)
	// Recover completes or rolls back a replacement that a crash interrupted, removes its temporary
	// file, and reports whether its changes are in the store. For a store of several files, it
	// always completes it.
	Recover(ctx context.Context, s Staged) (applied bool, err error)
}

// Sharer is implemented by a Store whose records can be copied for others. It does no IO.
type Sharer interface {
	// Share returns stored as a copy for others: every text replaced with the result of text, and
	// the session's id with that of session. It returns false for a form that cannot be decoded.
	Share(stored string, text, session func(string) string) (string, bool)
}
