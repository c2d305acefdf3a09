package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// listing is one call of list, with its flags.
type listing struct {
	*program
	sort, kind, scope string
	desc, across      bool
	limit             int

	query string
	terms []filter.Term
	now   time.Time
}

func (p *program) list() command {
	f := listing{program: p, sort: "store"}
	return command{
		paged: true, use: "list [FILTER...]", short: "List records",
		long: `Lists the records of the project's stores in stored order, one per line.

FILTER is one or more terms, as on the screens, and all must match: word, !word for not,
field:value, ~word for fuzzy. The fields are
` + strings.Join(filter.Fields(), ", ") + `.

On a terminal the worst flag of a record is a word, and the number of others follows. The
words are also those of filters, as in flag:secret: secret, orders (to the model), halts (the
agent stops on it), damaged, lost (removed by the next load), expires (pruned soon), beyond
(what an agent loads), unread (by any agent where it is), same-id, stale (names what the project
no longer has), differs (contradicts another), twice (nearly a duplicate), old (its system
warns about its age), new, pinned. Columns with tabs have a letter for each, in this order:
S I H X R ! B U 2 G C D O N P. Filters take the letters too.

With a filter or an order of rel or used, a store that does not count recalls is counted
from the sessions of its project.

With several stores, each has a line that starts with # and says how to name it.

When the output is not a terminal, each line has tab-separated columns: id, outcome,
relevance count, last recall, creation, how many arrivals until it is evicted, flags,
title, kind, scope and store; with --store no store, and kind and scope only when any
record has them. A dash means none.`,
		examples: []string{
			"winnow list outcome:failed deploy", "winnow list 'age:>14d' rel:0 --sort next",
			"winnow list --system SYSTEM --kind rule", "winnow list --json | jq '.stores[].records[].title'",
		},
		flags: []flag{
			{to: &f.sort, name: "sort", help: "sort by `COLUMN`: " + strings.Join(sortColumns(), ", "), values: sortColumns()},
			{to: &f.desc, name: "desc", help: "reverse the order"},
			{to: &f.kind, name: "kind", help: "list only records whose kind starts with `KIND`"},
			{to: &f.scope, name: "scope", help: "list only records whose scope contains `TEXT`"},
			{to: &f.across, name: "across", help: "flag records that other stores of the project repeat (twice) or contradict (differs)"},
			{to: &f.limit, name: "limit", help: "print at most `N` records; 0 for all"},
			p.jsonFlag(), p.revealFlag(),
		},
		check: func([]string) error {
			return refuse(refusal{f.limit < 0, "give a number of 0 or more", "--limit is below 0"})
		},
		run: f.run,
	}
}

func (f *listing) run(ctx context.Context, args []string) error {
	f.query, f.now = strings.Join(args, " "), f.Now()
	f.terms, f.rows = filter.Parse(f.query), true
	if err := checkTerms(f.terms); err != nil {
		return err
	}
	return f.cover(ctx, func(ctx context.Context) error { return f.listStore(ctx, f.place) })
}

// listStore lists the records of one store.
func (f *listing) listStore(ctx context.Context, place memory.Place) error {
	snap, err := f.loadAsked(ctx, place)
	if err != nil {
		return err
	}
	whole, loaded := snap, len(snap.Records)
	snap.Records = f.narrow(snap.Records)
	rest := func(fn func(*memory.Record)) error {
		return f.eachMore(ctx, &whole, func(r *memory.Record) {
			loaded++
			if f.matches(r) && filter.Matches(f.terms, r, f.now) {
				fn(r)
			}
		})
	}
	q := filter.Query{Text: f.query, Sort: strings.TrimPrefix(f.sort, "store"), Desc: f.desc}
	streams := !f.json && f.out.Width == 0 && q == filter.Query{}
	if !streams {
		err = rest(func(r *memory.Record) { snap.Records = append(slices.Clip(snap.Records), *r) })
	}
	if err != nil {
		return err
	}
	res, err := filter.Apply(ctx, snap.Records, q, f.now)
	if err != nil {
		return err
	}
	rows := res.Index[:min(cmp.Or(f.limit, len(res.Index)), len(res.Index))]
	if f.json {
		f.printAnswer(listedJSON{
			Schema:  schemaVersion,
			Store:   placeOf(f.out, snap.Place),
			Filter:  f.out.Text(f.query),
			Total:   snap.Total,
			Loaded:  loaded,
			Matched: len(res.Index),
			Records: output.Items{N: len(rows), Item: func(i int) any {
				return recordOf(f.out, &snap.Records[rows[i]], true)
			}},
		})
		return nil
	}
	sorted := f.printRows(snap, rows)
	matched, total := len(res.Index), len(snap.Records)
	if streams {
		err = rest(func(r *memory.Record) {
			if f.limit == 0 || matched < f.limit {
				f.printColumns(r, sorted)
			}
			matched, total = matched+1, total+1
		})
	}
	f.noteHidden(snap, res, matched, total)
	return err
}

// listedJSON is the records of a store that match a filter.
type listedJSON struct {
	Schema  int          `json:"schema"`
	Store   placeJSON    `json:"store"`
	Filter  text         `json:"filter"`
	Total   int          `json:"total"`
	Skipped int          `json:"skipped"` // always 0
	Loaded  int          `json:"loaded"`
	Matched int          `json:"matched"`
	Records output.Items `json:"records"` // each a recordJSON
}

// loadAsked loads a store with what is asked for: how often sessions used its records, and how they compare. As JSON,
// lessons that are told at calls say whether they help.
func (f *listing) loadAsked(ctx context.Context, place memory.Place) (memory.Snapshot, error) {
	snap, err := f.load(ctx, place)
	toldAtCalls := func(r memory.Record) bool { return r.When != "" }
	if err == nil && (f.asksUse() || f.json && slices.ContainsFunc(snap.Records, toldAtCalls)) {
		snap = f.Sessions.WithUse(ctx, snap)
	}
	if err == nil && f.across {
		snap.Records, err = f.withComparison(ctx, place, snap.Records)
	}
	return snap, err
}

// asksUse reports whether records are picked or sorted by how often they were used. Only then are sessions read for
// stores that do not count it.
func (f *listing) asksUse() bool {
	uses := []string{string(filter.ByRel), string(filter.ByUsed)}
	return slices.Contains(uses, f.sort) ||
		slices.ContainsFunc(f.terms, func(t filter.Term) bool { return slices.Contains(uses, t.Name) })
}

// withComparison returns the records with flags for what other stores of the project repeat or
// contradict.
func (p *program) withComparison(
	ctx context.Context, place memory.Place, records []memory.Record,
) ([]memory.Record, error) {
	p.survey(ctx) // the library compares with the stores that were found
	kin, err := p.Library.Kin(ctx, place.Store)
	records = slices.Clone(records)
	for i := range records {
		records[i].AddKin(kin[records[i].ID])
	}
	return records, err
}

// matches reports whether a record has the requested kind and scope.
func (f *listing) matches(r *memory.Record) bool {
	return strings.HasPrefix(strings.ToLower(r.Kind), strings.ToLower(f.kind)) &&
		strings.Contains(strings.ToLower(r.Scope), strings.ToLower(f.scope))
}

// narrow drops records whose kind or scope was not requested.
func (f *listing) narrow(records []memory.Record) []memory.Record {
	if f.kind == "" && f.scope == "" {
		return records
	}
	return slices.DeleteFunc(slices.Clone(records), func(r memory.Record) bool { return !f.matches(&r) })
}

// noteHidden says on standard error what the rows do not.
func (p *program) noteHidden(snap memory.Snapshot, res filter.Result, matched, total int) {
	if snap.Problem != nil {
		p.notef("%s", snap.Problem.What)
		return
	}
	long := 0
	for i := range snap.Records {
		if q := snap.Records[i].Problem; q != nil && q.Code == "too-long" {
			long++
		}
	}
	if long > 0 && len(res.Terms) > 0 {
		p.notef("not searched: records longer than 1 MiB: %d", long)
	}
	if p.ErrTTY || res.Suggest != "" {
		p.notef("%d of %d", matched, total)
	}
	if res.Suggest != "" {
		p.notef("hint: did you mean %s", res.Suggest)
	}
	if i := slices.IndexFunc(res.Terms, func(t filter.Term) bool { return t.FuzzyFallback }); i >= 0 && p.ErrTTY {
		p.notef("no record has %q; matched loosely", res.Terms[i].Text)
	}
}

// column is a column of a table: its heading, its maximum width in cells, and its text for a record
// whose secrets are masked.
type column struct {
	head  string
	most  int
	right bool
	text  func(r *memory.Record) string
}

// printRows prints a table on a terminal, and columns separated by tabs otherwise. It reports
// whether the columns include kind and scope.
func (p *program) printRows(snap memory.Snapshot, rows []int32) (sorted bool) {
	if p.out.Width == 0 {
		has := func(r memory.Record) bool { return r.Kind != "" || r.Scope != "" }
		sorted = p.store == "" || slices.ContainsFunc(snap.Records, has)
		for _, i := range rows {
			p.printColumns(&snap.Records[i], sorted)
		}
		return sorted
	}
	lessons, title := snap.Cap > 0 || snap.Described.ByLine, "Title" // a store with a limit on its records
	if lessons {
		title = "Task"
	}
	printTable(p.out, p.columns(lessons), title, snap.Records, rows)
	return false
}

// columns are the columns of a table of records. A dash means that a lesson lacks what others have.
func (p *program) columns(lessons bool) []column {
	none := output.When(lessons, "-")
	return []column{
		{"ID", 28, false, func(r *memory.Record) string {
			if lessons {
				return shortID(r.ID)
			}
			return string(r.ID)
		}},
		{"Kind", 12, false, func(r *memory.Record) string { return r.Kind }},
		{"Scope", 20, false, func(r *memory.Record) string { return r.Scope }},
		{"Outcome", 10, false, func(r *memory.Record) string { return cmp.Or(string(r.Outcome), none) }},
		{"Rel", 5, true, func(r *memory.Record) string { // many systems have none
			return output.When(lessons || r.Count != (memory.Count{}), count(r))
		}},
		{"Used", 4, true, func(r *memory.Record) string { return cmp.Or(p.ago(r.Used), none) }},
		{"Age", 4, true, func(r *memory.Record) string { return cmp.Or(p.ago(r.Created), none) }},
		{"Next", 5, true, func(r *memory.Record) string { return cmp.Or(arrivalsLeft(r), none) }},
		{"Fired", 14, false, firedText},
		{"Flags", 10, false, func(r *memory.Record) string { return r.Flags.Worst() }},
	}
}

// firedText says in how many sessions a lesson was told, if that was asked for, and in how many of them its failure
// came all the same.
func firedText(r *memory.Record) string {
	if r.Evidence == nil || r.Evidence.Recurs == nil || r.Evidence.Recurs.Fired == 0 {
		return ""
	}
	return r.Evidence.Recurs.Short()
}

// printColumns prints a record on one line, with tabs between the columns. If sorted is set, kind
// and scope are included.
func (p *program) printColumns(r *memory.Record, sorted bool) {
	r = p.out.Shown(r)
	paint := func(head, text string) any { return p.out.Paint(colourOf(head, text, 1), output.Visible(text)) }
	columns := []any{
		paint("ID", string(r.ID)),
		paint("", string(r.Outcome)),
		output.Visible(count(r)),
		output.Visible(p.moment(r.Used)),
		output.Visible(p.moment(r.Created)),
		output.Visible(arrivalsLeft(r)),
		paint("Flags", r.Flags.Letters()),
		headline(r),
	}
	if sorted {
		columns = append(columns, output.Visible(r.Kind), output.Visible(r.Scope))
	}
	p.out.Row(append(columns, p.storeColumn()...)...)
}

// titleRoom is the number of cells to keep for titles, if possible.
const titleRoom = 32

// makeRoom shrinks the columns to leave room for titles, the least informative first.
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

// printTable prints the columns in which some record has a value, and the titles.
func printTable(o *output.Out, columns []column, title string, records []memory.Record, rows []int32) {
	titles, cells, widths := []any{title}, [][]string{{}}, make([]int, len(columns))
	for _, c := range columns {
		cells[0] = append(cells[0], c.head)
	}
	for _, i := range rows {
		r := o.Shown(&records[i])
		var line []string
		for c := range columns {
			line = append(line, string(output.Visible(columns[c].text(r))))
			widths[c] = max(widths[c], views.Width(line[c]))
		}
		titles, cells = append(titles, headline(r)), append(cells, line)
	}
	for c := range columns {
		if widths[c] > 0 {
			widths[c] = max(widths[c], len(columns[c].head))
		}
		columns[c].most = min(widths[c], columns[c].most)
	}
	makeRoom(columns, o.Width)
	for i, line := range cells {
		var b strings.Builder
		for c, text := range line {
			fit := output.Cell
			if columns[c].right {
				fit = output.Right
			}
			if columns[c].most > 0 {
				b.WriteString(
					string(o.Paint(colourOf(columns[c].head, text, i), output.Safe(fit(text, columns[c].most)))) + "  ",
				)
			}
		}
		o.Line("%s%s", output.Safe(b.String()), titles[i])
	}
}

// colourOf returns the colour of a cell, from its text or its column. Row 0 is the heading.
func colourOf(head, text string, row int) output.Colour {
	says := map[string]output.Colour{string(memory.Failed): output.Bad, string(memory.Succeeded): output.Good}[text]
	column := map[string]output.Colour{"ID": output.Faint, "Flags": output.Warn}[head]
	return cmp.Or(output.Colour(output.When(row == 0, string(output.Strong))), says, column)
}

// shortID returns the first 8 cells of an ID for a terminal. They name a record unless another ID
// has the same prefix.
func shortID(id memory.ID) string {
	s := safe.Line(string(id))
	for views.Width(s) > 8 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return output.Cell(s, 8)
}
