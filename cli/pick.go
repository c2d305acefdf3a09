package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"winnow/core/filter"
	"winnow/core/memory"
)

// pick is one call of a command that does one thing to the given records. If optional is set and no
// records are given, it does so to all records that need it.
type pick struct {
	change
	selection
	optional bool
}

func (p *program) picking(d command, do memory.Act, optional bool) command {
	f := pick{change: p.changing(), optional: optional}
	d.offer, d.flags, d.check, d.on = p.offerIDs, f.flags(), f.check, f.writes
	d.run = func(ctx context.Context, _ []string) error { return f.order(ctx, memory.Order{Do: do}) }
	if !optional {
		d.flags = append(d.flags, f.filterFlag())
	}
	return d
}

func (f *pick) check(args []string) error { return f.read(f.program, args, f.optional) }

func (f *pick) writes() choice {
	return choice{writes: true, dryRun: f.dryRun, inputTaken: f.fromInput(), holds: f.selects(&f.selection)}
}

// order carries out an order about the selected records, or about the whole store if nothing is
// selected.
func (f *pick) order(ctx context.Context, o memory.Order) error {
	if f.empty() {
		return f.carryOut(ctx, o)
	}
	found, err := f.records(ctx, &f.selection)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		f.printNothing("no record matches")
		return nil
	}
	o.IDs = idsOf(found)
	return f.carryOut(ctx, o)
}

// printNothing says that there is nothing to change, and why.
func (c *change) printNothing(why string) {
	if c.json {
		c.print(nil)
	} else {
		c.notef("%s: %s", c.op, why)
	}
}

func (p *program) rm() command {
	return p.picking(command{
		use: "rm ID...|-", short: "Delete records",
		long: `Deletes records: each loses its line, and no other byte of the store changes. ID is
anything that show takes; - reads ids from standard input, one per line. --filter selects
the records that list prints for a filter, but no loose matches.

Deleting a pinned record, or more than one, needs confirmation. undo puts all of them back
in place. A running agent has its own copy and may write them back: guard notices that.`,
		examples: []string{"winnow rm 7f3c", "winnow rm --filter 'rel:0 age:>30d' --dry-run",
			"winnow list outcome:failed | cut -f1 | winnow rm - --yes"},
	}, memory.Delete, false)
}

func (p *program) pin() command {
	return p.picking(command{
		use: "pin ID...|-", short: "Protect records from pruning",
		long: `Pins records: rules leave them alone, and deleting one needs confirmation. Pins are kept
with Winnow's history, never in the store, so agents do not see them.`,
		examples: []string{"winnow pin 7f3c", "winnow pin --filter 'rel:>5'"},
	}, memory.Pin, false)
}

func (p *program) unpin() command {
	return p.picking(command{
		use: "unpin ID...|-", short: "Remove pins", long: "Unpins records. The store does not change.",
		examples: []string{"winnow unpin 7f3c", "winnow unpin --filter flag:pinned"},
	}, memory.Unpin, false)
}

func (p *program) redact() command {
	return p.picking(command{
		use: "redact ID...|-", short: "Replace secrets in records, keeping no copy",
		long: `Replaces what looks like a secret in records with [REDACTED], after confirmation. This
cannot be undone: no copy of the secret is kept, not even in Winnow's history. It
is removed from the histories of all stores, since several can show the same file, and from
draft tasks; hard links that keep the old text are named. Agents and backups that read it before
still have it, so revoke the key.`,
		examples: []string{"winnow redact --filter flag:secret --dry-run", "winnow redact 7f3c --yes"},
	}, memory.Redact, false)
}

// repairing is one call of repair, with its flags.
type repairing struct {
	pick
	from string
}

func (p *program) repair() command {
	f := repairing{pick: pick{change: p.changing(), optional: true}}
	return command{
		use: "repair [ID...|-]", short: "Fix or drop the lines that make an agent fail",
		long: `Fixes lines that an agent cannot read, and drops those that cannot be fixed. Without ID it
repairs everything that doctor finds. If no line is wrong, and the store is full of records
that were all recalled, so that an agent can learn nothing new, it lowers the counts that
help least to 0, for a tenth of the store.

--from moves the memory that a project left behind into the store of the project here: the
project was in FOLDER, was moved or removed, and its agent keeps memories by the path. What
the store here says otherwise stays there. It is two changes, one in each store, and one
undo in the store here takes back both.`,
		examples: []string{"winnow doctor", "winnow repair --dry-run", "winnow repair :3 --yes",
			"winnow repair --from ~/work/old --dry-run"},
		offer: p.offerIDs,
		flags: append(f.flags(),
			flag{to: &f.from, name: "from", help: "take over the memory of the project that was in `FOLDER`"}),
		check: func(args []string) error {
			empty := f.isSet("from") && f.from == ""
			ids := f.from != "" && len(args) > 0
			return cmp.Or(f.check(args), refuse(
				refusal{empty, "name the folder in which the project was", "repair: --from names no folder"},
				refusal{ids, "leave out the ids", "repair: --from takes over everything"}))
		},
		on: f.writes, run: f.run,
	}
}

func (f *repairing) run(ctx context.Context, _ []string) error {
	if f.from == "" {
		return f.order(ctx, memory.Order{Do: memory.Repair})
	}
	plans, err := f.Library.Moved(ctx, f.place.Store, f.Absolute(f.from))
	if err != nil {
		return f.failed(err)
	}
	runs := make([]planRun, 0, len(plans))
	for _, p := range plans {
		if p.Asks != "" && f.anyway {
			p.Asks, p.Order.Anyway = "", true
		}
		runs = append(runs, planRun{plan: p})
	}
	if err := f.carryOutPlans(ctx, runs); err != nil || f.dryRun {
		return err
	}
	f.notef("to take it back: winnow undo %s", storeFlag(f.place))
	return nil
}

// pruning is one call of prune, with its flags.
type pruning struct {
	pick
	unused, failed bool
	again          bool
	older          string
	flagged        []string
	best, idle     int
}

func (p *program) prune() command {
	f := pruning{pick: pick{change: p.changing()}}
	return command{
		use: "prune", short: "Delete records matching a rule",
		long: `Deletes records matching one rule: --unused, alone or with --older; --idle; --older;
--flagged; --failed; --failed-again; --keep; or --filter. Pinned records stay and are
listed, and so are those of which too few sessions are known. No rule but --filter deletes
instructions that people write, or an index. Of records that say nearly the same the most used
one stays. For a store that counts no recalls, the sessions of its project say how often a
record was given or read.

--failed-again deletes lessons that at least 5 sessions were told and whose own failure came
all the same in at least half of them; show has the numbers. Those that fewer sessions were
told, or that failed again less often, stay and are listed.`,
		examples: []string{
			"winnow prune --unused --older 30d --dry-run", "winnow prune --keep 60 --yes",
			"winnow prune --idle 20 --dry-run", "winnow prune --flagged stale,unread --yes",
			"winnow prune --filter 'outcome:failed tool:shell' --json --yes",
		},
		args: atMost(0),
		flags: append(
			f.flags(),
			f.filterFlag(),
			flag{to: &f.unused, name: "unused", help: "delete records that were never recalled"},
			flag{
				to:   &f.older,
				name: "older",
				help: "delete records older than `AGE` and not used since, in days (30d or 30) or weeks (4w)",
			},
			flag{to: &f.idle, name: "idle", help: "delete records that none of the last `N` sessions used"},
			flag{
				to:     &f.flagged,
				name:   "flagged",
				help:   "delete records with this `WORD`: " + strings.Join(prunableFlags.Words(), ", "),
				values: prunableFlags.Words(),
				commas: true,
			},
			flag{to: &f.failed, name: "failed", help: "delete records of failed sessions"},
			flag{
				to:   &f.again,
				name: "failed-again",
				help: "delete lessons that were told often and whose failure came all the same",
			},
			flag{to: &f.best, name: "keep", help: "delete all but the best `N`, by relevance count, then the newest"},
		),
		check: f.check, on: f.writes, run: f.run,
	}
}

// pruneRules are the flags of which one is given.
const pruneRules = "--unused, --idle, --older, --flagged, --failed, --failed-again, --filter or --keep"

// prunableFlags are the flags that a rule can name.
const prunableFlags = memory.FlagSecret | memory.FlagInjection | memory.FlagNamesGone | memory.FlagSimilar |
	memory.FlagUnseen | memory.FlagStale

func (f *pruning) check([]string) error {
	if err := f.read(f.program, nil, true); err != nil {
		return err
	}
	keep, idle, rules := f.isSet("keep"), f.isSet("idle"), 0
	for _, given := range []bool{f.unused || f.older != "", f.failed, f.again, keep, f.set, idle, len(f.flagged) > 0} {
		if given {
			rules++
		}
	}
	_, ok := days(f.older)
	return refuse(
		refusal{rules == 0, "give one of " + pruneRules, "prune: by which rule?"},
		refusal{rules > 1, "give one of " + pruneRules, "prune: more than one rule"},
		refusal{idle && f.idle < 1, "give a number of sessions of 1 or more", "prune: --idle needs a number above 0"},
		refusal{keep && f.best < 1, "give a number of 1 or more", "prune: --keep needs a number above 0"},
		refusal{f.older != "" && !ok, "give days, as in --older 30d", "prune: --older " + f.older + " is not an age"},
	)
}

func (f *pruning) run(ctx context.Context, _ []string) error {
	age, _ := days(f.older)
	rule := memory.Rule{
		Unused: f.unused, Days: age, Failed: f.failed, Keep: f.best, Listed: f.set, Idle: f.idle, Again: f.again,
	}
	for _, flag := range prunableFlags.WorstFirst() {
		if slices.Contains(f.flagged, flag.Word()) {
			rule.Flag |= flag
		}
	}
	return f.order(ctx, memory.Order{Do: memory.Prune, Rule: rule})
}

// days parses an age such as 30d, 30 or 4w into whole days.
func days(s string) (int, bool) {
	const day, most = float64(24 * time.Hour), 700_000
	age, ok := filter.ParseAge(s)
	n := int(age / day)
	return n, ok && n >= 1 && n <= most && age == float64(n)*day
}

// merging is one call of merge, with its flags.
type merging struct {
	pick
	sets []string
	from string
	edit memory.Edit // described by sets
}

func (p *program) merge() command {
	f := merging{pick: pick{change: p.changing()}}
	return command{
		use: "merge ID ID...", short: "Merge several records into one",
		long: `Merges several records into one: the first stays, with the highest relevance count, the
newest dates and the tools of all, and the others are deleted. The texts come from the
first record, from the one that --text-from names, or from --set.`,
		examples: []string{
			"winnow list flag:twice", "winnow merge 7f3c 9a10 --dry-run",
			"winnow merge 7f3c 9a10 --text-from 9a10 --set outcome=succeeded --yes",
		},
		offer: p.offerIDs,
		flags: append(
			f.flags(),
			f.allowFlag(),
			setFlag(&f.sets),
			flag{
				to:    &f.from,
				name:  "text-from",
				help:  "take the texts and the outcome of record `ID`",
				offer: p.offerIDs,
			},
		),
		check: f.check, on: f.writes, run: f.run,
	}
}

// findSimilar says how to find records that can be merged.
const findSimilar = "find near duplicates: winnow list flag:twice"

func (f *merging) check(args []string) (err error) {
	f.names = args
	f.edit, err = parseSets(f.op, f.sets)
	return cmp.Or(refuse(
		refusal{slices.Contains(args, ""), "see the ids: winnow list", "merge: an id is empty"},
		refusal{len(args) < 2 && !f.fromInput(), findSimilar, "merge: give two records or more"},
	), err)
}

func (f *merging) run(ctx context.Context, _ []string) error {
	found, err := f.records(ctx, &f.selection)
	if err == nil && len(found) < 2 {
		err = usage(findSimilar, "merge: all names mean the same record")
	}
	if err == nil && f.from != "" {
		err = f.textFrom(found, &f.edit)
	}
	if err != nil {
		return err
	}
	return f.carryOut(ctx, memory.Order{Do: memory.Merge, IDs: idsOf(found), Edit: f.edit})
}

// textFrom takes the texts from one of the records if the edit does not set them.
func (f *merging) textFrom(found []memory.Record, edit *memory.Edit) error {
	named := lookUp(f.from)
	for i := range found {
		named.offer(&found[i])
	}
	if err := named.Err(); err != nil {
		return f.unclear(err, 1)
	}
	r, outcome := &named.record, string(named.record.Outcome)
	edit.Title, edit.Body = cmp.Or(edit.Title, &r.Title), cmp.Or(edit.Body, &r.Body)
	if checkOutcome(outcome) == nil { // no other outcome can be set by hand
		edit.Outcome = cmp.Or(edit.Outcome, &outcome)
	}
	return nil
}
