package inbox

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/memory"
)

// Rules returns what was decided about the proposals of each rule. It changes nothing.
func (b *Reviewer) Rules() ([]memory.RuleCount, error) {
	box, err := b.quarantine.Look()
	if err != nil {
		return nil, err
	}
	return box.Rules(), nil
}

// SwitchOn lets a rule propose again: what was decided before does not count any more.
func (b *Reviewer) SwitchOn(ctx context.Context, rule string) error {
	if b.readOnly {
		return fmt.Errorf("switch on %s: %w", rule, memory.ErrReadOnly)
	}
	box, leave, err := b.quarantine.Enter(ctx, b.now())
	if err != nil {
		return err
	}
	defer leave()
	if !slices.ContainsFunc(box.Rules(), func(c memory.RuleCount) bool { return c.Rule == rule }) {
		return fmt.Errorf("switch on %s: %w", rule, memory.ErrNotFound)
	}
	box.SwitchOn(rule, b.now())
	return box.Save()
}

// rulesOff says of each rule that proposes no more why.
func (b *Reviewer) rulesOff() (map[string]string, error) {
	all, err := b.Rules()
	off := map[string]string{}
	for i := range all {
		if c := &all[i]; c.Off() {
			off[c.Rule] = fmt.Sprintf(
				"%s: the rule proposes no more, as %d of its last %d proposals were approved; see winnow inbox stats",
				c.Rule, c.LastApproved, c.Last,
			)
		}
	}
	return off, err
}
