package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// stats prints what was decided about the proposals of each rule, after it switched one on if that is asked for.
func (f *reviewing) stats(ctx context.Context) error {
	if f.on != "" {
		switch err := f.Inbox.SwitchOn(ctx, f.on); {
		case errors.Is(err, memory.ErrNotFound):
			hint := "see the rules: winnow inbox stats"
			return failed(exitNotFound, hint, "inbox stats: nothing was decided about rule %s", f.on)
		case err != nil:
			return during("inbox stats", err)
		}
	}
	all, err := f.Inbox.Rules()
	if err != nil {
		return during("inbox stats", err)
	}
	if f.json {
		f.out.JSON(inboxRulesJSON{schemaVersion, output.Each(all, f.ruleCount)})
		return nil
	}
	if len(all) == 0 && f.out.Width > 0 {
		f.out.Line("Nothing was decided about proposals of rules yet.")
	}
	for i := range all {
		f.rule(&all[i])
	}
	return nil
}

// rule prints one rule.
func (f *reviewing) rule(c *memory.RuleCount) {
	o := f.out
	if o.Width == 0 {
		o.Row(c.Rule, c.Approved, c.Rejected, c.LastApproved, c.Last, output.When(c.Off(), "off"), reasonsText(c))
		return
	}
	o.Hang("", "%s: approved %d of %d%s", c.Rule, c.Approved, c.Approved+c.Rejected,
		output.When(len(c.Reasons) > 0, "; rejected as "+reasonsText(c)))
	if c.Off() {
		o.Hang("  ", "It proposes no more: %d of its last %d were approved, and %d would do. "+
			"To switch it on: winnow inbox stats --on %s", c.LastApproved, c.Last, memory.FewestApproved, c.Rule)
	}
}

// reasonsText counts the reasons of rejections: "not true 3, harmful 1".
func reasonsText(c *memory.RuleCount) string {
	var all []string
	for _, r := range memory.RejectionReasons() {
		if n := c.Reasons[r]; n > 0 {
			all = append(all, fmt.Sprintf("%s %d", r, n))
		}
	}
	return strings.Join(all, ", ")
}

// inboxRulesJSON is what was decided about the proposals of each rule.
type inboxRulesJSON struct {
	Schema int             `json:"schema"`
	Rules  []ruleCountJSON `json:"rules"`
}

type ruleCountJSON struct {
	Rule         text       `json:"rule"`
	Approved     int        `json:"approved"`
	Rejected     int        `json:"rejected"`
	Reasons      object     `json:"reasons"` // how often each was given
	Last         int        `json:"last"`
	LastApproved int        `json:"last_approved"`
	Off          bool       `json:"off"`
	On           *time.Time `json:"on"`
}

func (f *reviewing) ruleCount(c *memory.RuleCount) ruleCountJSON {
	reasons := object{}
	for _, r := range memory.RejectionReasons() {
		reasons = append(reasons, string(r), c.Reasons[r])
	}
	return ruleCountJSON{
		Rule:         f.out.Text(c.Rule),
		Approved:     c.Approved,
		Rejected:     c.Rejected,
		Reasons:      reasons,
		Last:         c.Last,
		LastApproved: c.LastApproved,
		Off:          c.Off(),
		On:           output.Instant(c.On),
	}
}
