package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

type guardFlags struct {
	changeFlags
	once, reapply, accept, always bool
	only                          []string
}

func (e Env) guard(all *flags) *cobra.Command {
	var f guardFlags
	c := &cobra.Command{
		Use:   "guard [PATH]",
		Short: "say when another writer undoes your changes, and do them again",
		Long: `Follows a store until it is interrupted, and prints a line for each change of yours
that another writer undid: it brought back what was deleted, reverted an edit, or
dropped what was added. An agent that loads the file once and rewrites all of it at
the end of its session does that. What it dropped by its own rules is listed apart.
A redacted secret that is back is named by its record; Winnow knows it by a hash.

--reapply does again what was undone, and keeps what the agent added; a secret is
redacted again. --accept lets theirs stand; --always does it again now, and from now on without asking, here and in
the screens. A record that both changed is decided only when --only names it.

--once looks once and ends: with status 1 when something was undone, also when it
was then done again, or when it cannot tell, and with 0 when nothing was. It cannot
tell of redactions by older versions, or after the key of the hashes was lost, until
--accept settles that.`,
		Example: examples(
			"winnow guard sessions/memory.jsonl",
			"winnow guard --once --reapply     at the end of an agent's session",
			"winnow guard --once --json | jq '.undone[].id'",
			"winnow guard --once --accept --only 7f3c"),
		Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := onlyOne(c, "reapply", "accept", "always"); err != nil {
				return err
			}
			run, err := e.newGuard(c.Context(), all, &f, args)
			if err != nil {
				return err
			}
			if f.once {
				return run.look(c.Context())
			}
			return run.follow(c.Context())
		},
	}
	c.Flags().BoolVar(&f.once, "once", false, "look once and end")
	c.Flags().BoolVar(&f.reapply, "reapply", false, "do again what was undone")
	c.Flags().BoolVar(&f.accept, "accept", false, "let what the other writer did stand")
	c.Flags().BoolVar(&f.always, "always", false, "do again what is undone, from now on: all of the store, or what --only names")
	c.Flags().StringArrayVar(&f.only, "only", nil, "decide about the record `ID` only; may be repeated")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "with --once: print what would be done and change nothing")
	jsonFlag(c, &f.json)
	revealFlag(c, &f.reveal)
	return c
}

// guarding is one run of the guard.
type guarding struct {
	*change
	f      *guardFlags
	zone   *time.Location
	sealed bool // by --readonly
}

func (e Env) newGuard(ctx context.Context, all *flags, f *guardFlags, args []string) (*guarding, error) {
	switch {
	case len(f.only) > 0 && f.act() == "":
		return nil, usage("give --reapply, --accept or --always as well", "guard: --only decides nothing by itself")
	case f.dryRun && !f.once:
		return nil, usage("give --once as well", "guard: --dry-run looks once")
	case len(args) > 0 && all.store != "":
		return nil, usage("leave out one of them", "guard: the store is given twice, by --store and as %q", args[0])
	}
	asked := *all
	if len(args) > 0 {
		asked.store = args[0]
	}
	asked.readOnly = all.readOnly && f.act() != "" // looking is allowed
	f.looks = f.act() == ""
	c, err := e.change(ctx, "guard", &asked, &f.changeFlags, false)
	if err != nil {
		return nil, err
	}
	return &guarding{change: c, f: f, zone: all.zone(e), sealed: all.readOnly}, nil
}

// act is what is to be done about what was undone, empty for nothing.
func (f *guardFlags) act() memory.Act {
	switch {
	case f.reapply:
		return memory.Reapply
	case f.accept:
		return memory.Accept
	case f.always:
		return memory.Trust
	}
	return ""
}

// look tells once what was undone, and does what was asked for about it.
func (g *guarding) look(ctx context.Context) error {
	undone, err := g.Library.Guard(ctx, g.place.Store)
	if err != nil {
		return g.failed(err)
	}
	o := g.output(g.reveal)
	g.warn(o, undone)
	if !g.json {
		g.printUndone(o, undone)
		if err := o.close(); err != nil {
			return err
		}
	}
	steps, err := g.decide(ctx, undone)
	if g.json {
		j := guardJSON{Schema: schemaVersion, Store: o.placeJSON(g.place), DryRun: g.dryRun, Undone: o.undoneJSON(undone), Plans: []planJSON{}}
		for i := range steps {
			j.Plans = append(j.Plans, g.planJSON(o, &steps[i]))
		}
		err = errors.Join(err, o.json(j))
	} else if len(steps) > 0 {
		err = errors.Join(err, g.print(steps))
	}
	if err == nil && slices.ContainsFunc(undone, func(u memory.Undone) bool { return !u.Kind.ByRule() }) {
		return silent(exitUndone)
	}
	return err
}

// decide makes and applies the orders that the flags give about what was undone.
func (g *guarding) decide(ctx context.Context, undone []memory.Undone) ([]step, error) {
	orders, err := g.orders(ctx, undone)
	if err != nil {
		return nil, err
	}
	steps, err := g.plans(ctx, orders)
	if err != nil || g.dryRun {
		return steps, err
	}
	return g.apply(ctx, steps)
}

// orders returns what the flags ask for about what was undone, and without them
// what was decided before. A conflict is decided only by name: whatever stands,
// somebody's text is replaced.
func (g *guarding) orders(ctx context.Context, undone []memory.Undone) ([]memory.Order, error) {
	var ids []memory.ID
	for _, name := range g.f.only {
		id, err := g.named(ctx, undone, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	wide := len(ids) == 0
	act := g.f.act()
	if wide && (act == "" || act == memory.Accept) {
		ids = g.concerned(undone, act)
	}
	again := memory.Order{Do: memory.Reapply, IDs: ids, All: wide && act != ""}
	switch {
	case act == memory.Trust:
		return []memory.Order{{Do: act, IDs: ids, All: wide}, again}, nil
	case act == memory.Reapply && len(undone) > 0:
		return []memory.Order{again}, nil
	case len(ids) == 0:
		return nil, nil
	case act == memory.Accept:
		return []memory.Order{{Do: act, IDs: ids}}, nil
	}
	return []memory.Order{again}, nil
}

// concerned returns the ids of the undone that can be decided about at once: all but
// the conflicts. Without an act these are the ones that are always to be done again,
// which a guard that follows does by itself.
func (g *guarding) concerned(undone []memory.Undone, act memory.Act) (ids []memory.ID) {
	for i := range undone {
		u := &undone[i]
		decided := act != "" || u.Always && g.f.once && !g.sealed
		if decided && u.Kind != memory.Conflict && !slices.Contains(ids, u.ID) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// named returns the id of an undone record, or else of one in the store.
func (g *guarding) named(ctx context.Context, undone []memory.Undone, name string) (memory.ID, error) {
	var one candidates
	for i := range undone {
		one.take(name, &memory.Record{ID: undone[i].ID, Line: undone[i].Record.Line, Secrets: undone[i].Record.Secrets}, g.place)
	}
	if one.fit > 0 {
		return one.record.ID, one.check(g.op, g.place, name)
	}
	found, err := g.find(ctx, g.op, g.place, []string{name})
	if err != nil {
		return "", err
	}
	return found[0].record.ID, nil
}

// printUndone tells what was undone, and apart from it what left by the agent's own
// rules.
func (g *guarding) printUndone(o *output, undone []memory.Undone) {
	if o.width == 0 {
		for i := range undone {
			o.printf("%s\n", g.columns(o, &undone[i]))
		}
		return
	}
	var mine, unsure, ruled []memory.Undone
	for _, u := range undone {
		switch {
		case u.Kind.ByRule():
			ruled = append(ruled, u)
		case u.Kind == memory.CannotTell:
			unsure = append(unsure, u)
		default:
			mine = append(mine, u)
		}
	}
	if len(mine)+len(unsure) == 0 {
		o.line("Nothing of yours was undone.")
	}
	g.printPart(o, plural(len(mine), "change")+" of yours undone by another writer:", mine)
	g.printPart(o, "It is not known whether "+plural(len(unsure), "change")+" of yours was undone:", unsure)
	g.printPart(o, g.noun.Count(len(ruled))+" left by the agent's own rules:", ruled)
}

func (g *guarding) printPart(o *output, heading string, part []memory.Undone) {
	if len(part) > 0 {
		o.line(heading)
	}
	for i := range part {
		g.printOne(o, &part[i])
	}
}

// warn says on the error output what a script is not to miss: a redacted secret that is
// back, and what cannot be told.
func (g *guarding) warn(o *output, undone []memory.Undone) {
	for i := range undone {
		if said := warning(o, &undone[i]); said != "" && (g.json || o.width == 0) {
			fmt.Fprintln(g.Err, said)
		}
	}
}

// warning says of some kinds what happened; nothing of others.
func warning(o *output, u *memory.Undone) string {
	switch {
	case u.Kind == memory.SecretBack:
		return "a redacted secret is back in " + o.id(o.maskedID(&u.Record, u.ID))
	case u.Kind == memory.CannotTell && u.Theirs == "":
		return "cannot tell whether a redacted secret is back: " + o.headline(&u.Record)
	case u.Kind == memory.CannotTell:
		return "cannot tell whether your change of " + o.id(o.maskedID(&u.Record, u.ID)) + " is undone"
	}
	return ""
}

// columns is one undone change for a script: how, the id, the entry of the change,
// how often, when, and what the task was.
func (g *guarding) columns(o *output, u *memory.Undone) string {
	return strings.Join([]string{
		u.Kind.String(), o.recordID(&u.Record, u.ID), word(string(u.Entry)), fmt.Sprint(u.Times),
		u.At.In(g.zone).Format(time.RFC3339), o.headline(&u.Record),
	}, "\t")
}

// printOne prints one undone change for reading, with both texts of a conflict.
func (g *guarding) printOne(o *output, u *memory.Undone) {
	often := "once"
	if u.Times > 1 {
		often = fmt.Sprintf("%d times", u.Times)
	}
	head := fmt.Sprintf("%s  %s  %s", u.Kind, o.id(o.maskedID(&u.Record, u.ID)), o.headline(&u.Record))
	if said := warning(o, u); said != "" {
		head = said
	}
	o.line(fmt.Sprintf("  %s (%s, your change %s)", head, often, safe.Line(string(u.Entry))))
	if u.Kind != memory.Conflict && u.Kind != memory.Reverted {
		return
	}
	for _, d := range o.differences(&u.MyRecord, &u.Record) {
		o.paragraph("    yours   ", d.field+": "+d.before)
		o.paragraph("    theirs  ", d.field+": "+d.after)
	}
}
