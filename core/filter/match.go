package filter

import (
	"time"

	"github.com/sahilm/fuzzy"

	"winnow/core/memory"
)

// Matches reports whether one record has all that the terms ask for. It is for records
// that come one by one: nothing is ranked, and a word that no record has stays a word.
// A term with a Problem is left out.
func Matches(terms []Term, r *memory.Record, now time.Time) bool {
	for i := range terms {
		if t := &terms[i]; t.Problem == "" && t.Holds(r, now) == t.Not {
			return false
		}
	}
	return true
}

// Holds reports whether a record has what the term looks for, whatever Not says of it.
// A term with a Problem holds for none.
func (t *Term) Holds(r *memory.Record, now time.Time) bool {
	switch {
	case t.Problem != "":
		return false
	case t.Kind == Fuzzy:
		return len(fuzzy.Find(t.Text, []string{head(r.Title)})) > 0
	}
	return t.matches(r, now)
}
