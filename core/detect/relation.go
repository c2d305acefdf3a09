package detect

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Most requests in a poisoned text use words that no list of phrases contains. What they share is a
// relation: one sentence contains a verb that sends, a secret, and an address. A concept is a list
// of words, and a relation names the concepts that must occur together. A sentence is read only if
// keywords of a relation's concepts occur close together.

// conceptSet is a set of concepts, one bit for each.
type conceptSet uint64

// relation is a set of concepts that make a sentence suspicious together.
type relation struct {
	rule  string
	needs string // names of the concepts, the verb first; "name:n" overrides within for one of them
	// within is how many words away from the verb each other concept may be.
	within     int
	keywordsOf string // the concepts of needs whose keywords are searched for; the first two by default
	unless     string // concepts that must not occur in or beside it
	options    relationOptions
}

// relationOptions says how the concepts of a relation must be arranged.
type relationOptions uint8

const (
	allowStatement   relationOptions = 1 << iota // the verb need not be an order
	allowShellQuotes                             // quotation marks around it belong to a shell command
	orderedConcepts                              // the concepts must come in this order, except names of files and variables
	allowNegated                                 // a negation before the verb does not matter
	allowPassive                                 // the verb may also be passive, as in "is sent"
)

// parsedRelation is a relation with its concept names resolved to bits.
type parsedRelation struct {
	*relation
	concepts           []conceptSet
	distances          []int
	required, excluded conceptSet
}

// sentenceWord is a word of a sentence and what it means.
type sentenceWord struct {
	start, end    int
	word          string // in lower case
	concepts      conceptSet
	form          wordForm
	mayOpenClause bool // a clause may begin with it
	opensClause   bool // a mark that separates clauses precedes it
}

// wordForm is the grammatical form of a verb.
type wordForm uint8

const (
	baseForm wordForm = iota
	ingForm
	edForm
	otherLanguage
)

// conceptTracker tracks where keywords of each concept last occurred. It decides which sentences are worth
// reading.
type conceptTracker struct {
	lastSeen [64]int // for each concept, one past the start of its last keyword; 0 if none
	readTo   int     // end of the last sentence that was read
}

// maxKeywordDistance is how far apart, in bytes, the keywords of related concepts may be.
const maxKeywordDistance = 240

// add records a keyword at byte at, and reports whether the sentence around it must be read.
func (n *conceptTracker) add(which conceptSet, at int) bool {
	for rest := which; rest != 0; rest &= rest - 1 {
		n.lastSeen[bits.TrailingZeros64(uint64(rest))] = at + 1
	}
	if at < n.readTo {
		return false
	}
	g := relationGrammar()
	for rest := which; rest != 0; rest &= rest - 1 {
		for _, all := range g.keywordSets[bits.TrailingZeros64(uint64(rest))] {
			if n.allNear(all, at) {
				return true
			}
		}
	}
	return false
}

// allNear reports whether keywords of all the concepts occurred within nearBytes before byte at.
func (n *conceptTracker) allNear(all conceptSet, at int) bool {
	for ; all != 0; all &= all - 1 {
		if last := n.lastSeen[bits.TrailingZeros64(uint64(all))]; last == 0 || last+maxKeywordDistance < at {
			return false
		}
	}
	return true
}

// mayFlag reports whether Flags might find something around a keyword. If whole is set, the text
// is a whole document that Flags will search next, so a cheaper check suffices.
func (s *flagScanner) mayFlag(k *keyword, at int, whole bool) bool {
	found := k.concepts == 0 && k.phrases == nil
	switch {
	case k.gate != nil && !k.gate(s.text, at):
		return false
	case whole:
		return found || k.phrases != nil || s.concepts.add(k.concepts, at)
	case k.phrases != nil:
		s.eachPhraseMatch(k.phrases, at, func(*phrase, []wordToken, int, int) { found = true })
	case k.concepts != 0 && s.concepts.add(k.concepts, at):
		s.concepts.readTo = eachRelation(s.text, at, func(*parsedRelation, int, int) { found = true })
	}
	return found
}

// checkRelations reads the sentence around byte at if its keywords make a relation possible.
func (s *flagScanner) checkRelations(at int, which conceptSet) {
	if s.concepts.add(which, at) {
		s.concepts.readTo = eachRelation(s.text, at, func(r *parsedRelation, start, end int) { s.reportRelation(r, start, end) })
	}
}

// addFirstWord records the first word of a text if it is too short for a keyword but belongs to a concept.
func (n *conceptTracker) addFirstWord(text string) {
	if end := runEnd(text, 0, letter); end < gramLen {
		for c := relationGrammar().shortWords[strings.ToLower(text[:end])]; c != 0; c &= c - 1 {
			n.lastSeen[bits.TrailingZeros64(uint64(c))] = 1
		}
	}
}

// eachRelation calls found for each relation in the sentence around byte at, and returns the end of that
// sentence.
func eachRelation(text string, at int, found func(r *parsedRelation, start, end int)) int {
	from, to := sentenceAround(text, at)
	if !relationGrammar().mayRelate(text[from:to]) {
		return to
	}
	v := relationLexicon()
	var room [96]sentenceWord
	words := v.readSentence(room[:0], text, from, to)
	var all conceptSet
	for i := range words {
		all |= words[i].concepts
	}
	for i := range v.relations {
		r := &v.relations[i]
		if all&r.required == r.required {
			if start, end := r.find(words); end > 0 {
				found(r, start, end)
			}
		}
	}
	return to
}

// find returns the range of bytes that the relation spans in a sentence; end is 0 if it is not
// there.
func (r *parsedRelation) find(words []sentenceWord) (start, end int) {
	for h := range words {
		if words[h].concepts&r.concepts[0] == 0 || r.options&allowStatement == 0 && !isOrder(words, h) && (r.options&allowPassive == 0 || !isPassive(words, h)) || r.options&allowNegated == 0 && isNegatedVerb(words, h, r.concepts[0]) {
			continue
		}
		if first, last, ok := r.findConcepts(words, h); ok && !r.isExcluded(words, first, last) {
			return words[first].start, words[last].end
		}
	}
	return 0, 0
}

// findConcepts returns the first and last word of the relation whose verb is words[h].
func (r *parsedRelation) findConcepts(words []sentenceWord, h int) (first, last int, ok bool) {
	first, last = h, h
	taken := []int{h}
	for i, c := range r.concepts[1:] {
		low, high := max(0, h-r.distances[i]), min(len(words)-1, h+r.distances[i])
		best := -1
		for i := low; i <= high; i++ {
			if r.options&orderedConcepts != 0 && i <= last && !strings.ContainsAny(words[i].word, "/.$") {
				continue
			}
			if words[i].concepts&c != 0 && !slices.Contains(taken, i) && (best < 0 || distance(i, h) < distance(best, h)) {
				best = i
			}
		}
		if best < 0 {
			return 0, 0, false
		}
		taken = append(taken, best)
		first, last = min(first, best), max(last, best)
	}
	return first, last, true
}

// isExcluded reports whether a concept that rules the relation out occurs in or beside it.
func (r *parsedRelation) isExcluded(words []sentenceWord, first, last int) bool {
	const beside = 4
	return slices.ContainsFunc(words[max(0, first-beside):min(len(words), last+beside)], func(w sentenceWord) bool { return w.concepts&r.excluded != 0 })
}

func distance(a, b int) int { return max(a-b, b-a) }

// isOrder reports whether the verb words[h] may be an order, or part of what an order asks for.
func isOrder(words []sentenceWord, h int) bool {
	w := &words[h]
	if w.form == otherLanguage || w.mayOpenClause && w.form != edForm {
		return true
	}
	if h == 0 {
		return false
	}
	before := words[h-1].word
	if w.form == ingForm && inWordList("by include includes means requires require keep start begin consider try and or involves with recommend", before) {
		return true
	}
	if w.form == edForm {
		return before == "be" || before == "get"
	}
	if strings.Contains(before, ".") {
		return true // a file name, so the verb opens a line of a file
	}
	if strings.HasSuffix(before, "ly") || before == "also" || before == "always" {
		return words[h-1].mayOpenClause || h > 1 && introducesOrder(words[h-2].word) || before == "always" || before == "silently"
	}
	return introducesOrder(before)
}

// isPassive reports whether the verb words[h] is passive, as in "is sent" and "gets exported and
// sent".
func isPassive(words []sentenceWord, h int) bool {
	for k := h - 1; k >= max(0, h-5) && words[h].form == edForm; k-- {
		if inWordList("is are be gets get being", words[k].word) {
			return true
		}
	}
	return false
}

// introducesOrder reports whether a verb after word is an order.
func introducesOrder(word string) bool {
	return word == "to" || word == "or" || word == "&&" || word != "you" && orderingWords()[word]
}

// isNegatedVerb reports whether a negation precedes the verb words[h] in its clause, or precedes other
// verbs listed with it.
func isNegatedVerb(words []sentenceWord, h int, verbs conceptSet) bool {
	for k := h - 1; k >= max(0, h-6) && (!words[k+1].opensClause || words[k].concepts&verbs != 0); k-- {
		if words[k].concepts&relationGrammar().no != 0 {
			return true
		}
	}
	if words[h].form == otherLanguage && h+1 < len(words) && !words[h+1].opensClause && words[h+1].concepts&relationGrammar().no != 0 {
		return true // as in "führe keine"
	}
	return h > 0 && (words[h-1].word == "before" || words[h-1].word == "than")
}

// reportRelation records a relation, weighted by its context.
func (s *flagScanner) reportRelation(r *parsedRelation, start, end int) {
	if s.sameInOriginal(start, end) {
		return
	}
	if isCode(s.text[start:end]) || hasAnyPrefix(s.text[end:], ": ';: true") {
		return
	}
	before := strings.ToLower(s.text[contextStart(s.text, start, contextBefore):start])
	after := strings.ToLower(s.text[end:contextEnd(s.text, end, contextAfter)])
	quotes, talk := r.options&allowShellQuotes == 0 && inQuotes(before, after), containsWordStart(before, discussionByFirstByte()) || containsWordStart(after, discussionByFirstByte())
	talk = talk || quotes && (containsWordStart(before, quotedDiscussionByFirstByte()) || containsWordStart(after, quotedDiscussionByFirstByte()))
	switch {
	case quotes && talk || underNegatedHeading(s.text, start):
	case isLabelledWrong(s.text, start):
		s.addTrace(downgraded(r.rule), start, end, "")
	case quotes || talk:
		s.addTrace(RuleQuoted, start, end, "")
	default:
		s.addTrace(r.rule, start, end, "")
	}
}

// isCode reports whether the text of a relation is program code instead of a sentence.
func isCode(s string) bool {
	return containsAny(s, "=>;::;();{\";\": ;\":\"; = ;==;!=; || ;: true;: false;!(;?(;(f\";\", \"") || strings.Count(s, "→") > 1
}

// grammar holds the relations and their concepts. Most texts need nothing else.
type grammar struct {
	relations   []parsedRelation
	keywordSets [64][]conceptSet // for each concept, the sets of concepts whose keywords must be close together
	bits        map[string]conceptSet

	no, dont, tell, hush, ask, unasked, place, key, open, cue, book, speaker, role conceptSet // concepts that a word gets by its form or by a negation

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
	stemStarts              map[string]bool // the first bytes (up to three) of each stem
}

// phraseTail is the rest of a phrase after its first word.
type phraseTail struct {
	rest         []string
	mayInterrupt bool // up to four other words may come in between
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

// allConcepts yields the English meanings, then those of other languages.
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
			v.words[w] |= c // the same words joined by underscores, as the name of a field
			v.phrases[first] = append(v.phrases[first], phraseTail{strings.Split(rest, "_"), mayInterrupt, c})
		case isStem:
			v.stems[stem], v.stemStarts[stem[:min(3, len(stem))]] = v.stems[stem]|c, true
		default:
			v.words[w] |= c
		}
	}
}

// splitPhrase splits a phrase into its first word and the rest. Rest is empty for a single word. If
// apart is set, other words may come in between.
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
	for rest := near; rest != 0; rest &= rest - 1 {
		if b := bits.TrailingZeros64(uint64(rest)); !slices.Contains(g.keywordSets[b], near) {
			g.keywordSets[b] = append(g.keywordSets[b], near)
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

// keywordFor returns the keyword for a word: the word itself, the longer part of a phrase that other
// words may interrupt, or the word with a space around it if it is too short.
func keywordFor(w string) string {
	if first, rest, ok := strings.Cut(w, "+"); ok {
		if w = first; len(rest) > len(first) || inWordList("after from for is not", first) {
			w = rest
		}
	}
	w = strings.TrimSuffix(w, "~")
	w = strings.ReplaceAll(w, "_", " ")
	if strings.HasSuffix(w, "e") && len(w) > minKeywordLen {
		w = w[:len(w)-1] // so that it also matches the form that ends in -ing
	}
	if len(w) < minKeywordLen {
		w += " "
	}
	if len(w) < minKeywordLen {
		w = " " + w
	}
	return w
}
