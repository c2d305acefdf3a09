package compare

import (
	"cmp"
	"slices"
)

// For each shared word, a text is compared with this many earlier ones. In large collections it is fewer,
// so that time grows with the number of texts and not with its square.
const (
	fewBefore     = 16
	severalBefore = 48
	manySaid      = 2000 // a collection with more texts is large
)

// rareWords finds earlier texts that share a rare word with a new one.
type rareWords struct {
	count  []int32   // by word: how many texts have it
	having [][]int32 // by word: which of the added texts have it
	seen   []int32   // by text: the number, from 1, of the last text that met it
	before int
}

// newRareWords returns rareWords for n texts. Count says, by word, how many of them have it.
func newRareWords(count []int32, n, size int) *rareWords {
	r := &rareWords{count: count, having: make([][]int32, len(count)), seen: make([]int32, n), before: severalBefore}
	if size > manySaid {
		r.before = fewBefore
	}
	return r
}

// sorted returns the words that at least two texts have, rarest first. It changes words.
func (r *rareWords) sorted(words []int32) []int32 {
	words = slices.DeleteFunc(words, func(w int32) bool { return r.count[w] < 2 })
	slices.SortFunc(
		words,
		func(a, b int32) int { return cmp.Or(cmp.Compare(r.count[a], r.count[b]), cmp.Compare(a, b)) },
	)
	return words
}

// add adds text i, and calls meet once for each of the last earlier texts that share one of the words.
func (r *rareWords) add(i int, words []int32, meet func(j int)) {
	for _, w := range words {
		list := r.having[w]
		for _, j := range list[max(0, len(list)-r.before):] {
			if r.seen[j] != int32(i)+1 {
				r.seen[j] = int32(i) + 1
				meet(int(j))
			}
		}
		r.having[w] = append(list, int32(i))
	}
}
