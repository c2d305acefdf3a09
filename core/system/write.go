package system

import (
	"context"
	"slices"

	"winnow/core/memory"
)

// Composer is implemented by a Store whose records can be written by hand. Stored
// forms are without their line end. It does no IO.
type Composer interface {
	// Decode returns the record in a stored form.
	Decode(stored string) memory.Record
	// Compose returns stored with the fields of e set, where no byte changes but the
	// values'. For the empty form it returns a new record with an id of its own.
	// The error is a *memory.Problem that says which field is not valid, and why.
	Compose(stored string, e memory.Edit) (string, error)
	// Form returns the fields that can be edited as a text for an editor, and for the
	// empty form an empty one.
	Form(stored string) string
	// ParseForm reads a form back: the fields that are not as they stand in stored.
	// The error is a *memory.Problem that names the line.
	ParseForm(stored, form string) (memory.Edit, error)
	// Unite returns one record of several, at least of one: the first, with the highest count, the
	// newest dates and the tools of all, and the fields of e.
	Unite(stored []string, e memory.Edit) (string, error)
	// Mend returns the form nearest to stored that the agent can use. It is false
	// when only dropping the record helps, or nothing is wrong.
	Mend(stored string) (string, bool)
	// Recalled returns stored as the system writes it after recalling it.
	Recalled(stored string) (string, error)
	// Redact returns stored with the secrets that which names replaced, and how many
	// there were.
	Redact(stored string, which memory.Redaction) (string, int)
	// Reconcile compares theirs, the form in the store, with what a person made of the
	// record. It returns theirs with what the person set, keeping what the agent
	// added: a count or a date that the person did not lower never goes down.
	Reconcile(made memory.Forms, theirs string) (merged string, s Relation)
	// DroppedByRule says by which of the system's own rules r would have left a store that now
	// holds records: [memory.Evicted] or [memory.PrunedAway]. It is false when no
	// rule explains it.
	DroppedByRule(records []memory.Record, r *memory.Record) (memory.UndoneKind, bool)
}

// Relation says how a stored record relates to what a person made of it.
type Relation uint8

// The relations.
const (
	Kept     Relation = iota // it has all that the person set
	Reverted                 // what the person set is as it was before
	Diverged                 // what the person set is neither as before nor as set
)

// Whole has what a [Composer] needs besides where agents keep or rewrite a record as a
// whole, drop none by a rule, can read every form, and count no recall. Stores embed it.
type Whole struct{}

// Reconcile implements [Composer].
func (Whole) Reconcile(made memory.Forms, theirs string) (string, Relation) {
	return ReconcileWhole(made, theirs)
}

// DroppedByRule implements [Composer]: no rule drops a record.
func (Whole) DroppedByRule([]memory.Record, *memory.Record) (memory.UndoneKind, bool) {
	return 0, false
}

// Mend implements [Composer]: no form needs it.
func (Whole) Mend(string) (string, bool) { return "", false }

// Recalled implements [Composer]: nothing is written.
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

// Companion returns the change that gives a record the form after, which goes with those that a
// person asked for. Old is the record as it is, and nil for one that is not there yet.
func Companion(old *memory.Record, after memory.Record, why string) memory.Change {
	ch := memory.Change{Do: memory.Adding, ID: after.ID, Record: after, After: after.Raw, Companion: true, Why: why}
	if old != nil {
		after.Line = old.Line
		ch.Do, ch.Record, ch.Edited, ch.Before, ch.Line = memory.Editing, *old, after, old.Raw, old.Line
	}
	return ch
}

// Write is what a Writer is to do in one step.
type Write struct {
	Changes []memory.Change
	// Exact is tried first: where the store is byte for byte in the state Exact.To,
	// its parts are inverted, and Changes only say what that means.
	Exact *memory.Splices
	// Verified gives what is edited the date of now, where [Info.FileDates] is set.
	Verified bool
	// Stage is called before anything is replaced, with what will be. It is called
	// again when another writer came in between. An error ends the write, and nothing
	// was changed.
	Stage func(Staged) error
}

// Staged is a replacement that is about to happen.
type Staged struct {
	// Temp is the base name of the file beside the store that holds the new bytes,
	// and after the replacement for a moment the old ones. A store of several files has
	// one of that name beside each that changes. A database has no such file, and a name
	// all the same: it says that something was changed.
	Temp string
	// Splices are empty for a store that is not one file.
	Splices memory.Splices
	// Changes are those that are made, with Before as it stands.
	Changes []memory.Change
	// Standing are additions that need not be made, with After as it stands, where the store
	// has them already in another form: with a higher count.
	Standing []memory.Change
}

// Written is what became of a Write.
type Written struct {
	Staged
	// Fates has one element for each change that was asked for.
	Fates []memory.Applied
	// Adopted is how many records were merged in that another writer saved in the
	// same instant.
	Adopted int
	// Notes say what the place of the store promises less.
	Notes []string
	// Left is set only with an error: what another writer saved could not be put back
	// and is in a temporary file. Recover with what was staged last, but for its
	// changes, takes it in.
	Left bool
}

// Writer is implemented by a Store that can be changed. Write and Recover of one store
// do not run at the same time, in any process.
type Writer interface {
	// CanWrite returns nil, or a *memory.Problem that says why the store cannot be
	// changed and what to do. It changes nothing.
	CanWrite() error
	// Write makes the changes in the store as it stands, under the system's own lock,
	// keeping what others wrote. When one is refused none is made, and the error is
	// [memory.ErrConflict]. Any other error is a *memory.Problem, and the store is as
	// it was. Changes that others made already are done without writing; when none is
	// left nothing is written, and Staged is zero.
	Write(ctx context.Context, w Write) (Written, error)
	// Recover finishes or takes back a replacement that a crash interrupted, removes
	// its temporary file, and reports whether its changes stand. Where a store is several
	// files, it finishes what was begun.
	Recover(ctx context.Context, s Staged) (stands bool, err error)
}

// Sharer is implemented by a Store whose records can be copied for others. It does no
// IO.
type Sharer interface {
	// Share returns stored for a copy: each of its texts as text returns it, and the id
	// of its session as session does. It is false for what cannot be decoded.
	Share(stored string, text, session func(string) string) (string, bool)
}
