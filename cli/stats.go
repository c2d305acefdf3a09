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
	id, svg string
	force   bool
}

func (p *program) stats() command {
	f := stats{program: p}
	return command{
		use: "stats [STORE]", short: "Chart the activity of a store",
		long: `Charts the activity of a store, one cell per week for the last 52 weeks: what was learnt,
recalled, removed by others and changed, and how sessions ended; how full the store is and
when it will be full at that rate; and which records get most of the recalls. STORE is
anything that --store takes. With --id it prints the timeline of one record, oldest first.

The data comes from the records, the history, the journal and agents' sessions. What none
of them tells is left blank and explained in a sentence; it is never shown as zero.`,
		examples: []string{
			"winnow stats", "winnow stats ~/project/sessions/memory.jsonl", "winnow stats --svg activity.svg", "winnow stats --id 7f3c",
			"winnow stats --json | jq '.rows[0].weeks'", "winnow -- stats       open a store whose name is stats",
		},
		args: atMost(1),
		flags: []flag{
			{to: &f.id, name: "id", help: "print the timeline of record `ID`", offer: p.offerIDs},
			{to: &f.svg, name: "svg", help: "write the chart as SVG to the new file `FILE`; - is standard output"},
			{to: &f.force, name: "force", help: "replace an existing file"},
			p.jsonFlag(), p.revealFlag(),
		},
		exclusive: [][]string{{"json", "svg"}, {"id", "svg"}},
		offer:     p.offerStores,
		paths:     true,
		check: func(args []string) error {
			err := refuse(refusal{len(args) > 0 && p.store != "", "leave out one of them", "stats: STORE and --store both name a store"},
				refusal{p.isSet("id") && f.id == "", "see the ids: winnow list", "stats: which record?"},
				refusal{p.isSet("svg") && f.svg == "", "give a file", "stats: --svg needs a file"})
			p.store = cmp.Or(p.store, append(args, "")[0])
			if len(args) == 0 && exists("stats") {
				p.notef("a file or folder here has the name stats too; open it with: winnow -- stats")
			}
			return err
		},
		on: func() choice { return choice{} },
		run: func(ctx context.Context, _ []string) error {
			if f.id != "" {
				return f.timeline(ctx)
			}
			return f.run(ctx)
		},
	}
}

// statsWide is the width of plots without a terminal.
const statsWide = 80

// look returns how to draw plots, and their width in columns.
func (f *stats) look() (views.Look, int) {
	l := views.Look{Theme: theme.Theme{Borders: theme.New(theme.Options{ASCII: f.asciiOnly()}).Borders}, Reveal: f.reveal, Mask: f.mask(), Now: f.Now().In(f.zone())}
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
	v := views.Activity{Store: a}
	switch {
	case f.json:
		f.printJSON(&a)
	case f.svg == "-":
		f.out.Exact([]byte(v.SVG(f.place.Path, f.mask())))
	case f.svg != "":
		if err := f.writeFile(ctx, f.svg, []byte(v.SVG(f.place.Path, f.mask())), f.force, 0o644); err != nil {
			return err
		}
		f.out.Line("Written to %s.", f.svg)
	default:
		l, w := f.look()
		f.print(v.Lines(l, w))
	}
	return nil
}

// unreadable is the failure for a store that cannot be read.
func (f *stats) unreadable(err error) error {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return storeProblem(memory.Snapshot{Place: f.place, Problem: p})
	}
	return err
}

func (f *stats) timeline(ctx context.Context) error {
	id := memory.ID(f.id)
	if found, err := f.find(ctx, f.id); err == nil { // otherwise the ID may be that of a deleted record
		id = found[0].ID
	}
	t, err := f.Plots.Timeline(ctx, f.place.Store, id)
	switch {
	case err != nil:
		return f.unreadable(err)
	case f.json:
		f.printTimelineJSON(&t)
		return nil
	}
	l, w := f.look()
	f.print(views.Timeline{Timeline: t, Names: f.SystemNames()}.Lines(l, w))
	return nil
}

// rowJSON returns a row of weeks. An unknown week is null.
func rowJSON(r *activity.Row) object {
	return object{"name", r.Name, "all", countOrNull(r.Sum()), "weeks", output.Each(r.Counts, func(n *int) any { return countOrNull(*n) })}
}

// countOrNull returns a count, or null if it is unknown.
func countOrNull(n int) any {
	if n == activity.Unknown {
		return nil
	}
	return n
}

func (f *stats) printJSON(a *activity.Store) {
	o, s := f.out, &a.Share
	o.JSON(object{
		"schema", schemaVersion, "store", placeJSON(o, f.place), "from", a.From.Format("2006-01-02"),
		"rows", output.Each(a.Rows, rowJSON), "outcomes_of", output.Some(a.OutcomesOf), "outcomes", output.Each(a.Outcomes, rowJSON),
		"fill", object{"held", a.Fill.Held, "cap", a.Fill.Cap, "per_week", perWeek(a.Fill), "full", output.Some(dateOf(a.Fill)), "text", a.Fill.Text},
		"recalls", object{
			"all", countOrNull(s.Recalls), "records", s.Records, "carry_80_percent", s.Carry, "never", countOrNull(s.Never),
			"top", output.Each(s.Top, func(part *activity.Part) object {
				return object{"id", o.Text(string(part.ID)), "title", o.Text(part.Title), "recalls", part.Recalls}
			}),
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
	o.JSON(object{
		"schema", schemaVersion, "store", placeJSON(o, f.place), "id", o.Text(string(t.Record)), "title", o.Text(t.Title), "from", t.From.Format("2006-01-02"),
		"recalled", countOrNull(t.Recalled), "sessions", t.Sessions, "recalls", rowJSON(&t.Weeks),
		"events", output.Each(t.Events, func(e *activity.Event) object {
			return object{
				"at", output.Instant(e.At), "kind", string(e.Kind), "times", output.Some(e.Times), "who", output.Some(string(e.Who)), "agent", output.Some(string(e.Agent)),
				"session", output.Some(o.Text(e.Session)), "state", output.Some(o.Text(e.State)), "detail", output.Some(o.Text(e.Detail)), "entry", output.Some(string(e.Entry)),
			}
		}),
		"notes", output.Each(t.Notes, func(n *string) output.Text { return o.Text(*n) }),
	})
}
