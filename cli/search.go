package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

func (e Env) search(all *flags) *cobra.Command {
	var asJSON, reveal bool
	var t taskFlags
	c := &cobra.Command{
		Use:   "search TASK...|-",
		Short: "rank the records for a task, with reasons",
		Long: `Ranks the records for a task as the agent would, and says why: which words of the
task count, which record has which of them, and where the agent cuts. Matches
marked ~ are noise: stop words, and words inside other words.`,
		Example: examples("winnow search deploy the docs to staging", "winnow search - < task.txt"),
		RunE: func(c *cobra.Command, args []string) error {
			return e.runSearch(c.Context(), all, &t, args, asJSON, reveal)
		},
	}
	t.declare(c)
	jsonFlag(c, &asJSON)
	revealFlag(c, &reveal)
	return c
}

func (e Env) runSearch(ctx context.Context, all *flags, t *taskFlags, args []string, asJSON, reveal bool) error {
	place, r, err := e.recallFor(ctx, all, t, args)
	if err != nil {
		return err
	}
	o := e.output(reveal)
	if asJSON {
		err = o.json(o.recallJSON(place, r, false))
	} else {
		o.printWords(r)
		o.printHits(r)
		o.printNotes(r)
		err = o.close()
	}
	if err == nil && r.Stop != nil {
		return agentStops(r.Stop)
	}
	return err
}

// printWords says which words of the task count.
func (o *output) printWords(r memory.Recall) {
	var used []string
	why := map[memory.WordState]string{
		memory.WordShort: "3 letters or fewer", memory.WordPast50: "past the 50th word",
		memory.WordPast2000: "past the first 2000 letters", memory.WordLeftOut: "left out",
	}
	ignored := map[memory.WordState][]string{}
	for _, w := range r.Words {
		if w.State == memory.WordUsed {
			used = append(used, safe.Line(w.Text))
		} else {
			ignored[w.State] = append(ignored[w.State], safe.Line(w.Text))
		}
	}
	o.paragraph("", fmt.Sprintf("words used %d of at most %d: %s", r.Used, r.WordCap, word(strings.Join(used, " "))))
	for s := memory.WordShort; s <= memory.WordLeftOut; s++ {
		if len(ignored[s]) > 0 {
			o.paragraph("", fmt.Sprintf("ignored, %s: %s", why[s], strings.Join(ignored[s], " ")))
		}
	}
}

// printHits prints the ranking, with the line below which nothing is recalled.
func (o *output) printHits(r memory.Recall) {
	o.printf("\n")
	if len(r.Hits) == 0 {
		o.paragraph("", "nothing would be recalled: "+safe.Line(r.Empty))
		return
	}
	cut := false
	for i := range r.Hits {
		h := &r.Hits[i]
		if !h.Recalled && !cut {
			cut = true
			o.line(fmt.Sprintf("--- cut: the first %d are recalled ---", r.Limit))
		}
		rec := o.shown(&memory.Record{ID: h.ID, Title: h.Title, Secrets: h.Secrets})
		title := views.Cell(o.title(rec), 40)
		if o.width == 0 {
			title = o.title(rec)
		}
		o.line(fmt.Sprintf("%3d  score %d  rel %d  %s  %s  %s", h.Rank, h.Score, h.Count.N,
			o.id(rec.ID), title, strings.Join(reasons(h), " ")))
	}
	if more := r.Found - len(r.Hits); more > 0 {
		o.line(fmt.Sprintf("     %d more score", more))
	}
}

// reasons are the words and tools that a hit scores for, noise marked with ~.
func reasons(h *memory.Hit) []string {
	var list []string
	for _, m := range h.Matches {
		s := safe.Line(m.Word)
		if m.Kind != memory.WholeWord {
			s += "~"
		}
		if m.Times > 1 {
			s += fmt.Sprintf(" x%d", m.Times)
		}
		list = append(list, s)
	}
	for _, t := range h.ToolHits {
		list = append(list, "tool:"+safe.Line(t))
	}
	if h.LostTie {
		list = append(list, "(tie: an earlier line won)")
	}
	return list
}
