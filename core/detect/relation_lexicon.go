package detect

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// grammar holds the relations and the bits of their concepts. Texts without suspicious sentences
// need nothing else, so the larger lexicon is built only when a sentence is read.
type grammar struct {
	relations   []parsedRelation
	keywordSets [64][]conceptSet // for each concept, the sets of concepts whose keywords lead to a sentence
	bits        map[string]conceptSet

	no, dont, tell, hush, ask, unasked, place, key, open, cue, book, speaker, role conceptSet // concepts that code refers to

	nouns      conceptSet            // concepts whose words may take a plural s
	required   []conceptSet          // for each relation, all concepts it needs
	shortWords map[string]conceptSet // concepts of words that are too short for a keyword
}

// lexicon holds the words of all concepts.
type lexicon struct {
	*grammar
	words, stems, spaceless map[string]conceptSet
	phrases                 map[string][]phraseTail
	foreign                 map[string]bool
	stemStarts              map[string]bool // the first three bytes of each stem
}

// phraseTail is the rest of a phrase after its first word.
type phraseTail struct {
	rest         []string
	mayInterrupt bool // up to four other words may come between
	concepts     conceptSet
}

// relationGrammar returns the relations, built on first use.
var relationGrammar = sync.OnceValue(func() *grammar {
	g := &grammar{bits: map[string]conceptSet{}, shortWords: map[string]conceptSet{}}
	for m := range allConcepts {
		c := g.bitOf(m.concept)
		for w := range strings.FieldsSeq(m.words) {
			if len(w) < gramLen && runEnd(w, 0, letter) == len(w) {
				g.shortWords[w] |= c
			}
		}
	}
	g.no, g.dont, g.tell, g.hush, g.ask, g.unasked = g.bitOf("no"), g.bitOf("dont"), g.bitOf("tell"), g.bitOf("hush"), g.bitOf("ask"), g.bitOf("unasked")
	g.place, g.key, g.open, g.cue, g.book = g.bitOf("place"), g.bitOf("key"), g.bitOf("open"), g.bitOf("cue"), g.bitOf("book")
	g.speaker, g.role = g.bitOf("speaker"), g.bitOf("role")
	for i := range relations {
		g.addRelation(&relations[i])
	}
	for c := range strings.FieldsSeq(nounConcepts) {
		g.nouns |= g.bitOf(c)
	}
	return g
})

// relationLexicon returns the words of all concepts, built when the first sentence is read.
var relationLexicon = sync.OnceValue(func() *lexicon {
	v := &lexicon{grammar: relationGrammar(), words: make(map[string]conceptSet, 4096), stems: make(map[string]conceptSet, 512), spaceless: make(map[string]conceptSet, 1024),
		phrases: make(map[string][]phraseTail, 512), foreign: make(map[string]bool, 2048), stemStarts: make(map[string]bool, 512)}
	for _, m := range englishConcepts {
		v.addMeaning(m, false)
	}
	for _, m := range foreignConcepts {
		v.addMeaning(m, true)
	}
	return v
})

// allConcepts yields the English concepts, then those in other languages.
func allConcepts(yield func(conceptWords) bool) {
	for _, list := range [][]conceptWords{englishConcepts, foreignConcepts} {
		for _, m := range list {
			if !yield(m) {
				return
			}
		}
	}
}

// bitOf returns the bit of a concept, and assigns one on first use.
func (g *grammar) bitOf(concept string) conceptSet {
	if g.bits[concept] == 0 {
		g.bits[concept] = 1 << len(g.bits)
	}
	return g.bits[concept]
}

func (v *lexicon) addMeaning(m conceptWords, foreign bool) {
	c := v.bitOf(m.concept)
	for w := range strings.FieldsSeq(m.words) {
		if foreign {
			v.foreign[w] = true
		}
		first, rest, mayInterrupt := splitPhrase(w)
		switch stem, isStem := strings.CutSuffix(w, "~"); {
		case isSpaceless(w):
			v.spaceless[w] |= c
		case rest != "":
			v.words[w] |= c // the words joined by underscores, as in the name of a field
			v.phrases[first] = append(v.phrases[first], phraseTail{strings.Split(rest, "_"), mayInterrupt, c})
		case isStem:
			v.stems[stem], v.stemStarts[stem[:min(3, len(stem))]] = v.stems[stem]|c, true
		default:
			v.words[w] |= c
		}
	}
}

// splitPhrase splits a phrase into its first word and the rest, which is empty for a single word.
func splitPhrase(w string) (first, rest string, mayInterrupt bool) {
	if first, rest, mayInterrupt = strings.Cut(w, "+"); mayInterrupt {
		return first, rest, true
	}
	if first, rest, _ = strings.Cut(w, "_"); first == "" {
		return w, "", false
	}
	return first, rest, false
}

func (g *grammar) addRelation(r *relation) {
	read := parsedRelation{relation: r}
	for i, need := range strings.Fields(r.needs) {
		name, far, ok := strings.Cut(need, ":")
		c, within := g.bitOf(name), r.within
		if ok {
			within, _ = strconv.Atoi(far)
		}
		if i > 0 {
			read.distances = append(read.distances, within)
		}
		read.concepts, read.required = append(read.concepts, c), read.required|c
	}
	for c := range strings.FieldsSeq(r.unless) {
		read.excluded |= g.bitOf(c)
	}
	g.relations, g.required = append(g.relations, read), append(g.required, read.required)
	near := read.concepts[0] | read.concepts[min(1, len(read.concepts)-1)]
	if r.keywordsOf != "" {
		near = 0
		for c := range strings.FieldsSeq(r.keywordsOf) {
			near |= g.bitOf(c)
		}
	}
	for c := range near.each {
		if !slices.Contains(g.keywordSets[c], near) {
			g.keywordSets[c] = append(g.keywordSets[c], near)
		}
	}
}

// relationKeywords returns the keywords that lead to relations.
func relationKeywords() (out []keyword) {
	g := relationGrammar()
	out = make([]keyword, 0, 2560)
	index := make(map[string]int, 2560)
	for m := range allConcepts {
		c := g.bitOf(m.concept)
		if len(g.keywordSets[bits.TrailingZeros64(uint64(c))]) == 0 {
			continue
		}
		for w := range strings.FieldsSeq(m.words) {
			text := keywordFor(w)
			if len(text) < minKeywordLen {
				continue
			}
			i, known := index[text]
			if !known {
				i, index[text] = len(out), len(out)
				out = append(out, keyword{text: text})
			}
			out[i].concepts |= c
		}
	}
	for i := range out {
		c := out[i].concepts
		out[i].check = func(s *flagScanner, at int) { s.checkRelations(at, c) }
	}
	return out
}

// keywordFor returns the keyword for a word: the word itself, the longer part of a phrase that
// other words may interrupt, or a short word with spaces around it.
func keywordFor(w string) string {
	if first, rest, ok := strings.Cut(w, "+"); ok {
		if w = first; len(rest) > len(first) || inWordList("after from for is not", first) {
			w = rest
		}
	}
	w = strings.TrimSuffix(w, "~")
	w = strings.ReplaceAll(w, "_", " ")
	if strings.HasSuffix(w, "e") && len(w) > minKeywordLen {
		w = w[:len(w)-1] // to match the -ing form too
	}
	if len(w) < minKeywordLen {
		w += " "
	}
	if len(w) < minKeywordLen {
		w = " " + w
	}
	return w
}

// headIndex maps the first letters of words to concepts, to decide cheaply which concepts a sentence
// may contain. It has false positives but no false negatives. A Go map instead of its hash table makes
// Flags a tenth slower on texts full of keywords.
type headIndex struct {
	table    [1 << headTableBits]headEntry
	nonASCII conceptSet // concepts of words with letters outside ASCII
}

const headTableBits = 15

// relationHeads returns the heads of the words of all concepts, built on first use.
var relationHeads = sync.OnceValue(func() *headIndex {
	g, h := relationGrammar(), &headIndex{}
	for m := range allConcepts {
		c := g.bitOf(m.concept)
		for w := range strings.FieldsSeq(m.words) {
			h.addWord(w, c)
			if first, rest, _ := splitPhrase(w); rest != "" {
				h.addPhraseStart(first)
			}
		}
	}
	for place := range strings.SplitSeq(secretPlaces, ";") {
		h.addWord("+"+place, g.key)
	}
	return h
})

// headEntry holds the concepts of the words that begin with one head. A head is the first eight
// letters of a word; with stemHead, the first four of a stem; with phraseHead, the first seven of a
// word that begins a phrase; with pairHead, three letters of each of two words.
type headEntry struct {
	head     uint64
	concepts conceptSet
}

const (
	stemHead   = 1 << 63             // any ending may follow
	pairHead   = 1 << 62             // two adjacent words
	phraseHead = stemHead | pairHead // a phrase may begin with the word
)

// headOf returns the head of the word at the start of s: up to limit letters or digits in lower case.
// It returns 0 for other scripts.
func headOf(s string, limit int) (head uint64) {
	for i := 0; i < min(limit, len(s)) && inClass(s[i], alnum); i++ {
		head = head<<8 | uint64(s[i]|0x20)
	}
	return head
}

// entry returns the entry of a head, or the free one where it belongs.
func (h *headIndex) entry(head uint64) *headEntry {
	i := head * 0x9E3779B97F4A7C15 >> (64 - headTableBits)
	for h.table[i].head != head && h.table[i].head != 0 {
		i = (i + 1) % (1 << headTableBits)
	}
	return &h.table[i]
}

// conceptsAt returns the concepts that the word at the start of s may have.
func (h *headIndex) conceptsAt(s string) conceptSet {
	head := headOf(s, 8)
	stem := head
	if more := (bits.Len64(head)+7)/8 - 4; more > 0 {
		stem >>= 8 * more
	}
	return h.entry(head).concepts | h.entry(stem|stemHead).concepts
}

// addHead adds concepts to the entry of a head.
func (h *headIndex) addHead(head uint64, c conceptSet) {
	e := h.entry(head)
	e.head, e.concepts = head, e.concepts|c
}

// addWord adds a word in all its forms, a word of several parts by its last two, and a phrase that
// other words may interrupt by its longest part.
func (h *headIndex) addWord(word string, c conceptSet) {
	if runEnd(word, 0, alnum) == len(word) {
		eachHead(word, 8, func(head uint64) { h.addHead(head, c) })
		return
	}
	parts := strings.FieldsFunc(word, func(r rune) bool { return r < utf8.RuneSelf && !inClass(byte(r), alnum) })
	n := len(parts)
	switch {
	case n == 0: // conceptsOfMark handles marks
	case strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }):
		h.nonASCII |= c
	case strings.HasSuffix(word, "~"):
		h.addHead(headOf(parts[n-1], 4)|stemHead, c)
		for letter := byte('a'); letter <= 'z' && len(parts[n-1]) < 4; letter++ {
			h.addHead(headOf(parts[n-1]+string(letter), 4)|stemHead, c)
		}
	case n == 1 || strings.Contains(word, "+"):
		longest := slices.MaxFunc(parts, func(a, b string) int { return len(a) - len(b) })
		eachHead(longest, 8, func(head uint64) { h.addHead(head, c) })
	default:
		eachHead(parts[n-2], 3, func(first uint64) {
			eachHead(parts[n-1], 3, func(second uint64) { h.addHead(pairHeadOf(first, second), c) })
		})
	}
}

// addPhraseStart adds the first word of a phrase.
func (h *headIndex) addPhraseStart(word string) {
	eachHead(word, 7, func(head uint64) {
		if head != 0 {
			h.addHead(head|phraseHead, 0)
		}
	})
}

// mayStartPhrase reports whether a phrase may begin with a word.
func (h *headIndex) mayStartPhrase(word string) bool {
	head := headOf(word, 7)
	return head == 0 || h.entry(head|phraseHead).head != 0
}

// pairHeadOf returns the head of two adjacent words, made from up to three letters of each.
func pairHeadOf(first, second uint64) uint64 { return pairHead | first<<24 | second }

// eachHead calls fn with the heads of a word, its plural and its verb forms, of at most limit
// letters.
func eachHead(w string, limit int, fn func(head uint64)) {
	head, room := headOf(w, limit), limit-len(w)
	fn(head)
	if room < 0 || runEnd(w, 0, alnum) < len(w) {
		return
	}
	last := w[len(w)-1:]
	fn(extendHead(head, room, "s"))
	for _, ending := range [...]string{"ing", "ed"} {
		fn(extendHead(head, room, ending))
		fn(extendHead(extendHead(head, room, last), room-1, ending))
		if last == "e" {
			fn(extendHead(head>>8, room+1, ending))
		}
	}
	if last == "y" {
		fn(extendHead(head>>8, room+1, "ied"))
		fn(extendHead(head>>8, room+1, "ies"))
	}
}

// extendHead returns a head extended by as much of an ending as there is room for.
func extendHead(head uint64, room int, ending string) uint64 {
	for i := range min(room, len(ending)) {
		head = head<<8 | uint64(ending[i]|0x20)
	}
	return head
}

// mayRelate reports whether a sentence may contain all concepts of a relation. It only examines the
// heads of the words, which is several times faster than reading them.
func (g *grammar) mayRelate(sentence string) bool {
	all := g.possibleConcepts(sentence)
	return slices.ContainsFunc(g.required, func(need conceptSet) bool { return all&need == need })
}

// possibleConcepts returns the concepts that a sentence may contain.
func (g *grammar) possibleConcepts(sentence string) (all conceptSet) {
	h, inWord, last := relationHeads(), false, uint64(0)
	for i := range len(sentence) {
		c := sentence[i]
		switch {
		case c >= utf8.RuneSelf:
			if inWord = false; c >= 0xC3 && c < 0xEF && (c != 0xE2 || strings.HasPrefix(sentence[i:], "\u212a"[:2])) { // the other ranges hold no letters except the Kelvin sign
				all |= h.nonASCII
			}
		case !inClass(c, alnum):
			all, inWord = all|g.conceptsOfMark(sentence, i), false
		case !inWord:
			head := headOf(sentence[i:], 3)
			all, inWord = all|h.conceptsAt(sentence[i:])|h.entry(pairHeadOf(last, head)).concepts, true
			last = head
			if c <= '9' && i > 0 && sentence[i-1] == ' ' && i+10 <= len(sentence) && isDate(sentence[i:i+10]) {
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

// conceptsOfMark returns the concepts that a word may have because of the mark at byte i.
func (g *grammar) conceptsOfMark(s string, i int) conceptSet {
	switch s[i] {
	case '.':
		if i > 0 && i+1 < len(s) && s[i-1] > ' ' && inClass(s[i+1], alnum) {
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
		return g.open
	}
	return 0
}
