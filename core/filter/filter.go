// Package filter selects and sorts records by what a person types.
//
// A query is words separated by spaces. A record must match all of them:
//
//	retry               the title, the lesson or a tool contains this text;
//	                    case matters only if the word has an upper-case letter
//	"rate limit"        text with a space
//	!retry              must not match; also before a field or ~
//	~rtry               the letters occur in the title in this order
//	outcome:failed      the outcome begins with this
//	tool:shell          a tool, session or id contains this text (tool: session: id:)
//	kind:rule           the kind begins with this
//	scope:project       the scope, or the path of the file, contains this text (scope: file:)
//	flag:secret         has this flag, in the word of the screens or the name in the JSON
//	flag:s2             has the flags with these letters: S I ! N 2 B X H R P D U O C G
//	rel:0 rel:>3        relevance count; also < <= >= and a..b
//	line:41             line in the store, compared like rel:
//	age:>14d used:<2d   time since it was made or last recalled; m h d w y, else days
//	used:never          was never recalled
//
// A word that occurs in no record at all is matched as ~word instead, and its Term says so. A field with
// an invalid value is ignored, so that the rows stay while the value is being typed.
package filter

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sahilm/fuzzy"

	"winnow/core/memory"
)

// Query says what to select and how to sort it.
type Query struct {
	Text string
	// Sort is one of the columns; empty means the order of the store.
	Sort Column
	Desc bool
}

// Result is the selected part of some records.
type Result struct {
	// Index holds positions in the records, in the requested order.
	Index []int32
	Terms []Term
	// Ranked means that the best fuzzy matches come first, whatever the sort.
	Ranked bool
	// Limited means that a fuzzy word was tried only on the first MaxFuzzy rows.
	Limited bool
	// Suggest is a term that may find something, set if nothing was found.
	Suggest string
}

// checkEvery is how many rows are matched between checks of the context.
const checkEvery = 1024

// Apply returns the records that match q. The error is that of ctx.
func Apply(ctx context.Context, records []memory.Record, q Query, now time.Time) (Result, error) {
	s := search{ctx: ctx, records: records, now: now, terms: Parse(q.Text)}
	if err := s.run(); err != nil {
		return Result{}, err
	}
	if len(s.index) == 0 && s.fallBack() {
		if err := s.run(); err != nil {
			return Result{}, err
		}
	}
	res := Result{Index: s.index, Terms: s.terms, Limited: s.limited}
	if len(s.index) == 0 {
		res.Suggest = suggest(records, s.terms)
	}
	order(records, s.index, q)
	if s.scores != nil {
		res.Ranked = true
		slices.SortStableFunc(s.index, func(a, b int32) int { return cmp.Compare(s.scores[b], s.scores[a]) })
	}
	return res, ctx.Err()
}

// search is one pass over the records.
type search struct {
	ctx     context.Context
	records []memory.Record
	now     time.Time
	terms   []Term

	index   []int32
	scores  map[int32]int // scores of the rows that a fuzzy word matched
	limited bool
}

// run selects rows, first by the cheap terms and then by the fuzzy ones.
func (s *search) run() error {
	s.index = make([]int32, 0, len(s.records))
	for i := range s.records {
		if i%checkEvery == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if s.matches(&s.records[i]) {
			s.index = append(s.index, int32(i))
		}
	}
	for i := range s.terms {
		if s.terms[i].fuzzy() {
			if err := s.narrowFuzzy(&s.terms[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *search) matches(r *memory.Record) bool {
	for i := range s.terms {
		t := &s.terms[i]
		if t.fuzzy() || t.Problem != "" {
			continue
		}
		if t.matches(r, s.now) == t.Not {
			return false
		}
	}
	return true
}

// fallBack makes words that occur in no record fuzzy, and reports whether there were any.
func (s *search) fallBack() (changed bool) {
	for i := range s.terms {
		t := &s.terms[i]
		if t.Kind != Word || t.Not || t.nearField() != "" ||
			slices.ContainsFunc(s.records, func(r memory.Record) bool { return t.inRecord(&r) }) {
			continue
		}
		t.FuzzyFallback, changed = true, true
	}
	return changed
}

// Matches reports whether a record matches all terms. It is for records that come one by one: it ranks
// nothing, and never makes a word fuzzy. It ignores terms with a Problem.
func Matches(terms []Term, r *memory.Record, now time.Time) bool {
	for i := range terms {
		if t := &terms[i]; t.Problem == "" && t.Holds(r, now) == t.Not {
			return false
		}
	}
	return true
}

// Holds reports whether a record has what the term looks for, regardless of Not. A term with a Problem never
// holds.
func (t *Term) Holds(r *memory.Record, now time.Time) bool {
	switch {
	case t.Problem != "":
		return false
	case t.Kind == Fuzzy:
		return len(fuzzy.Find(t.Text, []string{fuzzyHead(r.Title)})) > 0
	}
	return t.matches(r, now)
}
