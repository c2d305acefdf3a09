package problems

import (
	"hash/fnv"
	"slices"
)

// The limits of a list: statements that are the same but for one slot.
const (
	mostAlike  = 40  // more of them are a list, which is no choice
	mostWalked = 400 // that are looked at, with those that the other text has too
)

// skeletons are the statements of a text by what remains of each without a slot, so that those which differ in one
// slot from another are found without comparing them with all.
type skeletons struct {
	last  map[uint64]int32 // index in links, by the hash of a skeleton
	links []link
}

// link is a statement with a skeleton, and the index of the one before it, or 0.
type link struct{ statement, before int32 }

// skeletons returns the index of a text's statements, made once.
func (t *text) skeletons() *skeletons {
	if t.index != nil {
		return t.index
	}
	s := &skeletons{last: map[uint64]int32{}, links: make([]link, 1)}
	for i := range t.forms {
		if !t.isCompared(i) {
			continue
		}
		for _, hash := range skeletonsOf(&t.forms[i]) {
			s.links = append(s.links, link{int32(i), s.last[hash]})
			s.last[hash] = int32(len(s.links) - 1)
		}
	}
	t.index = s
	return s
}

// like returns the statements that share a skeleton with a form, in order, but for those that are in both texts and
// for lists. Hashes can be equal by chance.
func (s *skeletons) like(f *form, inBoth map[string]int, forms []form) (out []int) {
	for _, hash := range skeletonsOf(f) {
		n := len(out)
		at, walked := s.last[hash], 0
		for ; at != 0 && walked < mostWalked && len(out)-n <= mostAlike; at = s.links[at].before {
			walked++
			i := int(s.links[at].statement)
			if _, both := inBoth[forms[i].key]; !both {
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

// skeletonsOf returns the hashes of what remains of a statement without each slot that a difference can be in.
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
	return hashes
}
