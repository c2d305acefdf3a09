package compare

import (
	"cmp"
	"slices"
)

// Of those before it that share a word, each is compared with so many: fewer in large
// collections, so that the time grows with their number and not with its square.
const (
	fewBefore     = 16
	severalBefore = 48
	manySaid      = 2000 // how many make a collection large
)

// rareWords finds what shares a rare word with what was added before.
type rareWords struct {
	count  []int32   // by word: how many have it
	having [][]int32 // by word: who has it of those that were added
	seen   []int32   // who met each of them last, from 1
	before int
}

// newRareWords returns rareWords for n texts. count says how many of them have a word.
func newRareWords(count []int32, n, size int) *rareWords {
	r := &rareWords{count: count, having: make([][]int32, len(count)), seen: make([]int32, n), before: severalBefore}
	if size > manySaid {
		r.before = fewBefore
	}
	return r
}

// sorted returns the words that another text has too, the rarest first. It changes words.
func (r *rareWords) sorted(words []int32) []int32 {
	words = slices.DeleteFunc(words, func(w int32) bool { return r.count[w] < 2 })
	slices.SortFunc(words, func(a, b int32) int { return cmp.Or(cmp.Compare(r.count[a], r.count[b]), cmp.Compare(a, b)) })
	return words
}

// add adds text i, and calls meet once for each of those before it that share one of the words.
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
