package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views/safe"
)

type listFlags struct {
	sort           string
	desc, json     bool
	reveal         bool
	limit, skipped int
	kind, scope    string
	across         bool
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
P pinned, D says nearly the same as another, U no agent reads it where it is,
O old enough that its system warns of it, C contradicts another.

In a project in which several systems keep stores, all of them are listed, each under
a line that begins with # and says how to name the store; --json takes one.

To anything but a terminal each line has eight columns with a tab between them:
id, outcome, relevance count, last recall, creation, how many arrivals until it
is evicted, flags, and what the task was. A store whose records have kinds or
scopes has these as two columns more. A dash stands for nothing.`,
		Example: examples(
			"winnow list outcome:failed deploy",
			"winnow list 'age:>14d' rel:0 --sort next",
			"winnow list --system claudecode --kind rule",
			"winnow list --json | jq '.records[].title'"),
		RunE: func(c *cobra.Command, args []string) error {
			return e.runList(c.Context(), all, l, strings.Join(args, " "))
		},
	}
	c.Flags().StringVar(&l.sort, "sort", "store", "sort by `COLUMN`: "+strings.Join(columns(), ", "))
	c.Flags().BoolVar(&l.desc, "desc", false, "sort the other way round")
	c.Flags().StringVar(&l.kind, "kind", "", "list only records whose kind begins with `KIND`")
	c.Flags().StringVar(&l.scope, "scope", "", "list only records of a scope that has `TEXT` in its name")
	c.Flags().BoolVar(&l.across, "across", false, "flag what other stores of the project say as well (D), or contradict (C)")
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
	if !l.json && all.store == "" {
		if places, err := e.systemsHere(ctx, all); err != nil || len(places) > 0 {
			return errors.Join(err, e.listEach(ctx, all, l, query, places))
		}
	}
	place, err := e.choose(ctx, all, false)
	if err != nil {
		return err
	}
	return e.listOne(ctx, all, l, query, place)
}

// listEach lists several stores, each under a heading. One that cannot be read does not
// hide the others.
func (e Env) listEach(ctx context.Context, all *flags, l listFlags, query string, places []memory.Place) error {
	var failed error
	for i, p := range places {
		o := e.output(l.reveal)
		if i > 0 {
			o.printf("\n")
		}
		o.line("# " + o.sentence(e.kindName(p)) + "  " + o.sentence(storeFlag(p)))
		if err := o.close(); err != nil {
			return err
		}
		if err := e.listOne(ctx, all, l, query, p); err != nil {
			failed = err
			if len(places) > 1 && ctx.Err() == nil {
				e.report(err)
			}
		}
	}
	if failed != nil {
		return silent(asFailure(failed).code)
	}
	return nil
}

// listOne lists the records of one store.
func (e Env) listOne(ctx context.Context, all *flags, l listFlags, query string, place memory.Place) error {
	snap, err := e.load(ctx, place)
	if err != nil {
		return err
	}
	snap.Records = snap.Records[min(l.skipped, len(snap.Records)):]
	loaded := len(snap.Records)
	if l.across {
		if snap.Records, err = e.across(ctx, place, snap.Records); err != nil {
			return err
		}
	}
	snap.Records = l.narrowed(snap.Records)
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
		return o.jsonList(o.listJSON(snap, query, len(res.Index), loaded), len(rows), func(i int) any {
			return o.recordJSON(&snap.Records[rows[i]])
		})
	}
	e.printRows(o, all, snap, rows)
	if err := o.close(); err != nil {
		return err
	}
	e.remark(snap, res, loaded)
	return nil
}

// across returns the records flagged that other stores of the project have to do with.
func (e Env) across(ctx context.Context, place memory.Place, records []memory.Record) ([]memory.Record, error) {
	e.survey(ctx, nil) // the library compares with stores that were found
	kin, err := e.Library.Kin(ctx, place.Store)
	if err != nil || len(kin) == 0 {
		return records, err
	}
	records = slices.Clone(records)
	for i := range records {
		r := &records[i]
		r.Elsewhere = kin[r.ID]
		r.Flags |= kinFlags(r.Elsewhere)
	}
	return records, nil
}

// narrowed leaves out the records of other kinds and scopes than were asked for.
func (l *listFlags) narrowed(records []memory.Record) []memory.Record {
	if l.kind == "" && l.scope == "" {
		return records
	}
	kind, scope := strings.ToLower(l.kind), strings.ToLower(l.scope)
	return slices.DeleteFunc(slices.Clone(records), func(r memory.Record) bool {
		return !strings.HasPrefix(strings.ToLower(r.Kind), kind) || !strings.Contains(strings.ToLower(r.Scope), scope)
	})
}

// load reads a part of a store. A store that cannot be read is an error.
func (e Env) load(ctx context.Context, place memory.Place) (memory.Snapshot, error) {
	snap, err := e.Library.Load(ctx, place.Store)
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

// listJSON returns what is said of a list, without its records.
func (o *output) listJSON(snap memory.Snapshot, query string, matched, loaded int) listJSON {
	return listJSON{
		Schema: schemaVersion, Store: o.placeJSON(snap.Place), Filter: o.said(query),
		Total: snap.Total, Loaded: loaded, Matched: matched,
		Records: []recordJSON{},
	}
}

// remark says on standard error what the rows do not.
func (e Env) remark(snap memory.Snapshot, res filter.Result, loaded int) {
	if snap.Problem != nil {
		fmt.Fprintln(e.Err, safe.Line(snap.Problem.What))
		return
	}
	if len(res.Terms) > 0 {
		long := 0
		for i := range snap.Records {
			if p := snap.Records[i].Problem; p != nil && p.Code == "too-long" {
				long++
			}
		}
		if long > 0 {
			fmt.Fprintf(e.Err, "not searched: records longer than 1 MiB: %d\n", long)
		}
	}
	if snap.Total > loaded {
		fmt.Fprintf(e.Err, "%d of %d records were read\n", loaded, snap.Total)
	}
	if e.ErrTTY || res.Suggest != "" {
		fmt.Fprintf(e.Err, "%d of %d\n", len(res.Index), len(snap.Records))
	}
	if res.Suggest != "" {
		fmt.Fprintf(e.Err, "hint: did you mean %s\n", safe.Line(e.Redact(res.Suggest)))
	}
	if !e.ErrTTY {
		return
	}
	if i := slices.IndexFunc(res.Terms, func(t filter.Term) bool { return t.FuzzyFallback }); i >= 0 {
		fmt.Fprintf(e.Err, "no record has %q; matched loosely\n", safe.Line(res.Terms[i].Text))
	}
}
