package learn

import (
	"fmt"
	"testing"
	"time"

	"winnow/core/memory"
)

// decideAbout decides about n proposals of a rule.
func decideAbout(b *Box, at time.Time, rule string, n int, do memory.InboxAct, why memory.RejectionReason) {
	for i := range n {
		w := Waiting{}
		w.ID, w.Origin.Rule = fmt.Sprint(rule, len(b.RuleDecisions), i), rule
		b.Decide(&Decision{At: at, Do: do, Why: why, Decided: []Decided{{ID: w.ID, Waiting: &w}}})
	}
}

func TestRuleIsOffAfterTwentyDecisionsWithFewApprovals(t *testing.T) {
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	b := parseBox(nil)
	decideAbout(b, at, "variant", 30, memory.InboxApprove, "") // long ago
	decideAbout(b, at, "variant", 12, memory.InboxReject, memory.NotTrue)
	decideAbout(b, at, "variant", 7, memory.InboxApprove, "")
	rule := func() memory.RuleCount { return b.Rules()[0] }
	if c := rule(); c.Off() || c.Last != 20 || c.LastApproved != 8 {
		t.Errorf("8 of the last 20 approved: %+v", c)
	}
	decideAbout(b, at, "variant", 14, memory.InboxReject, memory.Harmful)
	decideAbout(b, at, "recurring", 19, memory.InboxReject, "")
	if c := b.Rules()[1]; !c.Off() || c.Approved != 37 || c.Rejected != 26 || c.Reasons[memory.Harmful] != 14 {
		t.Errorf("6 of the last 20 approved: %+v", c)
	}
	if c := rule(); c.Off() || c.Rule != "recurring" {
		t.Errorf("19 decisions switch a rule off: %+v", c)
	}
	b = parseBox(b.bytes())
	b.SwitchOn("variant", at.Add(time.Second))
	decideAbout(b, at.Add(time.Minute), "variant", 19, memory.InboxReject, "")
	if c := b.Rules()[1]; c.Off() || c.Last != 19 {
		t.Errorf("off again before 20 decisions: %+v", c)
	}
	decideAbout(b, at.Add(time.Minute), "variant", 1, memory.InboxReject, "")
	if c := parseBox(b.bytes()).Rules()[1]; !c.Off() {
		t.Errorf("not off after 20 more: %+v", c)
	}
}

func TestOnlyDecisionsOfAPersonAboutARuleCount(t *testing.T) {
	b := parseBox(nil)
	w := Waiting{}
	w.ID, w.Origin.Rule = "p1", "recurring"
	sent := w
	sent.Origin.Door = memory.DoorShare
	chosen := w
	chosen.Origin.Door = memory.DoorPerson
	for _, d := range []Decision{
		{Do: memory.InboxApprove, Auto: true, Decided: []Decided{{ID: "p1", Waiting: &w}}},
		{Do: memory.InboxLater, Decided: []Decided{{ID: "p1", Waiting: &w}}},
		{Do: memory.InboxReject, Decided: []Decided{{ID: "p1", Waiting: &sent}}},
		{Do: memory.InboxApprove, Decided: []Decided{{ID: "p1", Waiting: &chosen}}},
		{Do: memory.InboxReject, Decided: []Decided{{ID: "r1"}}},
	} {
		b.Decide(&d)
	}
	if all := b.Rules(); len(all) != 0 {
		t.Errorf("counted: %+v", all)
	}
}
