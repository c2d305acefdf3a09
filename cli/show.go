package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/memory"
)

type showFlags struct{ json, raw, reveal bool }

func (p *program) show() command {
	var f showFlags
	return command{
		use: "show ID...", short: "Show whole records",
		long: `Shows all that is known of records. ID is the id of a record, the beginning of it if
no other id begins with it, or :N for the record on line N.

--raw prints the stored bytes as they are, secrets too, each record with a line end. A
terminal gets them visible and masked instead.`,
		examples: []string{"winnow show 7f3c", "winnow show --raw :41 | jq ."},
		args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || slices.Contains(args, "") {
				return usage("see the ids: winnow list", "show: which record?")
			}
			return nil
		},
		offer:     p.offerIDs,
		exclusive: [][]string{{"raw", "json"}},
		flags:     []flag{{to: &f.raw, name: "raw", help: "print the stored bytes"}, jsonFlag(&f.json), revealFlag(&f.reveal)},
		run:       func(c *cobra.Command, args []string) error { return p.runShow(c.Context(), f, args) },
	}
}

type showJSON struct {
	Schema  int         `json:"schema"`
	Store   storeJSON   `json:"store"`
	Records []shownJSON `json:"records"`
}

// shownJSON is a record with its stored form.
type shownJSON struct {
	recordJSON
	Raw    text `json:"raw"`
	RawCut bool `json:"raw_cut"`
}

func (p *program) runShow(ctx context.Context, f showFlags, names []string) error {
	place, err := p.choose(ctx, p.given())
	if err != nil {
		return err
	}
	found, err := p.find(ctx, "show", place, names...)
	if err != nil {
		return err
	}
	o := p.output(f.reveal)
	if f.raw {
		return p.printRaw(o, found)
	}
	p.survey(ctx) // the library compares with stores that were found
	// What cannot be read there is left out: the record itself is what was asked for.
	kin, _ := p.Library.Kin(ctx, place.Store)
	for i := range found {
		addKin(&found[i].record, kin)
	}
	if f.json {
		return o.JSON(showJSON{schemaVersion, placeJSON(o, found[0].place), output.Each(found, func(w *wanted) shownJSON {
			return shownJSON{recordOf(o, &w.record), o.FieldText(&w.record, memory.InRaw), w.record.RawCut()}
		})})
	}
	_, described := p.description(ctx, place)
	for i := range found {
		if i > 0 {
			o.Printf("\n")
		}
		p.printRecord(o, &found[i].record, described)
	}
	return o.Close()
}

// printRaw prints the stored bytes, made visible where the output is a terminal.
func (p *program) printRaw(o *output.Out, found []wanted) error {
	for i := range found {
		r := &found[i].record
		switch {
		case p.OutTTY:
			o.Paragraph("", "%s", output.Field(r, memory.InRaw))
		case r.RawCut():
			hint := fmt.Sprintf("read them from the file: sed -n %dp", r.Line)
			if r.File != "" {
				hint = "read them from the file " + r.File
			}
			return failed(exitFailure, hint, "show :%d: the line has %d bytes, too many to print", r.Line, r.RawLen)
		default:
			o.Exact([]byte(r.Raw + "\n"))
		}
	}
	return o.Close()
}

// printRecord prints a record for reading.
func (p *program) printRecord(o *output.Out, r *memory.Record, d memory.Description) {
	r = o.Shown(r)
	when := func(m memory.Moment) string {
		if m.Time.IsZero() {
			return m.Text
		}
		return p.moment(m) + " (" + p.age(m.Time) + ")"
	}
	recalled := o.Sprintf("%s, last %s", times(r), o.Dash(when(r.Used)))
	o.Named("id", r.ID)
	if d.ByLine { // each record has all of these
		o.Named("line", r.Line)
		o.Named("outcome", o.Dash(r.Outcome))
		o.Named("created", o.Dash(when(r.Created)))
		o.Named("recalled", recalled)
		o.Named("tools", o.Dash(strings.Join(r.Tools, ", ")))
		o.Named("session", o.Dash(r.Session))
	} else {
		if r.Used == (memory.Moment{}) && r.Count == (memory.Count{}) {
			recalled = ""
		}
		known := []struct {
			name  string
			value any
		}{
			{"kind", r.Kind}, {"scope", r.Scope}, {"file", p.fromHome(r.File)}, {"outcome", r.Outcome}, {"created", when(r.Created)},
			{"recalled", recalled}, {"tools", strings.Join(r.Tools, ", ")}, {"session", r.Session},
		}
		for _, f := range r.Facts {
			known = append(known, struct {
				name  string
				value any
			}{firstOf(f.Name, "fact"), f.Text})
		}
		for _, k := range known {
			if o.Show(k.value) != "" {
				o.Line("%-9s %s", k.name, k.value)
			}
		}
	}
	for _, s := range forecast(r, when) {
		o.Named("stays", s)
	}
	if r.Flags != 0 {
		o.Named("flags", r.Flags.Letters()+" ("+strings.Join(flagNames(r.Flags), ", ")+")")
	}
	p.printOdd(o, r)
	p.printTexts(o, r, d)
}

// printTexts prints the long texts of a record, or its stored form where it has none. In
// the text of a record that is one line a line break must be seen.
func (p *program) printTexts(o *output.Out, r *memory.Record, d memory.Description) {
	title, body := "title", "body"
	if d.ByLine {
		title, body = "task", "lesson"
	}
	if r.Title != "" {
		o.Printf("\n%s\n", title)
		o.Paragraph("  ", "%s", output.Field(r, memory.InTitle))
	}
	switch {
	case r.Body != "" && d.ByLine:
		o.Printf("\n%s\n", body)
		o.Paragraph("  ", "%s", output.Field(r, memory.InBody))
	case r.Body != "":
		o.Printf("\n%s\n", body)
		o.Lines("  ", output.Field(r, memory.InBody))
	case r.Title == "":
		o.Printf("\nstored\n")
		o.Paragraph("  ", "%s", output.Field(r, memory.InRaw))
	}
}

// printOdd prints what is wrong with a record, and what is odd about it.
func (p *program) printOdd(o *output.Out, r *memory.Record) {
	if q := r.Problem; q != nil {
		o.Named("problem", q.What)
		o.Named("next", o.Dash(q.Hint))
	}
	for _, n := range r.Notes {
		o.Paragraph("", "note      %s", n)
	}
	if r.Fixed != "" {
		o.Paragraph("", "fixed     %s", r.Fixed)
	}
	for _, k := range r.Elsewhere {
		what, why := "also in", ""
		if k.Contrary {
			what = "against"
		}
		if k.Why != "" {
			why = " (" + k.Why + ")"
		}
		o.Paragraph("", "%-9s %s", what, string(k.Store)+" "+string(k.ID)+note(k.Title)+why)
	}
}

// forecast says in sentences how long a record stays.
func forecast(r *memory.Record, when func(memory.Moment) string) (lines []string) {
	f := r.Forecast
	switch {
	case r.Problem != nil && f == (memory.Forecast{}):
		return nil
	case f.Beyond:
		return []string{"no: it is beyond the records that an agent loads"}
	case r.Flags&memory.FlagPruned != 0:
		return []string{"no: the agent prunes it at its next load"}
	}
	if f.LeavesAfter > 0 {
		lines = append(lines, fmt.Sprintf("until %d more arrive; number %d to be evicted", f.LeavesAfter, f.Rank))
	} else if f.Rank > 0 {
		lines = append(lines, fmt.Sprintf("new arrivals alone never evict it; number %d in the order", f.Rank))
	}
	if !f.PruneAt.IsZero() {
		lines = append(lines, "until "+when(memory.Moment{Time: f.PruneAt})+" unless it is recalled before")
	}
	return lines
}
