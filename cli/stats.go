package cli

import (
	"cmp"
	"context"
	"errors"

	"winnow/cli/output"
	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/theme"
)

// Plots is what stats needs from the core.
type Plots interface {
	// Activity returns what happened in a store.
	Activity(ctx context.Context, id memory.StoreID) (activity.Store, error)
	// Timeline returns what happened to a record, even one that is gone.
	Timeline(ctx context.Context, id memory.StoreID, record memory.ID) (activity.Timeline, error)
}

// stats is one call of stats, with its flags.
type stats struct {
	*program
	id string
}

func (p *program) stats() command {
	f := stats{program: p}
	return command{
		use: "stats [STORE]", short: "Chart the activity of a store",
		long: `Charts the activity of a store, one cell per week for the last 52 weeks: what was learnt,
recalled, removed by others and changed, and how sessions ended; and how full the store is and
when it will be full at the rate of the last eight weeks. Weeks begin on Monday. STORE is
anything that --store takes. With --id, which takes a record that is gone by its full id, it
prints the timeline of one record, oldest first.

The data comes from the records, the history, the journal and the project's newest 500 sessions.
What none of them tells is left blank and explained in a sentence; it is never shown as zero. The
day of a recall is known if a session shows it, if Winnow was running when the count rose, or
if it is the last one; other recalls are in the total only. A recall that two of these report
counts once. What others removed or changed is recorded only while Winnow runs; without a
journal, lessons that were removed unseen are missing. Records that take their dates from files have
only the day of their last change.`,
		examples: []string{
			"winnow stats", "winnow stats ~/project/sessions/memory.jsonl", "winnow stats --id 7f3c",
			"winnow stats --json | jq '.stores[].rows[0].weeks'",
			"winnow -- stats       open a store whose name is stats",
		},
		args: atMost(1),
		flags: []flag{
			{to: &f.id, name: "id", help: "print the timeline of record `ID`", offer: p.offerIDs},
			p.jsonFlag(), p.revealFlag(),
		},
		offer: p.offerStores,
		paths: true,
		check: func(args []string) error {
			err := refuse(
				refusal{
					len(args) > 0 && p.store != "",
					"leave out one of them",
					"stats: STORE and --store both name a store",
				},
				refusal{p.isSet("id") && f.id == "", "see the ids: winnow list", "stats: which record?"},
			)
			p.store = cmp.Or(p.store, append(args, "")[0])
			if len(args) == 0 && f.exists("stats") {
				p.notef("a file or folder here has the name stats too; open it with: winnow -- stats")
			}
			return err
		},
		run: func(ctx context.Context, _ []string) error {
			if f.id != "" {
				return f.timelines(ctx)
			}
			return f.cover(ctx, f.run)
		},
	}
}

// statsWide is the width of plots without a terminal.
const statsWide = 80

// look returns how to draw plots, and their width in columns.
func (f *stats) look() (views.Look, int) {
	l := views.Look{
		Theme:  theme.Theme{Borders: theme.New(theme.Options{ASCII: f.asciiOnly()}).Borders},
		Reveal: f.reveal,
		Mask:   f.mask(),
		Now:    f.Now().In(f.zone()),
	}
	return l, cmp.Or(f.out.Width, statsWide)
}

func (f *stats) mask() views.Mask { return f.out.Hidden }

// print prints lines that are safe already.
func (f *stats) print(lines []string) {
	for _, l := range lines {
		f.out.Line("%s", output.Safe(l))
	}
}

func (f *stats) run(ctx context.Context) error {
	a, err := f.Plots.Activity(ctx, f.place.Store)
	if err != nil {
		return f.unreadable(err)
	}
	if f.json {
		f.printJSON(&a)
		return nil
	}
	l, w := f.look()
	f.print(views.Activity{Store: a}.Lines(l, w))
	return nil
}

// unreadable is the failure for a store that cannot be read.
func (f *stats) unreadable(err error) error {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return storeProblem(memory.Snapshot{Place: f.place, Problem: p})
	}
	return err
}

// timelines prints the timeline of a record in each store that has it or had it.
func (f *stats) timelines(ctx context.Context) error {
	places, err := f.covered(ctx)
	if err != nil {
		return err
	}
	of, at, err := f.findIn(ctx, places, []string{f.id})
	if errors.As(err, new(*memory.UnclearError)) {
		return err
	}
	id := memory.ID(f.id)
	if err == nil { // otherwise the ID may be that of a deleted record
		places, id = at, of[at[0].Store][0].ID
	}
	known := map[memory.StoreID]activity.Timeline{}
	var failed error
	for _, place := range places {
		f.place = place
		t, err := f.Plots.Timeline(ctx, place.Store, id)
		if err != nil {
			failed = cmp.Or(failed, f.unreadable(err))
			continue
		}
		known[place.Store] = t
	}
	if len(known) == 0 {
		return failed
	}
	places = filterPlaces(places, func(q memory.Place) bool { _, ok := known[q.Store]; return ok })
	return f.coverAll(ctx, places, func(context.Context) error {
		t := known[f.place.Store]
		if f.json {
			f.printTimelineJSON(&t)
			return nil
		}
		l, w := f.look()
		f.print(views.Timeline{Timeline: t, Names: f.SystemNames()}.Lines(l, w))
		return nil
	})
}

// rowJSON returns a row of weeks. An unknown week is null.
func rowJSON(r *activity.Row) object {
	return object{
		"name",
		r.Name,
		"all",
		countOrNull(r.Sum()),
		"weeks",
		output.Each(r.Counts, func(n *int) any { return countOrNull(*n) }),
	}
}

// countOrNull returns a count, or null if it is unknown.
func countOrNull(n int) any {
	if n == activity.Unknown {
		return nil
	}
	return n
}

func (f *stats) printJSON(a *activity.Store) {
	o := f.out
	f.printObject(object{
		"schema", schemaVersion, "store", placeJSON(o, f.place), "from", a.From.Format("2006-01-02"),
		"rows", output.Each(a.Rows, rowJSON),
		"outcomes_of", output.Some(a.OutcomesOf),
		"outcomes", output.Each(a.Outcomes, rowJSON),
		"fill", object{
			"held", a.Fill.Held,
			"cap", a.Fill.Cap,
			"per_week", perWeek(a.Fill),
			"full", output.Some(dateOf(a.Fill)),
			"text", a.Fill.Text,
		},
		"notes", output.Each(a.Notes, func(n *string) output.Text { return o.Text(*n) }),
	})
}

// perWeek returns the rate of a store, or null if it is unknown.
func perWeek(v activity.Fill) any {
	if !v.Rated {
		return nil
	}
	return v.PerWeek
}

func dateOf(v activity.Fill) string {
	if v.Full.IsZero() {
		return ""
	}
	return v.Full.Format("2006-01-02")
}

func (f *stats) printTimelineJSON(t *activity.Timeline) {
	o := f.out
	f.printObject(object{
		"schema", schemaVersion,
		"store", placeJSON(o, f.place),
		"id", o.Text(string(t.Record)),
		"title", o.Text(t.Title),
		"from", t.From.Format("2006-01-02"),
		"recalled", countOrNull(t.Recalled), "sessions", t.Sessions, "recalls", rowJSON(&t.Weeks),
		"events", output.Each(t.Events, func(e *activity.Event) object {
			return object{
				"at", output.Instant(e.At),
				"kind", string(e.Kind),
				"times", output.Some(e.Times),
				"who", output.Some(string(e.Who)),
				"agent", output.Some(string(e.Agent)),
				"session", output.Some(o.Text(e.Session)),
				"state", output.Some(o.Text(e.State)),
				"detail", output.Some(o.Text(e.Detail)),
				"entry", output.Some(string(e.Entry)),
			}
		}),
		"notes", output.Each(t.Notes, func(n *string) output.Text { return o.Text(*n) }),
	})
}
