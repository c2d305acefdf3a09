package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// load reads a store. A store that cannot be read is an error.
func (p *program) load(ctx context.Context, place memory.Place) (memory.Snapshot, error) {
	snap, err := p.Library.Load(ctx, place.Store)
	if err == nil {
		err = storeProblem(snap)
	}
	return snap, err
}

// each calls fn with every record of a store and its place, those that are too many to be
// held one at a time behind the others. It returns the state of the store, with the
// records that are held.
func (p *program) each(ctx context.Context, place memory.Place, fn func(*memory.Record) error) (memory.Snapshot, error) {
	snap, err := p.load(ctx, place)
	if err != nil {
		return snap, err
	}
	for i := range snap.Records {
		if err := fn(&snap.Records[i]); err != nil {
			return snap, err
		}
	}
	return snap, p.eachMore(ctx, &snap, fn)
}

// eachMore calls fn with every record of a store that is too many to be held, one at a
// time.
func (p *program) eachMore(ctx context.Context, snap *memory.Snapshot, fn func(*memory.Record) error) error {
	if snap.Total <= len(snap.Records) {
		return nil
	}
	seen := 0
	unread, err := p.Library.Each(ctx, []memory.StoreID{snap.Place.Store}, func(_ memory.StoreID, r *memory.Record) error {
		if seen++; seen <= len(snap.Records) {
			return nil
		}
		return fn(r)
	})
	for _, u := range unread {
		p.tell("not read: %s%s", u.Path, note(clause(u.Problem.What)))
	}
	return err
}

// wanted is a record that was asked for, with its store.
type wanted struct {
	record memory.Record
	place  memory.Place
}

// candidates are the records that fit a name.
type candidates struct {
	wanted
	exact bool
	fit   int
	ids   []string // of the first that fit
	// inside are the records in whose id the name begins a later part, behind a colon or
	// slash.
	inside *candidates
}

// shownIDs is how many ids an ambiguous name lists.
const shownIDs = 5

// add notes r when it fits name. The first whole id that is equal wins.
func (c *candidates) add(name string, r *memory.Record, place memory.Place) {
	whole, begins := matches(r, name)
	if i := strings.LastIndexAny(string(r.ID), ":/"); i >= 0 && !begins {
		if c.inside == nil {
			c.inside = &candidates{}
		}
		part := *r
		part.ID = r.ID[i+1:]
		if _, begins := matches(&part, name); begins {
			c.inside.note(r, place)
		}
	}
	if c.exact || !begins {
		return
	}
	c.exact = whole
	c.note(r, place)
}

// note counts a record that fits.
func (c *candidates) note(r *memory.Record, place memory.Place) {
	c.wanted = wanted{*r, place}
	c.fit++
	if len(c.ids) < shownIDs {
		c.ids = append(c.ids, safe.Hide(string(r.ID), memory.Places(r.Secrets, memory.InID, 0)))
	}
}

// find returns the records that the arguments name: each by its whole id, by the
// beginning of one, or by its line as :N. Op is the command, for errors.
func (p *program) find(ctx context.Context, op string, place memory.Place, names ...string) ([]wanted, error) {
	all := make([]candidates, len(names))
	snap, err := p.each(ctx, place, func(r *memory.Record) error {
		for n, name := range names {
			all[n].add(name, r, place)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	found := make([]wanted, 0, len(names))
	for n, c := range all {
		if c.fit == 0 && c.inside != nil {
			c = *c.inside
		}
		if err := c.check(op, place, names[n]); err != nil {
			return nil, err
		}
		c.place = snap.Place
		found = append(found, c.wanted)
	}
	return found, nil
}

// matches reports whether name is that of r, and whether it begins it. Ids are
// compared as they are stored and as they are printed.
func matches(r *memory.Record, name string) (whole, begins bool) {
	if line, ok := strings.CutPrefix(name, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil {
			return r.Line == n, r.Line == n
		}
	}
	for _, id := range []string{string(r.ID), safe.Line(string(r.ID))} {
		whole, begins = whole || id == name, begins || strings.HasPrefix(id, name)
	}
	return whole, begins
}

// check returns why a name does not name exactly one record.
func (c *candidates) check(op string, place memory.Place, name string) error {
	switch {
	case c.exact || c.fit == 1:
		return nil
	case c.fit == 0:
		return failed(exitNotFound, "see the ids: winnow list", "%s %s: no such record in %s", op, name, place.Path)
	}
	f := failed(exitUsage, "give more of the id, or :LINE", "%s %s: %d ids begin with this", op, name, c.fit)
	for _, id := range c.ids {
		f.more = append(f.more, "  "+id)
	}
	if n := c.fit - len(c.ids); n > 0 {
		f.more = append(f.more, fmt.Sprintf("  and %d more", n))
	}
	return f
}

// offerIDs completes an id of the store, each with its title. Several stores or none
// offer nothing.
func (p *program) offerIDs(c *cobra.Command, _ []string, begun string) (ids []string, _ cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	place, err := p.chosenQuietly(c.Context())
	if err != nil {
		return nil, none
	}
	snap, err := p.load(c.Context(), place)
	if err != nil {
		return nil, none
	}
	o := p.output(false)
	for i := range snap.Records {
		r := &snap.Records[i]
		if id := o.Show(o.ID(r, r.ID)); strings.HasPrefix(string(id), begun) {
			title := views.Cell(string(o.Show(headline(r))), 50)
			ids = append(ids, offered(o, id, output.Safe(strings.TrimRight(title, " "))))
		}
	}
	return ids, none
}

// selection says which records a command is for.
type selection struct {
	names []string // as show takes them; a single dash stands for standard input
	query string
	set   bool // query was given
}

// filterFlag is --filter.
func (s *selection) filterFlag() flag {
	return flag{to: &s.query, name: "filter", help: "take the records that match `QUERY`, as list does"}
}

// read notes what was given on the command line.
func (s *selection) read(c *cobra.Command, names []string) {
	s.names, s.set = names, c.Flags().Changed("filter")
}

// fromInput reports whether the names come from standard input.
func (s *selection) fromInput() bool { return len(s.names) == 1 && s.names[0] == "-" }

// empty reports whether nothing was given.
func (s *selection) empty() bool { return len(s.names) == 0 && !s.set }

// check refuses a selection by two means, by an empty name, or of nothing unless that is
// optional.
func (s *selection) check(op string, optional bool) error {
	switch {
	case s.set && len(s.names) > 0:
		return usage("leave out one of them", "%s: records are given twice, by --filter and as %q", op, s.names[0])
	case s.empty() && !optional:
		return usage("see the ids: winnow list", "%s: which record?", op)
	case slices.Contains(s.names, ""):
		return usage("see the ids: winnow list", "%s: an id is empty", op)
	}
	return nil
}

// selected returns the records of s, each once.
func (p *program) selected(ctx context.Context, op string, place memory.Place, s *selection) ([]wanted, error) {
	if s.set {
		return p.matching(ctx, place, s.query)
	}
	names := s.names
	if s.fromInput() {
		raw, err := p.input(ctx, "ids")
		if err != nil {
			return nil, err
		}
		names = nonEmpty(strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\r' || r == '\n' })...)
	}
	found, err := p.find(ctx, op, place, names...)
	seen := map[memory.ID]bool{}
	return slices.DeleteFunc(found, func(w wanted) bool {
		again := seen[w.record.ID]
		seen[w.record.ID] = true
		return again
	}), err
}

// matching returns the records that a filter selects. A word that no record has selects
// nothing: a change must not fall back on words that only look like it.
func (p *program) matching(ctx context.Context, place memory.Place, query string) ([]wanted, error) {
	terms := filter.Parse(query)
	if len(terms) == 0 {
		return nil, usage("see winnow list --help", "the filter is empty")
	}
	if err := checkTerms(terms); err != nil {
		return nil, err
	}
	var found []wanted
	now := p.Now()
	_, err := p.each(ctx, place, func(r *memory.Record) error {
		if filter.Matches(terms, r, now) {
			found = append(found, wanted{*r, place})
		}
		return ctx.Err()
	})
	return found, err
}

// checkTerms reports the first term that makes no sense.
func checkTerms(terms []filter.Term) error {
	for _, t := range terms {
		if t.Problem != "" {
			return usage("see winnow list --help", "filter %s:%s: %s", t.Name, t.Text, t.Problem)
		}
	}
	return nil
}

// idsOf returns the ids of records.
func idsOf(found []wanted) []memory.ID {
	return output.Each(found, func(w *wanted) memory.ID { return w.record.ID })
}

// headline says what a record is about: its title, or what is wrong with it.
func headline(r *memory.Record) any {
	if r.Title == "" && r.Problem != nil {
		return r.Problem.What
	}
	return output.Field(r, memory.InTitle)
}

// flagNames returns the flags in the words of the JSON.
func flagNames(f memory.Flags) []string {
	words := [...]string{
		"secret", "injection", "prunes_soon", "new", "duplicate", "beyond", "damaged", "stops", "pruned",
		"pinned", "similar", "unseen", "stale", "contradicts",
	}
	names := []string{}
	for i, w := range words {
		if f&(1<<i) != 0 {
			names = append(names, w)
		}
	}
	return names
}

func count(r *memory.Record) string {
	if r.Count.Odd != "" {
		return r.Count.Odd
	}
	return strconv.Itoa(r.Count.N)
}

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

func leaves(r *memory.Record) string {
	if r.Forecast.LeavesAfter == 0 {
		return "-"
	}
	return strconv.Itoa(r.Forecast.LeavesAfter)
}

// moment returns a stored date in the zone, or its text when it is no date.
func (p *program) moment(m memory.Moment) string {
	if m.Time.IsZero() {
		return m.Text
	}
	return m.Time.In(p.zone()).Format(time.RFC3339)
}

// age says how long ago something was: "3d".
func (e *Env) age(at time.Time) string { return views.Age(e.Now().Sub(at)) }

// since says how long ago something was: "3d ago".
func (e *Env) since(at time.Time) string {
	if age := e.age(at); age != "now" {
		return age + " ago"
	}
	return "now"
}

// ago is the age of a stored date, with a sign for one that is none.
func (e *Env) ago(m memory.Moment) string {
	switch {
	case !m.Time.IsZero():
		return e.age(m.Time)
	case m.Text != "":
		return "?"
	}
	return "-"
}

func plural(n int, noun string) string { return memory.Noun{One: noun, Many: noun + "s"}.Count(n) }

// firstOf returns the first of the texts that is not empty.
func firstOf(list ...string) string { return append(nonEmpty(list...), "")[0] }
