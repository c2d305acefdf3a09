package cli

import (
	"cmp"
	"context"
	"errors"
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

// load reads the records of a store. A store that cannot be read is an error.
func (p *program) load(ctx context.Context, place memory.Place) (memory.Snapshot, error) {
	return readable(p.Library.LoadRecords(ctx, place.Store))
}

// loadWhole is load with the health of the store.
func (p *program) loadWhole(ctx context.Context, place memory.Place) (memory.Snapshot, error) {
	return readable(p.Library.Load(ctx, place.Store))
}

// readable returns a snapshot, and its problem as an error if it has one.
func readable(snap memory.Snapshot, err error) (memory.Snapshot, error) {
	if err == nil {
		err = storeProblem(snap)
	}
	return snap, err
}

// eachRecord calls fn with every record of the store. Records that are too many to hold come one at a
// time after the others.
func (p *program) eachRecord(ctx context.Context, fn func(*memory.Record)) error {
	snap, failed := p.load(ctx, p.place) // of a damaged store, it has what could be read
	for i := range snap.Records {
		fn(&snap.Records[i])
	}
	err := p.eachMore(ctx, &snap, fn)
	if failed != nil {
		return failed
	}
	return err
}

// eachMore calls fn, one at a time, with the records of a store that are too many to hold.
func (p *program) eachMore(ctx context.Context, snap *memory.Snapshot, fn func(*memory.Record)) error {
	if snap.Total <= len(snap.Records) {
		return ctx.Err()
	}
	seen := 0
	unread, err := p.Library.Each(
		ctx,
		[]memory.StoreID{snap.Place.Store},
		func(_ memory.StoreID, r *memory.Record) error {
			if seen++; seen > len(snap.Records) {
				fn(r)
			}
			return ctx.Err()
		},
	)
	p.tellUnread("not read", unread)
	return err
}

// tellUnread says which stores could not be read, and why.
func (p *program) tellUnread(what string, list []memory.Unread) {
	for _, u := range list {
		p.notef("%s: %s%s", what, u.Path, note(clause(u.Problem.What)))
	}
}

// recordLookup finds the record that a name means.
type recordLookup struct {
	memory.Lookup
	name    string
	idFirst bool          // :3 means the record with this id if there is one
	record  memory.Record // the last one that fits best
}

func lookUp(name string) *recordLookup {
	return &recordLookup{Lookup: *memory.NewLookup(name), name: name}
}

// offer offers a record by its ID, as stored and as printed. A name such as :3 means a line; if a record
// has that as its ID, the name is unclear unless idFirst is set. It reports whether the record fits as well as the
// best so far.
func (l *recordLookup) offer(r *memory.Record) bool {
	shown := safe.Hide(string(r.ID), memory.Places(r.Secrets, memory.InID, 0))
	n := memory.Named{ID: string(r.ID), Also: []string{safe.Line(string(r.ID)), safe.Line(shown)}, Shown: shown}
	n.Also = append(n.Also, output.Text(shown).Decoded(), output.Text(r.ID).Decoded())
	if line, ok := lineNamed(l.name); ok && !(l.idFirst && n.ID == l.name) {
		if r.Line != line && n.ID != l.name {
			return false
		}
		n.ID, n.Also = "id "+n.ID, []string{l.name}
	}
	if !l.Offer(n) {
		return false
	}
	l.record = *r
	return true
}

// lineNamed returns the line that a name such as :3 means.
func lineNamed(name string) (line int, ok bool) {
	digits, ok := strings.CutPrefix(name, ":")
	line, err := strconv.Atoi(digits)
	return line, ok && err == nil && line > 0
}

// namesLine reports whether a name is that of a line: :3, or the id of a record without one.
func namesLine(name string) bool {
	number, without := strings.CutPrefix(name, "line ")
	if without {
		name = ":" + number
	}
	_, ok := lineNamed(name)
	return ok
}

// find returns the records that the arguments name. An argument is an ID, a prefix of one, or a
// line as :N.
func (p *program) find(ctx context.Context, names ...string) ([]memory.Record, error) {
	return p.findAmong(ctx, nil, names...)
}

// findAmong is find, with more records than those that are in the store. With such records, the store may be
// missing.
func (p *program) findAmong(ctx context.Context, more []memory.Record, names ...string) ([]memory.Record, error) {
	if len(names) == 0 {
		return nil, nil
	}
	all := output.Each(names, func(name *string) *recordLookup {
		l := lookUp(*name)
		l.idFirst = p.idFirst
		return l
	})
	offer := func(r *memory.Record) {
		for _, l := range all {
			l.offer(r)
		}
	}
	for i := range more {
		offer(&more[i])
	}
	var f *failure
	err := p.eachRecord(ctx, offer)
	if missing := errors.As(err, &f) && f.code == exitNotFound; err != nil && !(missing && len(more) > 0) {
		return nil, err
	}
	found := make([]memory.Record, 0, len(names))
	for _, l := range all {
		if err := p.unclear(l.Err(), 1); err != nil {
			return nil, err
		}
		found = append(found, l.record)
	}
	return found, nil
}

// unclear returns the failure for a name that means no record of the store, or of so many stores, or several.
func (p *program) unclear(err error, stores int) error {
	if errors.Is(err, memory.ErrNotFound) {
		name, where := strings.TrimSuffix(err.Error(), ": "+memory.ErrNotFound.Error()), p.place.Path
		if stores > 1 {
			where = fmt.Sprintf("the %d stores here", stores)
		}
		return failed(exitNotFound, "see the ids: winnow list", "%s %s: no such record in %s", p.op, name, where)
	}
	return unclearName(p.op, "give more of the id, or :LINE", err)
}

// offerIDs completes the IDs of the stores that are meant, each with its title.
func (p *program) offerIDs(ctx context.Context, _ []string) (list []string) {
	p.InTTY = false // a completion must not ask
	places, _ := p.covered(ctx)
	for _, place := range places {
		snap, _ := p.load(ctx, place) // what cannot be read has nothing to offer
		list = append(list, output.Each(snap.Records, func(r *memory.Record) string {
			title := strings.TrimRight(string(p.out.Cell(headline(r), 50)), " ")
			return p.completion(p.out.ID(r, r.ID), output.Safe(title))
		})...)
	}
	return list
}

// selection says which records a command works on.
type selection struct {
	names []string // as show accepts them; a single dash means standard input
	query string
	set   bool     // query was given
	typed []string // the names that were read from standard input
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
		refusal{
			s.set && len(s.names) > 0,
			"leave out one of them",
			fmt.Sprintf("%s: records are given twice, by --filter and as %q", p.op, first),
		},
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
	names, err := p.namesOf(ctx, s)
	if err != nil {
		return nil, err
	}
	found, err := p.find(ctx, names...)
	seen := map[memory.ID]bool{}
	return slices.DeleteFunc(found, func(r memory.Record) bool {
		again := seen[r.ID]
		seen[r.ID] = true
		return again
	}), err
}

// namesOf returns the names of a selection. It reads standard input once.
func (p *program) namesOf(ctx context.Context, s *selection) ([]string, error) {
	if !s.fromInput() {
		return s.names, nil
	}
	if s.typed == nil {
		raw, err := p.input(ctx, "ids")
		if err != nil {
			return nil, err
		}
		lines := strings.FieldsFunc(string(raw), func(r rune) bool { return r == '\r' || r == '\n' })
		s.typed = append([]string{}, output.NonEmpty(lines...)...)
	}
	return s.typed, nil
}

// selects returns the function that finds the store that holds a selection.
func (p *program) selects(s *selection) func(context.Context, []memory.Place) (memory.Place, bool, error) {
	byNames := p.holding(func(ctx context.Context) ([]string, error) { return p.namesOf(ctx, s) })
	return func(ctx context.Context, places []memory.Place) (memory.Place, bool, error) {
		if s.set {
			return p.filtered(ctx, places, s.query)
		}
		return byNames(ctx, places)
	}
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

// quotedTitle returns the headline of a record for a sentence, cut if it is long, or "".
func quotedTitle(o *output.Out, r *memory.Record) string {
	const most = 60
	title := strings.TrimSpace(string(o.Cell(headline(r), most)))
	return output.When(title != "", `"`+title+`"`)
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
