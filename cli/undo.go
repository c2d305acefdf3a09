package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

func (e Env) undo(all *flags) *cobra.Command {
	return e.goesBack(all, memory.Undo, "take a change back", `Takes back the newest change that was not taken back yet, or the one that ENTRY
names. The same bytes are put back in the same place; what others wrote since
stays. An undo can be undone, by redo too.`, "winnow undo", "winnow undo 12 --dry-run")
}

func (e Env) redo(all *flags) *cobra.Command {
	return e.goesBack(all, memory.Redo, "make a change again that was taken back", `Makes the change again that was taken back last, or the one that ENTRY names.`,
		"winnow redo", "winnow redo 12")
}

// goesBack returns a command for one entry of the history, the latest when none is
// named.
func (e Env) goesBack(all *flags, do memory.Act, short, long string, lines ...string) *cobra.Command {
	var f changeFlags
	c := &cobra.Command{
		Use: string(do) + " [ENTRY]", Short: short, Long: long, Example: examples(lines...), Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			o := memory.Order{Do: do}
			if len(args) > 0 {
				if args[0] == "" {
					return usage("see the entries: winnow history", "%s: which entry", c.Name())
				}
				o.Entry = memory.EntryID(args[0])
			}
			run, err := e.change(c.Context(), c.Name(), all, &f, false)
			if err != nil {
				return err
			}
			return run.goBack(c.Context(), o)
		},
	}
	c.ValidArgsFunction = e.completeEntries(all)
	f.declare(c)
	return c
}

// goBack carries an undo or a redo out. A change that keeps no copy is not passed over
// for an older one, which nobody named.
func (c *change) goBack(ctx context.Context, o memory.Order) error {
	h, err := c.Library.History(ctx, c.place.Store)
	if err != nil {
		return c.failed(err)
	}
	if o.Do == memory.Undo && o.Entry == "" {
		if last := newestOwn(h); last != nil && last.Final {
			hint := "see what was done: winnow history" + c.named
			if h.Undo != "" {
				hint = "an earlier change can be taken back: winnow undo " + string(h.Undo) + c.named
			}
			return &failure{code: exitNotFound, hint: hint, err: fmt.Errorf("undo: entry %s (%s) %s", last.ID, c.output(c.reveal).hidden(last.What), noCopy)}
		}
	}
	err = c.carry(ctx, o)
	if o.Entry == "" || !errors.Is(err, memory.ErrNothing) && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	return &failure{
		code: exitNotFound, hint: "see the entries: winnow history" + c.named,
		err: fmt.Errorf("%s %s: %s", c.op, o.Entry, whyNot(h, o)),
	}
}

// newestOwn returns the newest entry of what a person did, nil when there is none.
func newestOwn(h memory.History) *memory.Entry {
	for i := range h.Entries {
		if h.Entries[i].Who == memory.You {
			return &h.Entries[i]
		}
	}
	return nil
}

// noCopy says why a final entry stays.
const noCopy = "keeps no copy, so it cannot be undone"

// whyNot says why an order about an entry of the history cannot be carried out.
func whyNot(h memory.History, o memory.Order) string {
	found, err := oneEntry(h.Entries, string(o.Entry))
	switch {
	case err != nil:
		return "no such entry"
	case o.Do == memory.Redo:
		return "it is not undone, or other changes were made since"
	case found[0].Final:
		return "it " + noCopy
	case found[0].UndoneBy != "":
		return "entry " + string(found[0].UndoneBy) + " undid it already"
	case found[0].Who != memory.You:
		return "only your own changes can be undone; restore brings an earlier state back"
	}
	switch found[0].Do {
	case memory.Undo, memory.Redo:
		return "it was taken back already, or other changes were made since"
	case memory.Accept, memory.Trust:
		return "it is a decision about the guard, which guard changes"
	}
	return "it cannot be taken back any more; restore brings an earlier state back"
}

func (e Env) restore(all *flags) *cobra.Command {
	var f changeFlags
	c := &cobra.Command{
		Use:   "restore ENTRY [ID...]",
		Short: "bring an earlier state back",
		Long: `Brings the store back to what it was right after the entry ENTRY of its history, or
only the records that are named, which may be gone from the store. history lists
the entries. A restore can itself be undone.`,
		Example: examples("winnow history", "winnow restore 12 --dry-run", "winnow restore 12 7f3c --yes"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "" {
				return usage("see the entries: winnow history", "restore: to which entry")
			}
			return e.runRestore(c.Context(), all, &f, memory.EntryID(args[0]), args[1:])
		},
	}
	c.ValidArgsFunction = e.completeEntries(all)
	f.declare(c)
	return c
}

func (e Env) runRestore(ctx context.Context, all *flags, f *changeFlags, entry memory.EntryID, names []string) error {
	c, err := e.change(ctx, "restore", all, f, false)
	if err != nil {
		return err
	}
	o := memory.Order{Do: memory.Restore, Entry: entry}
	if len(names) > 0 {
		if o.IDs, err = c.onceThere(ctx, names); err != nil {
			return err
		}
	}
	return c.carry(ctx, o)
}

// onceThere returns the ids of records that are in the history, and else in the
// store. They are named as show takes them.
func (c *change) onceThere(ctx context.Context, names []string) ([]memory.ID, error) {
	h, err := c.Library.History(ctx, c.place.Store)
	if err != nil {
		return nil, c.failed(err)
	}
	was := everChanged(h)
	var ids []memory.ID
	for _, name := range names {
		var one candidates
		for i := range was {
			if !strings.HasPrefix(name, ":") { // lines are those of the store as it is
				one.take(name, &was[i], c.place)
			}
		}
		if one.fit == 0 {
			found, err := c.find(ctx, c.op, c.place, []string{name})
			if err != nil {
				return nil, err
			}
			one.wanted, one.exact = found[0], true
		}
		if err := one.check(c.op, c.place, name); err != nil {
			return nil, err
		}
		ids = append(ids, one.record.ID)
	}
	return ids, nil
}

// everChanged returns the records that a history tells of, newest first.
func everChanged(h memory.History) (was []memory.Record) {
	seen := map[memory.ID]bool{}
	for i := range h.Entries {
		for j := range h.Entries[i].Changes {
			if ch := &h.Entries[i].Changes[j]; !seen[ch.ID] {
				seen[ch.ID] = true
				was = append(was, memory.Record{ID: ch.ID, Secrets: ch.Record.Secrets})
			}
		}
	}
	return was
}

// completeEntries offers the entries of the history in shell completion, each with
// what was done.
func (e Env) completeEntries(all *flags) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		if len(args) > 0 {
			return nil, none
		}
		quiet := e
		quiet.InTTY = false
		place, err := quiet.choose(c.Context(), all, true)
		if err != nil {
			return nil, none
		}
		h, err := e.Library.History(c.Context(), place.Store)
		if err != nil {
			return nil, none
		}
		o := quiet.output(false)
		var entries []string
		for i := range h.Entries {
			if id := string(h.Entries[i].ID); strings.HasPrefix(id, begun) {
				entries = append(entries, cobra.CompletionWithDesc(id, o.sentence(h.Entries[i].What)))
			}
		}
		return entries, none | cobra.ShellCompDirectiveKeepOrder
	}
}
