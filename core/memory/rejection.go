package memory

import (
	"fmt"
	"strings"
	"time"
)

// RejectionReason says why a person rejected a proposal; empty if they did not say.
type RejectionReason string

// The reasons.
const (
	NotTrue      RejectionReason = "not true"
	NotGeneral   RejectionReason = "not general"
	KnownAlready RejectionReason = "known already"
	Harmful      RejectionReason = "harmful"
)

// RejectionReasons returns all reasons, in the order in which they are offered.
func RejectionReasons() []RejectionReason {
	return []RejectionReason{NotTrue, NotGeneral, KnownAlready, Harmful}
}

// ParseRejectionReason returns the reason that a text names. Its words may be joined by hyphens.
func ParseRejectionReason(text string) (RejectionReason, error) {
	said := strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(text, "-", " "))), " ")
	for _, r := range RejectionReasons() {
		if string(r) == said {
			return r, nil
		}
	}
	return "", fmt.Errorf("reason %q: it is none of not-true, not-general, known-already and harmful", text)
}

// A rule that was decided about at least [RuleDecisions] times proposes no more when fewer than [FewestApproved] of
// the last ones were approvals.
const (
	RuleDecisions  = 20
	FewestApproved = 8
)

// RuleCount says what a person decided about the proposals of a rule.
type RuleCount struct {
	Rule               string
	Approved, Rejected int
	// Reasons counts those that were given for the rejections.
	Reasons map[RejectionReason]int
	// Last is how many of the newest decisions, at most RuleDecisions and since it was switched on, were looked at, and
	// LastApproved how many of these were approvals.
	Last, LastApproved int
	// On is when a person switched it on again; zero for never.
	On time.Time
}

// Off reports whether the rule proposes no more, until a person switches it on.
func (c *RuleCount) Off() bool { return c.Last >= RuleDecisions && c.LastApproved < FewestApproved }
