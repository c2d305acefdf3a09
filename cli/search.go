package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/views/safe"
)

// searching is one call of search, with its flags and what it found.
type searching struct {
	tasking
	all   bool
	limit int

	terms   []filter.Term
	has     []int // for each term, the number of records that have it
	of      []searchedStore
	records int
	matched int
	results []result // best first, at most as many as requested
	failed  []memory.Unread
}

// searchedStore is a store, with how many of its records were searched, and how many match.
type searchedStore struct {
	place            memory.Place
	records, matched int
}

func (p *program) search() command {
	f := searching{tasking: tasking{program: p}, limit: 50}
	return command{
		paged: true, use: "search WORDS...|TASK...|-",
		short: "Search the project's stores, or rank the records of one for a task",
		long: `With several stores, and in a store that no agent recalls from, search looks for words in
the project's stores; with --all, and outside of a project, in all of the machine: FILTER
terms as in list, which must all match. Each result says where it is and how to show it. On
a terminal the results of a store are printed as soon as it is read; otherwise all are
sorted. Results with the words in the title come first.

In one store, search ranks the records for a task as the agent would, and says why: which
words of the task count, which records contain them, and where the agent cuts the list. If
none does and a model chooses what it reads, search looks for the words.
Matches marked ~ are noise: stop words, and words inside other words.

When the output is not a terminal, results from several stores have six tab-separated columns:
store, id, kind, flags, title, and the command that shows the record.`,
		examples: []string{
			"winnow search deploy the docs to staging", "winnow search - < task.txt",
			"winnow search --all token kind:rule",
			"winnow search --all deploy --json | jq -r '.stores[].results[].open'",
		},
		flags: append(f.flags(),
			flag{to: &f.all, name: "all",
				help: "search for words in all stores of the machine, or in all that --store and --system name"},
			flag{to: &f.limit, name: "limit", help: "with --all: show at most `N` results; 0 for all"},
			p.jsonFlag(), p.revealFlag()),
		run: f.run,
	}
}

func (f *searching) run(ctx context.Context, args []string) error {
	query, task := strings.Join(args, " "), f.isTask(args)
	if err := refuse(
		refusal{f.limit < 0, "give a number of 0 or more", "search: --limit is below 0"},
		refusal{
			f.all && task,
			"leave out one of them",
			"search: --all looks for words; --tool, --without and - go with a task",
		},
	); err != nil {
		return err
	}
	if !task {
		places, err := f.searched(ctx)
		if err != nil {
			return err
		}
		if places != nil {
			return f.words(ctx, places, query)
		}
	}
	f.inputTaken = f.taken(args)
	return f.cover(ctx, func(ctx context.Context) error { return f.rank(ctx, args) })
}

// isTask reports whether the arguments can only be a task, not words to look for.
func (f *searching) isTask(args []string) bool {
	return len(f.tools) > 0 || len(f.without) > 0 || slices.Equal(args, []string{"-"})
}

// rank ranks the records of p.place for a task.
func (f *searching) rank(ctx context.Context, args []string) error {
	r, err := f.recallHere(ctx, args)
	if q := new(memory.Problem); errors.As(err, &q) && q.Code == noRecall {
		return f.words(ctx, []memory.Place{f.place}, strings.Join(args, " "))
	}
	if err != nil {
		return err
	}
	modelChooses := r.Estimate != ""
	if len(r.Hits) == 0 && modelChooses && !f.isTask(args) { // most of its texts are given whole, whatever the task
		return f.words(ctx, []memory.Place{f.place}, strings.Join(args, " "))
	}
	if f.json {
		at := placeOf(f.out, f.place)
		f.printAnswer(recallOf(f.out, &at, r, false, nil))
	} else {
		printWords(f.out, r, f.described)
		printHits(f.out, r, f.described)
		f.out.Notes(r.Notes)
	}
	return agentStops(r.Stop)
}

// searched returns the stores in which to search for words: all of them with --all, or those of the project
// if there are several. It returns nil if a single store is to rank its records for a task.
func (f *searching) searched(ctx context.Context) ([]memory.Place, error) {
	s, err := f.places(ctx, output.NonEmpty(f.store)...)
	if err != nil {
		return nil, err
	}
	if len(s.Places) == 0 {
		return nil, f.nothingHere(ctx, s)
	}
	found := existing(s)
	if !f.all && f.store == "" {
		found = f.usualStores(found, false)
	}
	if !f.all && len(found) < 2 {
		return nil, nil
	}
	return found, nil
}

// result is a record found by a search.
type result struct {
	place  memory.Place
	record memory.Record
	score  int // number of words in its title
	store  int // index of its store
}

// searchStores searches all records of the stores for words. It keeps only as many as are shown. On a
// terminal it prints each store's results once that store is read.
func (f *searching) searchStores(ctx context.Context, places []memory.Place) (err error) {
	if err := checkTerms(f.terms); err != nil {
		return err
	}
	if len(f.terms) == 0 {
		return usage("see winnow search --help", "search: which words?")
	}
	f.has = make([]int, len(f.terms))
	f.of = output.Each(places, func(q *memory.Place) searchedStore { return searchedStore{place: *q} })
	at := make(map[memory.StoreID]int, len(places))
	for i, q := range places {
		at[q.Store] = i
	}
	ids := output.Each(places, func(q *memory.Place) memory.StoreID { return q.Store })
	bar := f.progress()
	defer bar.end()
	stream, reading := f.out.Width > 0 && !f.json, map[memory.StoreID][]result{}
	f.failed, err = f.Library.Search(ctx, ids, f.terms, func(part memory.SearchPart) error {
		n := at[part.Store]
		f.records, f.matched = f.records+part.Read, f.matched+len(part.Records)
		f.of[n].records += part.Read
		f.of[n].matched += len(part.Records)
		for i, has := range part.Has {
			f.has[i] += has
		}
		bar.show(func() string {
			return fmt.Sprintf(
				"searching %s: %s, %d found",
				places[n].Path,
				output.Plural(f.records, "record"),
				f.matched,
			)
		})
		key := part.Store
		if !stream {
			key = "" // the best of all stores
		}
		for i := range part.Records {
			r := &part.Records[i]
			reading[key] = f.add(reading[key], result{place: places[n], record: *r, score: f.score(r), store: n})
		}
		if stream && part.Last {
			bar.end()
			f.show(reading[key])
			delete(reading, key)
			bar.off = bar.off || f.pager.runs()
		}
		return nil
	})
	f.results = append(f.results, reading[""]...)
	return err
}

// show prints results of a store on the terminal, up to the requested total.
func (f *searching) show(of []result) {
	if f.limit > 0 {
		of = of[:min(len(of), f.limit-len(f.results))]
	}
	for i := range of {
		f.printResult(&of[i], f.out.Shown(&of[i].record))
	}
	f.results = append(f.results, of...)
	f.flush()
}

// add inserts a matching record among the best, ordered by score, store and line.
func (f *searching) add(to []result, r result) []result {
	i, _ := slices.BinarySearchFunc(to, r, func(a, b result) int { // after its equals
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.store, b.store), -1)
	})
	if f.limit > 0 && i >= f.limit {
		return to
	}
	to = slices.Insert(to, i, r)
	return to[:min(len(to), cmp.Or(f.limit, len(to)))]
}

// score returns the number of words in the title.
func (f *searching) score(r *memory.Record) (n int) {
	for i := range f.terms {
		if t := &f.terms[i]; t.Kind == filter.Word && !t.Not && len(t.Spans(r.Title, true, 1)) > 0 {
			n++
		}
	}
	return n
}

// words searches words in stores, and prints what it finds.
func (f *searching) words(ctx context.Context, places []memory.Place, query string) error {
	f.terms = filter.Parse(query)
	if err := f.searchStores(ctx, places); err != nil {
		return err
	}
	o := f.out
	if f.json && f.store == "" {
		f.printAnswers(output.Each(places, func(at *memory.Place) answerJSON {
			store := placeOf(o, *at)
			found := f.found(query, func(q memory.Place) bool { return q.Store == at.Store })
			return answerJSON{o.Text(storeID(*at)), &store, found}
		}))
		return nil
	}
	if f.json {
		o.JSON(f.found(query, func(memory.Place) bool { return true }))
		return nil
	}
	for i := range f.results {
		if r := &f.results[i]; o.Width == 0 { // on a terminal they are already printed
			shown := o.Shown(&r.record)
			o.Row(storeValue(r.place), shown.ID, shown.Kind, shown.Flags.Letters(), headline(shown), r.opens(o, false))
		}
	}
	f.noteHidden()
	return nil
}

// foundJSON is what a search for words found in some stores.
type foundJSON struct {
	Schema  int               `json:"schema"`
	Query   text              `json:"query"`
	Stores  int               `json:"stores"`
	Records int               `json:"records"`
	Matched int               `json:"matched"`
	Failed  []notSearchedJSON `json:"failed"`
	Results output.Items      `json:"results"` // each a foundRecordJSON
}

// notSearchedJSON is a store that cannot be read.
type notSearchedJSON struct {
	Path    text         `json:"path"`
	Problem *problemJSON `json:"problem"`
}

// foundRecordJSON is a record that was found, and the command that shows it.
type foundRecordJSON struct {
	Store placeJSON `json:"store"`
	recordJSON
	Open text `json:"open"`
}

// found returns the JSON of what was found in the stores for which a condition holds.
func (f *searching) found(query string, in func(memory.Place) bool) foundJSON {
	o, stores, records, matched := f.out, 0, 0, 0
	for i := range f.of {
		if s := &f.of[i]; in(s.place) {
			stores, records, matched = stores+1, records+s.records, matched+s.matched
		}
	}
	var results []*result
	for i := range f.results {
		if in(f.results[i].place) {
			results = append(results, &f.results[i])
		}
	}
	failed := slices.DeleteFunc(slices.Clone(f.failed), func(u memory.Unread) bool {
		return !slices.ContainsFunc(f.of, func(s searchedStore) bool { return in(s.place) && s.place.Store == u.Store })
	})
	return foundJSON{
		Schema:  schemaVersion,
		Query:   o.Text(query),
		Stores:  stores,
		Records: records,
		Matched: matched,
		Failed: output.Each(failed, func(u *memory.Unread) notSearchedJSON {
			return notSearchedJSON{o.Text(u.Path), problemOf(o, u.Problem)}
		}),
		Results: output.Items{N: len(results), Item: func(i int) any {
			r := results[i]
			return foundRecordJSON{placeOf(o, r.place), recordOf(o, &r.record, true), text(r.opens(o, true))}
		}},
	}
}

// opens returns the command that shows the record: for a program with the exact ID, or for a person in printable
// characters. It names the line of a record whose ID cannot be given so.
func (r *result) opens(o *output.Out, exact bool) string {
	id, line := string(r.record.ID), r.record.Line
	printed := safe.Line(id)
	exact = exact && utf8.ValidString(id) && !strings.Contains(id, "\x00")
	switch {
	case line > 0 && (!exact && printed != id || string(o.ID(&r.record, r.record.ID)) != id ||
		id == "-" || strings.HasPrefix(id, ":")):
		id = ":" + strconv.Itoa(line)
	case exact:
		id = output.When(strings.HasPrefix(id, "-"), "-- ") + memory.ShellWord(id)
	default:
		id = idWord(o.Hidden(id))
	}
	return "winnow show " + o.Hidden(storeFlag(r.place)) + " " + id
}

// printResult prints a result for reading: its title, where it is, the text around the first word
// that is not in the title, and the command that shows it.
func (f *searching) printResult(r *result, shown *memory.Record) {
	o := f.out
	o.Line("%s", headline(shown))
	where := output.Joined(", ", f.kindName(r.place), f.fromHome(r.place.Project), shown.Kind, shown.Scope)
	o.Line("  %s", where+output.When(shown.Flags != 0, "  "+strings.Join(shown.Flags.Words(), ", ")))
	if part := f.excerpt(string(o.Show(output.Field(shown, memory.InBody))), shown.Title, o.Width-2); part != "" {
		o.Line("  %s", output.Safe(part))
	}
	o.Printf("  %s\n", output.Visible(r.opens(o, false))) // not wrapped: it is to be pasted
}

// excerpt returns the part of a visible text around the first word that is not in the title. It is
// empty if the title has all words.
func (f *searching) excerpt(body, title string, width int) string {
	for i := range f.terms {
		t := &f.terms[i]
		if t.Kind != filter.Word || t.Not || len(t.Spans(title, true, 1)) > 0 {
			continue
		}
		spans := t.Spans(body, true, 1)
		if len(spans) == 0 {
			continue
		}
		from := safe.RuneStart(body, spans[0][0]-width/3)
		cut := output.When(from > 0, "..") + body[from:]
		return strings.TrimRight(output.Cell(strings.ReplaceAll(cut, "<LF>", " "), width), " ")
	}
	return ""
}

// noteHidden says on standard error what the results do not.
func (f *searching) noteHidden() {
	f.tellUnread("not searched", f.failed)
	if !f.ErrTTY && f.matched > 0 {
		return
	}
	which := cmp.Or(output.When(f.out.Width > 0 && !f.json, "first"), "best")
	best := output.When(
		f.matched > len(f.results),
		fmt.Sprintf("; the %s %d are shown, --limit 0 shows all", which, len(f.results)),
	)
	f.notef("%d of %d records in %s%s", f.matched, f.records, output.Plural(len(f.of), "store"), best)
	if f.matched > 0 || len(f.terms) < 2 {
		return
	}
	for i := range f.terms {
		t := &f.terms[i]
		field := output.When(t.Kind == filter.Field, t.Name+":")
		f.notef("  %s: %d by itself", output.When(t.Not, "!")+field+t.Text, f.has[i])
	}
}

// printWords says which words of the task count.
func printWords(o *output.Out, r memory.Recall, d memory.Description) {
	if !d.ByLine && len(r.Words) == 0 {
		return
	}
	why := [...]string{
		memory.WordShort: "too short or too common", memory.WordPast50: "past the words that count",
		memory.WordPast2000: "past the part that is read", memory.WordLeftOut: "left out",
	}
	if d.ByLine {
		why[memory.WordShort] = cmp.Or(r.Ignored, "3 letters or fewer")
		why[memory.WordPast50] = "past the 50th word"
		why[memory.WordPast2000] = "past the first 2000 letters"
	}
	var words [len(why)][]string
	for _, w := range r.Words {
		words[w.State] = append(words[w.State], w.Text)
	}
	most := output.When(r.WordCap > 0, fmt.Sprintf(" of at most %d", r.WordCap))
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
		printHit(o, h, d)
	}
	if more := r.Found - len(r.Hits); more > 0 {
		o.Line("     %d more score", more)
	}
}

func printHit(o *output.Out, h *memory.Hit, d memory.Description) {
	title := o.Show(output.Of(h.Title, memory.Places(h.Secrets, memory.InTitle, 0)))
	if o.Width > 0 {
		title = output.Safe(output.Cell(string(title), min(40, max(o.Width/3, 20))))
	}
	id := printedID(o, o.ID(&memory.Record{ID: h.ID, Secrets: h.Secrets}, h.ID), d)
	line := o.Sprintf("%3d  %s%s  %s  %s", h.Rank, weights(h, d), id, title, strings.Join(reasons(h), " "))
	o.Line("%s", output.Safe(strings.TrimRight(string(line), " ")))
}

// printHeldBack lists what a recall would include if a person had approved it.
func printHeldBack(o *output.Out, r memory.Recall, d memory.Description) {
	o.Printf("\n")
	if len(r.HeldBack) == 0 {
		o.Line("nothing is held back: a person approved all that the task recalls")
		return
	}
	o.Line("held back, because nobody approved it on this machine (ranks as if it were approved):")
	for i := range r.HeldBack {
		printHit(o, &r.HeldBack[i], d)
	}
}

// printedID returns a whole ID or, on a terminal, a prefix if IDs are not names.
func printedID(o *output.Out, id memory.ID, d memory.Description) output.Safe {
	if o.Width == 0 || !d.ByLine {
		return o.Show(id)
	}
	return output.Safe(shortID(id))
}

// weights returns the score and the relevance count of a hit, if its system has them.
func weights(h *memory.Hit, d memory.Description) string {
	points := cmp.Or(output.When(h.Points != 0, fmt.Sprintf("%.3f", h.Points)), fmt.Sprint(h.Score))
	return output.When(d.ByLine || h.Score != 0 || h.Points != 0, "score "+points+"  ") +
		output.When(d.ByLine || h.Count.N != 0, fmt.Sprintf("rel %d  ", h.Count.N)) +
		output.When(!d.ByLine && h.Kind != "", h.Kind+"  ")
}

// reasons are the words and tools that a hit scores for, with noise marked by ~, and why its system
// picked it.
func reasons(h *memory.Hit) []string {
	list := output.Each(h.Matches, func(m *memory.Match) string {
		return m.Word + output.When(m.Kind != memory.WholeWord, "~") +
			output.When(m.Times > 1, fmt.Sprintf(" x%d", m.Times))
	})
	for _, t := range h.ToolHits {
		list = append(list, "tool:"+t)
	}
	return output.NonEmpty(append(list, output.When(h.LostTie, "(tie: an earlier line won)"), h.Why)...)
}
