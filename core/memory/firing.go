package memory

import "fmt"

// ReplayOrder asks how often a moment would have come in the sessions of a project.
type ReplayOrder struct {
	Folder string // in the project; empty for the working folder
	When   string // as ParseWhen takes it
}

// Firing is how often a moment would have come in past sessions.
type Firing struct {
	When When
	// Sessions had such a call, of Of that are known, and in Failed of them such a call failed. Failed is not known for
	// a moment of a file or an error, and nothing is for one that names no call.
	Sessions, Of, Failed int
}

// String says it in words: "would have fired in 11 of 97 sessions; in 9 the command then failed, in 2 not". It is empty
// for a moment that names no call, and when no session is known.
func (f *Firing) String() string {
	if f.Of == 0 || f.When.Kind == WhenTask || f.When.Kind == WhenAlways {
		return ""
	}
	text := fmt.Sprintf("would have fired in %d of %s", f.Sessions, Counted(f.Of, "session"))
	if f.When.Kind != WhenCommand || f.Sessions == 0 {
		return text
	}
	return text + fmt.Sprintf("; in %d the command then failed, in %d not", f.Failed, f.Sessions-f.Failed)
}
