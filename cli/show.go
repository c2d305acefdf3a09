package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

type showFlags struct{ json, raw, reveal bool }

func (e Env) show(all *flags) *cobra.Command {
	var s showFlags
	c := &cobra.Command{
		Use:   "show ID...",
		Short: "show records whole",
		Long: `Shows records with all that is known of them. ID is the id of a record, the
beginning of it that no other has, or :N for the record on line N.

With --raw the stored bytes are printed as they are, secrets too, each record
with a line end. On a terminal they are made visible instead, and masked.`,
		Example: examples("winnow show 7f3c", "winnow show --raw :41 | jq ."),
		RunE: func(c *cobra.Command, args []string) error {
			if err := onlyOne(c, "raw", "json"); err != nil {
				return err
			}
			return e.runShow(c.Context(), all, s, args)
		},
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 || slices.Contains(args, "") {
			return usage("see the ids: winnow list", "show: which record")
		}
		return nil
	}
	c.ValidArgsFunction = e.completeIDs(all)
	c.Flags().BoolVar(&s.raw, "raw", false, "print the stored bytes")
	jsonFlag(c, &s.json)
	revealFlag(c, &s.reveal)
	return c
}

func (e Env) runShow(ctx context.Context, all *flags, s showFlags, names []string) error {
	place, err := e.choose(ctx, all, false)
	if err != nil {
		return err
	}
	found, err := e.find(ctx, "show", place, names)
	if err != nil {
		return err
	}
	o := e.output(s.reveal)
	switch {
	case s.json:
		return o.json(o.showJSON(found))
	case s.raw:
		return e.printRaw(o, found)
	}
	for i := range found {
		if i > 0 {
			o.printf("\n")
		}
		e.printRecord(o, all, &found[i].record)
	}
	return o.close()
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

func (o *output) showJSON(found []wanted) showJSON {
	j := showJSON{Schema: schemaVersion, Records: []shownJSON{}}
	for i := range found {
		r := &found[i].record
		j.Store = placeOf(found[i].place)
		j.Records = append(j.Records, shownJSON{o.recordJSON(r), o.text(r.Raw, r.Secrets, memory.InRaw), r.RawCut()})
	}
	return j
}

// printRaw prints the stored bytes, made visible where the output is a terminal.
func (e Env) printRaw(o *output, found []wanted) error {
	for i := range found {
		r := &found[i].record
		switch {
		case e.OutTTY:
			o.paragraph("", safe.Masked(r.Raw, spans(r.Secrets, memory.InRaw), o.reveal))
		case r.RawCut():
			return &failure{
				code: exitFailure,
				err:  fmt.Errorf("show :%d: the line has %d bytes, too many to print", r.Line, r.RawLen),
				hint: fmt.Sprintf("take them from the file: sed -n %dp", r.Line),
			}
		default:
			o.printf("%s\n", r.Raw)
		}
	}
	return o.close()
}

// printRecord prints a record for reading.
func (e Env) printRecord(o *output, all *flags, r *memory.Record) {
	r = o.shown(r)
	now, zone := e.Now(), all.zone(e)
	when := func(m memory.Moment) string {
		if m.Time.IsZero() {
			return word(m.Text)
		}
		return moment(m, zone) + " (" + views.Age(now.Sub(m.Time)) + ")"
	}
	o.field("id", safe.Line(string(r.ID)))
	o.field("line", fmt.Sprint(r.Line))
	o.field("outcome", word(string(r.Outcome)))
	o.field("created", when(r.Created))
	o.field("recalled", fmt.Sprintf("%s, last %s", times(r), when(r.Used)))
	o.field("tools", word(strings.Join(r.Tools, ", ")))
	o.field("session", word(r.Session))
	for _, s := range forecast(r, when) {
		o.field("stays", s)
	}
	if r.Flags != 0 {
		o.field("flags", filter.Letters(r.Flags)+" ("+strings.Join(flagNames(r.Flags), ", ")+")")
	}
	if p := r.Problem; p != nil {
		o.field("problem", safe.Line(p.What))
		o.field("next", word(p.Hint))
	}
	if r.Title != "" {
		o.printf("\ntask\n")
		o.paragraph("  ", o.title(r))
	}
	if r.Body != "" {
		o.printf("\nlesson\n")
		o.paragraph("  ", o.body(r))
	}
	if r.Title == "" && r.Body == "" {
		o.printf("\nstored\n")
		o.paragraph("  ", safe.Masked(r.Raw, spans(r.Secrets, memory.InRaw), o.reveal))
	}
}

// field prints one line of a record. The value is safe already.
func (o *output) field(name, value string) { o.line(fmt.Sprintf("%-9s %s", name, value)) }

func times(r *memory.Record) string {
	switch c := count(r); c {
	case "0":
		return "never"
	case "1":
		return "once"
	default:
		return c + " times"
	}
}

// forecast says in sentences how long a record stays.
func forecast(r *memory.Record, when func(memory.Moment) string) (lines []string) {
	f := r.Forecast
	switch {
	case r.Problem != nil && f == (memory.Forecast{}):
		return nil
	case f.Beyond:
		return []string{"no: it is past the records that an agent loads"}
	case r.Flags&memory.FlagPruned != 0:
		return []string{"no: the agent's next load prunes it"}
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
