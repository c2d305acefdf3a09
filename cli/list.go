package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
)

type listFlags struct {
	sort        string
	desc, json  bool
	reveal      bool
	limit       int
	kind, scope string
	across      bool
	query       string
}

func (p *program) list() command {
	f := listFlags{sort: "store"}
	return command{
		use: "list [FILTER...]", short: "List the records of a store",
		long: `Lists the records of a store, in the order of the store, one a line.

FILTER are words that must all match, as in the filter of the screens: words,
!word for not, field:value, ~word for fuzzy. The fields are
` + strings.Join(filter.Fields(), ", ") + `.

Flags: S secret, I injection, ! pruned soon, 2 shares its id, B beyond what an
agent loads, X damaged, H makes the agent stop, R pruned by the next load,
P pinned, D nearly a duplicate, U not read by any agent where it is,
O old enough that its system warns about it, C contradicts another.

In a project with stores of several systems, list prints all of them, each below a
line that begins with # and says how to name the store. --json prints one store.

Unless the output is a terminal, each line has eight columns with tabs between them:
id, outcome, relevance count, last recall, creation, how many arrivals until it
is evicted, flags, and title. A store whose records have kinds or scopes adds these as
two more columns. A dash means nothing.`,
		examples: []string{
			"winnow list outcome:failed deploy", "winnow list 'age:>14d' rel:0 --sort next",
			"winnow list --system SYSTEM --kind rule", "winnow list --json | jq '.records[].title'",
		},
		flags: []flag{
			{to: &f.sort, name: "sort", help: "sort by `COLUMN`: " + strings.Join(sortColumns(), ", "), values: sortColumns()},
			{to: &f.desc, name: "desc", help: "reverse the order"},
			{to: &f.kind, name: "kind", help: "list only records whose kind begins with `KIND`"},
			{to: &f.scope, name: "scope", help: "list only records whose scope contains `TEXT`"},
			{to: &f.across, name: "across", help: "flag records that other stores of the project repeat (D) or contradict (C)"},
			{to: &f.limit, name: "limit", help: "print at most `N` records; 0 prints all"},
			jsonFlag(&f.json), revealFlag(&f.reveal),
		},
		run: func(c *cobra.Command, args []string) error {
			f.query = strings.Join(args, " ")
			return p.runList(c.Context(), &f)
		},
	}
}

func (p *program) runList(ctx context.Context, f *listFlags) error {
	if f.limit < 0 {
		return usage("give a number of 0 or more", "--limit is below 0")
	}
	if !f.json && p.store == "" {
		if places, err := p.systemsHere(ctx); err != nil || len(places) > 0 {
			return errors.Join(err, p.listEach(ctx, f, places))
		}
	}
	place, err := p.choose(ctx, p.given())
	if err != nil {
		return err
	}
	return p.listOne(ctx, f, place)
}

// listEach lists several stores, each under a heading. One that cannot be read does not
// hide the others.
func (p *program) listEach(ctx context.Context, f *listFlags, places []memory.Place) error {
	var last error
	for i, place := range places {
		o := p.output(f.reveal)
		if i > 0 {
			o.Printf("\n")
		}
		o.Line("# %s  %s", p.kindName(place), storeFlag(place))
		if err := o.Close(); err != nil {
			return err
		}
		if err := p.listOne(ctx, f, place); err != nil {
			last = err
			if len(places) > 1 && ctx.Err() == nil {
				p.report(err)
			}
		}
	}
	if last != nil {
		return silent(asFailure(last).code)
	}
	return nil
}

// listOne lists the records of one store.
func (p *program) listOne(ctx context.Context, f *listFlags, place memory.Place) error {
	snap, err := p.load(ctx, place)
	if err != nil {
		return err
	}
	loaded := len(snap.Records)
	if f.across {
		if snap.Records, err = p.across(ctx, place, snap.Records); err != nil {
			return err
		}
	}
	var rest []memory.Record
	terms := filter.Parse(f.query)
	if err := p.eachMore(ctx, &snap, func(r *memory.Record) error {
		loaded++
		if filter.Matches(terms, r, p.Now()) {
			rest = append(rest, *r)
			rest[len(rest)-1].Raw = "" // as long as the text again, and not shown
		}
		return ctx.Err()
	}); err != nil {
		return err
	}
	snap.Records = append(slices.Clip(snap.Records), rest...)
	snap.Records = f.narrowed(snap.Records)
	q := filter.Query{Text: f.query, Sort: filter.Column(strings.TrimPrefix(f.sort, "store")), Desc: f.desc}
	res, err := filter.Apply(ctx, snap.Records, q, p.Now())
	if err != nil {
		return err
	}
	if err := checkTerms(res.Terms); err != nil {
		return err
	}
	rows := res.Index
	if f.limit > 0 {
		rows = rows[:min(f.limit, len(rows))]
	}
	o := p.output(f.reveal)
	if f.json {
		return o.JSONList(listJSON{
			Schema: schemaVersion, Store: placeJSON(o, snap.Place), Filter: o.Text(f.query),
			Total: snap.Total, Loaded: loaded, Matched: len(res.Index), Records: []recordJSON{},
		}, len(rows), func(i int) any { return recordOf(o, &snap.Records[rows[i]]) })
	}
	p.printRows(o, snap, rows)
	if err := o.Close(); err != nil {
		return err
	}
	p.remark(snap, res)
	return nil
}

// across returns the records with flags for what other stores of the project repeat or
// contradict.
func (p *program) across(ctx context.Context, place memory.Place, records []memory.Record) ([]memory.Record, error) {
	p.survey(ctx) // the library compares with stores that were found
	kin, err := p.Library.Kin(ctx, place.Store)
	if err != nil || len(kin) == 0 {
		return records, err
	}
	records = slices.Clone(records)
	for i := range records {
		addKin(&records[i], kin)
	}
	return records, nil
}

// addKin notes with a record what other stores say of the same.
func addKin(r *memory.Record, kin map[memory.ID][]memory.Kin) {
	r.Elsewhere = kin[r.ID]
	for _, k := range r.Elsewhere {
		if k.Contrary {
			r.Flags |= memory.FlagContradicts
		} else {
			r.Flags |= memory.FlagSimilar
		}
	}
}

// narrowed leaves out the records of other kinds and scopes than were asked for.
func (f *listFlags) narrowed(records []memory.Record) []memory.Record {
	if f.kind == "" && f.scope == "" {
		return records
	}
	kind, scope := strings.ToLower(f.kind), strings.ToLower(f.scope)
	return slices.DeleteFunc(slices.Clone(records), func(r memory.Record) bool {
		return !strings.HasPrefix(strings.ToLower(r.Kind), kind) || !strings.Contains(strings.ToLower(r.Scope), scope)
	})
}

type listJSON struct {
	Schema  int          `json:"schema"`
	Store   storeJSON    `json:"store"`
	Filter  text         `json:"filter"`
	Total   int          `json:"total"`
	Skipped int          `json:"skipped"` // always 0
	Loaded  int          `json:"loaded"`
	Matched int          `json:"matched"`
	Records []recordJSON `json:"records"`
}

// remark says on standard error what the rows do not.
func (p *program) remark(snap memory.Snapshot, res filter.Result) {
	if snap.Problem != nil {
		p.tell("%s", snap.Problem.What)
		return
	}
	long := 0
	for i := range snap.Records {
		if q := snap.Records[i].Problem; q != nil && q.Code == "too-long" {
			long++
		}
	}
	if long > 0 && len(res.Terms) > 0 {
		p.tell("not searched: records longer than 1 MiB: %d", long)
	}
	if p.ErrTTY || res.Suggest != "" {
		p.tell("%d of %d", len(res.Index), len(snap.Records))
	}
	if res.Suggest != "" {
		p.tell("hint: did you mean %s", res.Suggest)
	}
	if i := slices.IndexFunc(res.Terms, func(t filter.Term) bool { return t.FuzzyFallback }); i >= 0 && p.ErrTTY {
		p.tell("no record has %s; matched loosely", fmt.Sprintf("%q", res.Terms[i].Text))
	}
}

// column is a column of a table: its head, how many cells it takes at most, and what a
// record has in it.
type column struct {
	head  string
	most  int
	right bool
	text  func(r *memory.Record) any
}

// printRows prints a table on a terminal, and columns with tabs elsewhere.
func (p *program) printRows(o *output.Out, snap memory.Snapshot, rows []int32) {
	if o.Width == 0 {
		p.printColumns(o, snap, rows)
		return
	}
	columns := []column{
		{"ID", 28, false, func(r *memory.Record) any { return r.ID }},
		{"Kind", 12, false, func(r *memory.Record) any { return r.Kind }},
		{"Scope", 20, false, func(r *memory.Record) any { return r.Scope }},
		{"Outcome", 10, false, func(r *memory.Record) any { return r.Outcome }},
		{"Rel", 5, true, func(r *memory.Record) any {
			if r.Count == (memory.Count{}) { // many systems have none
				return ""
			}
			return count(r)
		}},
		{"Used", 4, true, func(r *memory.Record) any { return strings.TrimPrefix(p.ago(r.Used), "-") }},
		{"Age", 4, true, func(r *memory.Record) any { return strings.TrimPrefix(p.ago(r.Created), "-") }},
		{"Flags", 5, false, func(r *memory.Record) any { return r.Flags.Letters() }},
	}
	title := "Title"
	if snap.Cap > 0 || snap.Described.ByLine { // of a store that holds so many records and no more
		columns, title = p.lessonColumns(o), "Task"
	}
	printTable(o, columns, title, snap.Records, rows)
}

// lessonColumns are those of records that agents recall and evict. Each has a fixed width.
func (p *program) lessonColumns(o *output.Out) []column {
	return []column{
		{"ID", -8, false, func(r *memory.Record) any { return output.Safe(shortID(o, r.ID)) }},
		{"Outcome", -9, false, func(r *memory.Record) any { return o.Dash(r.Outcome) }},
		{"Rel", -4, true, func(r *memory.Record) any { return count(r) }},
		{"Used", -4, true, func(r *memory.Record) any { return p.ago(r.Used) }},
		{"Age", -4, true, func(r *memory.Record) any { return p.ago(r.Created) }},
		{"Next", -5, true, func(r *memory.Record) any { return leaves(r) }},
		{"Flags", -5, false, func(r *memory.Record) any { return r.Flags.Letters() }},
	}
}

// printColumns prints a record a line, with tabs between the columns.
func (p *program) printColumns(o *output.Out, snap memory.Snapshot, rows []int32) {
	sorted := slices.ContainsFunc(snap.Records, func(r memory.Record) bool { return r.Kind != "" || r.Scope != "" })
	for _, i := range rows {
		r := o.Shown(&snap.Records[i])
		columns := []any{
			r.ID, r.Outcome, count(r), p.moment(r.Used), p.moment(r.Created), leaves(r), r.Flags.Letters(), headline(r),
		}
		if sorted {
			columns = append(columns, r.Kind, r.Scope)
		}
		o.Row(columns...)
	}
}

// titleRoom is how many cells are left for titles if that can be.
const titleRoom = 32

// makeRoom takes from the columns what titles need, first from what says least.
func makeRoom(columns []column, width int) {
	for _, give := range []struct {
		head string
		to   int
	}{{"Used", 0}, {"Scope", 12}, {"Kind", 8}, {"ID", 20}, {"Scope", 0}, {"ID", 14}, {"Outcome", 0}} {
		room := width
		for _, c := range columns {
			if c.most > 0 {
				room -= c.most + 2
			}
		}
		if room >= titleRoom {
			return
		}
		for c := range columns {
			if columns[c].head == give.head {
				columns[c].most = min(columns[c].most, give.to)
			}
		}
	}
}

// printTable prints the columns in which a record has something or whose width is fixed,
// and the titles.
func printTable(o *output.Out, columns []column, title string, records []memory.Record, rows []int32) {
	cells := make([][]string, len(columns))
	fixed := len(columns) > 0 && columns[0].most < 0
	for c := range columns {
		width := 0
		for _, i := range rows {
			text := string(o.Show(columns[c].text(o.Shown(&records[i]))))
			cells[c] = append(cells[c], text)
			width = max(width, views.Width(text))
		}
		if width > 0 {
			width = max(width, len(columns[c].head))
		}
		columns[c].most = max(min(width, columns[c].most), -columns[c].most)
	}
	if !fixed {
		makeRoom(columns, o.Width)
	}
	line := func(title any, text func(c int) string) {
		var b strings.Builder
		for c := range columns {
			switch w := columns[c].most; {
			case w == 0:
			case columns[c].right:
				b.WriteString(views.Right(text(c), w) + "  ")
			default:
				b.WriteString(views.Cell(text(c), w) + "  ")
			}
		}
		o.Line("%s%s", output.Safe(b.String()), title)
	}
	line(title, func(c int) string { return columns[c].head })
	for n, i := range rows {
		line(headline(o.Shown(&records[i])), func(c int) string { return cells[c][n] })
	}
}

// shortID returns the first 8 cells of an id for a terminal, which name a record unless
// another id begins with them.
func shortID(o *output.Out, id memory.ID) string {
	s := string(o.Show(id))
	for views.Width(s) > 8 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return views.Cell(s, 8)
}
