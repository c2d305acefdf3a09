package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

type listFlags struct {
	sort           string
	desc, json     bool
	reveal         bool
	limit, skipped int
}

// columns are the values of --sort.
func columns() []string {
	return []string{
		"store", string(filter.ByOutcome), string(filter.ByRel), string(filter.ByUsed),
		string(filter.ByAge), string(filter.ByNext), string(filter.ByFlags), string(filter.ByTask),
	}
}

func (e Env) list(all *flags) *cobra.Command {
	var l listFlags
	c := &cobra.Command{
		Use:   "list [FILTER...]",
		Short: "list the records of a store",
		Long: `Lists the records of a store, in the order of the store, one a line.

FILTER are words that must all match, as in the filter of the screens: words,
!word for not, field:value, ~word for fuzzy. The fields are
` + strings.Join(filter.Fields(), ", ") + `.

Flags: S secret, I injection, ! pruned soon, 2 shares its id, B beyond what an
agent loads, X damaged, H makes the agent stop, R pruned by the next load,
P pinned, D says nearly the same as another.

To anything but a terminal each line has eight columns with a tab between them:
id, outcome, relevance count, last recall, creation, how many arrivals until it
is evicted, flags, and what the task was. A dash stands for nothing.`,
		Example: examples(
			"winnow list outcome:failed deploy",
			"winnow list 'age:>14d' rel:0 --sort next",
			"winnow list --json | jq '.records[].title'"),
		RunE: func(c *cobra.Command, args []string) error {
			return e.runList(c.Context(), all, l, strings.Join(args, " "))
		},
	}
	c.Flags().StringVar(&l.sort, "sort", "store", "sort by `COLUMN`: "+strings.Join(columns(), ", "))
	c.Flags().BoolVar(&l.desc, "desc", false, "sort the other way round")
	c.Flags().IntVar(&l.limit, "limit", 0, "print at most `N` records; 0 prints all")
	c.Flags().IntVar(&l.skipped, "skip", 0, "begin after the first `N` records of a huge store")
	jsonFlag(c, &l.json)
	revealFlag(c, &l.reveal)
	complete(c, "sort", columns()...)
	return c
}

func (e Env) runList(ctx context.Context, all *flags, l listFlags, query string) error {
	if err := oneOf("sort", l.sort, columns()...); err != nil {
		return err
	}
	if l.limit < 0 || l.skipped < 0 {
		return usage("give a number of 0 or more", "--limit and --skip do not go below 0")
	}
	place, err := e.choose(ctx, all, false)
	if err != nil {
		return err
	}
	snap, err := e.load(ctx, place, memory.Window{First: l.skipped})
	if err != nil {
		return err
	}
	q := filter.Query{Text: query, Sort: filter.Column(strings.TrimPrefix(l.sort, "store")), Desc: l.desc}
	res, err := filter.Apply(ctx, snap.Records, q, e.Now())
	if err != nil {
		return err
	}
	if err := checkTerms(res.Terms); err != nil {
		return err
	}
	rows := res.Index
	if l.limit > 0 {
		rows = rows[:min(l.limit, len(rows))]
	}
	o := e.output(l.reveal)
	if l.json {
		return o.jsonList(listJSONOf(snap, query, len(res.Index)), len(rows), func(i int) any {
			return o.recordJSON(&snap.Records[rows[i]])
		})
	}
	e.printRows(o, all, snap, rows)
	if err := o.close(); err != nil {
		return err
	}
	e.remark(snap, res)
	return nil
}

// load reads a part of a store. A store that cannot be read is an error.
func (e Env) load(ctx context.Context, place memory.Place, w memory.Window) (memory.Snapshot, error) {
	snap, err := e.Library.Load(ctx, place.Store, w)
	if err == nil {
		err = storeProblem(snap)
	}
	return snap, err
}

type listJSON struct {
	Schema  int          `json:"schema"`
	Store   storeJSON    `json:"store"`
	Filter  text         `json:"filter"`
	Total   int          `json:"total"`
	Skipped int          `json:"skipped"`
	Loaded  int          `json:"loaded"`
	Matched int          `json:"matched"`
	Records []recordJSON `json:"records"`
}

// listJSONOf returns what is said of a list, without its records.
func listJSONOf(snap memory.Snapshot, query string, matched int) listJSON {
	return listJSON{
		Schema: schemaVersion, Store: placeOf(snap.Place), Filter: text(query),
		Total: snap.Total, Skipped: snap.First, Loaded: len(snap.Records), Matched: matched,
		Records: []recordJSON{},
	}
}

// printRows prints a table on a terminal, and columns with tabs elsewhere.
func (e Env) printRows(o *output, all *flags, snap memory.Snapshot, rows []int32) {
	if o.width == 0 {
		for _, i := range rows {
			r := o.shown(&snap.Records[i])
			o.printf("%s\n", strings.Join([]string{
				safe.Line(string(r.ID)), word(string(r.Outcome)), count(r), moment(r.Used, all.zone(e)),
				moment(r.Created, all.zone(e)), leaves(r), word(filter.Letters(r.Flags)), o.headline(r),
			}, "\t"))
		}
		return
	}
	o.line("ID        Outcome    Rel  Used  Age   Next  Flags  Task")
	now := e.Now()
	for _, i := range rows {
		r := o.shown(&snap.Records[i])
		o.line(fmt.Sprintf("%s  %s %s  %s  %s %s  %s  %s",
			o.id(r.ID), views.Cell(word(string(r.Outcome)), 9), views.Right(count(r), 4),
			views.Right(ago(r.Used, now), 4), views.Right(ago(r.Created, now), 4), views.Right(leaves(r), 5),
			views.Cell(filter.Letters(r.Flags), 5), o.headline(r)))
	}
}

// remark says on standard error what the rows do not.
func (e Env) remark(snap memory.Snapshot, res filter.Result) {
	if snap.Problem != nil {
		fmt.Fprintln(e.Err, safe.Line(snap.Problem.What))
		return
	}
	if snap.Total > len(snap.Records) {
		fmt.Fprintf(e.Err, "records %d to %d of %d were read; --skip %d goes on\n",
			snap.First+1, snap.First+len(snap.Records), snap.Total, snap.First+len(snap.Records))
	}
	if !e.ErrTTY {
		return
	}
	fmt.Fprintf(e.Err, "%d of %d\n", len(res.Index), len(snap.Records))
	if res.Suggest != "" {
		fmt.Fprintf(e.Err, "hint: try %s\n", safe.Line(res.Suggest))
	}
	if i := slices.IndexFunc(res.Terms, func(t filter.Term) bool { return t.FuzzyFallback }); i >= 0 {
		fmt.Fprintf(e.Err, "no record has %q; matched loosely\n", safe.Line(res.Terms[i].Text))
	}
}

// headline says what a record is about: its task, or what is wrong with it.
func (o *output) headline(r *memory.Record) string {
	if r.Title == "" && r.Problem != nil {
		return safe.Line(r.Problem.What)
	}
	return o.title(r)
}

// id returns an id as it is printed: whole, or on a terminal its first 8 cells,
// which name a record as well unless another begins so.
func (o *output) id(id memory.ID) string {
	s := safe.Line(string(id))
	if o.width == 0 {
		return s
	}
	for views.Width(s) > 8 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return views.Cell(s, 8)
}

func word(s string) string {
	if s == "" {
		return "-"
	}
	return safe.Line(s)
}

func count(r *memory.Record) string {
	if r.Count.Odd != "" {
		return safe.Line(r.Count.Odd)
	}
	return strconv.Itoa(r.Count.N)
}

func leaves(r *memory.Record) string {
	if r.Forecast.LeavesAfter == 0 {
		return "-"
	}
	return strconv.Itoa(r.Forecast.LeavesAfter)
}

// moment returns a stored date in the zone, or its text when it is no date.
func moment(m memory.Moment, zone *time.Location) string {
	if m.Time.IsZero() {
		return word(m.Text)
	}
	return m.Time.In(zone).Format(time.RFC3339)
}

func ago(m memory.Moment, now time.Time) string {
	switch {
	case !m.Time.IsZero():
		return views.Age(now.Sub(m.Time))
	case m.Text != "":
		return "?"
	}
	return "-"
}
