package compare

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSkeletonsAreThoseOfComparingEachWithAll looks at statements of few words, of which many share skeletons with
// one, some with more than a list may have, and some with none.
func TestSkeletonsAreThoseOfComparingEachWithAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var forms []*form
	for range 3000 {
		var words []string
		for range 4 + random.IntN(4) {
			words = append(words, fmt.Sprint("word", random.IntN(3)))
		}
		f := Names(nil).formOf(&Statement{Text: strings.Join(words, " ")})
		forms = append(forms, &f)
	}
	having := map[string][]int{}
	for i, f := range forms {
		for _, left := range written(f) {
			having[left] = append(having[left], i)
		}
	}
	index, pairs, lists := newSkeletons(forms), 0, 0
	for i, f := range forms {
		var want []int
		for _, left := range written(f) {
			if len(having[left]) > mostAlike+1 {
				lists++
				continue
			}
			for _, other := range having[left] {
				if other < i {
					want = append(want, other)
				}
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		pairs += len(want)
		if got := index.before(i); !slices.Equal(got, want) {
			t.Fatalf("statement %d %q: %v, want %v", i, f.key, got, want)
		}
	}
	if pairs == 0 || lists == 0 {
		t.Errorf("%d pairs, %d skeletons of lists: these statements show nothing", pairs, lists)
	}
}

// written returns what remains of a statement without each slot, as text.
func written(f *form) (all []string) {
	var words []string
	for _, w := range f.words {
		words = append(words, w.text)
	}
	for i := range len(words) + 1 {
		for slot := 0; slot <= mostSlot && i+slot <= len(words); slot++ {
			if left := len(words) - slot; left >= leastShared && left >= 2*slot {
				all = append(all, strings.Join(words[:i], " ")+" | "+strings.Join(words[i+slot:], " "))
			}
		}
	}
	return all
}
