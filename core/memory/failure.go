package memory

import "time"

// Failure is an error that sessions of a project met in the same way. Its texts are redacted.
type Failure struct {
	ID string // stable and short: "f3a91c"
	// Called is the program and the shape of the command, or the tool. Error is the error's line without paths,
	// numbers, ids and times.
	Called, Error string
	// Sessions had it, of Of that were read; Calls is how many calls failed so, and Last when the last one did.
	Sessions, Of, Calls int
	Last                time.Time
	// Command is one that failed, and Worked the one that worked later in the same session; empty if none did, or
	// if it was the same again.
	Command, Worked string
	// How is the way in which Worked differs: "firstword", "wrapped", "variable", "renamed", "elsewhere" or "near".
	How string
	// Rule proposes a lesson of it by itself; empty if none does.
	Rule string
	// When is the moment at which a lesson of it would be told, as [ParseWhen] takes it.
	When string
	// Told is where a source of the project says already what worked; nil if none does.
	Told *Told
	// Left says why nobody learns from it; empty for one that counts.
	Left string
	// Places are where it happened, the newest first; at most 50.
	Places []FailurePlace
}

// Told is a statement of a source.
type Told struct {
	Path string
	Line int
	Text string
}

// FailurePlace is a failed call in a session.
type FailurePlace struct {
	Agent      SystemID
	Session    string
	Tainted    bool // it had read what others wrote
	Step, Then int  // of the call that failed, and of the one that worked later; 0 for none
	At         time.Time
	Command    string
	Worked     string // what worked, and How it differs; see [Failure]
	How        string
	Lines      []string // the error's line with the one before and the one behind it
}

// Failures are the recurring failures of a project.
type Failures struct {
	// List is in the order of sessions, the most first. Left out failures come last, and only if they are asked for.
	List []Failure
	// Sessions were read, of those since Since. Unread are not yet read, as there was no time.
	Sessions, Unread int
	Since            time.Time
	// Notes say what could not be read.
	Notes []string
}

// FailureOrder says which failures are asked for.
type FailureOrder struct {
	Since time.Time
	// All also asks for failures of one session, and for those that are left out.
	All bool
	// Within ends the reading of sessions after that time, and leaves the rest unread; 0 reads all.
	Within time.Duration
	// Tell is called for each session that is read; it may be nil.
	Tell func(n, of int)
}

// Seen is how often sessions met what a proposal is about, and the evidence of the last time.
type Seen struct {
	Sessions int       `json:"sessions"`
	Of       int       `json:"of"`
	Calls    int       `json:"calls"`
	Last     time.Time `json:"last,omitzero"`
	// Failed is the command that failed, Lines the error's line with one around it, and Worked what worked.
	Failed string   `json:"failed,omitempty"`
	Lines  []string `json:"lines,omitempty"`
	Worked string   `json:"worked,omitempty"`
}

// Recurs reports whether a failure is told without being asked for: several sessions met it or a rule makes a lesson of
// it, and nothing leaves it out.
func (f *Failure) Recurs() bool {
	return f.Left == "" && (f.Sessions > 1 && f.Error != "" || f.Rule != "")
}
