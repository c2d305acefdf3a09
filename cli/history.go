package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

type historyFlags struct{ json, reveal, purge, yes bool }

func (e Env) history(all *flags) *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history [ENTRY]",
		Short: "list what was done to a store, and by whom",
		Long: `Lists what was done to a store, newest first: by you, by the guard as you decided,
and by other writers while Winnow looked. With ENTRY it shows what that changed.

To anything but a terminal each line has six columns with a tab between them: the
entry, when, who, what was done in one word, in a sentence, and undone, final or a
dash. --purge empties the history: nothing before can be taken back then.`,
		Example: examples("winnow history", "winnow history 12", "winnow history --json | jq '.entries[0].changes'", "winnow history --purge --yes"),
		Args:    atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if f.purge {
				return e.runPurge(c.Context(), all, &f, args)
			}
			return e.runHistory(c.Context(), all, &f, args)
		},
	}
	c.ValidArgsFunction = e.completeEntries(all)
	c.Flags().BoolVar(&f.purge, "purge", false, "empty the history; pins and decisions stay")
	c.Flags().BoolVar(&f.yes, "yes", false, "do not ask before --purge")
	jsonFlag(c, &f.json)
	revealFlag(c, &f.reveal)
	return c
}

func (e Env) runHistory(ctx context.Context, all *flags, f *historyFlags, args []string) error {
	place, err := e.choose(ctx, all, false)
	if err != nil {
		return err
	}
	h, err := e.Library.History(ctx, place.Store)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		if h.Entries, err = oneEntry(h.Entries, args[0]); err != nil {
			return err
		}
	}
	o := e.output(f.reveal)
	switch {
	case f.json:
		return o.jsonList(o.historyJSON(place, h), len(h.Entries), func(i int) any { return o.entryJSON(&h.Entries[i]) })
	case len(args) > 0:
		o.printEntry(&h.Entries[0], all.zone(e))
	default:
		e.printHistory(o, h, all.zone(e))
	}
	if h.Unfinished != "" {
		fmt.Fprintf(e.Err, "an interrupted change is not listed: %s\n", o.sentence(h.Unfinished))
	}
	if h.Damaged > 0 {
		fmt.Fprintf(e.Err, "%s of the history cannot be read\n", entries(h.Damaged))
	}
	return o.close()
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

func oneEntry(list []memory.Entry, id string) ([]memory.Entry, error) {
	for i := range list {
		if string(list[i].ID) == id {
			return list[i : i+1], nil
		}
	}
	return nil, &failure{
		code: exitNotFound, err: fmt.Errorf("history %s: no such entry", id), hint: "see the entries: winnow history",
	}
}

// sentence returns a sentence of our own for a terminal. It may quote stored text.
func (o *output) sentence(s string) string { return safe.Line(o.hidden(s)) }

// printHistory prints a table on a terminal, and columns with tabs elsewhere.
func (e Env) printHistory(o *output, h memory.History, zone *time.Location) {
	for i := range h.Entries {
		n := &h.Entries[i]
		if o.width == 0 {
			o.printf("%s\n", strings.Join([]string{
				word(string(n.ID)), n.At.In(zone).Format(time.RFC3339), word(string(n.Who)), word(string(n.Do)),
				word(o.hidden(n.What)), word(standing(n)),
			}, "\t"))
			continue
		}
		line := fmt.Sprintf("%s  %s  %s  %s", views.Right(safe.Line(string(n.ID)), 4),
			views.Right(since(e.Now().Sub(n.At)), 8), views.Cell(safe.Line(string(n.Who)), 14), o.sentence(n.What))
		if s := standing(n); s != "" {
			line += " (" + s + ")"
		}
		o.line(line)
	}
	if o.width > 0 && len(h.Entries) == 0 {
		o.line("Nothing was changed yet.")
	}
}

// since returns how long ago something was.
func since(d time.Duration) string {
	if age := views.Age(d); age != "now" {
		return age + " ago"
	}
	return "now"
}

// standing says what is special about an entry: it was undone, or never can be.
func standing(n *memory.Entry) string {
	switch {
	case n.UndoneBy != "":
		return "undone by " + safe.Line(string(n.UndoneBy))
	case n.Final:
		return "final"
	}
	return ""
}

// printEntry prints an entry with what it changed.
func (o *output) printEntry(n *memory.Entry, zone *time.Location) {
	o.field("entry", safe.Line(string(n.ID)))
	o.field("when", n.At.In(zone).Format(time.RFC3339))
	o.field("who", word(string(n.Who)))
	o.field("what", o.sentence(n.What))
	if n.Undoes != "" {
		o.field("undoes", safe.Line(string(n.Undoes)))
	}
	if n.UndoneBy != "" {
		o.field("undone by", safe.Line(string(n.UndoneBy)))
	}
	if n.Final {
		o.field("copy", "none was kept, so it cannot be undone")
	}
	o.printf("\n")
	for i := range n.Changes {
		ch := &n.Changes[i]
		o.line(fmt.Sprintf("%s  %s  %s", ch.Do, safe.Line(string(o.maskedID(&ch.Record, ch.ID))), o.headline(&ch.Record)))
		if ch.Why != "" {
			o.line("  " + o.sentence(ch.Why))
		}
		o.printChange(ch)
	}
	if n.Omitted > 0 {
		o.printf("%d more were too large to be kept\n", n.Omitted)
	}
}

func (e Env) runPurge(ctx context.Context, all *flags, f *historyFlags, args []string) error {
	if len(args) > 0 {
		return usage("leave it out", "history: --purge empties all of it, not entry %s", args[0])
	}
	c, err := e.change(ctx, "history", all, &changeFlags{yes: f.yes}, false)
	if err != nil {
		return err
	}
	h, err := e.Library.History(ctx, c.place.Store)
	if err != nil {
		return err
	}
	size := fmt.Sprintf("%s, %d bytes", entries(len(h.Entries)), h.Size)
	if err := c.sure(ctx, "Empty the history of "+c.place.Path+" for good ("+size+")?"); err != nil {
		return err
	}
	if err := e.Library.Purge(ctx, c.place.Store); err != nil {
		return c.failed(err)
	}
	o := e.output(f.reveal)
	if f.json {
		left, err := e.Library.History(ctx, c.place.Store)
		if err != nil {
			return err
		}
		return o.jsonList(o.historyJSON(c.place, left), len(left.Entries), func(i int) any { return o.entryJSON(&left.Entries[i]) })
	}
	o.line("The history is empty: " + size + " gone.")
	return o.close()
}
