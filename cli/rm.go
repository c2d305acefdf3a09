package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

// picking describes a command that does one thing to the records it is given.
type picking struct {
	use, short, long string
	examples         []string
	do               memory.Act
}

// picks returns the command that p describes.
func (e Env) picks(all *flags, p picking) *cobra.Command {
	var f changeFlags
	var s selection
	c := &cobra.Command{Use: p.use, Short: p.short, Long: p.long, Example: examples(p.examples...)}
	c.RunE = func(c *cobra.Command, args []string) error {
		s.read(c, args)
		if err := s.wantSome(c.Name()); err != nil {
			return err
		}
		return e.runPick(c.Context(), c.Name(), all, &f, &s, p.do)
	}
	c.ValidArgsFunction = e.completeIDs(all)
	s.filterFlag(c)
	f.declare(c)
	return c
}

func (e Env) runPick(ctx context.Context, op string, all *flags, f *changeFlags, s *selection, do memory.Act) error {
	c, err := e.change(ctx, op, all, f, s.fromInput())
	if err != nil {
		return err
	}
	found, err := c.records(ctx, s)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return c.nothing("no record matches")
	}
	return c.carry(ctx, memory.Order{Do: do, IDs: idsOf(found)})
}

// nothing says that there is nothing to change, and why.
func (c *change) nothing(why string) error {
	if c.json {
		return c.print(nil)
	}
	fmt.Fprintf(c.Err, "%s: %s\n", safe.Line(c.op), why)
	return nil
}

func (e Env) rm(all *flags) *cobra.Command {
	return e.picks(all, picking{
		use: "rm ID...|-", short: "delete records",
		long: `Deletes records: each loses its line, and no other byte of the store changes. ID is
as show takes it; - reads ids from standard input, one a line. --filter takes
the records that list prints for a filter, but none that only look like a word.

More than one record, and a pinned one, is asked about first. undo brings all
back, to the same place. An agent that runs at the moment has them in its memory
and may write them back: guard notices.`,
		examples: []string{"winnow rm 7f3c", "winnow rm --filter 'rel:0 age:>30d' --dry-run",
			"winnow list outcome:failed | cut -f1 | winnow rm - --yes"},
		do: memory.Delete,
	})
}

func (e Env) pin(all *flags) *cobra.Command {
	return e.picks(all, picking{
		use: "pin ID...|-", short: "keep records from being pruned here",
		long: `Pins records: rules leave them alone, and whoever deletes one is asked first.
Pins are kept beside our history, never in the store: no agent knows of them.`,
		examples: []string{"winnow pin 7f3c", "winnow pin --filter 'rel:>5'"},
		do:       memory.Pin,
	})
}

func (e Env) unpin(all *flags) *cobra.Command {
	return e.picks(all, picking{
		use: "unpin ID...|-", short: "take pins away",
		long:     "Takes the pins of records away. The store is not changed.",
		examples: []string{"winnow unpin 7f3c", "winnow unpin --filter flag:P"},
		do:       memory.Unpin,
	})
}

func (e Env) redact(all *flags) *cobra.Command {
	return e.picks(all, picking{
		use: "redact ID...|-", short: "replace the secrets in records, keeping no copy",
		long: `Replaces what looks like a secret in records by [REDACTED]. It is asked about, since
it cannot be undone: no copy of the secret is kept, in our history neither. What
was read before, by an agent or into a backup, is not reached: change the key.`,
		examples: []string{"winnow redact --filter flag:S --dry-run", "winnow redact 7f3c --yes"},
		do:       memory.Redact,
	})
}

func (e Env) repair(all *flags) *cobra.Command {
	return e.mayPick(all, picking{
		use: "repair [ID...|-]", short: "mend or drop the lines that stop an agent",
		long: `Mends the lines with which an agent cannot work, or drops those that cannot be
mended. Without ID all that doctor finds are repaired.`,
		examples: []string{"winnow doctor", "winnow repair --dry-run", "winnow repair :3 --yes"},
		do:       memory.Repair,
	})
}

func (e Env) unfreeze(all *flags) *cobra.Command {
	c := e.mayPick(all, picking{
		use: "unfreeze", short: "make room in a store that can learn nothing more",
		long: `Deletes as many records as it takes for an agent to learn again: a store is frozen
when each new lesson would be the first to be evicted. Pinned records stay.`,
		examples: []string{"winnow unfreeze --dry-run", "winnow unfreeze --yes"},
		do:       memory.Unfreeze,
	})
	c.Args, c.ValidArgsFunction = atMost(0), nil
	return c
}

// mayPick returns the command that p describes, for all records that need it when
// none is named.
func (e Env) mayPick(all *flags, p picking) *cobra.Command {
	var f changeFlags
	c := &cobra.Command{Use: p.use, Short: p.short, Long: p.long, Example: examples(p.examples...)}
	c.RunE = func(c *cobra.Command, args []string) error {
		s := selection{names: args}
		if s.empty() {
			return e.runAll(c.Context(), c.Name(), all, &f, p.do)
		}
		if err := s.noEmptyName(c.Name()); err != nil {
			return err
		}
		return e.runPick(c.Context(), c.Name(), all, &f, &s, p.do)
	}
	c.ValidArgsFunction = e.completeIDs(all)
	f.declare(c)
	return c
}

func (e Env) runAll(ctx context.Context, op string, all *flags, f *changeFlags, do memory.Act) error {
	c, err := e.change(ctx, op, all, f, false)
	if err != nil {
		return err
	}
	return c.carry(ctx, memory.Order{Do: do})
}
