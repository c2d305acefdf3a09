package memory

import "fmt"

// Evidence compares the outcomes of sessions that were given a record with those of other sessions
// of the same project. Only sessions that are known to have ended count.
type Evidence struct {
	Recalled, Succeeded         int // sessions that were given the record, and how many of them succeeded
	Without, SucceededWithoutIt int // the same for sessions that were not
	// Unknown says why nobody knows which sessions were given the record; empty when that is known.
	Unknown string
}

// FewCases is the number of sessions needed on each side before a percentage means anything, and
// EnoughCases before a prune may rely on it. A record counts as unhelpful when the success rate
// with it is at least HarmfulPoints lower than without it.
const (
	FewCases      = 5
	EnoughCases   = 10
	HarmfulPoints = 20
)

// Few reports whether there are too few sessions to compare.
func (e Evidence) Few() bool { return min(e.Recalled, e.Without) < FewCases }

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
	return min(e.Recalled, e.Without) >= EnoughCases && e.Gain() <= -HarmfulPoints
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
	text := fmt.Sprintf("recalled in %s, %d succeeded; without it %d of %d", Counted(e.Recalled, "session"), e.Succeeded, e.SucceededWithoutIt, e.Without)
	if e.Few() {
		return text + "; too few to compare"
	}
	return text + fmt.Sprintf(" (%d %% against %d %%)", percent(e.Succeeded, e.Recalled), percent(e.SucceededWithoutIt, e.Without))
}

// Brief says it in few words: "3 of 12 succeeded, without it 15 of 20".
func (e Evidence) Brief() string {
	return fmt.Sprintf("%d of %d succeeded, without it %d of %d", e.Succeeded, e.Recalled, e.SucceededWithoutIt, e.Without)
}

func percent(n, of int) int { return (200*n + of) / (2 * of) }
