package cli

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

type mergeFlags struct {
	changeFlags
	sets []string
	from string
}

func (e Env) merge(all *flags) *cobra.Command {
	var f mergeFlags
	c := &cobra.Command{
		Use:   "merge ID ID...",
		Short: "make one record of several",
		Long: `Makes one record of several: the first stays, with the highest relevance count, the
newest dates and the tools of all, and the others are deleted. Its texts are those
of the first, or of the record that --text-from names, or what --set gives.`,
		Example: examples(
			"winnow list flag:D",
			"winnow merge 7f3c 9a10 --dry-run",
			"winnow merge 7f3c 9a10 --text-from 9a10 --set outcome=succeeded --yes"),
		RunE: func(c *cobra.Command, args []string) error {
			s := selection{names: args}
			if err := s.noEmptyName("merge"); err != nil {
				return err
			}
			if len(args) < 2 && !s.fromInput() {
				return usage("see which say nearly the same: winnow list flag:D", "merge: give two records or more")
			}
			return e.runMerge(c.Context(), all, &f, &s)
		},
	}
	c.ValidArgsFunction = e.completeIDs(all)
	setFlag(c, &f.sets)
	c.Flags().StringVar(&f.from, "text-from", "", "take the texts and the outcome of the record `ID`")
	_ = c.RegisterFlagCompletionFunc("text-from", e.completeIDs(all))
	f.allowFlag(c)
	f.declare(c)
	return c
}

func (e Env) runMerge(ctx context.Context, all *flags, f *mergeFlags, s *selection) error {
	edit, err := e.edits("merge", f.sets)
	if err != nil {
		return err
	}
	c, err := e.change(ctx, "merge", all, &f.changeFlags, s.fromInput())
	if err != nil {
		return err
	}
	found, err := c.records(ctx, s)
	if err != nil {
		return err
	}
	if len(found) < 2 {
		return usage("see which say nearly the same: winnow list flag:D", "merge: these are one record")
	}
	if f.from != "" {
		if err := c.textFrom(found, f.from, &edit); err != nil {
			return err
		}
	}
	return c.carry(ctx, memory.Order{Do: memory.Merge, IDs: idsOf(found), Edit: edit})
}

// textFrom takes the texts of one of the records where the edit does not set them.
func (c *change) textFrom(found []wanted, name string, edit *memory.Edit) error {
	var one candidates
	for i := range found {
		one.take(name, &found[i].record, found[i].place)
	}
	if err := one.check("merge", c.place, name); err != nil {
		return err
	}
	r := one.record
	if edit.Title == nil {
		edit.Title = &r.Title
	}
	if edit.Body == nil {
		edit.Body = &r.Body
	}
	if outcome := string(r.Outcome); edit.Outcome == nil && (r.Outcome == memory.Succeeded || r.Outcome == memory.Failed) {
		edit.Outcome = &outcome // no other can be set by hand
	}
	return nil
}
