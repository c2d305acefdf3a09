package cli

import (
	"cmp"
	"context"
	"errors"
	"time"

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

// plotLook returns how to draw plots, and their width in columns.
func (f *stats) plotLook() (views.Look, int) {
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
	l, w := f.plotLook()
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
		l, w := f.plotLook()
		f.print(views.Timeline{Timeline: t, Names: f.SystemNames()}.Lines(l, w))
		return nil
	})
}

// weeksJSON is a row of weeks. The count of an unknown week is null.
type weeksJSON struct {
	Name  text   `json:"name"`
	All   *int   `json:"all"`
	Weeks []*int `json:"weeks"`
}

// statsJSON is what happened in a store, by weeks.
type statsJSON struct {
	Schema     int         `json:"schema"`
	Store      placeJSON   `json:"store"`
	From       string      `json:"from"` // the Monday of the first week
	Rows       []weeksJSON `json:"rows"`
	OutcomesOf text        `json:"outcomes_of,omitempty"`
	Outcomes   []weeksJSON `json:"outcomes"`
	Fill       fillJSON    `json:"fill"`
	Notes      []text      `json:"notes"`
}

// fillJSON says how full a store is, and when it will be.
type fillJSON struct {
	Held    int      `json:"held"`
	Cap     int      `json:"cap"`
	PerWeek *float64 `json:"per_week"` // null if it is unknown
	Full    string   `json:"full,omitempty"`
	Text    text     `json:"text"`
}

// timelineJSON is what happened to a record.
type timelineJSON struct {
	Schema   int         `json:"schema"`
	Store    placeJSON   `json:"store"`
	ID       text        `json:"id"`
	Title    text        `json:"title"`
	From     string      `json:"from"` // the Monday of the first week
	Recalled *int        `json:"recalled"`
	Sessions int         `json:"sessions"`
	Recalls  weeksJSON   `json:"recalls"`
	Events   []eventJSON `json:"events"`
	Notes    []text      `json:"notes"`
}

type eventJSON struct {
	At      *time.Time `json:"at"`
	Kind    text       `json:"kind"`
	Times   int        `json:"times,omitempty"`
	Who     text       `json:"who,omitempty"`
	Agent   text       `json:"agent,omitempty"`
	Session text       `json:"session,omitempty"`
	State   text       `json:"state,omitempty"`
	Detail  text       `json:"detail,omitempty"`
	Entry   text       `json:"entry,omitempty"`
}

func weeksOf(r *activity.Row) weeksJSON {
	return weeksJSON{
		Name: text(r.Name), All: countOrNull(r.Sum()),
		Weeks: output.Each(r.Counts, func(n *int) *int { return countOrNull(*n) }),
	}
}

// countOrNull returns a count, or nil if it is unknown.
func countOrNull(n int) *int {
	if n == activity.Unknown {
		return nil
	}
	return &n
}

func (f *stats) printJSON(a *activity.Store) {
	o := f.out
	j := statsJSON{
		Schema:     schemaVersion,
		Store:      placeOf(o, f.place),
		From:       a.From.Format(time.DateOnly),
		Rows:       output.Each(a.Rows, weeksOf),
		OutcomesOf: text(a.OutcomesOf),
		Outcomes:   output.Each(a.Outcomes, weeksOf),
		Fill:       fillJSON{Held: a.Fill.Held, Cap: a.Fill.Cap, Full: dateOf(a.Fill), Text: text(a.Fill.Text)},
		Notes:      o.Texts(a.Notes),
	}
	if a.Fill.Rated {
		j.Fill.PerWeek = &a.Fill.PerWeek
	}
	f.printAnswer(j)
}

func dateOf(v activity.Fill) string {
	if v.Full.IsZero() {
		return ""
	}
	return v.Full.Format("2006-01-02")
}

func (f *stats) printTimelineJSON(t *activity.Timeline) {
	o := f.out
	f.printAnswer(timelineJSON{
		Schema:   schemaVersion,
		Store:    placeOf(o, f.place),
		ID:       o.Text(string(t.Record)),
		Title:    o.Text(t.Title),
		From:     t.From.Format(time.DateOnly),
		Recalled: countOrNull(t.Recalled),
		Sessions: t.Sessions,
		Recalls:  weeksOf(&t.Weeks),
		Events: output.Each(t.Events, func(e *activity.Event) eventJSON {
			return eventJSON{
				At:      output.Instant(e.At),
				Kind:    text(e.Kind),
				Times:   e.Times,
				Who:     text(e.Who),
				Agent:   text(e.Agent),
				Session: o.Text(e.Session),
				State:   o.Text(e.State),
				Detail:  o.Text(e.Detail),
				Entry:   text(e.Entry),
			}
		}),
		Notes: o.Texts(t.Notes),
	})
}
