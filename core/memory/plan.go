package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Errors of changes. Test for them with errors.Is.
var (
	// ErrFinding reports that a plan contains text that the check refuses.
	ErrFinding = errors.New("text refused by the check")
	// ErrNothing reports that there is nothing to undo, redo or change.
	ErrNothing = errors.New("nothing to do")
	// ErrAsks reports that a plan needs a decision; [Plan.Asks] says about what.
	ErrAsks = errors.New("this needs a decision")
)

// Act is a kind of plan.
type Act string

// The acts. The last six take an entry of the history, or a change that the guard reported.
const (
	Delete  Act = "delete"
	EditOne Act = "edit"
	AddOne  Act = "add"
	Merge   Act = "merge"
	Pin     Act = "pin"
	Unpin   Act = "unpin"
	Prune   Act = "prune"
	// drop or fix what stops the agent, or make room in a full store that can learn nothing new
	Repair   Act = "repair"
	Commit   Act = "commit"    // count a recall
	Redact   Act = "redact"    // replace secrets; no copy of them is kept
	TakeOver Act = "take over" // add the records of a project that was moved; IDs and Base are theirs
	Sync     Act = "sync"      // only in older histories: what came through a share was taken without asking

	Undo    Act = "undo"
	Redo    Act = "redo"
	Restore Act = "restore" // return the store, or single records, to an earlier state
	Reapply Act = "reapply" // redo what another writer undid
	Accept  Act = "accept"  // accept another writer's version
	Trust   Act = "always"  // reapply from now on without asking
)

// Edit is what a person changes in a record. Nil leaves a field unchanged.
type Edit struct {
	Title   *string
	Body    *string
	Outcome *string
	Tools   *[]string
	Count   *int
	When    *string // as [ParseWhen] takes it; only where a store keeps it (see [Description.When])
	// Kind and Scope are as in [Record]. Name is the name for a new record, if the system lets a
	// person choose it.
	Kind, Scope, Name *string
	// Raw replaces the whole stored form; the other fields are nil then.
	Raw *string
}

// Rule says which records a prune removes. The first field that is set decides.
type Rule struct {
	Unused bool // never recalled,
	Days   int  // and older than that many days; 0 for any age
	Failed bool // outcome is failed
	Keep   int  // all except the best Keep by relevance, then newest; 0 if not asked for
	// Listed prunes the records in the order's IDs, as a filter shows them.
	Listed bool
	Idle   int   // in none of the last Idle sessions
	Flag   Flags // with one of these flags; of those that are twice, the most used stays
	// Again prunes lessons that enough sessions were told and whose failure came all the same.
	Again bool
	// Days alone is for records older than that many days and not used since.
}

// Counts reports whether the rule goes by how often a record was used.
func (r Rule) Counts() bool { return r.Unused || !r.Failed && (r.Keep > 0 || !r.Listed && r.Idle > 0) }

// Order is what a person asks for. It is turned into a plan.
type Order struct {
	Do  Act
	IDs []ID
	// Base are the stored forms of IDs as the person saw them. If nil, the current forms count as
	// seen.
	Base []string
	Edit Edit // for EditOne and AddOne, and the chosen texts of a Merge
	// Form is the text from an editor, in place of Edit (see Library.Form); empty if none was used.
	Form string
	Rule Rule
	// Spare are records that a rule must not touch, each with the reason: "not seen yet".
	Spare map[ID]string
	Task  Task // of a Commit
	// Allow are the rules of findings that the person overrides, for this order only.
	Allow []string
	// Only are the rules that a Redact applies; nil for all. Any other place in the store with a
	// matched text is replaced too. Also are texts known as secrets from elsewhere.
	Only, Also []string
	// Verified says that the person checked that the edited text still holds: its date becomes now.
	// Otherwise, if the system judges age by a record's date, an edit leaves that date unchanged.
	Verified bool
	// Anyway overrides [Plan.Asks], for this order only.
	Anyway bool
	// Entry is the entry that Undo, Redo and Restore go back to; empty for the latest. With IDs, an
	// Undo or Redo covers only these records, and Base holds their current forms, empty for a
	// record that is gone; this is how a person resolves a conflict.
	Entry EntryID
	// From is the store from which a TakeOver takes its records.
	From StoreID
	// All widens Trust, Reapply and Accept to everything in the store.
	All bool
}

// Deleted returns how many records the plan deletes, without the lines of an index that go along.
func (p *Plan) Deleted() int {
	n := 0
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Do == Deleting && !c.Companion {
			n++
		}
	}
	return n
}

// Change is what a plan does to one record. The history keeps it as JSON.
type Change struct {
	Do ChangeKind `json:"do"`
	ID ID         `json:"id,omitempty"`
	// Companion is set for a change that follows from another and was not itself asked for, such as
	// a line of an index.
	Companion bool `json:"companion,omitempty"`
	// Record is decoded from Before, and from After for an addition.
	Record Record `json:"-"`
	// Edited is decoded from After if both Before and After exist. While it is zero, do not show
	// After: nobody knows which of its bytes are secrets.
	Edited Record `json:"-"`
	// Before and After are stored forms, without a line end. Before is empty for an addition, After
	// for a deletion. For pins, both are the unchanged form.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Line is the line of Before, from 1. An addition goes before that line, or after the record
	// Behind if that still exists; 0 means at the end.
	Line   int    `json:"line,omitempty"`
	Behind ID     `json:"behind,omitempty"`
	Why    string `json:"why,omitempty"` // why a rule chose it: "never recalled, 61 days old"; may be empty
	// Twins is, for a deletion, the number of records with the same id or the same bytes that stay
	// in the store.
	Twins int `json:"twins,omitempty"`
	// Position is where a deleted record was. An addition that undoes the deletion puts it back
	// there, whatever happened to the lines around it. Nil when unknown.
	Position *Position `json:"spot,omitempty"`
}

// Position is the place of a deleted record relative to the records that stayed.
type Position struct {
	// Above is a digest that names the nearest record above that stayed: of its id, or of its
	// content if it has no id. It is empty if there is none.
	Above string `json:"above,omitempty"`
	Under int    `json:"under,omitempty"` // number of lines that stayed, up to that record
	// Beside is the number of records that stayed with the same id of their own; Alike is how many
	// of those say the same.
	Beside int `json:"beside,omitempty"`
	Alike  int `json:"alike,omitempty"`
	// Mode and Date are those of a record that was a file of its own, and 0 for other records. An
	// edit has only the date, if it sets a different one.
	Mode uint32    `json:"mode,omitempty"`
	Date time.Time `json:"date,omitzero"`
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
	return changeKinds[min(k, Unpinning)]
}

var changeKinds = [...]string{"delete", "edit", "add", "pin", "unpin"}

// MarshalText returns the word for the kind.
func (k ChangeKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word for a kind.
func (k *ChangeKind) UnmarshalText(text []byte) error {
	i := slices.Index(changeKinds[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown kind of change %q", text)
	}
	*k = ChangeKind(i)
	return nil
}

// Kept is a record that a rule would change but that was spared.
type Kept struct {
	Record Record
	Why    string // "pinned"
}

// Plan is a change as data: it is shown, applied, kept in history and inverted.
type Plan struct {
	Store   StoreID
	Order   Order
	What    string // in the past tense, for a toast and for history: "Deleted 3 lessons"
	Changes []Change
	Kept    []Kept
	// Notes say what will be different afterwards, and what was redacted in the text that was
	// typed.
	Notes []string
	// Replaced is the number of secrets redacted in the text that was typed.
	Replaced int
	// Findings refuse the plan until their rules are allowed.
	Findings []Finding
	// Asks is a sentence about something that needs an extra decision: "Claude Code runs here (pid
	// 4711)." The plan is refused until the order says Anyway.
	Asks string
	// Final is set when no copy of the old text is kept, so the plan cannot be undone.
	Final bool
	// Exact inverts an entry byte for byte if nobody wrote since; may be nil.
	Exact *Splices
	// Undoes and Redoes name the entry that the plan inverts or repeats.
	Undoes, Redoes EntryID
	// Decided is what a Trust or an Accept decides for lessons; the empty ID stands for the whole
	// store.
	Decided map[ID]Decision
}

// Asked returns the number of changes that were asked for; the others are companions.
func (p *Plan) Asked() (n int) {
	for i := range p.Changes {
		if !p.Changes[i].Companion {
			n++
		}
	}
	return n
}

// Named returns What with the records that were asked for: one by its title in place of "1 lesson", several as
// "3 lessons, first" with the title of the first. It returns What if it does not say their number, or without a title.
func (p *Plan) Named(noun Noun, titleOf func(*Change) string) string {
	first := slices.IndexFunc(p.Changes, func(c Change) bool { return !c.Companion })
	if first < 0 {
		return p.What
	}
	if p.Undoes != "" { // its changes are in reverse order
		for i := range p.Changes {
			if !p.Changes[i].Companion {
				first = i
			}
		}
	}
	number := noun.OrRecord().Count(p.Asked())
	before, after, ok := strings.Cut(p.What, number)
	if !ok || endsInDigit(before) || beginsWithLetter(after) { // "1 lesson" stands in "11 lessons" too
		return p.What
	}
	title := titleOf(&p.Changes[first])
	switch {
	case title == "":
		return p.What
	case p.Asked() == 1:
		return before + title + after
	case after != "":
		after = "," + after
	}
	return before + number + ", first " + title + after
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

func beginsWithLetter(s string) bool { return s != "" && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z' }

// Touched returns the number of records that the plan concerns. For a merge that is all records it
// names, although it removes all but one.
func (p *Plan) Touched() int {
	if p.Order.Do == Merge {
		return len(p.Order.IDs)
	}
	return p.Asked()
}

// Decision is a person's permanent decision about a lesson that another writer keeps undoing.
type Decision string

// The decisions.
const (
	TrustLesson Decision = "always"
	TrustStore  Decision = "always for the store"
	Accepted    Decision = "accepted"
)

// Splices turn the file with digest From into the one with digest To. The parts are in order and do
// not overlap.
type Splices struct {
	From  string   `json:"from,omitempty"` // hex SHA-256
	To    string   `json:"to,omitempty"`
	Parts []Splice `json:"parts"`
}

// Splice replaces the bytes Old at offset At of the earlier file with New.
type Splice struct {
	At  int64  `json:"at,omitempty"`
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// Fate is the result of one change when a plan was applied.
type Fate uint8

// The fates.
const (
	Done   Fate = iota
	Merged      // done, and what another writer changed in the record meanwhile was kept
	Gone        // another writer already removed the record: nothing to do
	Refused
)

// String returns the word for the fate, as it is printed.
func (f Fate) String() string {
	return [...]string{"done", "merged", "gone", "conflict"}[min(f, Refused)]
}

// Applied says what happened to one change.
type Applied struct {
	ID   ID
	Fate Fate
	// Theirs is the stored form that prevented a refused change.
	Theirs string
	// TheirRecord is decoded from Theirs.
	TheirRecord Record
	Why         string
}

// Result says what happened to a plan. If any change was refused, nothing was changed at all, and
// Apply returns ErrConflict.
type Result struct {
	Entry   EntryID // in history; empty if nothing was changed
	Changes []Applied
	// Adopted is the number of records that another writer saved during the change and that were
	// merged in.
	Adopted int
	Notes   []string // such as guarantees that this file system lacks
}

// EntryID identifies an entry in the history of a store. It is a rising number.
type EntryID string

// Who says who made a change.
type Who string

// The writers that history tells apart.
const (
	You    Who = "you"
	Others Who = "another writer"
	Guard  Who = "guard" // redone for you, as you decided
)

// Entry is one entry of the history of a store.
type Entry struct {
	ID   EntryID
	At   time.Time
	Who  Who
	Do   Act // empty for changes of other writers
	What string
	// Changes are listed as they were made. If a change left no copy, Before is the redacted text.
	Changes []Change
	// Omitted is the number of changes that were too large to keep.
	Omitted int
	Final   bool
	// UndoneBy is the entry that undid this one; Undoes is the entry that this one undid.
	UndoneBy, Undoes EntryID
	// From is the store from which a TakeOver took its records, empty for any other entry.
	From StoreID
}

// History is what was done to a store.
type History struct {
	Entries []Entry // newest first
	// Undo and Redo are the entries that the next undo and redo act on; empty for none.
	Undo, Redo EntryID
	Damaged    int   // entries that cannot be read
	Size       int64 // of the history, in bytes
	Path       string
	// Unfinished says which change a crash interrupted, and how far it came; it is not among the entries. Empty if
	// there is none.
	Unfinished string
}

// UndoneKind says how another writer undid a change.
type UndoneKind uint8

// The kinds. The history stores their numbers. Evicted and PrunedAway are the work of the agent's
// own rules.
const (
	CameBack   UndoneKind = iota // a deletion
	Reverted                     // an edit
	Dropped                      // an addition, or a record that was edited or pinned
	Conflict                     // edited by both
	Evicted                      // by the agent's rule for a full store
	PrunedAway                   // by the agent's rule for age
	SecretBack                   // a redaction: the secret is back
	CannotTell                   // it is unknown whether a change was undone
)

// String returns the words for the kind, as they are printed.
func (k UndoneKind) String() string {
	return [...]string{
		"came back", "reverted", "dropped", "conflict", "evicted", "pruned", "secret back", "cannot tell",
	}[min(k, CannotTell)]
}

// ByRule reports whether the agent's own rules undid the change.
func (k UndoneKind) ByRule() bool { return k == Evicted || k == PrunedAway }

// Undone is one of our changes that another writer undid.
type Undone struct {
	Kind UndoneKind
	ID   ID
	// Mine is the form that should be stored, Theirs the one that is. Either may be empty.
	Mine, Theirs string
	Record       Record // decoded from Theirs, or from Mine
	MyRecord     Record // decoded from Mine when both are there; see Change.Edited
	Entry        EntryID
	Times        int // how often it was undone, including this time
	At           time.Time
	Always       bool // it is redone without asking
}
