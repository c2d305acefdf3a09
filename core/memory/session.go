package memory

import "time"

// SessionSummary is a short description of an agent's session, for a list.
type SessionSummary struct {
	Agent             SystemID
	ID, State         string // "succeeded"
	Why, Task, Folder string
	Changed           time.Time
	Steps, Failed     int
	// Failures are the first 50 failed steps, each with its kind and error. Given are the sources
	// of the texts that the session was given. Taint is what it read that the person did not write.
	Failures, Given, Taint []string
}
