package compare

import (
	"hash/fnv"
	"slices"
)

// mostAlike is how many statements may be the same but for one slot. More of them are a list, which is no choice.
const mostAlike = 40

// skeletons are statements by what remains of each without a slot, so that those which differ in one slot are found
// without comparing each with all.
type skeletons struct {
	last    map[uint64]int32 // index in holders, by the hash of a skeleton
	holders []holder
}

// holder is a statement with a skeleton, and the index of the holder before it, or 0.
type holder struct{ statement, before int32 }

func newSkeletons() *skeletons {
	return &skeletons{last: map[uint64]int32{}, holders: make([]holder, 1)}
}

// add adds a statement.
func (s *skeletons) add(statement int, f *form) {
	for _, hash := range skeletonsOf(f) {
		s.holders = append(s.holders, holder{int32(statement), s.last[hash]})
		s.last[hash] = int32(len(s.holders) - 1)
	}
}

// before returns the statements added before a statement that share a skeleton with it, in order, but for lists.
// Hashes can be equal by chance.
func (s *skeletons) before(statement int, f *form) (out []int) {
	for _, hash := range skeletonsOf(f) {
		n, alike := len(out), 0
		at := s.last[hash]
		for ; at != 0 && alike <= mostAlike; at = s.holders[at].before {
			alike++
			if i := int(s.holders[at].statement); i < statement {
				out = append(out, i)
			}
		}
		if at != 0 {
			out = out[:n]
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// skeletonsOf returns the hashes of what remains of a statement without each slot that a difference can be in, each
// once.
func skeletonsOf(f *form) (hashes []uint64) {
	const prime = 1099511628211
	n := len(f.words)
	words, tails := make([]uint64, n), make([]uint64, n+1)
	for i := range f.words {
		h := fnv.New64a()
		h.Write([]byte(f.words[i].text))
		words[i] = h.Sum64()
	}
	for i := n - 1; i >= 0; i-- {
		tails[i] = (tails[i+1] + words[i]) * prime
	}
	head := uint64(0)
	for i := range n + 1 {
		for slot := 0; slot <= mostSlot && i+slot <= n; slot++ {
			if left := n - slot; left >= leastShared && left >= 2*slot {
				hashes = append(hashes, head^(tails[i+slot]<<1|tails[i+slot]>>63))
			}
		}
		if i < n {
			head = (head ^ words[i]) * prime
		}
	}
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
