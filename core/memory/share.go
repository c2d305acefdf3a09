package memory

import "time"

// Share is a store that several machines share through git, as it stands on this machine.
type Share struct {
	Key     string  // names it in Winnow's state
	Store   StoreID // of this machine
	Place   string  // the store as shown
	Noun    Noun    `json:"-"` // what its records are called
	URL     string  // without what is secret in it
	Branch  string
	Machine string // what this machine is called in the share
	// Trusted are the fingerprints of the keys whose lessons are taken without asking.
	Trusted []string
	// Joined, Synced and Tried say when it was joined, synced last and tried last; zero for never.
	Joined, Synced, Tried time.Time
	// Failed says why the last try failed, Hint what to do about it, and Failures how often in a row; empty after a
	// success.
	Failed, Hint string
	Failures     int
	// Due is set when an agent's session ended since the last sync.
	Due bool
	// Waiting is how many lessons of others are in the inbox, Conflicts how many of these were changed on both
	// sides, More how many more there was no room for at the last sync, and Stopped how many lessons of this
	// store the audit kept here.
	Waiting, More, Conflicts, Stopped int
}

// ShareStart is what a person says who makes a share or joins one.
type ShareStart struct {
	Store StoreID
	// URL is empty for the repository that the working folder is in: the share is a branch of its origin.
	URL, Branch, Machine string
	New                  bool     // make it; else it must be there
	Trust                []string // fingerprints of keys
	Ask                  bool     // git may ask at the terminal
}

// SyncOrder is what a person asks for.
type SyncOrder struct {
	Key string
	// Scratch is an empty folder for a dry run, in place of Winnow's state; else it is empty.
	Scratch string
	// Private sends lessons with personal data too; Ask lets git ask for passwords at the terminal.
	Private, Ask bool
	// Rewritten accepts that the history of the share was replaced.
	Rewritten bool
}

// SyncLine is what a sync does about one lesson.
type SyncLine struct {
	Do    ChangeKind
	ID    string
	Title string // redacted
	From  string // who sent it; empty for what is sent
	// Inbox is set for what waits there for a person, Both when it was changed on both sides.
	Inbox, Both bool
	Why         string // why it was stopped; may be empty
}

// Synced is what a sync came to, or with a scratch folder what it would come to.
type Synced struct {
	Share Share
	// In came from the others, Out was sent to them. Stopped stay here, since the audit found a secret or an
	// injection in them, Private since they hold personal data and nobody said that it may be sent.
	In, Out, Stopped, Private []SyncLine
	// Counts is how many lessons have another count now, as other machines recalled them.
	Counts int
	Entry  EntryID // of the history of the store; empty when nothing was changed
	Notes  []string
}

// ShareCommit is one commit of a share. Its texts are from others.
type ShareCommit struct {
	ID, Person, Machine, Subject string
	At                           time.Time
	Files                        int
	Signer                       string // fingerprint of the key of a right signature; empty for none
}
