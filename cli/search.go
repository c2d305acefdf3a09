package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

func (e Env) search(all *flags) *cobra.Command {
	var f searchFlags
	c := &cobra.Command{
		Use:   "search WORDS...|TASK...|-",
		Short: "look for words in all stores, or rank the records of one for a task",
		Long: `With --all, when several stores are found or --store names several, and in a store
that no agent recalls from, looks for words in all of them at once: FILTER words as
list takes them, which must all match. Each result says where it is, and how to show
it; those with the words in the title come first.

In one store, ranks the records for a task as the agent would, and says why: which
words of the task count, which record has which of them, and where the agent cuts.
Matches marked ~ are noise: stop words, and words inside other words.

In all stores, to anything but a terminal each line has six columns with a tab between
them: the store, id, kind, flags, title, and the command that shows the record.`,
		Example: examples("winnow search deploy the docs to staging", "winnow search - < task.txt",
			"winnow search --all token kind:rule", "winnow search --all deploy --json | jq -r '.results[].open'"),
		RunE: func(c *cobra.Command, args []string) error { return e.runSearch(c.Context(), all, &f, args) },
	}
	f.declare(c)
	c.Flags().BoolVar(&f.all, "all", false, "look for words in all stores that are found, or all of --store and --system")
	c.Flags().IntVar(&f.limit, "limit", shownResults, "with --all: show at most `N` results; 0 shows all")
	jsonFlag(c, &f.json)
	revealFlag(c, &f.reveal)
	return c
}

// shownResults is how many results a search of all stores shows if nobody says otherwise.
const shownResults = 50

func (e Env) runSearch(ctx context.Context, all *flags, f *searchFlags, args []string) error {
	if f.limit < 0 {
		return usage("give a number of 0 or more", "search: --limit does not go below 0")
	}
	wide, err := e.widely(ctx, all, f, args)
	if err != nil {
		return err
	}
	if wide != nil {
		return e.runSearchAll(ctx, wide, f, strings.Join(args, " "))
	}
	place, r, err := e.recallFor(ctx, all, &f.taskFlags, args)
	if p := new(memory.Problem); errors.As(err, &p) && p.Code == "no-recall" {
		return e.runSearchAll(ctx, []memory.Place{place}, f, strings.Join(args, " "))
	}
	if err != nil {
		return err
	}
	o := e.output(f.reveal)
	o.foreign = place.System != engine
	if f.json {
		err = o.json(o.recallJSON(place, r, false))
	} else {
		if !o.foreign || len(r.Words) > 0 {
			o.printWords(r)
		}
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
	if o.foreign { // its limits are others
		why[memory.WordShort], why[memory.WordPast50] = "too short or too common", "past the words that count"
		why[memory.WordPast2000] = "past the part that is read"
	}
	ignored := map[memory.WordState][]string{}
	for _, w := range r.Words {
		if w.State == memory.WordUsed {
			used = append(used, safe.Line(w.Text))
		} else {
			ignored[w.State] = append(ignored[w.State], safe.Line(w.Text))
		}
	}
	most := ""
	if r.WordCap > 0 {
		most = fmt.Sprintf(" of at most %d", r.WordCap)
	}
	o.paragraph("", fmt.Sprintf("words used %d%s: %s", r.Used, most, word(strings.Join(used, " "))))
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
	o.printRanked(r)
}

// printRanked prints the hits of a recall.
func (o *output) printRanked(r memory.Recall) {
	cut := false
	for i := range r.Hits {
		h := &r.Hits[i]
		if !h.Recalled && !cut {
			cut = true
			o.line(fmt.Sprintf("--- cut: the first %d are recalled ---", r.Limit))
		}
		rec := o.shown(&memory.Record{ID: h.ID, Title: h.Title, Secrets: h.Secrets})
		title := views.Cell(o.title(rec), min(40, max(o.width/3, 20)))
		if o.width == 0 {
			title = o.title(rec)
		}
		why := reasons(h)
		if h.Why != "" {
			why = append(why, o.sentence(h.Why))
		}
		o.line(strings.TrimRight(fmt.Sprintf("%3d  %s%s  %s  %s", h.Rank, o.weights(h), o.id(rec.ID), title, strings.Join(why, " ")), " "))
	}
	if more := r.Found - len(r.Hits); more > 0 {
		o.line(fmt.Sprintf("     %d more score", more))
	}
}

// weights are the score and the relevance count of a hit, those that its system has.
func (o *output) weights(h *memory.Hit) (said string) {
	if !o.foreign {
		return fmt.Sprintf("score %s  rel %d  ", points(h), h.Count.N)
	}
	if h.Score != 0 || h.Points != 0 {
		said = "score " + points(h) + "  "
	}
	if h.Count.N != 0 {
		said += fmt.Sprintf("rel %d  ", h.Count.N)
	}
	if h.Kind != "" {
		said += safe.Line(h.Kind) + "  "
	}
	return said
}

// points is the score of a hit, with its fraction where the system reckons in such.
func points(h *memory.Hit) string {
	if h.Points != 0 {
		return strconv.FormatFloat(h.Points, 'f', 3, 64)
	}
	return strconv.Itoa(h.Score)
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
