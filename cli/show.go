package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/memory"
)

func (p *program) show() command {
	var raw bool
	return command{
		paged: true, use: "show ID...", short: "Show records in full",
		long: `Shows everything known about records. ID is the id of a record, a prefix that no other id
has, or :N for the record on line N. Of several stores, each that has it shows its own.

--raw prints the stored bytes as they are, including secrets, with a newline after each
record. On a terminal they are made visible and masked.`,
		examples: []string{"winnow show 7f3c", "winnow show --raw :41 | jq ."},
		args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || slices.Contains(args, "") {
				return usage("see the ids: winnow list", "show: which record?")
			}
			return nil
		},
		offer:     p.offerIDs,
		exclusive: [][]string{{"raw", "json"}},
		flags:     []flag{{to: &raw, name: "raw", help: "print the stored bytes"}, p.jsonFlag(), p.revealFlag()},
		run:       func(ctx context.Context, args []string) error { return p.runShow(ctx, args, raw) },
	}
}

func (p *program) runShow(ctx context.Context, names []string, raw bool) error {
	if raw { // the bytes of one record cannot be told from those of another
		by := choice{bare: true, holds: p.holding(func(context.Context) ([]string, error) { return names, nil })}
		if err := p.chooseStore(ctx, by); err != nil {
			return err
		}
		found, err := p.find(ctx, names...)
		if err != nil {
			return err
		}
		return p.printRaw(found)
	}
	p.idFirst = true
	places, err := p.covered(ctx)
	if err != nil {
		return err
	}
	of, places, err := p.findIn(ctx, places, names)
	if err != nil {
		return err
	}
	return p.coverAll(ctx, places, func(ctx context.Context) error { return p.showAll(ctx, of[p.place.Store]) })
}

// findIn returns the named records of each store, and the stores that have any, in the order of the names.
func (p *program) findIn(ctx context.Context, places []memory.Place, names []string) (
	of map[memory.StoreID][]memory.Record, at []memory.Place, err error,
) {
	of = map[memory.StoreID][]memory.Record{}
	if len(places) == 1 {
		p.place = places[0]
		of[p.place.Store], err = p.find(ctx, names...)
		return of, places, err
	}
	found, err := p.locate(ctx, places, names...)
	for _, list := range found {
		for i := range list {
			store := list[i].place.Store
			if of[store] == nil {
				at = append(at, list[i].place)
			}
			of[store] = append(of[store], list[i].record)
		}
	}
	return of, at, err
}

// recordsJSON is some records of a store.
type recordsJSON struct {
	Schema  int                `json:"schema"`
	Store   placeJSON          `json:"store"`
	Records []storedRecordJSON `json:"records"`
}

// storedRecordJSON is a record with its stored form.
type storedRecordJSON struct {
	recordJSON
	Stored text `json:"raw"`
	Cut    bool `json:"raw_cut"`
}

// showAll prints records of p.place.
func (p *program) showAll(ctx context.Context, found []memory.Record) error {
	// Ignore stores that cannot be read, since the record itself is what was requested.
	found, _ = p.withComparison(ctx, p.place, found)
	if _, err := p.withEvidence(ctx, p.place, found); err != nil {
		return err
	}
	if p.json {
		p.printAnswer(recordsJSON{
			Schema: schemaVersion,
			Store:  placeOf(p.out, p.place),
			Records: output.Each(found, func(r *memory.Record) storedRecordJSON {
				return storedRecordJSON{recordOf(p.out, r, false), p.out.FieldText(r, memory.InRaw), r.RawCut()}
			}),
		})
		return nil
	}
	for i := range found {
		p.out.Printf("%s", output.Safe(output.When(i > 0, "\n")))
		p.printRecord(&found[i], p.described)
	}
	return nil
}

// printRaw prints the stored bytes. On a terminal, invisible characters are shown.
func (p *program) printRaw(found []memory.Record) error {
	for i := range found {
		r := &found[i]
		switch {
		case p.OutTTY:
			p.out.Paragraph("", "%s", output.Field(r, memory.InRaw))
		case r.RawCut():
			hint := "read them from the file" +
				cmp.Or(output.When(r.File != "", " "+r.File), fmt.Sprintf(": sed -n %dp", r.Line))
			return failed(exitFailure, hint, "show :%d: the line has %d bytes, too many to print", r.Line, r.RawLen)
		default:
			p.out.Exact([]byte(r.Raw + "\n"))
		}
	}
	return nil
}

// printRecord prints a record for reading: all fields if the records are lines, and otherwise those
// that it has.
func (p *program) printRecord(r *memory.Record, d memory.Description) {
	o := p.out
	r = o.Shown(r)
	when := func(m memory.Moment) string {
		return p.moment(m) + output.When(!m.Time.IsZero(), " ("+p.age(m.Time)+")")
	}
	recalled := output.When(
		d.ByLine || r.Used != memory.Moment{} || r.Count != memory.Count{},
		fmt.Sprintf("%s, last %s", timesText(r), cmp.Or(when(r.Used), "-")),
	)
	tools := strings.Join(r.Tools, ", ")
	fields := [][2]string{
		{"kind", r.Kind},
		{"scope", r.Scope},
		{"file", p.fromHome(r.File)},
		{"outcome", string(r.Outcome)},
		{"created", when(r.Created)},
		{"recalled", recalled},
		{"tools", tools},
		{"session", r.Session},
	}
	for _, f := range r.Facts {
		fields = append(fields, [2]string{cmp.Or(f.Name, "fact"), f.Text})
	}
	if d.ByLine {
		fields = [][2]string{
			{"line", fmt.Sprint(r.Line)},
			{"outcome", string(r.Outcome)},
			{"created", when(r.Created)},
			{"recalled", recalled},
			{"tools", tools},
			{"session", r.Session},
		}
	}
	if d.When {
		fields = append(fields, [2]string{"when", cmp.Or(r.When, memory.When{}.String())})
	}
	fields = append([][2]string{{"id", string(r.ID)}}, fields...)
	for _, f := range fields {
		if d.ByLine || f[1] != "" {
			o.Named(f[0], o.Dash(f[1]))
		}
	}
	for _, s := range forecast(r, when) {
		o.Named("stays", s)
	}
	if r.Evidence != nil {
		o.Fields([2]string{"helped", r.Evidence.String()}, [2]string{"used", r.Evidence.Use.String()})
		if c := r.Evidence.Recurs; c != nil {
			o.Fields([2]string{"failure", c.String()})
		}
	}
	if r.Flags != 0 {
		o.Named("flags", strings.Join(r.Flags.Words(), ", "))
	}
	printOdd(o, r)
	printTexts(o, r, d)
}

// printTexts prints the long texts of a record, or its stored form if it has none. In a record that
// is a single line, a line break must be visible.
func printTexts(o *output.Out, r *memory.Record, d memory.Description) {
	names := map[memory.Field]string{memory.InTitle: "title", memory.InBody: "body", memory.InRaw: "stored"}
	if d.ByLine {
		names[memory.InTitle], names[memory.InBody] = "task", "lesson"
	}
	for _, f := range []memory.Field{memory.InTitle, memory.InBody, memory.InRaw} {
		if r.Text(f, 0) == "" || f == memory.InRaw && r.Title+r.Body != "" {
			continue
		}
		o.Printf("\n%s\n", o.Paint(output.Strong, output.Safe(names[f])))
		if f == memory.InBody && !d.ByLine {
			o.Lines("  ", output.Field(r, f))
		} else {
			o.Paragraph("  ", "%s", output.Field(r, f))
		}
	}
}

// printOdd prints the record's problem and its notes.
func printOdd(o *output.Out, r *memory.Record) {
	if q := r.Problem; q != nil {
		o.Named("problem", q.What)
		o.Named("next", o.Dash(q.Hint))
	}
	for _, n := range r.Notes {
		o.Named("note", n)
	}
	o.Fields([2]string{"fixed", r.Fixed})
	for _, k := range r.Elsewhere {
		o.Named(
			cmp.Or(output.When(k.Contrary, "against"), "also in"),
			string(k.Store)+" "+string(k.ID)+note(k.Title)+output.When(k.Why != "", " ("+k.Why+")"),
		)
	}
}

// forecast says how long a record stays.
func forecast(r *memory.Record, when func(memory.Moment) string) (lines []string) {
	f := r.Forecast
	switch {
	case r.Problem != nil && f == (memory.Forecast{}):
		return nil
	case f.Beyond:
		return []string{"no: it is beyond the records that an agent loads"}
	case r.Flags&memory.FlagPruned != 0:
		return []string{"no: the agent prunes it at its next load"}
	case f.LeavesAfter > 0:
		lines = append(lines, fmt.Sprintf("until %d more arrive; number %d to be evicted", f.LeavesAfter, f.Rank))
	case f.Rank > 0:
		lines = append(lines, fmt.Sprintf("new arrivals alone never evict it; number %d in the order", f.Rank))
	}
	if !f.PruneAt.IsZero() {
		lines = append(lines, "until "+when(memory.Moment{Time: f.PruneAt})+" unless it is recalled before")
	}
	return lines
}
