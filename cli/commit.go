package cli

import (
	"context"
	"fmt"

	"winnow/core/memory"
	"winnow/views/safe"
)

// count counts a recall in the store, or only makes the plan of it.
func (c *change) count(ctx context.Context, all *flags, t memory.Task) (*step, error) {
	if all.readOnly && !c.dryRun {
		return nil, refusesToWrite(c.op)
	}
	steps, err := c.plans(ctx, []memory.Order{{Do: memory.Commit, Task: t}})
	if err == nil && !c.dryRun {
		_, err = c.apply(ctx, steps)
	}
	if err != nil {
		return nil, err
	}
	return &steps[0], nil
}

// printCounts prints for reading what was counted of a recall, or would be.
func (c *change) printCounts(o *output, s *step) {
	o.printf("\n")
	if c.dryRun {
		o.line("would be counted; nothing was changed:")
	} else {
		c.printDone(o, s)
	}
	for i := range s.plan.Changes {
		ch := &s.plan.Changes[i]
		o.line(fmt.Sprintf("  %s  rel %s -> %s  %s", o.id(o.maskedID(&ch.Record, ch.ID)),
			count(o.shown(&ch.Record)), count(o.shown(&ch.Edited)), o.headline(&ch.Record)))
	}
}

// tellCounted says on standard error what was counted, where the output holds the
// exact bytes of a block and nothing else.
func (c *change) tellCounted(s *step) error {
	if s == nil {
		return nil
	}
	said := safe.Line(c.output(c.reveal).hidden(s.plan.What))
	if c.dryRun {
		said = fmt.Sprintf("dry run: nothing was changed; %d would be counted", len(s.plan.Changes))
	}
	_, err := fmt.Fprintln(c.Err, said)
	return err
}
