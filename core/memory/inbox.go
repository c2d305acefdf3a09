package memory

import (
	"cmp"
	"time"
)

// EntryKind says what an entry of the inbox is.
type EntryKind uint8

// The kinds. A Proposal was not written to any store yet; the others are records of a store that
// differ from what was there at the last visit.
const (
	Proposal EntryKind = iota
	NewRecord
	ChangedRecord
	BackRecord // a person rejected or deleted it, and it is there again
	GoneRecord // for information; approving is not needed
)

// String returns the word for the kind, as it is printed.
func (k EntryKind) String() string {
	return [...]string{"proposal", "new", "changed", "back", "gone"}[min(k, GoneRecord)]
}

// Origin says where a proposal came from. It is taken from files of the agent and the environment,
// never from the text of the proposal.
type Origin struct {
	Agent   SystemID `json:"agent,omitempty"`   // empty when it is not known
	Session string   `json:"session,omitempty"` // empty when it is not known
	Folder  string   `json:"folder,omitempty"`  // where the session worked, absolute; may be empty
	Model   string   `json:"model,omitempty"`   // may be empty
	// Person and Machine say who sent it through a share, as the share's history has it, and Store is the
	// store that is shared: it goes nowhere else. They are empty for what arrived otherwise.
	Person  string  `json:"person,omitempty"`
	Machine string  `json:"machine,omitempty"`
	Store   StoreID `json:"store,omitempty"`
	// Door is how it arrived: "learn", "mcp", "clone", [DoorShare].
	Door string `json:"door"`
	// Rule is what made it of the session: "outcome", "failed, then worked", "loop"; "agent" for
	// a proposal in the agent's own words.
	Rule  string `json:"rule,omitempty"`
	Steps []int  `json:"steps,omitempty"` // of the session that it rests on, from 1; may be empty
	// Taint says why it is not to be believed by itself: what the session had read, or that
	// nobody knows who proposed it. Empty for an untainted one.
	Taint []string  `json:"taint,omitempty"`
	At    time.Time `json:"at"` // when the session ended, or the proposal arrived
}

// DoorShare is the door of what others send through a share.
const DoorShare = "share"

// Sender says who sent a proposal through a share: "Ada on laptop"; empty for one that no share brought.
func (o *Origin) Sender() string {
	if o.Machine == "" {
		return o.Person
	}
	return cmp.Or(o.Person, "somebody") + " on " + o.Machine
}

// Reason speaks for or against an entry.
type Reason struct {
	Against bool
	// Rule is that of the finding which it tells; empty for any other reason.
	Rule string
	Text string // a sentence
}

// InboxEntry is one thing that waits for a person.
type InboxEntry struct {
	ID      string // stable, short, unique: "p7k2m"
	Kind    EntryKind
	Arrived time.Time
	// Record is the proposal as a record, or the record as it stands; of a gone one as it was.
	// Its secrets are redacted, but for records that stand in a store, which have Secrets.
	Record Record
	// Before is what a changed record said at the last visit, in a few words: "relevance 5 -> 7". Of a
	// proposal that changes a record it is what that says.
	Before string
	// Mine is the record that a proposal of a share would change, as it stands; nil for any other. Both is
	// set when it was changed here as well: an approval takes theirs, a rejection keeps mine, and
	// [InboxBoth] keeps theirs beside mine.
	Mine *Record
	Both bool
	// Was is what both had before; nil where nobody knows.
	Was    *Record
	Origin Origin
	// Reasons are worst first: findings, taint, echo, contradiction, then what speaks for it.
	Reasons []Reason
	// Clean is set when nothing speaks against it: it is among those that are approved together.
	Clean bool
	// Alone is set when the settings let it be approved without a person.
	Alone bool
	// Target is where an approval would write, and Targets what else could be chosen; both are
	// empty for records of a store, which are in Store.
	Target  StoreID
	Targets []Place
	Store   StoreID
	// Stored is the exact form it would become in Target, without a line end.
	Stored string
	// Similar are records, of any store, that say nearly the same.
	Similar []Kin
	// Block is what a recall for its own task would then look like; empty where that cannot
	// be told.
	Block string
	// Later is set until which a person put it off; it waits again after that.
	Later time.Time
	// Again says that it was rejected before, and how it came back: "rejected on 3 May; now from
	// OpenCode". Empty for one that was not.
	Again string
	// Restorable is set for a gone record whose text is in the history.
	Restorable bool
}

// Inbox is what waits for a person.
type Inbox struct {
	// Entries are in the order of their kinds, the newest first.
	Entries []InboxEntry
	// Since is the last visit; zero for none. Done counts what was decided since then.
	Since time.Time
	Done  int
	// Approved, Rejected and Edited count the decisions of Done.
	Approved, Rejected, Edited int
	// Queued is how many finished sessions wait to be learnt from.
	Queued int
	// Notes are sentences about the inbox as a whole: what was dropped because it was full.
	Notes []string
}

// Waiting returns the number of entries that want a decision: all but gone ones and those that
// were put off.
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
	InboxLater   InboxAct = "later" // tomorrow
	InboxPin     InboxAct = "pin"   // approve and pin
	InboxRestore InboxAct = "restore"
	InboxBoth    InboxAct = "both" // keep the record, and add the proposal that would change it as one of its own
	InboxUndo    InboxAct = "undo" // the last decision; without IDs
	InboxRedo    InboxAct = "redo" // what was undone last; without IDs
)

// InboxOrder is what a person decides about entries.
type InboxOrder struct {
	Do  InboxAct
	IDs []string // of the entries
	// Edit is what the person set, for InboxEdit; Form is the text of an editor in its place. The
	// editor is opened on what the library's InboxForm(ctx, id) returns.
	Edit Edit
	Form string
	// Store is where approvals write; empty for the target of each entry.
	Store StoreID
	// Into is the record that InboxMerge merges into, of Store; empty for the first of Similar.
	Into ID
	// Alone approves only what the settings let be approved without a person; without IDs, all of
	// that.
	Alone bool
	// Allow are the rules of findings that the person overrules. Anyway overrules
	// [Plan.Asks].
	Allow  []string
	Anyway bool
}

// InboxResult is what became of an order.
type InboxResult struct {
	What string // in the past tense, for a toast: "Approved 2 lessons into ~/shop/.winnow/lessons.jsonl"; empty for nothing
	// Refused says per entry why it was left as it was.
	Refused map[string]error
	// Findings are those that refused entries, whose errors are then [ErrFinding]. The same order
	// with their rules in Allow overrules them.
	Findings []Finding
	// Notes are sentences on what was done. Aside says what the plans foresee, and which stores
	// were not looked at.
	Notes, Aside []string
}

// LearnOrder says which sessions proposals are to be made of.
type LearnOrder struct {
	Session string    // an ID or the beginning of one; the person named it
	Latest  bool      // the newest finished session of the folder
	Since   time.Time // all that ended since
	Queue   bool      // those that hooks put into the queue
	From    SystemID  // only of this agent; empty for all
	DryRun  bool      // nothing is kept
	// Tell is called for each session that is learnt from, with its number; it may be nil.
	Tell func(n int, id string)
}

// Learnt is what was learnt from one session.
type Learnt struct {
	Agent     SystemID
	Session   string
	Proposals []InboxEntry
	// Skipped says why a session, or something in it, left no proposal.
	Skipped []string
}
