package cli

import (
	"cmp"
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

// searchFlags say how to search.
type searchFlags struct {
	taskFlags
	all, json, reveal bool
	limit             int
}

func (p *program) search() command {
	f := searchFlags{limit: 50}
	return command{
		use: "search WORDS...|TASK...|-", short: "Search words in all stores, or rank the records of one for a task",
		long: `With --all, with several stores, and in a store that no agent recalls from, search looks
for words in every store: FILTER words as in list, which must all match. Each result says
where it is and how to show it. Results with the words in the title come first.

In one store, search ranks the records for a task as the agent would, and says why: which
words of the task count, which record has which of them, and where the agent cuts.
Matches marked ~ are noise: stop words, and words inside other words.

Results from all stores have, unless the output is a terminal, six columns with tabs
between them: the store, id, kind, flags, title, and the command that shows the record.`,
		examples: []string{
			"winnow search deploy the docs to staging", "winnow search - < task.txt",
			"winnow search --all token kind:rule", "winnow search --all deploy --json | jq -r '.results[].open'",
		},
		flags: append(f.flags(),
			flag{to: &f.all, name: "all", help: "search words in all stores, or all of --store and --system"},
			flag{to: &f.limit, name: "limit", help: "with --all: show at most `N` results; 0 shows all"},
			jsonFlag(&f.json), revealFlag(&f.reveal)),
		run: func(c *cobra.Command, args []string) error { return p.runSearch(c.Context(), &f, args) },
	}
}

func (p *program) runSearch(ctx context.Context, f *searchFlags, args []string) error {
	if f.limit < 0 {
		return usage("give a number of 0 or more", "search: --limit is below 0")
	}
	query := strings.Join(args, " ")
	all, err := p.searchedStores(ctx, f, query)
	if err != nil {
		return err
	}
	if all != nil {
		return p.searchWords(ctx, all, f, query)
	}
	place, r, err := p.recallFor(ctx, &f.taskFlags, p.given(), args)
	if q := new(memory.Problem); errors.As(err, &q) && q.Code == "no-recall" {
		return p.searchWords(ctx, []memory.Place{place}, f, query)
	}
	if err != nil {
		return err
	}
	o := p.output(f.reveal)
	if f.json {
		err = o.JSON(recallOf(o, place, r, false))
	} else {
		_, d := p.description(ctx, place)
		printRanking(o, r, d)
		for _, n := range r.Notes {
			o.Paragraph("", "note: %s", n)
		}
		err = o.Close()
	}
	if err == nil && r.Stop != nil {
		return agentStops(r.Stop)
	}
	return err
}

// searchedStores returns the stores in which to search words: those of --all, or all when
// there are several. It is nil when one store is to rank its records for a task.
func (p *program) searchedStores(ctx context.Context, f *searchFlags, query string) ([]memory.Place, error) {
	task := len(f.tools) > 0 || len(f.without) > 0 || query == "-"
	if f.all && task {
		return nil, usage("leave out one of them", "search: --all looks for words; --tool, --without and - go with a task")
	}
	if task {
		return nil, nil
	}
	s, err := p.places(ctx, p.system, nonEmpty(p.store)...)
	if err != nil {
		return nil, err
	}
	found := existing(s)
	if len(s.Places) == 0 {
		return nil, noStore(s)
	}
	if !f.all && len(found) < 2 {
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

// wordSearch is a search for words and what it found.
type wordSearch struct {
	terms   []filter.Term
	has     []int // how many records have the term, whatever the others say
	stores  int
	records int
	matched int
	results []result // best first, at most as many as asked for
	failed  []memory.Unread
}

// find looks for words in all records of the stores. It keeps no more of them than
// are shown.
func (s *wordSearch) find(ctx context.Context, p *program, places []memory.Place, most int) error {
	if err := checkTerms(s.terms); err != nil {
		return err
	}
	if len(s.terms) == 0 {
		return usage("see winnow search --help", "search: which words?")
	}
	s.has, s.stores = make([]int, len(s.terms)), len(places)
	at := make(map[memory.StoreID]memory.Place, len(places))
	for _, q := range places {
		at[q.Store] = q
	}
	now := p.Now()
	ids := output.Each(places, func(q *memory.Place) memory.StoreID { return q.Store })
	var err error
	s.failed, err = p.Library.Each(ctx, ids, func(id memory.StoreID, r *memory.Record) error {
		s.records++
		for i := range s.terms {
			if s.terms[i].Holds(r, now) {
				s.has[i]++
			}
		}
		if filter.Matches(s.terms, r, now) {
			s.add(at[id], r, most)
		}
		return ctx.Err()
	})
	return err
}

// add notes a record that matches, among the best of them.
func (s *wordSearch) add(q memory.Place, r *memory.Record, most int) {
	s.matched++
	found := result{place: q, score: s.score(r)}
	i, _ := slices.BinarySearchFunc(s.results, found, func(a, b result) int { // behind its equals
		return cmp.Or(cmp.Compare(b.score, a.score), -1)
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

// score is how many of the words are in the title.
func (s *wordSearch) score(r *memory.Record) (n int) {
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

func (p *program) searchWords(ctx context.Context, places []memory.Place, f *searchFlags, query string) error {
	s := wordSearch{terms: filter.Parse(query)}
	if err := s.find(ctx, p, places, f.limit); err != nil {
		return err
	}
	o := p.output(f.reveal)
	if f.json {
		return o.JSONList(searchedJSON{
			Schema: schemaVersion, Query: o.Text(query), Stores: s.stores, Records: s.records, Matched: s.matched, Results: []resultOf{},
			Failed: output.Each(s.failed, func(u *memory.Unread) unreadJSON { return unreadJSON{o.Text(u.Path), problemOf(o, u.Problem)} }),
		}, len(s.results), func(i int) any {
			r := &s.results[i]
			return resultOf{placeJSON(o, r.place), recordOf(o, &r.record), text(r.opens(o))}
		})
	}
	for i := range s.results {
		r := &s.results[i]
		if shown := o.Shown(&r.record); o.Width == 0 {
			o.Row(storeValue(r.place), shown.ID, shown.Kind, shown.Flags.Letters(), headline(shown), r.opens(o))
		} else {
			p.printResult(o, &s, r, shown)
		}
	}
	if err := o.Close(); err != nil {
		return err
	}
	p.remarkSearch(&s)
	return nil
}

// opens is the command that shows a record that was found.
func (r *result) opens(o *output.Out) string {
	return "winnow show " + o.Hidden(storeFlag(r.place)) + " " + quotedWord(string(o.ID(&r.record, r.record.ID)))
}

// printResult prints a record for reading: its title, where it is, the text around the
// first word that the title does not have, and the command that shows it.
func (p *program) printResult(o *output.Out, s *wordSearch, r *result, shown *memory.Record) {
	o.Line("%s", headline(shown))
	where := strings.Join(nonEmpty(p.kindName(r.place), p.fromHome(r.place.Project), shown.Kind, shown.Scope), ", ")
	if shown.Flags != 0 {
		where += "  " + shown.Flags.Letters()
	}
	o.Line("  %s", where)
	if part := s.excerpt(string(o.Show(output.Field(shown, memory.InBody))), shown.Title, o.Width-2); part != "" {
		o.Line("  %s", output.Safe(part))
	}
	o.Paragraph("  ", "%s", output.Visible(r.opens(o)))
}

// excerpt returns the part of a text, which is safe already, around the first word that
// the title does not have. It is empty when the title has them all.
func (s *wordSearch) excerpt(body, title string, width int) string {
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
func (p *program) remarkSearch(s *wordSearch) {
	for _, u := range s.failed {
		p.tell("not searched: %s%s", u.Path, note(clause(u.Problem.What)))
	}
	if !p.ErrTTY && s.matched > 0 {
		return
	}
	line := fmt.Sprintf("%d of %d records in %s", s.matched, s.records, plural(s.stores, "store"))
	if s.matched > len(s.results) {
		line += fmt.Sprintf("; the best %d are shown, --limit 0 shows all", len(s.results))
	}
	p.tell("%s", line)
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
		p.tell("  %s: %d by itself", name, s.has[i])
	}
}

// printRanking prints the words of a task that count, and the records with the line below
// which nothing is recalled.
func printRanking(o *output.Out, r memory.Recall, d memory.Description) {
	if d.ByLine || len(r.Words) > 0 {
		printWords(o, r, d)
	}
	printHits(o, r, d)
}

// printWords says which words of the task count.
func printWords(o *output.Out, r memory.Recall, d memory.Description) {
	why := [...]string{
		memory.WordShort: "too short or too common", memory.WordPast50: "past the words that count",
		memory.WordPast2000: "past the part that is read", memory.WordLeftOut: "left out",
	}
	if d.ByLine {
		why[memory.WordShort], why[memory.WordPast50], why[memory.WordPast2000] = "3 letters or fewer", "past the 50th word", "past the first 2000 letters"
	}
	var words [len(why)][]string
	for _, w := range r.Words {
		words[w.State] = append(words[w.State], w.Text)
	}
	most := ""
	if r.WordCap > 0 {
		most = fmt.Sprintf(" of at most %d", r.WordCap)
	}
	o.Paragraph("", "words used %d%s: %s", r.Used, most, o.Dash(strings.Join(words[memory.WordUsed], " ")))
	for s := memory.WordShort; s <= memory.WordLeftOut; s++ {
		if len(words[s]) > 0 {
			o.Paragraph("", "ignored, %s: %s", why[s], strings.Join(words[s], " "))
		}
	}
}

// printHits prints the ranked records.
func printHits(o *output.Out, r memory.Recall, d memory.Description) {
	o.Printf("\n")
	if len(r.Hits) == 0 {
		o.Paragraph("", "nothing would be recalled: %s", r.Empty)
		return
	}
	cut := false
	for i := range r.Hits {
		h := &r.Hits[i]
		if !h.Recalled && !cut {
			cut = true
			o.Line("--- cut: the first %d are recalled ---", r.Limit)
		}
		title := o.Show(output.Of(h.Title, memory.Places(h.Secrets, memory.InTitle, 0)))
		if o.Width > 0 {
			title = output.Safe(views.Cell(string(title), min(40, max(o.Width/3, 20))))
		}
		line := o.Sprintf("%3d  %s%s  %s  %s", h.Rank, weights(h, d), hitID(o, h, d), title, strings.Join(reasons(h), " "))
		o.Line("%s", output.Safe(strings.TrimRight(string(line), " ")))
	}
	if more := r.Found - len(r.Hits); more > 0 {
		o.Line("     %d more score", more)
	}
}

// hitID returns the id of a hit as it is printed: on a terminal short, where ids are not
// names.
func hitID(o *output.Out, h *memory.Hit, d memory.Description) output.Safe {
	id := o.ID(&memory.Record{ID: h.ID, Secrets: h.Secrets}, h.ID)
	return printedID(o, id, d)
}

// printedID returns an id whole, or on a terminal its beginning where ids are not names.
func printedID(o *output.Out, id memory.ID, d memory.Description) output.Safe {
	if o.Width == 0 || !d.ByLine {
		return o.Show(id)
	}
	return output.Safe(shortID(o, id))
}

// weights are the score and the relevance count of a hit, those that its system has.
func weights(h *memory.Hit, d memory.Description) (line string) {
	points := fmt.Sprint(h.Score)
	if h.Points != 0 {
		points = fmt.Sprintf("%.3f", h.Points)
	}
	if d.ByLine {
		return fmt.Sprintf("score %s  rel %d  ", points, h.Count.N)
	}
	if h.Score != 0 || h.Points != 0 {
		line = "score " + points + "  "
	}
	if h.Count.N != 0 {
		line += fmt.Sprintf("rel %d  ", h.Count.N)
	}
	if h.Kind != "" {
		line += h.Kind + "  "
	}
	return line
}

// reasons are the words and tools that a hit scores for, noise marked with ~, and why its
// system picked it.
func reasons(h *memory.Hit) []string {
	var list []string
	for _, m := range h.Matches {
		s := m.Word
		if m.Kind != memory.WholeWord {
			s += "~"
		}
		if m.Times > 1 {
			s += fmt.Sprintf(" x%d", m.Times)
		}
		list = append(list, s)
	}
	for _, t := range h.ToolHits {
		list = append(list, "tool:"+t)
	}
	if h.LostTie {
		list = append(list, "(tie: an earlier line won)")
	}
	return nonEmpty(append(list, h.Why)...)
}
