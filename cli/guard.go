package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/memory"
)

type guardFlags struct {
	changeFlags
	once, reapply, accept, always bool
	only                          []string
}

func (p *program) guard() command {
	var f guardFlags
	return command{
		use: "guard [PATH]", short: "Report changes that another writer undoes, and repeat them",
		long: `Follows a store until it is interrupted, and prints a line for each of your changes
that another writer undid: it brought back a deleted record, reverted an edit, or dropped
an addition. An agent that loads the file once and rewrites all of it at the end of its
session does that. Records that it dropped by its own rules are listed apart. A redacted
secret that is back is named by its record; Winnow knows it by a hash.

--reapply repeats undone changes and keeps what the agent added; it redacts a secret
again. --accept keeps the other writer's version. --always repeats undone changes now and
from now on without asking, here and in the screens. A record that both changed is decided
only when --only names it.

--once looks once and ends: with status 1 when something was undone, also when that was
repeated, or when it cannot tell, and with 0 when nothing was. It cannot tell about
redactions by older versions, or after the key of the hashes was lost, until --accept
settles that.`,
		examples: []string{
			"winnow guard sessions/memory.jsonl", "winnow guard --once --reapply     at the end of an agent's session",
			"winnow guard --once --json | jq '.undone[].id'", "winnow guard --once --accept --only 7f3c",
		},
		args:      atMost(1),
		exclusive: [][]string{{"reapply", "accept", "always"}},
		flags: []flag{
			{to: &f.once, name: "once", help: "look once and end"},
			{to: &f.reapply, name: "reapply", help: "repeat undone changes"},
			{to: &f.accept, name: "accept", help: "keep the other writer's version"},
			{to: &f.always, name: "always", help: "repeat undone changes from now on: in the whole store, or of --only"},
			{to: &f.only, name: "only", help: "decide about the record `ID` only; may be repeated"},
			{to: &f.dryRun, name: "dry-run", help: "with --once: print the plan and change nothing"},
			jsonFlag(&f.json), revealFlag(&f.reveal),
		},
		run: func(c *cobra.Command, args []string) error {
			run, err := p.newGuard(c.Context(), &f, args)
			if err != nil {
				return err
			}
			if f.once {
				return run.look(c.Context())
			}
			return run.follow(c.Context())
		},
	}
}

// guarding is one run of the guard.
type guarding struct {
	*change
	f *guardFlags
}

func (p *program) newGuard(ctx context.Context, f *guardFlags, args []string) (*guarding, error) {
	if err := refuse(
		refusal{len(f.only) > 0 && f.act() == "", "give --reapply, --accept or --always as well", "guard: --only decides nothing by itself"},
		refusal{f.dryRun && !f.once, "give --once as well", "guard: --dry-run goes with --once"},
		refusal{len(args) > 0 && p.store != "", "leave out one of them", "guard: the store is given twice, by --store and as an argument"},
	); err != nil {
		return nil, err
	}
	by := p.given()
	by.store = firstOf(append(args, p.store)...)
	by.writes = f.act() != ""
	if p.readOnly && by.writes && !f.dryRun {
		return nil, refusesToWrite("guard")
	}
	c, err := p.changeIn(ctx, "guard", &f.changeFlags, by)
	return &guarding{change: c, f: f}, err
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
		if err := o.Close(); err != nil {
			return err
		}
	}
	steps, err := g.decide(ctx, undone)
	if g.json {
		err = errors.Join(err, o.JSON(guardJSON{
			Schema: schemaVersion, Store: placeJSON(o, g.place), DryRun: g.dryRun,
			Undone: output.Each(undone, func(u *memory.Undone) undoneJSON { return undoneOf(o, u) }),
			Plans:  output.Each(steps, func(s *step) planJSON { return planOf(o, s) }),
		}))
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
		id, err := g.idNamed(ctx, undone, name)
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
		decided := act != "" || u.Always && g.f.once && !g.readOnly
		if decided && u.Kind != memory.Conflict && !slices.Contains(ids, u.ID) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// idNamed returns the id of an undone record, or else of one in the store.
func (g *guarding) idNamed(ctx context.Context, undone []memory.Undone, name string) (memory.ID, error) {
	var one candidates
	for i := range undone {
		one.add(name, &memory.Record{ID: undone[i].ID, Line: undone[i].Record.Line, Secrets: undone[i].Record.Secrets}, g.place)
	}
	if one.fit > 0 {
		return one.record.ID, one.check(g.op, g.place, name)
	}
	found, err := g.find(ctx, g.op, g.place, name)
	if err != nil {
		return "", err
	}
	return found[0].record.ID, nil
}

// printUndone tells what was undone, and apart from it what left by the agent's own
// rules.
func (g *guarding) printUndone(o *output.Out, undone []memory.Undone) {
	if o.Width == 0 {
		for i := range undone {
			g.printColumns(o, &undone[i])
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
		o.Line("Nothing of yours was undone.")
	}
	for _, part := range []struct {
		heading string
		list    []memory.Undone
	}{
		{"Another writer undid " + plural(len(mine), "change") + " of yours:", mine},
		{"Winnow cannot tell whether " + plural(len(unsure), "change") + " of yours was undone:", unsure},
		{g.noun.Count(len(ruled)) + " left by the agent's own rules:", ruled},
	} {
		if len(part.list) > 0 {
			o.Line("%s", part.heading)
		}
		for i := range part.list {
			g.printOne(o, &part.list[i])
		}
	}
}

// warn says on the error output what a script must not miss: a redacted secret that is
// back, and what cannot be told.
func (g *guarding) warn(o *output.Out, undone []memory.Undone) {
	for i := range undone {
		if line := g.warning(o, &undone[i]); line != "" && (g.json || o.Width == 0) {
			g.tell("%s", line)
		}
	}
}

// warning says of some kinds what happened; nothing of others.
func (g *guarding) warning(o *output.Out, u *memory.Undone) output.Safe {
	switch {
	case u.Kind == memory.SecretBack:
		return o.Sprintf("a redacted secret is back in %s", g.id(o, &u.Record, u.ID))
	case u.Kind == memory.CannotTell && u.Theirs == "":
		return o.Sprintf("cannot tell whether a redacted secret is back: %s", headline(&u.Record))
	case u.Kind == memory.CannotTell:
		return o.Sprintf("cannot tell whether your change of %s is undone", g.id(o, &u.Record, u.ID))
	}
	return ""
}

// printColumns prints one undone change for a script: how, the id, the entry of the
// change, how often, when, and the title.
func (g *guarding) printColumns(o *output.Out, u *memory.Undone) {
	o.Row(u.Kind, o.ID(&u.Record, u.ID), u.Entry, u.Times, u.At.In(g.zone()).Format(time.RFC3339), headline(&u.Record))
}

// printOne prints one undone change for reading, with both texts of a conflict.
func (g *guarding) printOne(o *output.Out, u *memory.Undone) {
	often := "once"
	if u.Times > 1 {
		often = fmt.Sprintf("%d times", u.Times)
	}
	head := g.warning(o, u)
	if head == "" {
		head = o.Sprintf("%s  %s  %s", u.Kind, g.id(o, &u.Record, u.ID), headline(&u.Record))
	}
	o.Line("  %s (%s, your change %s)", head, often, u.Entry)
	if u.Kind != memory.Conflict && u.Kind != memory.Reverted {
		return
	}
	for _, d := range differences(o, &u.MyRecord, &u.Record, g.described) {
		o.Paragraph("    yours   ", "%s: %s", d.field, d.before)
		o.Paragraph("    theirs  ", "%s: %s", d.field, d.after)
	}
}

type guardJSON struct {
	Schema int          `json:"schema"`
	Store  storeJSON    `json:"store"`
	DryRun bool         `json:"dry_run"`
	Undone []undoneJSON `json:"undone"`
	Plans  []planJSON   `json:"plans"`
}

type undoneJSON struct {
	Kind   string     `json:"kind"`
	ByRule bool       `json:"by_rule"`
	ID     text       `json:"id"`
	Title  text       `json:"title"`
	Mine   text       `json:"mine"`
	Theirs text       `json:"theirs"`
	Entry  string     `json:"entry"`
	Times  int        `json:"times"`
	At     *time.Time `json:"at"`
	Always bool       `json:"always"`
	Masked bool       `json:"masked"`
}

// eventJSON is one line of the JSON of a guard that follows. One of the last three
// is set.
type eventJSON struct {
	Schema    int         `json:"schema"`
	Undone    *undoneJSON `json:"undone,omitempty"`
	Plan      *planJSON   `json:"plan,omitempty"`
	Reapplied int         `json:"reapplied,omitempty"`
}

func undoneOf(o *output.Out, u *memory.Undone) undoneJSON {
	r, my := &u.Record, &u.MyRecord
	if u.Theirs == "" {
		my = r
	}
	mine, masked := storedText(o, u.Mine, my)
	theirs, also := storedText(o, u.Theirs, r)
	return undoneJSON{
		Kind: u.Kind.String(), ByRule: u.Kind.ByRule(), ID: text(o.ID(r, u.ID)), Title: o.FieldText(r, memory.InTitle),
		Mine: mine, Theirs: theirs, Entry: string(u.Entry), Times: u.Times, At: instant(u.At), Always: u.Always, Masked: masked || also,
	}
}

// occurrence names an undone change that was reported: the same change undone once more
// is new.
type occurrence struct {
	kind  memory.UndoneKind
	id    memory.ID
	entry memory.EntryID
	times int
}

// follow reports what is undone until it is interrupted, which is no failure.
func (g *guarding) follow(ctx context.Context) error {
	if g.f.always {
		steps, err := g.decide(ctx, nil)
		if err != nil {
			return err
		}
		if err := g.tellSteps(steps); err != nil {
			return err
		}
	}
	if !g.place.Exists {
		g.tell("waiting for %s, which does not exist yet", g.place.Path)
	}
	if g.ErrTTY {
		g.tell("following %s; ctrl-c ends", g.place.Path)
	}
	follow, stop := context.WithCancel(ctx)
	defer stop()
	seen, reapplied := map[occurrence]bool{}, 0
	for snap := range g.Library.Follow(follow, g.place.Store) {
		if snap.Partial {
			continue
		}
		fresh := slices.DeleteFunc(slices.Clone(snap.Undone), func(u memory.Undone) bool {
			key := occurrence{u.Kind, u.ID, u.Entry, u.Times}
			known := seen[key]
			seen[key] = true
			return known
		})
		if err := g.tellFresh(ctx, fresh, snap.Reapplied-reapplied); err != nil {
			return err
		}
		reapplied = snap.Reapplied
	}
	return nil
}

// tellFresh prints what is new, and does what was asked for about it. What cannot be done
// is reported, and does not end the guard.
func (g *guarding) tellFresh(ctx context.Context, fresh []memory.Undone, reapplied int) error {
	o := g.output(g.reveal)
	g.warn(o, fresh)
	for i := range fresh {
		switch u := undoneOf(o, &fresh[i]); {
		case g.json:
			o.Event(eventJSON{Schema: schemaVersion, Undone: &u})
		case o.Width == 0:
			g.printColumns(o, &fresh[i])
		default:
			g.printOne(o, &fresh[i])
		}
	}
	if reapplied > 0 && g.json {
		o.Event(eventJSON{Schema: schemaVersion, Reapplied: reapplied})
	} else if reapplied > 0 {
		g.tell("%s repeated, as you decided", plural(reapplied, "change"))
	}
	fresh = slices.DeleteFunc(fresh, func(u memory.Undone) bool {
		return len(g.f.only) > 0 && !slices.ContainsFunc(g.f.only, func(name string) bool {
			_, begins := matches(&memory.Record{ID: u.ID, Line: u.Record.Line}, name)
			return begins
		})
	})
	if err := o.Close(); err != nil || len(fresh) == 0 || g.f.always {
		return err
	}
	steps, err := g.decide(ctx, fresh)
	if err != nil && !errors.Is(err, context.Canceled) {
		g.report(err)
	}
	return g.tellSteps(steps)
}

func (g *guarding) tellSteps(steps []step) error {
	if len(steps) == 0 {
		return nil
	}
	if !g.json {
		return g.print(steps)
	}
	o := g.output(g.reveal)
	for i := range steps {
		plan := planOf(o, &steps[i])
		o.Event(eventJSON{Schema: schemaVersion, Plan: &plan})
	}
	return o.Close()
}
