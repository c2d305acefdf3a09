package memory

import (
	"errors"
	"time"
)

// Errors of changes, tested for with errors.Is.
var (
	// ErrFinding reports that a plan holds text which the check refuses.
	ErrFinding = errors.New("the text holds what the check refuses")
	// ErrNothing reports that there is nothing to undo, redo or change.
	ErrNothing = errors.New("nothing to do")
	// ErrAsks reports that a plan wants a decision: [Plan.Asks] says on what.
	ErrAsks = errors.New("this wants a decision")
)

// Act is a kind of plan.
type Act string

// The acts. The last five are asked for by naming history or the guard's report.
const (
	Delete   Act = "delete"
	EditOne  Act = "edit"
	AddOne   Act = "add"
	Merge    Act = "merge"
	Pin      Act = "pin"
	Unpin    Act = "unpin"
	Prune    Act = "prune"
	Unfreeze Act = "unfreeze" // make room in a store that can learn nothing more
	Repair   Act = "repair"   // drop or mend what stops the agent
	Commit   Act = "commit"   // count a recall
	Redact   Act = "redact"   // replace secrets; no copy of them is kept
	Sync     Act = "sync"     // take what came through a share

	Undo    Act = "undo"
	Redo    Act = "redo"
	Restore Act = "restore" // an earlier state of the store, or of single records
	Reapply Act = "reapply" // do again what another writer undid
	Accept  Act = "accept"  // let another writer's version stand
	Trust   Act = "always"  // reapply from now on without asking
)

// Edit is what a person sets in a record. Nil leaves a field as it is.
type Edit struct {
	Title   *string
	Body    *string
	Outcome *string
	Tools   *[]string
	Count   *int
	// Kind and Scope are as in [Record]; Name is the name that a new record is to have,
	// where the system lets a person choose it.
	Kind, Scope, Name *string
	// Raw replaces the whole stored form; the others are nil then.
	Raw *string
}

// Rule is a rule of a prune, of which the first that is set holds.
type Rule struct {
	Unused bool // never recalled,
	Days   int  // and older than that many days; 0 for any age
	Failed bool // outcome is failed
	Keep   int  // all but the best Keep by relevance, then newest; 0 when not asked for
	// Unhelpful are those that [Evidence.Unhelpful] tells of: recalled and did not help.
	Unhelpful bool
	// Listed are the records of the order's IDs, as a filter shows them.
	Listed bool
}

// Order is what a person asks for. A plan is made of it.
type Order struct {
	Do  Act
	IDs []ID
	// Base are the stored forms of the records of IDs as the person saw them, or
	// nil: then what stands in the store counts as seen.
	Base []string
	// After are, of a Sync, the stored forms that the records of IDs get: empty for one that goes. Base is
	// empty for one that comes.
	After []string
	Edit  Edit // of EditOne, AddOne, and for Merge the chosen texts
	// Form is the text of an editor in place of Edit (see Library.Form); empty when
	// none was used.
	Form string
	Rule Rule
	// Evidence is what a rule about that judges by. The library sets it.
	Evidence map[ID]Evidence
	// Spare are records that a rule leaves alone, with the reason: "not seen yet".
	Spare map[ID]string
	Task  Task // of Commit
	// Allow are the rules of findings that the person overrules, for this order only.
	Allow []string
	// Only are the rules whose finds a Redact replaces, and then every other place in
	// the store that holds the same text; nil for all. Also are texts that are known as
	// secrets from elsewhere.
	Only, Also []string
	// Verified says that the person checked that the text of an edit still holds: its
	// date becomes now. Else an edit leaves the date of a record as it is, where the
	// system reckons its age by that.
	Verified bool
	// Anyway overrules [Plan.Asks], for this order only.
	Anyway bool
	// Entry is what Undo, Redo and Restore go back to; empty for the latest. An Undo or
	// Redo with IDs is of these records only, and with Base of what stands there now:
	// so a conflict is decided. The empty form is a record that is gone.
	Entry EntryID
	// All widens Trust, Reapply and Accept to everything in the store.
	All bool
}

// Change is what a plan does to one record.
type Change struct {
	Do ChangeKind
	ID ID
	// Companion is set for a change that follows from another and that nobody asked for by
	// itself: the line of an index.
	Companion bool
	// Record is decoded from Before, and from After for an addition.
	Record Record
	// Edited is decoded from After when both are there. While it is zero, After is
	// not shown: nobody knows which of its bytes are secrets.
	Edited Record
	// Before and After are stored forms, without a line end. Before is empty for an
	// addition, After for a deletion. Both stand as they are for pins.
	Before, After string
	// Sums is set where After only counts what others recalled elsewhere: recalls that were counted since Before are added.
	Sums bool
	// Line is where Before stands, from 1. An addition goes before that line, or
	// behind the record Behind when that is still there; 0 is the end.
	Line   int
	Behind ID
	Why    string // the reason of a rule: "never recalled, 61 days old"; may be empty
	// Twins is, of a deletion, how many records with the same id or the same bytes
	// stay in the store.
	Twins int
	// Position is where a deleted record was; an addition that undoes the deletion puts it
	// back there, whatever happened to the lines around it. Nil when it is not known.
	Position *Position
}

// Position is where a deleted record was among those that stayed.
type Position struct {
	// Above is a digest that names the nearest record above that stayed: by its own id,
	// and without one by what it says. It is empty when there is none.
	Above string
	Blank int // blank lines between the two
	Under int // all lines above that stayed
	// Beside is how many records with the same id of their own stayed, Alike how many
	// of them say the same.
	Beside, Alike int
	// Mode and Date are those of a record that was a file of its own, 0 where it was
	// none. An edit has only the date, where it sets another.
	Mode uint32
	Date time.Time
}

// ChangeKind is a kind of change.
type ChangeKind uint8

// The kinds of changes.
const (
	Deleting ChangeKind = iota
	Editing
	Adding
	Pinning
	Unpinning
)

// String returns the word for the kind, as it is printed.
func (k ChangeKind) String() string {
	return [...]string{"delete", "edit", "add", "pin", "unpin"}[min(k, Unpinning)]
}

// Kept is a record that a rule would change and that was spared.
type Kept struct {
	Record Record
	Why    string // "pinned"
}

// Plan is a change as data: shown, applied, kept in history, inverted.
type Plan struct {
	Store   StoreID
	Order   Order
	What    string // in the past tense, for a toast and for history: "Deleted 3 lessons"
	Changes []Change
	Kept    []Kept
	// Notes say what will be different afterwards, and what was redacted in the
	// text that was typed.
	Notes []string
	// Replaced is how many secrets in the text that was typed were redacted.
	Replaced int
	// Findings refuse the plan until their rules are allowed.
	Findings []Finding
	// Asks is a sentence for what wants a decision more than usual: "Claude Code runs
	// here (pid 4711)." The plan is refused until the order says Anyway.
	Asks string
	// Final is set when no copy of the old text is kept: the plan cannot be undone.
	Final bool
	// Exact inverts the bytes of an entry where nobody wrote since; may be nil.
	Exact *Splices
	// Undoes and Redoes name the entry that the plan inverts or does again.
	Undoes, Redoes EntryID
	// Decided is what a Trust or an Accept settles about lessons, and with the empty
	// ID about the store.
	Decided map[ID]Decision
}

// Asked returns how many changes were asked for; the others come along with them.
func (p *Plan) Asked() (n int) {
	for i := range p.Changes {
		if !p.Changes[i].Companion {
			n++
		}
	}
	return n
}

// Touched returns how many records the plan is about: a merge removes all but one of those
// that it names.
func (p *Plan) Touched() int {
	if p.Order.Do == Merge {
		return len(p.Order.IDs)
	}
	return p.Asked()
}

// Decision is what a person decided for good about a lesson another writer undoes.
type Decision string

// The decisions.
const (
	TrustLesson Decision = "always"
	TrustStore  Decision = "always for the store"
	Accepted    Decision = "accepted"
)

// Splices are changes of the bytes of a file: from the state with digest From to
// the one with digest To. The parts are in order and do not overlap.
type Splices struct {
	From, To string // hex SHA-256
	Parts    []Splice
}

// Splice replaces the bytes Old at offset At of the earlier state by New.
type Splice struct {
	At       int64
	Old, New string
}

// Fate is what became of one change when a plan was applied.
type Fate uint8

// The fates.
const (
	Done   Fate = iota
	Merged      // done, keeping what another writer changed in the record meanwhile
	Gone        // another writer removed the record already: nothing to do
	Refused
)

// String returns the word for the fate, as it is printed.
func (f Fate) String() string {
	return [...]string{"done", "merged", "gone", "conflict"}[min(f, Refused)]
}

// Applied is what became of one change.
type Applied struct {
	ID   ID
	Fate Fate
	// Theirs is the stored form that stands in the way of a refused change.
	Theirs string
	// TheirRecord is decoded from Theirs.
	TheirRecord Record
	Why         string
}

// Result is what became of a plan. When a change was refused, nothing was changed
// at all, and Apply's error is ErrConflict.
type Result struct {
	Entry   EntryID // in history; empty when nothing was changed
	Changes []Applied
	// Adopted are the records that another writer saved in the instant of the change
	// and that were merged in.
	Adopted int
	Notes   []string // what is promised less on this file system, and the like
}

// EntryID names an entry in the history of a store: a number that rises.
type EntryID string

// Who made a change.
type Who string

// The writers that history tells apart.
const (
	You    Who = "you"
	Others Who = "another writer"
	Guard  Who = "guard" // done again for you, as you decided
)

// Entry is one entry of the history of a store.
type Entry struct {
	ID   EntryID
	At   time.Time
	Who  Who
	Do   Act // empty for what others did
	What string
	// Changes are as they were made. Of a change that left no copy, Before is the
	// redacted text.
	Changes []Change
	// Omitted is how many changes were too large to be kept.
	Omitted int
	Final   bool
	// UndoneBy is the entry that undid this one; Undoes the one that this undid.
	UndoneBy, Undoes EntryID
}

// History is what was done to a store.
type History struct {
	Entries []Entry // newest first
	// Undo and Redo are the entries that an undo and a redo take next; empty for none.
	Undo, Redo EntryID
	Damaged    int   // entries that cannot be read
	Size       int64 // of the history in bytes
	Path       string
	// Unfinished says why a change that a crash interrupted could not be finished or taken
	// back: it is not among the entries. Empty for none.
	Unfinished string
}

// UndoneKind says how another writer undid a change.
type UndoneKind uint8

// The kinds, by numbers that the history holds. Evicted and PrunedAway are the agent's
// own rules at work.
const (
	CameBack   UndoneKind = iota // a deletion
	Reverted                     // an edit
	Dropped                      // an addition, or a record that was edited or pinned
	Conflict                     // edited by both
	Evicted                      // by the agent's rule for a full store
	PrunedAway                   // by the agent's rule for age
	SecretBack                   // a redaction: what it took out is there again
	CannotTell                   // nobody can say whether a change was undone
)

// String returns the words for the kind, as they are printed.
func (k UndoneKind) String() string {
	return [...]string{"came back", "reverted", "dropped", "conflict", "evicted", "pruned", "secret back", "cannot tell"}[min(k, CannotTell)]
}

// ByRule reports whether the agent's own rules did it.
func (k UndoneKind) ByRule() bool { return k == Evicted || k == PrunedAway }

// Undone is one change of ours that another writer undid.
type Undone struct {
	Kind UndoneKind
	ID   ID
	// Mine is what should stand, Theirs what does; either may be empty.
	Mine, Theirs string
	Record       Record // decoded from Theirs, or from Mine
	MyRecord     Record // decoded from Mine when both are there; see Change.Edited
	Entry        EntryID
	Times        int // how often it was undone, this time included
	At           time.Time
	Always       bool // is done again without asking
}
