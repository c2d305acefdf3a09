package memory

import (
	"fmt"
	"time"
)

// Evidence compares the outcomes of sessions that were given a record with those of other sessions
// of the same project. Only sessions that are known to have ended count.
type Evidence struct {
	Recalled, Succeeded         int // sessions that were given the record, and how many of them succeeded
	Without, SucceededWithoutIt int // the same for sessions that were not
	// Unknown says why nobody knows which sessions were given the record; empty when that is known.
	Unknown string
	Use     Use
	// Recurs says whether the failure that a lesson is about came all the same; nil for a record that is about none and
	// is told at no call.
	Recurs *Recurrence
}

// Use says in how many sessions a record was given to the model or read by it.
type Use struct {
	Sessions int // those that were given it or read it
	Of       int // those whose files say whether they were
	// Idle is how many of the newest sessions, in a row and begun since the record was written, were
	// neither given it nor read it.
	Idle  int
	Last  time.Time // of the last session that was; zero for none
	Since time.Time // when the first session began that is known
	// Chosen is set when the model reads the record only if it chooses to.
	Chosen bool
}

// String says it in words: "read in 3 of 40 known sessions, last on 2026-05-20; not known before 2026-05-03". It
// is empty when no session is known.
func (u Use) String() string {
	if u.Of == 0 {
		return ""
	}
	text := fmt.Sprintf("%s in %d of %s", u.Verb(), u.Sessions, Counted(u.Of, "known session"))
	if u.Sessions > 0 {
		text += ", last on " + dayText(u.Last)
	}
	return text + "; not known before " + dayText(u.Since)
}

// Verb returns what sessions do with the record: "read" or "given".
func (u Use) Verb() string {
	if u.Chosen {
		return "read"
	}
	return "given"
}

func dayText(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// CountUse fills in the count and the last use of a record from its evidence, for a store that keeps neither.
// The count is odd if no session is known.
func (r *Record) CountUse() {
	e := r.Evidence
	if e == nil {
		return
	}
	if e.Use.Of == 0 {
		r.Count = Count{Odd: "unknown"}
		return
	}
	r.Count = Count{N: e.Use.Sessions}
	if e.Use.Sessions > 0 {
		r.Used = Moment{Text: e.Use.Last.UTC().Format(time.RFC3339), Time: e.Use.Last}
	}
}

// fewCases is the number of sessions needed on each side before a percentage means anything, and
// enoughCases before it counts. A record counts as unhelpful when the success rate
// with it is at least harmfulPoints lower than without it.
const (
	fewCases      = 5
	enoughCases   = 10
	harmfulPoints = 20
)

// Few reports whether there are too few sessions to compare.
func (e Evidence) Few() bool { return min(e.Recalled, e.Without) < fewCases }

// Gain returns the success rate with the record minus the rate without it, in percentage points. It
// is 0 when either side has no sessions.
func (e Evidence) Gain() int {
	if e.Recalled == 0 || e.Without == 0 {
		return 0
	}
	return percent(e.Succeeded, e.Recalled) - percent(e.SucceededWithoutIt, e.Without)
}

// Unhelpful reports whether enough sessions were given the record and clearly fewer of them
// succeeded than of the others.
func (e Evidence) Unhelpful() bool {
	return min(e.Recalled, e.Without) >= enoughCases && e.Gain() <= -harmfulPoints
}

// String says it in words: "recalled in 7 sessions, 6 succeeded; without it 11 of 20 (86 % against
// 55 %)". It is empty when no session counts, gives the reason when the sessions are unknown, and
// leaves out percentages when there are few.
func (e Evidence) String() string {
	switch {
	case e.Recalled == 0 && e.Unknown != "":
		return e.Unknown
	case e.Recalled+e.Without == 0:
		return ""
	case e.Recalled == 0:
		return "recalled in none of " + Counted(e.Without, "session")
	}
	text := fmt.Sprintf(
		"recalled in %s, %d succeeded; without it %d of %d",
		Counted(e.Recalled, "session"),
		e.Succeeded,
		e.SucceededWithoutIt,
		e.Without,
	)
	if e.Few() {
		return text + "; too few to compare"
	}
	return text + fmt.Sprintf(
		" (%d %% against %d %%)",
		percent(e.Succeeded, e.Recalled),
		percent(e.SucceededWithoutIt, e.Without),
	)
}

func percent(n, of int) int { return (200*n + of) / (2 * of) }
