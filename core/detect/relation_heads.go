package detect

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// heads tells by the first letters of words which concepts a sentence may hold. It takes a word
// for another now and then, and misses none.
type heads struct {
	table  [1 << headSlots]headed
	beyond concepts // of words with other letters than those of ASCII
}

const headSlots = 15

// headed is what words mean that begin with up to eight letters; with stem set, those that begin with
// up to four and may end in any way.
type headed struct {
	head  uint64
	means concepts
}

const (
	stemHead = 1 << 63           // of a head: words may end in any way
	pairHead = 1 << 62           // two words side by side
	mayOpen  = concepts(1) << 63 // of what a word means: a phrase may begin with it
)

// headOf returns the head of the word that s begins with: up to most letters or digits, in small
// letters; 0 for other scripts.
func headOf(s string, most int) (head uint64) {
	for i := 0; i < min(most, len(s)) && is(s[i], alnum); i++ {
		head = head<<8 | uint64(s[i]|0x20)
	}
	return head
}

// of returns the entry of a head, or a free one where it can be put.
func (h *heads) of(head uint64) *headed {
	i := head * 0x9E3779B97F4A7C15 >> (64 - headSlots)
	for h.table[i].head != head && h.table[i].head != 0 {
		i = (i + 1) % (1 << headSlots)
	}
	return &h.table[i]
}

// at returns the concepts of the word that s begins with.
func (h *heads) at(s string) concepts {
	head := headOf(s, 8)
	stem := head
	if more := (bits.Len64(head)+7)/8 - 4; more > 0 {
		stem >>= 8 * more
	}
	return h.of(head).means | h.of(stem|stemHead).means
}

// note adds what the words mean that begin with a head.
func (h *heads) note(head uint64, c concepts) {
	e := h.of(head)
	e.head, e.means = head, e.means|c
}

// add notes a word in all its forms: one of several parts by the last two, and a word that others may
// stand in by the longest part.
func (h *heads) add(word string, c concepts) {
	parts := strings.FieldsFunc(word, func(r rune) bool { return r < utf8.RuneSelf && !is(byte(r), alnum) })
	n := len(parts)
	switch {
	case n == 0: // marks are looked for by themselves
	case strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }):
		h.beyond |= c
	case strings.HasSuffix(word, "~"):
		h.note(headOf(parts[n-1], 4)|stemHead, c)
		for letter := byte('a'); letter <= 'z' && len(parts[n-1]) < 4; letter++ {
			h.note(headOf(parts[n-1]+string(letter), 4)|stemHead, c)
		}
	case n == 1 || strings.Contains(word, "+"):
		longest := slices.MaxFunc(parts, func(a, b string) int { return len(a) - len(b) })
		eachForm(longest, 8, func(head uint64) { h.note(head, c) })
	default:
		eachForm(parts[n-2], 3, func(first uint64) {
			eachForm(parts[n-1], 3, func(second uint64) { h.note(pairOf(first, second), c) })
		})
	}
}

// addOpening notes the first word of a phrase.
func (h *heads) addOpening(word string) {
	eachForm(word, 8, func(head uint64) {
		if head != 0 {
			h.note(head, mayOpen)
		}
	})
}

// opens reports whether a phrase may begin with a word.
func (h *heads) opens(word string) bool {
	head := headOf(word, 8)
	return head == 0 || h.of(head).means&mayOpen != 0
}

// pairOf returns the head of two words side by side, of up to three letters of each.
func pairOf(first, second uint64) uint64 { return pairHead | first<<24 | second }

// eachForm calls fn with the head of a word, and with those of its plural and of the forms of a verb, as
// far as so many letters tell them apart.
func eachForm(w string, most int, fn func(head uint64)) {
	fn(headOf(w, most))
	if len(w) > most {
		return
	}
	last, rest := w[len(w)-1:], w[:len(w)-1]
	fn(headOf(w+"s", most))
	for _, ending := range []string{"ing", "ed"} {
		fn(headOf(w+ending, most))
		fn(headOf(w+last+ending, most))
		if last == "e" {
			fn(headOf(rest+ending, most))
		}
	}
	if last == "y" {
		fn(headOf(rest+"ied", most))
		fn(headOf(rest+"ies", most))
	}
}

// mayRelate reports whether a sentence can hold all concepts of a relation, by a look at how its
// words begin. It is several times faster than reading them.
func (v *wordBook) mayRelate(sentence string) bool {
	all := v.possible(sentence)
	return slices.ContainsFunc(v.needed, func(need concepts) bool { return all&need == need })
}

// possible returns the concepts that a sentence may hold.
func (v *wordBook) possible(sentence string) (all concepts) {
	inWord, last := false, uint64(0)
	for i := range len(sentence) {
		c := sentence[i]
		switch {
		case c >= utf8.RuneSelf:
			if inWord = false; c >= 0xC3 && c < 0xEF && (c != 0xE2 || strings.HasPrefix(sentence[i:], "\u212a"[:2])) { // other marks, but the sign of Kelvin, have no letters
				all |= v.heads.beyond
			}
		case !is(c, alnum):
			all, inWord = all|v.marks(sentence, i), false
		case !inWord:
			head := headOf(sentence[i:], 3)
			all, inWord = all|v.heads.at(sentence[i:])|v.heads.of(pairOf(last, head)).means, true
			last = head
			if c <= '9' && i > 0 && sentence[i-1] == ' ' && i+10 <= len(sentence) && date(sentence[i:i+10]) {
				all |= v.cue
			}
		}
	}
	if all&v.tell != 0 && all&v.dont != 0 {
		all |= v.hush
	}
	if all&v.ask != 0 && all&v.dont != 0 {
		all |= v.unasked
	}
	if all&v.speaker != 0 {
		all |= v.role
	}
	return all
}

// marks returns what a word can mean by the mark at byte i.
func (v *wordBook) marks(s string, i int) concepts {
	switch s[i] {
	case '.':
		if i > 0 && i+1 < len(s) && s[i-1] > ' ' && is(s[i+1], alnum) {
			return v.place | v.book // a host, or a file
		}
	case '@':
		return v.place
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return v.place
		}
	case '$':
		return v.key
	case '*':
		return v.all
	}
	return 0
}
