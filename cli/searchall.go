package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// searchFlags say how to search.
type searchFlags struct {
	taskFlags
	all, json, reveal bool
	limit             int
}

// widely returns the stores to be searched for words: those that are asked for with
// --all, or when there are several. It is nil when one store is to rank its records for
// a task.
func (e Env) widely(ctx context.Context, all *flags, f *searchFlags, args []string) ([]memory.Place, error) {
	task := len(f.tools) > 0 || len(f.without) > 0 || len(args) == 1 && args[0] == "-"
	switch {
	case f.all && task:
		return nil, usage("leave out one of them", "search: --all looks for words; --tool, --without and - go with a task")
	case !f.all && task:
		return nil, nil
	}
	var values []string
	if all.store != "" {
		values = []string{all.store}
	}
	s, err := e.places(ctx, all, values)
	if err != nil {
		return nil, err
	}
	found := existing(s)
	switch {
	case len(found) == 0 && len(s.Places) == 0:
		return nil, noStore(s)
	case !f.all && len(found) < 2:
		return nil, nil
	}
	return found, nil
}

// result is a record that a search found.
type result struct {
	place  memory.Place
	record memory.Record
	score  int // how many words its title has
}

// findings are what a search for words came upon.
type searched struct {
	query   string
	terms   []filter.Term
	has     []int // how many records have the term, whatever the others say
	stores  int
	records int
	matched int
	results []result // best first, at most as many as asked for
	failed  []memory.Unread
}

// searchAll looks for words in all records of the stores. It keeps no more of them than
// are shown.
func (e Env) searchAll(ctx context.Context, places []memory.Place, query string, most int) (searched, error) {
	s := searched{query: query, terms: filter.Parse(query), stores: len(places)}
	if err := checkTerms(s.terms); err != nil {
		return s, err
	}
	if len(s.terms) == 0 {
		return s, usage("see winnow search --help", "search: which words")
	}
	s.has = make([]int, len(s.terms))
	at := make(map[memory.StoreID]memory.Place, len(places))
	ids := make([]memory.StoreID, 0, len(places))
	for _, p := range places {
		ids, at[p.Store] = append(ids, p.Store), p
	}
	now := e.Now()
	var err error
	s.failed, err = e.Library.Each(ctx, ids, func(id memory.StoreID, r *memory.Record) error {
		if s.records++; s.records%(1<<10) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range s.terms {
			if s.terms[i].Holds(r, now) {
				s.has[i]++
			}
		}
		if filter.Matches(s.terms, r, now) {
			s.take(at[id], r, most)
		}
		return nil
	})
	return s, err
}

// take notes a record that matches, among the best of them.
func (s *searched) take(p memory.Place, r *memory.Record, most int) {
	s.matched++
	found := result{place: p, score: s.score(r)}
	less := func(a, b result) int { return cmp.Compare(b.score, a.score) }
	i, _ := slices.BinarySearchFunc(s.results, found, func(a, b result) int { // behind its equals
		if less(a, b) <= 0 {
			return -1
		}
		return 1
	})
	if most > 0 && i >= most {
		return
	}
	found.record = *r
	found.record.Raw = "" // as long as the text again, and not shown
	s.results = slices.Insert(s.results, i, found)
	if most > 0 && len(s.results) > most {
		s.results = s.results[:most]
	}
}

// score is how many of the words stand in the title.
func (s *searched) score(r *memory.Record) (n int) {
	for i := range s.terms {
		if t := &s.terms[i]; t.Kind == filter.Word && !t.Not && len(t.Spans(r.Title, true, 1)) > 0 {
			n++
		}
	}
	return n
}

type searchedJSON struct {
	Schema  int          `json:"schema"`
	Query   text         `json:"query"`
	Stores  int          `json:"stores"`
	Records int          `json:"records"`
	Matched int          `json:"matched"`
	Failed  []unreadJSON `json:"failed"`
	Results []resultOf   `json:"results"`
}

type unreadJSON struct {
	Path    text         `json:"path"`
	Problem *problemJSON `json:"problem"`
}

// resultOf is a record with the store that it is in, and the command that shows it.
type resultOf struct {
	Store storeJSON `json:"store"`
	recordJSON
	Open text `json:"open"`
}

func (e Env) runSearchAll(ctx context.Context, places []memory.Place, f *searchFlags, query string) error {
	s, err := e.searchAll(ctx, places, query, f.limit)
	if err != nil {
		return err
	}
	o := e.output(f.reveal)
	if f.json {
		j := searchedJSON{
			Schema: schemaVersion, Query: o.said(query), Stores: s.stores, Records: s.records, Matched: s.matched,
			Failed: []unreadJSON{}, Results: []resultOf{},
		}
		for _, u := range s.failed {
			j.Failed = append(j.Failed, unreadJSON{o.said(u.Path), o.problemJSON(u.Problem)})
		}
		return o.jsonList(j, len(s.results), func(i int) any {
			r := &s.results[i]
			return resultOf{o.placeJSON(r.place), o.recordJSON(&r.record), text(o.opens(r))}
		})
	}
	for i := range s.results {
		if o.width == 0 {
			e.printFound(o, &s.results[i])
		} else {
			e.printResult(o, &s, &s.results[i])
		}
	}
	if err := o.close(); err != nil {
		return err
	}
	e.remarkSearch(o, &s)
	return nil
}

// opens is the command that shows a record that was found.
func (o *output) opens(r *result) string {
	return "winnow show " + o.hidden(storeFlag(r.place)) + " " + quotedWord(string(o.maskedID(&r.record, r.record.ID)))
}

// printFound prints a record in columns with tabs: the store, the id, the kind, the flags,
// the title, and the command that shows it.
func (e Env) printFound(o *output, r *result) {
	shown := o.shown(&r.record)
	o.printf("%s\n", strings.Join([]string{
		o.sentence(storeValue(r.place)), safe.Line(string(shown.ID)), word(shown.Kind),
		word(filter.Letters(shown.Flags)), firstOf(o.headline(shown), "-"), safe.Line(o.opens(r)),
	}, "\t"))
}

// printResult prints a record for reading: its title, where it is, the text around the
// first word that the title does not have, and the command that shows it.
func (e Env) printResult(o *output, s *searched, r *result) {
	shown := o.shown(&r.record)
	o.line(o.headline(shown))
	where := e.kindName(r.place)
	if r.place.Project != "" {
		where += ", " + e.fromHome(r.place.Project)
	}
	for _, more := range []string{shown.Kind, shown.Scope} {
		if more != "" {
			where += ", " + more
		}
	}
	if shown.Flags != 0 {
		where += "  " + filter.Letters(shown.Flags)
	}
	o.line("  " + o.sentence(where))
	if said := s.excerpt(o.body(shown), shown.Title, o.width-2); said != "" {
		o.line("  " + said)
	}
	o.paragraph("  ", safe.Line(o.opens(r)))
}

// excerpt returns the part of a text, which is safe already, around the first word that
// the title does not have. It is empty when the title has them all.
func (s *searched) excerpt(body, title string, width int) string {
	for i := range s.terms {
		t := &s.terms[i]
		if t.Kind != filter.Word || t.Not || len(t.Spans(title, true, 1)) > 0 {
			continue
		}
		spans := t.Spans(body, true, 1)
		if len(spans) == 0 {
			continue
		}
		from := max(0, spans[0][0]-width/3)
		for from > 0 && !utf8.RuneStart(body[from]) {
			from--
		}
		cut := body[from:]
		if from > 0 {
			cut = ".." + cut
		}
		return strings.TrimRight(views.Cell(strings.ReplaceAll(cut, "<LF>", " "), width), " ")
	}
	return ""
}

// remarkSearch says on standard error what the results do not.
func (e Env) remarkSearch(o *output, s *searched) {
	for _, u := range s.failed {
		fmt.Fprintf(e.Err, "not searched: %s%s\n", o.sentence(u.Path), note(o.sentence(clause(u.Problem.What))))
	}
	if !e.ErrTTY && s.matched > 0 {
		return
	}
	said := fmt.Sprintf("%d of %d records in %s", s.matched, s.records, plural(s.stores, "store"))
	if more := s.matched - len(s.results); more > 0 {
		said += fmt.Sprintf("; the best %d are shown, --limit 0 shows all", len(s.results))
	}
	fmt.Fprintln(e.Err, said)
	if s.matched > 0 || len(s.terms) < 2 {
		return
	}
	for i := range s.terms {
		t := &s.terms[i]
		name := t.Text
		if t.Kind == filter.Field {
			name = t.Name + ":" + t.Text
		}
		if t.Not {
			name = "!" + name
		}
		fmt.Fprintf(e.Err, "  %s: %d by itself\n", o.sentence(name), s.has[i])
	}
}
