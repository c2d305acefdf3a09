package learn

import (
	"cmp"
	"slices"
	"time"

	"winnow/core/memory"
)

// RuleDecision is what a person decided about a proposal of a rule. It is kept longer than what can be undone.
type RuleDecision struct {
	ID       string                 `json:"id"` // of the proposal
	Rule     string                 `json:"rule"`
	At       time.Time              `json:"at"`
	Approved bool                   `json:"approved,omitempty"`
	Why      memory.RejectionReason `json:"why,omitempty"`
}

// mostRuleDecisions is how many are kept, the newest.
const mostRuleDecisions = 2000

// noteRuleDecision notes what a decision said about its last entry. What the settings approved, what others sent, and
// what a person chose among the failures says nothing about what a rule proposes.
func (b *Box) noteRuleDecision(d *Decision) {
	w := d.Decided[len(d.Decided)-1].Waiting
	if w == nil || d.Auto || d.Do == memory.InboxLater || w.Origin.Rule == "" {
		return
	}
	if w.Origin.Door == memory.DoorShare || w.Origin.Door == memory.DoorPerson {
		return
	}
	b.RuleDecisions = append(b.RuleDecisions, RuleDecision{
		ID: w.ID, Rule: w.Origin.Rule, At: d.At, Approved: d.Do != memory.InboxReject, Why: d.Why,
	})
	b.RuleDecisions = b.RuleDecisions[max(0, len(b.RuleDecisions)-mostRuleDecisions):]
}

// Decide adds a decision or, if it is the last one already, its newest entry.
func (b *Box) Decide(d *Decision) {
	if len(d.Decided) > 1 {
		b.Decisions = b.Decisions[:len(b.Decisions)-1]
	}
	b.Decisions = append(b.Decisions, *d)
	b.noteRuleDecision(d)
}

// ForgetRuleDecision takes back what was last decided about a proposal.
func (b *Box) ForgetRuleDecision(id string) {
	for i := len(b.RuleDecisions) - 1; i >= 0; i-- {
		if b.RuleDecisions[i].ID == id {
			b.RuleDecisions = slices.Delete(b.RuleDecisions, i, i+1)
			return
		}
	}
}

// Rules returns what was decided about the proposals of each rule, by name.
func (b *Box) Rules() []memory.RuleCount {
	var all []memory.RuleCount
	find := func(rule string) *memory.RuleCount {
		i, known := slices.BinarySearchFunc(all, rule, func(c memory.RuleCount, rule string) int {
			return cmp.Compare(c.Rule, rule)
		})
		if !known {
			fresh := memory.RuleCount{Rule: rule, Reasons: map[memory.RejectionReason]int{}, On: b.Desk.On[rule]}
			all = slices.Insert(all, i, fresh)
		}
		return &all[i]
	}
	for i := len(b.RuleDecisions) - 1; i >= 0; i-- { // the newest first
		j := &b.RuleDecisions[i]
		c := find(j.Rule)
		approved := 0
		if j.Approved {
			approved = 1
		} else if j.Why != "" {
			c.Reasons[j.Why]++
		}
		c.Approved, c.Rejected = c.Approved+approved, c.Rejected+1-approved
		if c.Last < memory.RuleDecisions && j.At.After(c.On) {
			c.Last, c.LastApproved = c.Last+1, c.LastApproved+approved
		}
	}
	return all
}

// SwitchOn has decisions about a rule count from now on.
func (b *Box) SwitchOn(rule string, now time.Time) {
	if b.Desk.On == nil {
		b.Desk.On = map[string]time.Time{}
	}
	b.Desk.On[rule] = now
}
