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
	if !s.raw {
		e.relate(ctx, place, found)
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
		e.printRecord(o, all, &found[i])
	}
	return o.close()
}

// relate notes with records what other stores of their project say of the same. What
// cannot be read there is left out: the record itself is what was asked for.
func (e Env) relate(ctx context.Context, place memory.Place, found []wanted) {
	e.survey(ctx, nil) // the library compares with stores that were found
	kin, err := e.Library.Kin(ctx, place.Store)
	if err != nil {
		return
	}
	for i := range found {
		r := &found[i].record
		r.Elsewhere = kin[r.ID]
		r.Flags |= kinFlags(r.Elsewhere)
	}
}

// kinFlags are the flags of a record with such kin.
func kinFlags(kin []memory.Kin) (f memory.Flags) {
	for _, k := range kin {
		if k.Contrary {
			f |= memory.FlagContradicts
		} else {
			f |= memory.FlagSimilar
		}
	}
	return f
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
		j.Store = o.placeJSON(found[i].place)
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
				hint: hintRaw(r),
			}
		default:
			o.printf("%s\n", r.Raw)
		}
	}
	return o.close()
}

// hintRaw says where the bytes are that were too many to print.
func hintRaw(r *memory.Record) string {
	if r.File != "" {
		return "take them from the file " + r.File
	}
	return fmt.Sprintf("take them from the file: sed -n %dp", r.Line)
}

// printRecord prints a record for reading.
func (e Env) printRecord(o *output, all *flags, w *wanted) {
	r := o.shown(&w.record)
	now, zone := e.Now(), all.zone(e)
	when := func(m memory.Moment) string {
		if m.Time.IsZero() {
			return word(m.Text)
		}
		return moment(m, zone) + " (" + views.Age(now.Sub(m.Time)) + ")"
	}
	lesson := w.place.System == engine
	if o.field("id", safe.Line(string(r.ID))); lesson {
		o.printLesson(r, when)
	} else {
		e.printSorted(o, r, when)
	}
	for _, s := range forecast(r, when) {
		o.field("stays", s)
	}
	if r.Flags != 0 {
		o.field("flags", filter.Letters(r.Flags)+" ("+strings.Join(flagNames(r.Flags), ", ")+")")
	}
	e.printOdd(o, r)
	title, body := "title", "body"
	if lesson {
		title, body = "task", "lesson"
	}
	if r.Title != "" {
		o.printf("\n%s\n", title)
		o.paragraph("  ", o.title(r))
	}
	if r.Body != "" {
		o.printf("\n%s\n", body)
		o.printBody(r, lesson)
	}
	if r.Title == "" && r.Body == "" {
		o.printf("\nstored\n")
		o.paragraph("  ", safe.Masked(r.Raw, spans(r.Secrets, memory.InRaw), o.reveal))
	}
}

// printBody prints the text of a record. That of a lesson is one line, in which a line
// break is something to be seen.
func (o *output) printBody(r *memory.Record, lesson bool) {
	if lesson {
		o.paragraph("  ", o.body(r))
		return
	}
	b := memory.Block{Text: r.Body}
	for _, s := range spans(r.Secrets, memory.InBody) {
		b.Marks = append(b.Marks, memory.Mark{Kind: memory.MarkSecret, Start: s[0], End: s[1]})
	}
	o.printBlock("  ", b)
}

// printLesson prints the fields that every lesson has.
func (o *output) printLesson(r *memory.Record, when func(memory.Moment) string) {
	o.field("line", fmt.Sprint(r.Line))
	o.field("outcome", word(string(r.Outcome)))
	o.field("created", when(r.Created))
	o.field("recalled", fmt.Sprintf("%s, last %s", times(r), when(r.Used)))
	o.field("tools", word(strings.Join(r.Tools, ", ")))
	o.field("session", word(r.Session))
}

// printSorted prints the fields that a record of any system has, those with something in
// them.
func (e Env) printSorted(o *output, r *memory.Record, when func(memory.Moment) string) {
	have := func(name, value string) {
		if value != "" {
			o.field(name, safe.Line(value))
		}
	}
	have("kind", r.Kind)
	have("scope", r.Scope)
	have("file", e.fromHome(r.File))
	have("outcome", string(r.Outcome))
	if r.Created != (memory.Moment{}) {
		o.field("created", when(r.Created))
	}
	if r.Used != (memory.Moment{}) || r.Count != (memory.Count{}) {
		o.field("recalled", fmt.Sprintf("%s, last %s", times(r), when(r.Used)))
	}
	have("tools", strings.Join(r.Tools, ", "))
	have("session", r.Session)
	for _, f := range r.Facts {
		have(firstOf(f.Name, "fact"), o.hidden(f.Text))
	}
}

// printOdd prints what is wrong with a record, and what is odd about it.
func (e Env) printOdd(o *output, r *memory.Record) {
	if p := r.Problem; p != nil {
		o.field("problem", safe.Line(p.What))
		o.field("next", word(p.Hint))
	}
	for _, n := range r.Notes {
		o.paragraph("", "note      "+o.sentence(n))
	}
	if r.Fixed != "" {
		o.paragraph("", "fixed     "+safe.Line(r.Fixed))
	}
	for _, k := range r.Elsewhere {
		what := "also in"
		if k.Contrary {
			what = "against"
		}
		said := string(k.Store) + " " + string(k.ID) + note(k.Title)
		if k.Why != "" {
			said += " (" + k.Why + ")"
		}
		o.paragraph("", fmt.Sprintf("%-9s %s", what, o.sentence(said)))
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
