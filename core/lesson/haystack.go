package lesson

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"winnow/core/jstext"
)

// haystack is the text of a lesson that words are looked for in. Beside it is a set
// of the groups of four bytes that occur in it: a word with a group outside the set
// does not occur, and most words end there. For the rest there is the place where
// the search has to begin, which is mostly the place of the word.
type haystack struct {
	text   string // task and lesson in lower case, with a space between them
	groups [1 << groupBits / 64]uint64
	starts [1 << startBits]uint16 // first place of a group plus 1; 0 when unknown
}

const (
	groupSize = 4 // no used word is shorter in bytes
	groupBits = 11
	startBits = 9
)

// group returns the number of the four bytes at i, of groupBits bits.
func group(s string, i int) uint32 {
	four := binary.LittleEndian.Uint32([]byte(s[i : i+groupSize]))
	return four * 0x9E3779B1 >> (32 - groupBits)
}

// fill sets an empty haystack to the text of a lesson.
func (h *haystack) fill(title, body string) {
	h.text = jstext.Lower(title) + " " + jstext.Lower(body)
	for i := range len(h.text) - groupSize + 1 {
		g := group(h.text, i)
		h.groups[g/64] |= 1 << (g % 64)
		if start := &h.starts[g>>(groupBits-startBits)]; *start == 0 && i < math.MaxUint16 {
			*start = uint16(i + 1)
		}
	}
}

// needle is a word of a task, prepared for many haystacks.
type needle struct {
	text   string
	times  int // how often the task has it
	groups []uint32
	units  []uint16 // set when the word holds half a character, or broken bytes
}

func newNeedle(word string) needle {
	n := needle{text: word, times: 1}
	if len(word) < groupSize || jstext.WellFormed(word) != word {
		n.units = jstext.Units(word)
		return n
	}
	n.groups = make([]uint32, len(word)-groupSize+1)
	for i := range n.groups {
		n.groups[i] = group(word, i)
	}
	return n
}

// holds reports whether the word occurs.
func (h *haystack) holds(n *needle) bool {
	if n.units != nil {
		return h.holdsUnits(n.units)
	}
	for _, g := range n.groups {
		if h.groups[g/64]&(1<<(g%64)) == 0 {
			return false
		}
	}
	start := 0
	if s := h.starts[n.groups[0]>>(groupBits-startBits)]; s > 0 {
		start = int(s) - 1
	}
	rest := h.text[start:]
	return strings.HasPrefix(rest, n.text) || strings.Contains(rest, n.text)
}

// holdsUnits looks for a word with half a character, which the other half may
// stand beside in the haystack.
func (h *haystack) holdsUnits(word []uint16) bool {
	units := jstext.Units(h.text)
	for i := range len(units) - len(word) + 1 {
		if slices.Equal(units[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
