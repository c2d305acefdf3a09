package memory

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// EntryKind says what an entry of the inbox is.
type EntryKind uint8

// The kinds. A Proposal is not in any store yet. The others are records of a store that differ from
// what the person saw at the last visit.
const (
	Proposal EntryKind = iota
	NewRecord
	ChangedRecord
	BackRecord // a person rejected or deleted it, and it is there again
	// DoubtedRecord is an approved record that may not be true any more. It is not told until a person decides.
	DoubtedRecord
	GoneRecord // for information; needs no approval
	// FailingCall is no entry that waits: what failed in several sessions, of which a lesson can be made.
	FailingCall
)

// String returns the word for the kind, as it is printed.
func (k EntryKind) String() string {
	return [...]string{"proposal", "new", "changed", "back", "still true?", "gone", "failing"}[min(k, FailingCall)]
}

// Origin says where a proposal came from. It is taken from the agent's files and the environment,
// never from the text of the proposal.
type Origin struct {
	Agent   SystemID `json:"agent,omitempty"`   // empty when unknown
	Session string   `json:"session,omitempty"` // empty when unknown
	Folder  string   `json:"folder,omitempty"`  // where the session worked, absolute; may be empty
	Model   string   `json:"model,omitempty"`   // may be empty
	// Person and Machine say who sent it through a share, according to the share's history. Store
	// is the shared store, and the only one it may go to. All are empty for a proposal that did not
	// come through a share.
	Person  string  `json:"person,omitempty"`
	Machine string  `json:"machine,omitempty"`
	Store   StoreID `json:"store,omitempty"`
	// Door says how it arrived: "learn", "mcp", "clone", [DoorPerson] or [DoorShare].
	Door string `json:"door"`
	// Rule is what made a proposal of the session: "recurring", "variant", "denied"; "agent" for a proposal in the
	// agent's own words, and "distilled" for one of the program that the person set in [learn] distil.
	Rule  string `json:"rule,omitempty"`
	Steps []int  `json:"steps,omitempty"` // steps of the session that it is based on, from 1; may be empty
	// Taint says why it should not be trusted by itself: what the session had read, or that nobody
	// knows who proposed it. Empty when there is no reason.
	Taint []string  `json:"taint,omitempty"`
	At    time.Time `json:"at"` // when the session ended, or the proposal arrived
}

// DoorShare is the door of everything that others send through a share.
const DoorShare = "share"

// DoorPerson is the door of what a person had made of a failure.
const DoorPerson = "person"

// Sender says who sent a proposal through a share: "Ada on laptop". It is empty for one that did
// not come through a share.
func (o *Origin) Sender() string {
	if o.Machine == "" {
		return o.Person
	}
	return cmp.Or(o.Person, "somebody") + " on " + o.Machine
}

// Reason is an argument for or against an entry.
type Reason struct {
	Against bool
	// Rule is the rule of the finding behind the reason; empty for any other reason.
	Rule string
	Text string // a sentence
}

// InboxEntry is one thing that waits for a person's decision.
type InboxEntry struct {
	ID      string // stable, short, unique: "p7k2m"
	Kind    EntryKind
	Arrived time.Time
	// Record is the proposal as a record, or the stored record as it is now; a record that is gone
	// is shown as it was. Its secrets are redacted, except in records of a store, where they are
	// listed in Secrets.
	Record Record
	// Before says in a few words what a changed record was at the last visit: "relevance 5 -> 7".
	// For a proposal that changes a record, it says how that record differs.
	Before string
	// Mine is the current form of the record that a proposal from a share would change; nil for any
	// other entry. Both is set when the record was changed here too: then an approval takes theirs,
	// a rejection keeps mine, and [InboxBoth] keeps both.
	Mine *Record
	Both bool
	// Deletes is set when others deleted the record Mine: an approval deletes it here too, a rejection
	// keeps it and shares it again.
	Deletes bool
	// Was is what both sides had before; nil when unknown.
	Was    *Record
	Origin Origin
	// Reasons are listed worst first: findings, taint, echo, contradiction, then what speaks for
	// it.
	Reasons []Reason
	// Clean is set when nothing speaks against it, so that it may be approved together with others.
	Clean bool
	// Alone is set when the settings allow it to be approved without a person.
	Alone bool
	// Target is where an approval would write, and Targets are the other choices. Both are empty
	// for a record of a store; that store is in Store.
	Target  StoreID
	Targets []Place
	Store   StoreID
	// Stored is the exact form that it would have in Target, without a line end.
	Stored string
	// Seen is how often sessions met what a proposal is about, and when; zero for one that no failure is behind.
	Seen Seen
	// Firing is how often what is told of it would have been told in past sessions; nil until that was replayed.
	Firing *Firing
	// Failure is that of a FailingCall; nil for any other entry.
	Failure *Failure
	// Similar are records in any store that say nearly the same.
	Similar []Kin
	// Block is what a recall for its own task would then look like; empty when that is unknown.
	Block string
	// Later is the time until which a person postponed it; after that it waits again.
	Later time.Time
	// Again says that it was rejected before and how it came back: "rejected on 3 May; now from
	// OpenCode". Otherwise it is empty.
	Again string
	// Restorable is set for a record that is gone but whose text is in the history.
	Restorable bool
}

// Inbox is what waits for a person.
type Inbox struct {
	// Entries are ordered by kind, and the newest first within each kind.
	Entries []InboxEntry
	// Since is the time of the last visit; zero if there was none. Done is the number of decisions
	// since then.
	Since time.Time
	Done  int
	// Approved, Rejected and Edited count the decisions of Done.
	Approved, Rejected, Edited int
	// Queued is the number of finished sessions that wait to be learnt from.
	Queued int
	// Notes are sentences about the inbox as a whole: what was dropped because it was full.
	Notes []string
}

// Waiting returns the number of entries that need a decision now: all except gone and postponed
// ones.
func (b *Inbox) Waiting(now time.Time) (n int) {
	for i := range b.Entries {
		if e := &b.Entries[i]; e.Kind != GoneRecord && !e.Later.After(now) {
			n++
		}
	}
	return n
}

// InboxAct is a decision about entries of the inbox.
type InboxAct string

// The decisions.
const (
	InboxApprove InboxAct = "approve"
	InboxReject  InboxAct = "reject"
	InboxEdit    InboxAct = "edit"  // edit and approve
	InboxMerge   InboxAct = "merge" // into a record that says nearly the same
	InboxLater   InboxAct = "later" // ask again tomorrow
	InboxPin     InboxAct = "pin"   // approve and pin
	InboxRestore InboxAct = "restore"
	InboxBoth    InboxAct = "both" // keep the record, and add the proposal that would change it as a new record
	InboxUndo    InboxAct = "undo" // undo the last decision; takes no IDs
	InboxRedo    InboxAct = "redo" // redo what was undone last; takes no IDs
)

// InboxOrder is what a person decides about entries.
type InboxOrder struct {
	Do  InboxAct
	IDs []string // of the entries
	// Why is the reason of InboxReject; it may be empty.
	Why RejectionReason
	// Edit is what the person changed, for InboxEdit. Form is the text from an editor, used in its
	// place; the editor starts with what the library's InboxForm(ctx, id) returns.
	Edit Edit
	Form string
	// Store is where approvals write; empty for the target of each entry.
	Store StoreID
	// Into is the record of Store that InboxMerge merges into; empty for the first of Similar.
	Into ID
	// Alone approves only what the settings allow without a person; without IDs, all of that.
	Alone bool
	// Allow are the rules of findings that the person overrides. Anyway overrides [Plan.Asks].
	Allow  []string
	Anyway bool
}

// InboxResult is the result of an InboxOrder.
type InboxResult struct {
	// What is a sentence in the past tense: "Approved 2 lessons into ~/shop/.winnow/lessons.jsonl". It is
	// empty when nothing was done.
	What string
	// IDs are the entries that an undo or a redo was about.
	IDs []string
	// Refused says for each refused entry why it was left unchanged.
	Refused map[string]error
	// Findings are the reasons why entries were refused with [ErrFinding]. The same order with
	// their rules in Allow overrides them.
	Findings []Finding
	// Into are the stores that proposals were written into.
	Into []StoreID
	// Notes are sentences about what was done. Aside holds what the plans predict, and the stores
	// that were not looked at.
	Notes, Aside []string
}

// LearnOrder says which sessions to make proposals from.
type LearnOrder struct {
	Session string    // an ID or the beginning of one, named by the person
	Latest  bool      // the newest finished session of the folder
	Since   time.Time // all sessions that ended since then
	Queue   bool      // the sessions that hooks put into the queue
	From    SystemID  // only sessions of this agent; empty for all
	DryRun  bool      // keep nothing
	// Tell is called for each session that is read, with its number and how many are; it may be nil.
	Tell func(n, of int)
}

// DistilVariable is the environment variable that is set for the program of [learn] distil.
const DistilVariable = "WINNOW_DISTIL"

// Distilling is what the program of [learn] distil would be given: exactly that, once a person agrees.
type Distilling struct {
	Program []string // with its arguments; empty if none is set
	// Prompt is the file that the prompt is in; empty for the built-in one.
	Prompt   string
	Sessions []DistilSession // the newest first
	// More is how many further sessions it was not given yet, as far as was looked.
	More int
}

// DistilSession is a session as the program is given it.
type DistilSession struct {
	Agent     SystemID
	ID, Title string
	Input     []byte
}

// Name is the name of the program, without its folder.
func (d *Distilling) Name() string {
	if len(d.Program) == 0 {
		return ""
	}
	name := d.Program[0]
	return strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".exe")
}

// Bytes is how much the program would be given.
func (d *Distilling) Bytes() (n int) {
	for i := range d.Sessions {
		n += len(d.Sessions[i].Input)
	}
	return n
}

// Question asks the person whether the program shall be given the sessions.
func (d *Distilling) Question() string {
	sessions := Counted(len(d.Sessions), "session")
	return fmt.Sprintf("Give %s to %s, %d bytes in all?", sessions, strings.Join(d.Program, " "), d.Bytes())
}

// Terms says what becomes of what the program is given, in sentences.
func (d *Distilling) Terms() []string {
	prompt := "the built-in prompt"
	if d.Prompt != "" {
		prompt = "the prompt in " + d.Prompt
	}
	return []string{
		"It gets " + prompt + " and a digest of each session, with secrets redacted. Winnow sends it nowhere else; " +
			"what the program does with it is up to the program.",
		"What it proposes waits in the inbox. Nothing is told to an agent before you approve it.",
	}
}

// Learnt is what was learnt from one session.
type Learnt struct {
	Agent     SystemID
	Session   string
	Proposals []InboxEntry
	// Skipped says why a session, or something in it, left no proposal.
	Skipped []string
}
