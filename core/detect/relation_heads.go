package detect

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// heads maps the first letters of words to concepts, to decide cheaply which concepts a sentence
// may contain. It has false positives but no false negatives.
type heads struct {
	table  [1 << headSlots]headed
	beyond concepts // concepts of words with letters outside ASCII
}

const headSlots = 15

// relationHeads returns the heads of the words of all concepts, built when a sentence may first be
// read.
var relationHeads = sync.OnceValue(func() *heads {
	g, h := relationGrammar(), &heads{}
	for m := range allMeanings {
		c := g.of(m.concept)
		for w := range strings.FieldsSeq(m.words) {
			h.add(w, c)
			if first, rest, _ := parted(w); rest != "" {
				h.addOpening(first)
			}
		}
	}
	for place := range strings.SplitSeq(secretPlaces, ";") {
		h.add("+"+place, g.key)
	}
	return h
})

// headed holds the concepts of the words with one head: their first letters, up to eight. A head
// marked as a stem has up to four letters, and any ending may follow. A head marked as opening has
// up to seven, and a phrase may begin with its word.
type headed struct {
	head  uint64
	means concepts
}

const (
	stemHead = 1 << 63             // flag of a head: any ending may follow
	pairHead = 1 << 62             // flag of a head: two adjacent words
	openHead = stemHead | pairHead // flag of a head: a phrase may begin with the word
)

// headOf returns the head of the word at the start of s: up to most letters or digits in lower
// case. It returns 0 for other scripts.
func headOf(s string, most int) (head uint64) {
	for i := 0; i < min(most, len(s)) && is(s[i], alnum); i++ {
		head = head<<8 | uint64(s[i]|0x20)
	}
	return head
}

// of returns the entry of a head, or the free entry where it belongs.
func (h *heads) of(head uint64) *headed {
	i := head * 0x9E3779B97F4A7C15 >> (64 - headSlots)
	for h.table[i].head != head && h.table[i].head != 0 {
		i = (i + 1) % (1 << headSlots)
	}
	return &h.table[i]
}

// at returns the concepts that the word at the start of s may have.
func (h *heads) at(s string) concepts {
	head := headOf(s, 8)
	stem := head
	if more := (bits.Len64(head)+7)/8 - 4; more > 0 {
		stem >>= 8 * more
	}
	return h.of(head).means | h.of(stem|stemHead).means
}

// note adds concepts to the entry of a head.
func (h *heads) note(head uint64, c concepts) {
	e := h.of(head)
	e.head, e.means = head, e.means|c
}

// add records a word in all its forms. It records words with several parts by their last two, and a
// phrase that other words may interrupt by its longest part.
func (h *heads) add(word string, c concepts) {
	if run(word, 0, alnum) == len(word) {
		eachForm(word, 8, func(head uint64) { h.note(head, c) })
		return
	}
	parts := strings.FieldsFunc(word, func(r rune) bool { return r < utf8.RuneSelf && !is(byte(r), alnum) })
	n := len(parts)
	switch {
	case n == 0: // marks are handled by [grammar.marks]
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

// addOpening records the first word of a phrase.
func (h *heads) addOpening(word string) {
	eachForm(word, 7, func(head uint64) {
		if head != 0 {
			h.note(head|openHead, 0)
		}
	})
}

// opens reports whether a phrase may begin with a word.
func (h *heads) opens(word string) bool {
	head := headOf(word, 7)
	return head == 0 || h.of(head|openHead).head != 0
}

// pairOf returns the head of two adjacent words, made from up to three letters of each.
func pairOf(first, second uint64) uint64 { return pairHead | first<<24 | second }

// eachForm calls fn with the heads of a word, its plural and its verb forms. A head has at most
// `most` letters.
func eachForm(w string, most int, fn func(head uint64)) {
	head, room := headOf(w, most), most-len(w)
	fn(head)
	if room < 0 || run(w, 0, alnum) < len(w) {
		return
	}
	last := w[len(w)-1:]
	fn(longer(head, room, "s"))
	for _, ending := range [...]string{"ing", "ed"} {
		fn(longer(head, room, ending))
		fn(longer(longer(head, room, last), room-1, ending))
		if last == "e" {
			fn(longer(head>>8, room+1, ending))
		}
	}
	if last == "y" {
		fn(longer(head>>8, room+1, "ied"))
		fn(longer(head>>8, room+1, "ies"))
	}
}

// longer returns a head extended by as much of an ending as there is room for.
func longer(head uint64, room int, ending string) uint64 {
	for i := range min(room, len(ending)) {
		head = head<<8 | uint64(ending[i]|0x20)
	}
	return head
}

// mayRelate reports whether a sentence may contain all concepts of a relation. It only examines how
// the words begin, which is several times faster than reading them.
func (g *grammar) mayRelate(sentence string) bool {
	all := g.possible(sentence)
	return slices.ContainsFunc(g.needed, func(need concepts) bool { return all&need == need })
}

// possible returns the concepts that a sentence may contain.
func (g *grammar) possible(sentence string) (all concepts) {
	h, inWord, last := relationHeads(), false, uint64(0)
	for i := range len(sentence) {
		c := sentence[i]
		switch {
		case c >= utf8.RuneSelf:
			if inWord = false; c >= 0xC3 && c < 0xEF && (c != 0xE2 || strings.HasPrefix(sentence[i:], "\u212a"[:2])) { // the other ranges are punctuation without letters, except the Kelvin sign
				all |= h.beyond
			}
		case !is(c, alnum):
			all, inWord = all|g.marks(sentence, i), false
		case !inWord:
			head := headOf(sentence[i:], 3)
			all, inWord = all|h.at(sentence[i:])|h.of(pairOf(last, head)).means, true
			last = head
			if c <= '9' && i > 0 && sentence[i-1] == ' ' && i+10 <= len(sentence) && date(sentence[i:i+10]) {
				all |= g.cue
			}
		}
	}
	if all&g.tell != 0 && all&g.dont != 0 {
		all |= g.hush
	}
	if all&g.ask != 0 && all&g.dont != 0 {
		all |= g.unasked
	}
	if all&g.speaker != 0 {
		all |= g.role
	}
	return all
}

// marks returns the concepts that the mark at byte i may give a word.
func (g *grammar) marks(s string, i int) concepts {
	switch s[i] {
	case '.':
		if i > 0 && i+1 < len(s) && s[i-1] > ' ' && is(s[i+1], alnum) {
			return g.place | g.book // a host, or a file
		}
	case '@':
		return g.place
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			return g.place
		}
	case '$':
		return g.key
	case '*':
		return g.all
	}
	return 0
}
