package memory

import "time"

// SessionSummary is a session of an agent in short, for a list.
type SessionSummary struct {
	Agent             SystemID
	ID, State         string // "succeeded"
	Why, Task, Folder string
	Changed           time.Time
	Steps, Failed     int
	// Failures are the failed steps with the kind and the error, the first 50 of them; Given are the
	// sources of the texts that it was given, and Taint what it read that the person did not write.
	Failures, Given, Taint []string
}
