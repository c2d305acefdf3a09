package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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

// eachRecord calls fn with every record of the store. Records that are too many to hold come one at a
// time after the others.
func (p *program) eachRecord(ctx context.Context, fn func(*memory.Record)) error {
	snap, err := p.load(ctx, p.place)
	for i := range snap.Records {
		fn(&snap.Records[i])
	}
	return cmp.Or(err, p.eachMore(ctx, &snap, fn))
}

// eachMore calls fn, one at a time, with the records of a store that are too many to hold.
func (p *program) eachMore(ctx context.Context, snap *memory.Snapshot, fn func(*memory.Record)) error {
	if snap.Total <= len(snap.Records) {
		return ctx.Err()
	}
	seen := 0
	unread, err := p.Library.Each(ctx, []memory.StoreID{snap.Place.Store}, func(_ memory.StoreID, r *memory.Record) error {
		if seen++; seen > len(snap.Records) {
			fn(r)
		}
		return ctx.Err()
	})
	p.tellUnread("not read", unread)
	return err
}

// tellUnread says which stores could not be read, and why.
func (p *program) tellUnread(what string, list []memory.Unread) {
	for _, u := range list {
		p.notef("%s: %s%s", what, u.Path, note(clause(u.Problem.What)))
	}
}

// candidates are the records that match a name.
type candidates struct {
	name   string
	record memory.Record // the last match
	exact  bool
	fit    int
	ids    []string // of the first matches
	// inside are the records whose ID contains the name as the start of a later part, after a colon
	// or slash.
	inside *candidates
}

// shownIDs is the number of IDs listed for an ambiguous name.
const shownIDs = 5

// add records r if it matches the name. The first ID that is equal to the name wins.
func (c *candidates) add(r *memory.Record) {
	whole, begins := matches(r, c.name)
	if i := strings.LastIndexAny(string(r.ID), ":/"); i >= 0 && !begins {
		part := *r
		part.ID = r.ID[i+1:]
		if _, begins := matches(&part, c.name); begins {
			if c.inside == nil {
				c.inside = &candidates{name: c.name}
			}
			c.inside.note(r)
		}
	}
	if begins && !c.exact {
		c.exact = whole
		c.note(r)
	}
}

// note counts a matching record.
func (c *candidates) note(r *memory.Record) {
	c.record = *r
	c.fit++
	if len(c.ids) < shownIDs {
		c.ids = append(c.ids, safe.Hide(string(r.ID), memory.Places(r.Secrets, memory.InID, 0)))
	}
}

// find returns the records that the arguments name. An argument is an ID, a prefix of one, or a
// line as :N.
func (p *program) find(ctx context.Context, names ...string) ([]memory.Record, error) {
	all := output.Each(names, func(name *string) candidates { return candidates{name: *name} })
	if err := p.eachRecord(ctx, func(r *memory.Record) {
		for i := range all {
			all[i].add(r)
		}
	}); err != nil {
		return nil, err
	}
	found := make([]memory.Record, 0, len(names))
	for _, c := range all {
		if c.fit == 0 && c.inside != nil {
			c = *c.inside
		}
		if err := p.whyUnclear(&c); err != nil {
			return nil, err
		}
		found = append(found, c.record)
	}
	return found, nil
}

// matches reports whether name is the ID of r, and whether it is a prefix of it. It compares IDs
// both as stored and as printed.
func matches(r *memory.Record, name string) (whole, begins bool) {
	if line, ok := strings.CutPrefix(name, ":"); ok {
		if n, err := strconv.Atoi(line); err == nil {
			return n > 0 && r.Line == n, n > 0 && r.Line == n
		}
	}
	for _, id := range []string{string(r.ID), safe.Line(string(r.ID))} {
		whole, begins = whole || id == name, begins || strings.HasPrefix(id, name)
	}
	return whole, begins
}

// whyUnclear returns why a name does not name exactly one record.
func (p *program) whyUnclear(c *candidates) error {
	switch {
	case c.exact || c.fit == 1:
		return nil
	case c.fit == 0:
		return failed(exitNotFound, "see the ids: winnow list", "%s %s: no such record in %s", p.op, c.name, p.place.Path)
	}
	f := failed(exitUsage, "give more of the id, or :LINE", "%s %s: %d ids begin with this", p.op, c.name, c.fit)
	for _, id := range c.ids {
		f.more = append(f.more, "  "+id)
	}
	if n := c.fit - len(c.ids); n > 0 {
		f.more = append(f.more, fmt.Sprintf("  and %d more", n))
	}
	return f
}

// offerIDs completes the IDs of the store, each with its title. If there are several stores or
// none, it offers nothing.
func (p *program) offerIDs(ctx context.Context, _ []string) []string {
	place, err := p.choose(ctx, choice{inputTaken: true}) // a completion must not ask
	var snap memory.Snapshot
	if err == nil {
		snap, _ = p.load(ctx, place)
	}
	return output.Each(snap.Records, func(r *memory.Record) string {
		title := strings.TrimRight(string(p.out.Cell(headline(r), 50)), " ")
		return p.completion(p.out.ID(r, r.ID), output.Safe(title))
	})
}

// selection says which records a command works on.
type selection struct {
	names []string // as show accepts them; a single dash means standard input
	query string
	set   bool // query was given
}

// filterFlag is --filter.
func (s *selection) filterFlag() flag {
	return flag{to: &s.query, name: "filter", help: "select the records that match `QUERY`, as in list"}
}

// read stores what was given on the command line. It refuses names together with a filter, an empty
// name, and an empty selection unless that is optional.
func (s *selection) read(p *program, names []string, optional bool) error {
	s.names, s.set = names, p.isSet("filter")
	first := append(names, "")[0]
	return refuse(
		refusal{s.set && len(s.names) > 0, "leave out one of them", fmt.Sprintf("%s: records are given twice, by --filter and as %q", p.op, first)},
		refusal{s.empty() && !optional, "see the ids: winnow list", p.op + ": which record?"},
		refusal{slices.Contains(s.names, ""), "see the ids: winnow list", p.op + ": an id is empty"},
	)
}

// fromInput reports whether the names come from standard input.
func (s *selection) fromInput() bool { return len(s.names) == 1 && s.names[0] == "-" }

// empty reports whether nothing was given.
func (s *selection) empty() bool { return len(s.names) == 0 && !s.set }

// selected returns the records of s, without repeats.
func (p *program) selected(ctx context.Context, s *selection) ([]memory.Record, error) {
	if s.set {
		return p.matching(ctx, s.query)
	}
	names := s.names
	if s.fromInput() {
		raw, err := p.input(ctx, "ids")
		if err != nil {
			return nil, err
		}
		names = output.NonEmpty(strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\r' || r == '\n' })...)
	}
	found, err := p.find(ctx, names...)
	seen := map[memory.ID]bool{}
	return slices.DeleteFunc(found, func(r memory.Record) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again
	}), err
}

// matching returns the records that a filter selects. A word that no record contains selects
// nothing: a change must not fall back to similar words.
func (p *program) matching(ctx context.Context, query string) (found []memory.Record, err error) {
	terms := filter.Parse(query)
	if len(terms) == 0 {
		return nil, usage("see winnow list --help", "the filter is empty")
	}
	if err := checkTerms(terms); err != nil {
		return nil, err
	}
	now := p.Now()
	err = p.eachRecord(ctx, func(r *memory.Record) {
		if filter.Matches(terms, r, now) {
			found = append(found, *r)
		}
	})
	return found, err
}

// checkTerms reports the first invalid term.
func checkTerms(terms []filter.Term) error {
	for _, t := range terms {
		if t.Problem != "" {
			return usage("see winnow list --help", "filter %s:%s: %s", t.Name, t.Text, t.Problem)
		}
	}
	return nil
}

// idsOf returns the ids of records.
func idsOf(found []memory.Record) []memory.ID {
	return output.Each(found, func(r *memory.Record) memory.ID { return r.ID })
}

// headline says what a record is about: its title, or what is wrong with it.
func headline(r *memory.Record) any {
	if r.Title == "" && r.Problem != nil {
		return r.Problem.What
	}
	return output.Field(r, memory.InTitle)
}

func count(r *memory.Record) string { return cmp.Or(r.Count.Odd, strconv.Itoa(r.Count.N)) }

func timesText(r *memory.Record) string {
	c := count(r)
	return cmp.Or(map[string]string{"0": "never", "1": "once"}[c], c+" times")
}

// arrivalsLeft returns the number of arrivals for which a record stays, if known.
func arrivalsLeft(r *memory.Record) string {
	return output.When(r.Forecast.LeavesAfter != 0, strconv.Itoa(r.Forecast.LeavesAfter))
}

// moment returns a stored date in the zone, or its text if it is not a date.
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
	age := e.age(at)
	return age + output.When(age != "now", " ago")
}

// ago is the age of a stored date, or a sign if it is not a date.
func (e *Env) ago(m memory.Moment) string {
	switch {
	case !m.Time.IsZero():
		return e.age(m.Time)
	case m.Text != "":
		return "?"
	}
	return ""
}
