package compare

import (
	"cmp"
	"math/bits"
	"slices"
)

// mostAlike is how many statements may be the same but for one slot. More of them are a list, which is no choice.
const mostAlike = 40

// skeletons are statements by what remains of each without a slot, so that those which differ in one slot are found
// without comparing each with all. Only what remains of two statements at least is kept: of most it is one.
type skeletons struct {
	all   []skeleton // by hash and statement
	first []int32    // by statement: the index of one of its skeletons, or -1
}

// skeleton is the hash of a statement without a slot.
type skeleton struct {
	hash      uint64
	statement int32
	next      int32 // the index of another skeleton of the statement, or -1
}

// newSkeletons returns the skeletons that several statements share. Hashes can be equal by chance.
func newSkeletons(statements []*form) *skeletons {
	s := &skeletons{first: slices.Repeat([]int32{-1}, len(statements))}
	var h hasher
	shared := newTwice(statements)
	for _, f := range statements {
		for _, hash := range h.skeletonsOf(f) {
			shared.add(hash)
		}
	}
	for i, f := range statements {
		for _, hash := range h.skeletonsOf(f) {
			if shared.has(hash) {
				s.all = append(s.all, skeleton{hash: hash, statement: int32(i)})
			}
		}
	}
	slices.SortFunc(s.all, func(a, b skeleton) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.statement, b.statement))
	})
	s.dropAloneAndLists()
	for i := range s.all {
		of := &s.all[i]
		of.next = s.first[of.statement]
		s.first[of.statement] = int32(i)
	}
	return s
}

// dropAloneAndLists leaves out the skeletons of one statement, and of a list.
func (s *skeletons) dropAloneAndLists() {
	kept := s.all[:0]
	for start := 0; start < len(s.all); {
		end := start + 1
		for end < len(s.all) && s.all[end].hash == s.all[start].hash {
			end++
		}
		if alike := end - start; alike > 1 && alike <= mostAlike+1 {
			kept = append(kept, s.all[start:end]...)
		}
		start = end
	}
	s.all = kept
}

// before returns the statements before a statement that share a skeleton with it, in order.
func (s *skeletons) before(statement int) (out []int) {
	for at := s.first[statement]; at >= 0; at = s.all[at].next {
		for i := at - 1; i >= 0 && s.all[i].hash == s.all[at].hash; i-- {
			out = append(out, int(s.all[i].statement))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// twice tells which hashes were added twice. It says so of a few others too, but keeps a few bits of each only.
type twice struct{ once, again []uint64 }

// newTwice returns room for the hashes of statements.
func newTwice(statements []*form) *twice {
	const bitsOfEach = 8
	hashes := 0
	for _, f := range statements {
		hashes += (mostSlot + 1) * (len(f.words) + 1)
	}
	size := 1 << bits.Len(uint(hashes*bitsOfEach/64)) // a power of two
	return &twice{once: make([]uint64, size), again: make([]uint64, size)}
}

func (t *twice) add(hash uint64) {
	at, bit := t.place(hash)
	t.again[at] |= t.once[at] & bit
	t.once[at] |= bit
}

func (t *twice) has(hash uint64) bool {
	at, bit := t.place(hash)
	return t.again[at]&bit != 0
}

// place returns where the bit of a hash is.
func (t *twice) place(hash uint64) (at, bit uint64) {
	hash ^= hash >> 32
	return hash >> 6 & uint64(len(t.once)-1), 1 << (hash & 63)
}

// hasher keeps what it hashes in from statement to statement.
type hasher struct{ words, tails, hashes []uint64 }

// The parameters of the hash FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// skeletonsOf returns the hashes of what remains of a statement without each slot that a difference can be in. They
// are valid until the next call.
func (h *hasher) skeletonsOf(f *form) []uint64 {
	n := len(f.words)
	h.words, h.tails = h.words[:0], append(h.tails[:0], make([]uint64, n+1)...)
	for i := range f.words {
		hash := uint64(fnvOffset)
		for _, c := range []byte(f.words[i].text) {
			hash = (hash ^ uint64(c)) * fnvPrime
		}
		h.words = append(h.words, hash)
	}
	for i := n - 1; i >= 0; i-- {
		h.tails[i] = (h.tails[i+1] + h.words[i]) * fnvPrime
	}
	h.hashes = h.hashes[:0]
	head := uint64(0)
	for i := range n + 1 {
		for slot := 0; slot <= mostSlot && i+slot <= n; slot++ {
			if left := n - slot; left >= leastShared && left >= 2*slot {
				h.hashes = append(h.hashes, head^bits.RotateLeft64(h.tails[i+slot], 1))
			}
		}
		if i < n {
			head = (head ^ h.words[i]) * fnvPrime
		}
	}
	return h.hashes
}
