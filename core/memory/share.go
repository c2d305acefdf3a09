package memory

import "time"

// Share is a store that several machines share through git, as it is on this machine.
type Share struct {
	Key     string  // identifies it in Winnow's state
	Store   StoreID // on this machine
	Place   string  // the store's path as shown
	Noun    Noun    `json:"-"` // what its records are called
	URL     string  // without credentials
	Branch  string
	Machine string // the name of this machine in the share
	// Joined, Synced and Tried are when it was joined, last synced and last tried; zero means
	// never.
	Joined, Synced, Tried time.Time
	// Failed says why the last attempt failed, Hint what to do about it, and Failures how many
	// attempts in a row failed. They are empty after a success.
	Failed, Hint string
	Failures     int
	// Due is set when an agent's session has ended since the last sync.
	Due bool
	// Waiting is the number of lessons and deletions from others in the inbox; Conflicts is how many of them were
	// changed on both sides. More is the number for which the inbox had no room at the last sync,
	// and Stopped the number of lessons of this store that the audit held back.
	Waiting, More, Conflicts, Stopped int
}

// ShareStart is what a person specifies to create or join a share.
type ShareStart struct {
	Store StoreID
	// URL is empty for the repository of the working folder: the share is then a branch of its
	// origin.
	URL, Branch, Machine string
	New                  bool // create it; otherwise it must exist
	Ask                  bool // git may ask at the terminal
	// Waits is called if another Winnow holds the share for a while; it may be nil.
	Waits func()
}

// SyncOrder is what a person asks a sync to do.
type SyncOrder struct {
	Key string
	// Scratch is an empty folder that a dry run uses instead of Winnow's state; otherwise it is
	// empty.
	Scratch string
	// Private also sends lessons with personal data; Ask lets git ask for passwords at the
	// terminal.
	Private, Ask bool
	// Rewritten accepts that the history of the share was rewritten.
	Rewritten bool
	// Waits is called if another Winnow holds the share for a while; it may be nil.
	Waits func()
}

// SyncLine says what a sync does with one lesson.
type SyncLine struct {
	Do    ChangeKind
	ID    string
	Title string // redacted
	From  string // who sent it; empty for an outgoing lesson
	Both  bool   // it was changed on both sides
	Why   string // why it was stopped, or comes; may be empty
}

// Synced is the result of a sync, or with a scratch folder what the result would be.
type Synced struct {
	Share Share
	// In came from others, and waits in the inbox. Out was sent to them. Stopped were held back because the audit found
	// a secret or an injection, Private because they contain personal data and nobody allowed
	// sending it.
	In, Out, Stopped, Private []SyncLine
	Notes                     []string
}

// ShareCommit is one commit of a share. Its texts come from others.
type ShareCommit struct {
	ID, Person, Machine, Subject string
	At                           time.Time
	Files                        int
}
