package cli

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

type pruneFlags struct {
	changeFlags
	selection
	unused, failed bool
	older          string
	keep           int
}

func (e Env) prune(all *flags) *cobra.Command {
	var f pruneFlags
	c := &cobra.Command{
		Use:   "prune",
		Short: "delete records by a rule",
		Long: `Deletes the records that a rule is for. One rule is given: --unused, with --older or
alone; --failed; --filter; or --keep. Pinned records stay, and are named.`,
		Example: examples(
			"winnow prune --unused --older 30d --dry-run",
			"winnow prune --keep 60 --yes",
			"winnow prune --filter 'outcome:failed tool:shell' --json --yes"),
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			f.read(c, nil)
			rule, err := f.rule(c.Flags().Changed("keep"))
			if err != nil {
				return err
			}
			return e.runPrune(c.Context(), all, &f, rule)
		},
	}
	c.Flags().BoolVar(&f.unused, "unused", false, "delete what was never recalled")
	c.Flags().StringVar(&f.older, "older", "", "of the unused only what is older than `AGE`: days as in 30d or 30, or weeks as in 4w")
	c.Flags().BoolVar(&f.failed, "failed", false, "delete what failed sessions left")
	c.Flags().IntVar(&f.keep, "keep", 0, "delete all but the best `N`, by relevance count, then the newest")
	f.filterFlag(c)
	f.declare(c)
	return c
}

// rule returns the rule that the flags give.
func (f *pruneFlags) rule(keep bool) (memory.Rule, error) {
	rules := 0
	for _, given := range []bool{f.unused, f.failed, keep, f.set} {
		if given {
			rules++
		}
	}
	switch {
	case rules == 0:
		return memory.Rule{}, usage("give --unused, --failed, --filter or --keep", "prune: by which rule")
	case rules > 1:
		return memory.Rule{}, usage("give one of --unused, --failed, --filter and --keep", "prune: more than one rule")
	case f.older != "" && !f.unused:
		return memory.Rule{}, usage("give --unused as well, or a filter: --filter 'age:>30d'", "prune: --older goes with --unused")
	case keep && f.keep < 1:
		return memory.Rule{}, usage("give a number of 1 or more", "prune: --keep %d keeps nothing", f.keep)
	}
	r := memory.Rule{Unused: f.unused, Failed: f.failed, Keep: f.keep, Listed: f.set}
	if f.older == "" {
		return r, nil
	}
	var ok bool
	if r.Days, ok = days(f.older); !ok {
		return r, usage("give days, as in --older 30d", "prune: --older %s is no age", f.older)
	}
	return r, nil
}

// mostDays is the greatest age that a rule takes.
const mostDays = 100_000

// days returns the whole days in an age such as 30d, 30 or 4w.
func days(s string) (int, bool) {
	weeks := strings.HasSuffix(s, "w")
	n, err := strconv.Atoi(strings.TrimRight(s, "dw"))
	if err != nil || n < 1 || n > mostDays || strings.HasPrefix(s, "+") || len(s)-len(strings.TrimRight(s, "dw")) > 1 {
		return 0, false
	}
	if weeks {
		n *= 7
	}
	return n, true
}

func (e Env) runPrune(ctx context.Context, all *flags, f *pruneFlags, rule memory.Rule) error {
	c, err := e.change(ctx, "prune", all, &f.changeFlags, false)
	if err != nil {
		return err
	}
	o := memory.Order{Do: memory.Prune, Rule: rule}
	if rule.Listed {
		found, err := c.selected(ctx, c.op, c.place, &f.selection)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return c.nothing("no record matches")
		}
		o.IDs = idsOf(found)
	}
	return c.carry(ctx, o)
}
