package lesson

import (
	"encoding/binary"
	"strings"

	"winnow/core/jstext"
)

// haystack is the text of a lesson that words are looked for in, with a set of
// the groups of four bytes that occur in it. A word that has a group outside the
// set does not occur, and most words end there.
type haystack struct {
	text   string // task and lesson in lower case, with a space between them
	groups [groupWords]uint64
}

const (
	groupSize  = 4 // no used word is shorter in bytes
	groupBits  = 11
	groupWords = 1 << groupBits / 64
)

// group returns the place of the four bytes at i in the set.
func group(s string, i int) uint32 {
	four := binary.LittleEndian.Uint32([]byte(s[i : i+groupSize]))
	return four * 0x9E3779B1 >> (32 - groupBits)
}

func newHaystack(title, body string) haystack {
	h := haystack{text: jstext.Lower(title) + " " + jstext.Lower(body)}
	for i := range len(h.text) - groupSize + 1 {
		g := group(h.text, i)
		h.groups[g/64] |= 1 << (g % 64)
	}
	return h
}

// needle is a word of a task, prepared for many haystacks.
type needle struct {
	text   string
	times  int // how often the task has it
	groups []uint32
	units  []uint16 // set when the word holds half a character
}

func newNeedle(word string) needle {
	n := needle{text: word, times: 1}
	if jstext.WellFormed(word) != word {
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
	return strings.Contains(h.text, n.text)
}

// holdsUnits looks for a word with half a character, which the other half may
// stand beside in the haystack.
func (h *haystack) holdsUnits(word []uint16) bool {
	units := jstext.Units(h.text)
	for i := range len(units) - len(word) + 1 {
		j := 0
		for j < len(word) && units[i+j] == word[j] {
			j++
		}
		if j == len(word) {
			return true
		}
	}
	return false
}
