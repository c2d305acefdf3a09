package filter

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"
)

// The limits of fuzzy matching, whose cost grows with the square of the text.
const (
	MaxFuzzy      = 10000 // rows
	maxFuzzyTitle = 60    // characters of a title
	fuzzyChunk    = 256   // rows between checks of the context
)

// fuzzyHead returns the part of a title that fuzzy words are matched against.
func fuzzyHead(title string) string {
	n := 0
	for i := range title {
		if n == maxFuzzyTitle {
			return title[:i]
		}
		n++
	}
	return title
}

// narrowFuzzy keeps the selected rows that a fuzzy word matches, and adds to their scores.
func (s *search) narrowFuzzy(t *Term) error {
	if len(s.index) > MaxFuzzy {
		s.index, s.limited = s.index[:MaxFuzzy], true
	}
	if s.scores == nil && !t.Not {
		s.scores = map[int32]int{}
	}
	var kept []int32
	for chunk := range slices.Chunk(s.index, fuzzyChunk) {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		kept = s.keepChunk(kept, chunk, t)
	}
	s.index = kept
	return nil
}

func (s *search) keepChunk(kept, chunk []int32, t *Term) []int32 {
	titles := make([]string, len(chunk))
	for i, row := range chunk {
		titles[i] = fuzzyHead(s.records[row].Title)
	}
	found := fuzzy.FindNoSort(t.Text, titles)
	if !t.Not {
		for _, m := range found {
			s.scores[chunk[m.Index]] += m.Score
			kept = append(kept, chunk[m.Index])
		}
		return kept
	}
	for i, row := range chunk {
		if len(found) > 0 && found[0].Index == i {
			found = found[1:]
			continue
		}
		kept = append(kept, row)
	}
	return kept
}

// Spans returns where a displayed text matches t: at most max byte ranges in order. Fuzzy terms match only
// titles.
func (t *Term) Spans(text string, title bool, max int) (spans [][2]int) {
	if t.Not || t.Kind == Field || t.Problem != "" {
		return nil
	}
	if t.fuzzy() {
		return t.fuzzySpans(text, title)
	}
	for at := 0; len(spans) < max; {
		i := t.index(text[at:])
		if i < 0 {
			break
		}
		spans = append(spans, [2]int{at + i, at + i + len(t.Text)})
		at += i + len(t.Text)
	}
	return spans
}

// Spans returns where a displayed text matches the terms, as byte ranges in order. Ranges that overlap an
// earlier one are left out.
func Spans(terms []Term, text string, title bool) [][2]int {
	const most = 100 // for one term
	var all [][2]int
	for i := range terms {
		all = append(all, terms[i].Spans(text, title, most)...)
	}
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	out, end := all[:0], 0
	for _, s := range all {
		if s[0] >= end {
			out, end = append(out, s), s[1]
		}
	}
	return out
}

func (t *Term) fuzzySpans(text string, title bool) (spans [][2]int) {
	if !title {
		return nil
	}
	for _, m := range fuzzy.Find(t.Text, []string{fuzzyHead(text)}) {
		for _, i := range m.MatchedIndexes {
			_, size := utf8.DecodeRuneInString(text[i:])
			spans = append(spans, [2]int{i, i + size})
		}
	}
	return spans
}
