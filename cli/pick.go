package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

// picking returns a command that does one thing to the records it is given; with optional
// to all that need it when none is given.
func (p *program) picking(d command, do memory.Act, optional bool) command {
	var f changeFlags
	var s selection
	d.offer, d.flags = p.offerIDs, f.flags()
	if !optional {
		d.flags = append(d.flags, s.filterFlag())
	}
	d.run = func(c *cobra.Command, args []string) error {
		s.read(c, args)
		if err := s.check(c.Name(), optional); err != nil {
			return err
		}
		return p.runPick(c.Context(), c.Name(), &f, &s, memory.Order{Do: do})
	}
	return d
}

// runPick carries out an order about the records of a selection, or about the whole store
// when it is empty.
func (p *program) runPick(ctx context.Context, op string, f *changeFlags, s *selection, o memory.Order) error {
	c, err := p.change(ctx, op, f, s.fromInput())
	if err != nil {
		return err
	}
	if s.empty() {
		return c.carryOut(ctx, o)
	}
	found, err := c.records(ctx, s)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return c.nothing("no record matches")
	}
	o.IDs = idsOf(found)
	return c.carryOut(ctx, o)
}

// nothing says that there is nothing to change, and why.
func (c *change) nothing(why string) error {
	if c.json {
		return c.print(nil)
	}
	c.tell("%s: %s", c.op, why)
	return nil
}

func (p *program) rm() command {
	return p.picking(command{
		use: "rm ID...|-", short: "Delete records",
		long: `Deletes records: each loses its line, and no other byte of the store changes. ID is
what show takes; - reads ids from standard input, one a line. --filter takes the records
that list prints for a filter, but none that only look like a word.

More than one record, and a pinned one, needs confirmation. undo brings all back, to the
same place. A running agent has its own copy of them and may write them back: guard
notices.`,
		examples: []string{"winnow rm 7f3c", "winnow rm --filter 'rel:0 age:>30d' --dry-run",
			"winnow list outcome:failed | cut -f1 | winnow rm - --yes"},
	}, memory.Delete, false)
}

func (p *program) pin() command {
	return p.picking(command{
		use: "pin ID...|-", short: "Keep records from being pruned here",
		long: `Pins records: rules leave them alone, and deleting one needs confirmation. Pins are
kept beside our history, never in the store: no agent knows of them.`,
		examples: []string{"winnow pin 7f3c", "winnow pin --filter 'rel:>5'"},
	}, memory.Pin, false)
}

func (p *program) unpin() command {
	return p.picking(command{
		use: "unpin ID...|-", short: "Remove pins", long: "Removes the pins of records. The store does not change.",
		examples: []string{"winnow unpin 7f3c", "winnow unpin --filter flag:P"},
	}, memory.Unpin, false)
}

func (p *program) redact() command {
	return p.picking(command{
		use: "redact ID...|-", short: "Replace the secrets in records, keeping no copy",
		long: `Replaces what looks like a secret in records by [REDACTED], after confirmation: it
cannot be undone, since no copy of the secret is kept, not even in our history. An agent
or a backup that read it before still has it: revoke the key.`,
		examples: []string{"winnow redact --filter flag:S --dry-run", "winnow redact 7f3c --yes"},
	}, memory.Redact, false)
}

func (p *program) repair() command {
	return p.picking(command{
		use: "repair [ID...|-]", short: "Mend or drop the lines that stop an agent",
		long: `Mends the lines that an agent cannot read, or drops those that cannot be mended.
Without ID it repairs all that doctor finds.`,
		examples: []string{"winnow doctor", "winnow repair --dry-run", "winnow repair :3 --yes"},
	}, memory.Repair, true)
}

func (p *program) unfreeze() command {
	d := p.picking(command{
		use: "unfreeze", short: "Make room in a full store that can learn nothing more",
		long: `Deletes as few records as it takes for an agent to learn again: a store is frozen
when each new lesson would be the first to be evicted. Pinned records stay.`,
		examples: []string{"winnow unfreeze --dry-run", "winnow unfreeze --yes"}, args: atMost(0),
	}, memory.Unfreeze, true)
	d.offer = nil
	return d
}

type pruneFlags struct {
	changeFlags
	selection
	unused, failed bool
	older          string
	keep           int
}

func (p *program) prune() command {
	var f pruneFlags
	return command{
		use: "prune", short: "Delete records matching a rule",
		long: `Deletes records matching a rule. Give one rule: --unused, with --older or alone;
--failed; --filter; or --keep. Pinned records stay, and are listed.`,
		examples: []string{
			"winnow prune --unused --older 30d --dry-run", "winnow prune --keep 60 --yes",
			"winnow prune --filter 'outcome:failed tool:shell' --json --yes",
		},
		args: atMost(0),
		flags: append(f.changeFlags.flags(), f.filterFlag(),
			flag{to: &f.unused, name: "unused", help: "delete what was never recalled"},
			flag{to: &f.older, name: "older", help: "with --unused: only what is older than `AGE`: days as in 30d or 30, or weeks as in 4w"},
			flag{to: &f.failed, name: "failed", help: "delete what failed sessions left"},
			flag{to: &f.keep, name: "keep", help: "delete all but the best `N`, by relevance count, then the newest"}),
		run: func(c *cobra.Command, _ []string) error {
			f.read(c, nil)
			rule, err := f.rule(c.Flags().Changed("keep"))
			if err != nil {
				return err
			}
			return p.runPick(c.Context(), "prune", &f.changeFlags, &f.selection, memory.Order{Do: memory.Prune, Rule: rule})
		},
	}
}

// rule returns the rule that the flags give.
func (f *pruneFlags) rule(keep bool) (memory.Rule, error) {
	rules := 0
	for _, given := range []bool{f.unused, f.failed, keep, f.set} {
		if given {
			rules++
		}
	}
	r := memory.Rule{Unused: f.unused, Failed: f.failed, Keep: f.keep, Listed: f.set}
	if err := refuse(
		refusal{rules == 0, "give --unused, --failed, --filter or --keep", "prune: by which rule?"},
		refusal{rules > 1, "give one of --unused, --failed, --filter and --keep", "prune: more than one rule"},
		refusal{f.older != "" && !f.unused, "give --unused as well, or a filter: --filter 'age:>30d'", "prune: --older goes with --unused"},
		refusal{keep && f.keep < 1, "give a number of 1 or more", "prune: --keep needs a number above 0"},
	); err != nil || f.older == "" {
		return r, err
	}
	var ok bool
	if r.Days, ok = days(f.older); !ok {
		return r, usage("give days, as in --older 30d", "prune: --older %s is no age", f.older)
	}
	return r, nil
}

// days returns the whole days in an age such as 30d, 30 or 4w.
func days(s string) (int, bool) {
	const most = 100_000
	number := strings.TrimRight(s, "dw")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > most || strings.HasPrefix(s, "+") || len(s)-len(number) > 1 {
		return 0, false
	}
	if strings.HasSuffix(s, "w") {
		n *= 7
	}
	return n, true
}

type mergeFlags struct {
	changeFlags
	sets []string
	from string
}

func (p *program) merge() command {
	var f mergeFlags
	return command{
		use: "merge ID ID...", short: "Merge several records into one",
		long: `Merges several records into one: the first stays, with the highest relevance count,
the newest dates and the tools of all, and the others are deleted. Its texts are those
of the first, or of the record that --text-from names, or what --set gives.`,
		examples: []string{
			"winnow list flag:D", "winnow merge 7f3c 9a10 --dry-run",
			"winnow merge 7f3c 9a10 --text-from 9a10 --set outcome=succeeded --yes",
		},
		offer: p.offerIDs,
		flags: append(f.flags(), f.allowFlag(), setFlag(&f.sets),
			flag{to: &f.from, name: "text-from", help: "take the texts and the outcome of the record `ID`", offer: p.offerIDs}),
		run: func(c *cobra.Command, args []string) error {
			s := selection{names: args}
			if err := s.check("merge", true); err != nil {
				return err
			}
			return p.runMerge(c.Context(), &f, &s)
		},
	}
}

func (p *program) runMerge(ctx context.Context, f *mergeFlags, s *selection) error {
	const hint = "find near duplicates: winnow list flag:D"
	if len(s.names) < 2 && !s.fromInput() {
		return usage(hint, "merge: give two records or more")
	}
	edit, err := edits("merge", f.sets)
	if err != nil {
		return err
	}
	c, err := p.change(ctx, "merge", &f.changeFlags, s.fromInput())
	if err != nil {
		return err
	}
	found, err := c.records(ctx, s)
	if err != nil {
		return err
	}
	if len(found) < 2 {
		return usage(hint, "merge: all names are of the same record")
	}
	if f.from != "" {
		if err := c.textFrom(found, f.from, &edit); err != nil {
			return err
		}
	}
	return c.carryOut(ctx, memory.Order{Do: memory.Merge, IDs: idsOf(found), Edit: edit})
}

// textFrom takes the texts of one of the records where the edit does not set them.
func (c *change) textFrom(found []wanted, name string, edit *memory.Edit) error {
	var one candidates
	for i := range found {
		one.add(name, &found[i].record, found[i].place)
	}
	if err := one.check("merge", c.place, name); err != nil {
		return err
	}
	r, outcome := one.record, string(one.record.Outcome)
	edit.Title, edit.Body = either(edit.Title, &r.Title), either(edit.Body, &r.Body)
	if checkOutcome(outcome) == nil { // no other can be set by hand
		edit.Outcome = either(edit.Outcome, &outcome)
	}
	return nil
}
