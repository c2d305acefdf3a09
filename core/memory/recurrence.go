package memory

import "fmt"

// Recurrence says in how many sessions the failure that a lesson is about came, before and after a person approved
// the lesson, and what became of those that were told the lesson. Only sessions that are known to have ended count.
type Recurrence struct {
	Fired int // sessions that were told the lesson
	Again int // those of them in which its failure came after they were told
	// Before are sessions with the failure that ended before the approval, and Since those that began after it.
	// BeforeOf and SinceOf are all sessions of that time.
	Before, BeforeOf int
	Since, SinceOf   int
	// Unknown is set for a lesson of which nobody knows the failure, such as one about a file. Then only Fired counts.
	Unknown bool
}

// Short says it in a few characters for a column: "9" or "9, 1 again".
func (r Recurrence) Short() string {
	if r.Again == 0 {
		return fmt.Sprint(r.Fired)
	}
	return fmt.Sprintf("%d, %d again", r.Fired, r.Again)
}

// String says it in words: "fired 9, failed again 1; before: 62 of 97 sessions; since: 1 of 40 (64 % against 3 %)".
// It leaves out times without sessions, and percentages when there are few. It is empty if it never fired nor failed.
func (r Recurrence) String() string {
	switch {
	case r.Fired+r.Before+r.Since == 0:
		return ""
	case r.Unknown:
		return fmt.Sprintf("fired %d", r.Fired)
	}
	text := fmt.Sprintf("fired %d, failed again %d", r.Fired, r.Again)
	if r.BeforeOf > 0 {
		text += fmt.Sprintf("; before: %d of %s", r.Before, Counted(r.BeforeOf, "session"))
	}
	if r.SinceOf > 0 {
		text += fmt.Sprintf("; since: %d of %d", r.Since, r.SinceOf)
	}
	if min(r.BeforeOf, r.SinceOf) >= fewCases {
		text += fmt.Sprintf(" (%d %% against %d %%)", percent(r.Before, r.BeforeOf), percent(r.Since, r.SinceOf))
	}
	return text
}

// EnoughFired is the number of sessions that must have been told a lesson before its failures count against it.
const EnoughFired = 5

// FiredInVain reports whether enough sessions were told a lesson, and its failure came all the same in at least half
// of them.
func (r Recurrence) FiredInVain() bool { return r.Fired >= EnoughFired && 2*r.Again >= r.Fired }
