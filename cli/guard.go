package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// guarding is one call of guard, with its flags.
type guarding struct {
	change
	once, reapply, accept, always bool
	only                          []string
}

func (p *program) guard() command {
	g := guarding{change: p.changing()}
	return command{
		use: "guard [PATH]", short: "Watch for changes of yours that another writer undoes",
		long: `Follows a store until interrupted, and prints a line for each of your changes that another
writer undid: a deleted record brought back, an edit reverted, an addition dropped. Agents
that load the file once and rewrite all of it at the end of a session do that. Records
that an agent dropped by its own rules are listed separately. A redacted secret that is
back is reported by its record; Winnow recognizes it by a keyed hash.

--reapply repeats undone changes and keeps what the agent added; it redacts secrets again.
--accept keeps the other writer's version. --always repeats undone changes from now on
without asking, here and in the screens. A record that both sides changed is only touched
if --only names it.

--once checks once and exits: with 1 if something was undone, even if it was repeated, or
if guard cannot tell, and otherwise with 0. It cannot tell for redactions by versions that
kept no hashes, or after the key was lost, until --accept settles it; --only "redaction 3"
names one.

When the output is not a terminal, each line has six tab-separated columns: how (came back,
reverted, dropped, conflict, secret back, cannot tell, evicted, pruned), id, the entry of your
change, how often it was undone, when, and title.`,
		examples: []string{
			"winnow guard sessions/memory.jsonl", "winnow guard --once --reapply     at the end of an agent's session",
			"winnow guard --once --json | jq '.undone[].id'", "winnow guard --once --accept --only 7f3c",
		},
		args:      atMost(1),
		exclusive: [][]string{{"reapply", "accept", "always"}},
		flags: []flag{
			{to: &g.once, name: "once", help: "check once and exit"},
			{to: &g.reapply, name: "reapply", help: "repeat undone changes"},
			{to: &g.accept, name: "accept", help: "keep the other writer's version"},
			{
				to:   &g.always,
				name: "always",
				help: "repeat undone changes from now on: of the whole store, or of --only",
			},
			{to: &g.only, name: "only", help: "only for record `ID`; may be repeated"},
			{to: &g.dryRun, name: "dry-run", help: "with --once: print the plan without changing anything"},
			p.jsonFlag(), p.revealFlag(),
		},
		check: g.check, run: g.run,
		on: func() choice { return choice{writes: g.act() != "", dryRun: g.dryRun} },
	}
}

func (g *guarding) check(args []string) error {
	err := refuse(
		refusal{
			len(g.only) > 0 && g.act() == "",
			"give --reapply, --accept or --always as well",
			"guard: --only decides nothing by itself",
		},
		refusal{g.dryRun && !g.once, "give --once as well", "guard: --dry-run goes with --once"},
		refusal{
			len(args) > 0 && g.store != "",
			"leave out one of them",
			"guard: the store is given twice, by --store and as an argument",
		},
	)
	g.store = append(args, g.store)[0]
	return err
}

func (g *guarding) run(ctx context.Context, _ []string) error {
	if g.once {
		return g.checkOnce(ctx)
	}
	return g.follow(ctx)
}

// act returns what to do about the undone changes, or "" for nothing.
func (g *guarding) act() memory.Act {
	for act, given := range map[memory.Act]bool{
		memory.Reapply: g.reapply,
		memory.Accept:  g.accept,
		memory.Trust:   g.always,
	} {
		if given {
			return act
		}
	}
	return ""
}

// checkOnce reports once what was undone, and does what was requested about it.
func (g *guarding) checkOnce(ctx context.Context) error {
	undone, err := g.Library.Guard(ctx, g.place.Store)
	if err != nil {
		return g.failed(err)
	}
	g.warn(undone)
	if !g.json {
		g.printUndone(undone)
		g.out.Flush()
	}
	var runs []planRun
	only, err := g.named(ctx, undone, g.only...)
	if err == nil {
		runs, err = g.decide(ctx, undone, only)
	}
	if g.json {
		g.out.JSON(guardedJSON{
			Schema: schemaVersion,
			Store:  placeOf(g.out, g.place),
			DryRun: g.dryRun,
			Undone: output.Each(undone, func(u *memory.Undone) undoneJSON { return undoneOf(g.out, u) }),
			Plans:  plansOf(g.out, runs),
		})
	} else if len(runs) > 0 {
		g.print(runs)
	}
	if err == nil && slices.ContainsFunc(undone, func(u memory.Undone) bool { return !u.Kind.ByRule() }) {
		return silentExit(exitUndone)
	}
	return err
}

// decide makes and applies the orders that the flags give about what was undone, or only about those records.
func (g *guarding) decide(ctx context.Context, undone []memory.Undone, only []memory.ID) ([]planRun, error) {
	runs, err := g.plans(ctx, g.orders(undone, only))
	if err != nil || g.dryRun {
		return runs, err
	}
	return g.apply(ctx, runs)
}

// orders returns what the flags request about the undone changes or, without flags, what was
// decided before. A conflict is decided only by name, because either choice replaces somebody's
// text.
func (g *guarding) orders(undone []memory.Undone, ids []memory.ID) []memory.Order {
	all, act := len(ids) == 0, g.act()
	if all && (act == "" || act == memory.Accept) {
		ids = g.idsToDecide(undone, act)
	}
	again := memory.Order{Do: memory.Reapply, IDs: ids, All: all && act != ""}
	switch {
	case act == memory.Trust:
		return []memory.Order{{Do: act, IDs: ids, All: all}, again}
	case act == memory.Reapply && len(undone) > 0:
		return []memory.Order{again}
	case len(ids) == 0:
		return nil
	case act == memory.Accept:
		return []memory.Order{{Do: act, IDs: ids}}
	}
	return []memory.Order{again}
}

// named returns the IDs of the named records, which are in the store or were undone.
func (g *guarding) named(ctx context.Context, undone []memory.Undone, names ...string) ([]memory.ID, error) {
	found, err := g.findAmong(ctx, output.Each(undone, func(u *memory.Undone) memory.Record {
		return memory.Record{ID: u.ID, Line: u.Record.Line, Secrets: u.Record.Secrets}
	}), names...)
	return idsOf(found), err
}

// idsToDecide returns the IDs of the undone changes that can be decided together: all but the
// conflicts. Without an act it returns those that are always to be repeated, which a following
// guard does by itself.
func (g *guarding) idsToDecide(undone []memory.Undone, act memory.Act) (ids []memory.ID) {
	for i := range undone {
		u := &undone[i]
		decided := act != "" || u.Always && g.once && !g.readOnly
		if decided && u.Kind != memory.Conflict && !slices.Contains(ids, u.ID) {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// printUndone reports what was undone and, separately, what left by the agent's own rules.
func (g *guarding) printUndone(undone []memory.Undone) {
	if g.out.Width == 0 {
		for i := range undone {
			g.printOne(&undone[i])
		}
		return
	}
	parts := [3][]*memory.Undone{}
	for i := range undone {
		u := &undone[i]
		part := 0
		if u.Kind.ByRule() {
			part = 2
		} else if u.Kind == memory.CannotTell {
			part = 1
		}
		parts[part] = append(parts[part], u)
	}
	if len(parts[0])+len(parts[1]) == 0 {
		g.out.Line("Nothing of yours was undone.")
	}
	for i, heading := range [...]string{
		"Another writer undid " + output.Plural(len(parts[0]), "change") + " of yours:",
		"Winnow cannot tell whether " + output.Plural(len(parts[1]), "change") + " of yours was undone:",
		g.noun.Count(len(parts[2])) + " left by the agent's own rules:",
	} {
		if len(parts[i]) > 0 {
			g.out.Line("%s", heading)
		}
		for _, u := range parts[i] {
			g.printOne(u)
		}
	}
}

// warn reports on standard error what a script must not miss: a redacted secret that is back, and
// what cannot be known.
func (g *guarding) warn(undone []memory.Undone) {
	for i := range undone {
		if line := g.warning(&undone[i]); line != "" && (g.json || g.out.Width == 0) {
			g.notef("%s", line)
		}
	}
}

// warning says what happened for some kinds, and returns "" for the others.
func (g *guarding) warning(u *memory.Undone) output.Safe {
	switch {
	case u.Kind == memory.SecretBack:
		return g.out.Sprintf("a redacted secret is back in %s", g.id(g.out, &u.Record, u.ID))
	case u.Kind == memory.CannotTell && u.Theirs == "":
		return g.out.Sprintf("cannot tell whether a redacted secret is back: %s", headline(&u.Record))
	case u.Kind == memory.CannotTell:
		return g.out.Sprintf("cannot tell whether your change of %s is undone", g.id(g.out, &u.Record, u.ID))
	}
	return ""
}

// printOne prints one undone change. For a script it prints columns: how, ID, history entry, count,
// time and title. For a reader it also prints both texts of a conflict.
func (g *guarding) printOne(u *memory.Undone) {
	o := g.out
	if o.Width == 0 {
		o.Row(
			u.Kind,
			o.ID(&u.Record, u.ID),
			u.Entry,
			u.Times,
			u.At.In(g.zone()).Format(time.RFC3339),
			headline(&u.Record),
		)
		return
	}
	often := cmp.Or(output.When(u.Times > 1, fmt.Sprintf("%d times", u.Times)), "once")
	head := cmp.Or(g.warning(u), o.Sprintf("%s  %s  %s", u.Kind, g.id(o, &u.Record, u.ID), headline(&u.Record)))
	o.Line("  %s (%s, your change %s)", head, often, u.Entry)
	if u.Kind != memory.Conflict && u.Kind != memory.Reverted {
		return
	}
	for _, d := range differences(o, &u.MyRecord, &u.Record, g.described) {
		o.Paragraph("    yours   ", "%s: %s", d.field, d.before)
		o.Paragraph("    theirs  ", "%s: %s", d.field, d.after)
	}
}

// guardedJSON is what other writers undid in a store, and what was done about it.
type guardedJSON struct {
	Schema int          `json:"schema"`
	Store  placeJSON    `json:"store"`
	DryRun bool         `json:"dry_run"`
	Undone []undoneJSON `json:"undone"`
	Plans  []planJSON   `json:"plans"`
}

// undoneJSON is a change that another writer undid.
type undoneJSON struct {
	Kind   text       `json:"kind"`
	ByRule bool       `json:"by_rule"`
	ID     text       `json:"id"`
	Title  text       `json:"title"`
	Mine   text       `json:"mine"`
	Theirs text       `json:"theirs"`
	Entry  text       `json:"entry"`
	Times  int        `json:"times"`
	At     *time.Time `json:"at"`
	Always bool       `json:"always"`
	Masked bool       `json:"masked"`
}

func undoneOf(o *output.Out, u *memory.Undone) undoneJSON {
	r, my := &u.Record, &u.MyRecord
	if u.Theirs == "" {
		my = r
	}
	mine, masked := storedText(o, u.Mine, my)
	theirs, also := storedText(o, u.Theirs, r)
	return undoneJSON{
		Kind:   text(u.Kind.String()),
		ByRule: u.Kind.ByRule(),
		ID:     text(o.ID(r, u.ID)),
		Title:  o.FieldText(r, memory.InTitle),
		Mine:   mine,
		Theirs: theirs,
		Entry:  text(u.Entry),
		Times:  u.Times,
		At:     output.Instant(u.At),
		Always: u.Always,
		Masked: masked || also,
	}
}

// event prints one line of JSON for a following guard.
func (g *guarding) event(name string, value any) {
	g.out.Event(object{"schema", schemaVersion, name, value})
}

// occurrence identifies a reported undone change. The same change undone once more is a new
// occurrence.
type occurrence struct {
	kind  memory.UndoneKind
	id    memory.ID
	entry memory.EntryID
	times int
}

// follow reports what is undone until it is interrupted. An interrupt is not a failure.
func (g *guarding) follow(ctx context.Context) error {
	if g.always {
		only, err := g.named(ctx, nil, g.only...)
		if err != nil {
			return err
		}
		runs, err := g.decide(ctx, nil, only)
		told := g.tellPlans(runs) // those of before an error too
		if err != nil {
			return err
		}
		if told != nil {
			return told
		}
	}
	if !g.place.Exists {
		g.notef("waiting for %s, which does not exist yet", g.place.Path)
	}
	if g.ErrTTY {
		g.notef("following %s; ctrl-c ends", g.place.Path)
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

// tellFresh prints what is new, and does what was requested about it. A failure is reported and
// does not end the guard.
func (g *guarding) tellFresh(ctx context.Context, fresh []memory.Undone, reapplied int) error {
	g.warn(fresh)
	for i := range fresh {
		if g.json {
			g.event("undone", undoneOf(g.out, &fresh[i]))
		} else {
			g.printOne(&fresh[i])
		}
	}
	if reapplied > 0 && g.json {
		g.event("reapplied", reapplied)
	} else if reapplied > 0 {
		g.notef("%s repeated, as you decided", output.Plural(reapplied, "change"))
	}
	if err := g.out.Close(); err != nil || len(fresh) == 0 || g.always {
		return err
	}
	only := g.chosenAmong(ctx, fresh)
	if len(g.only) > 0 && len(only) == 0 {
		return nil
	}
	runs, err := g.decide(ctx, fresh, only)
	if err != nil && !errors.Is(err, context.Canceled) {
		g.report(err)
	}
	return g.tellPlans(runs)
}

// chosenAmong returns those of what is new that were named on the command line. A failure is reported.
func (g *guarding) chosenAmong(ctx context.Context, fresh []memory.Undone) (only []memory.ID) {
	for _, name := range g.only {
		ids, err := g.named(ctx, fresh, name)
		if err != nil && asFailure(err).code != exitNotFound { // what is not there yet can still come back
			g.report(err)
		}
		only = append(only, ids...)
	}
	return slices.DeleteFunc(only, func(id memory.ID) bool {
		return !slices.ContainsFunc(fresh, func(u memory.Undone) bool { return u.ID == id })
	})
}

// tellPlans prints plans and their results immediately.
func (g *guarding) tellPlans(runs []planRun) error {
	if len(runs) > 0 && !g.json {
		g.print(runs)
		return g.out.Close()
	}
	for i := range runs {
		g.event("plan", planOf(g.out, &runs[i]))
	}
	return g.out.Close()
}
