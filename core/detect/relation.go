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

// concepts is a set of concepts, one bit for each.
type concepts uint64

// relation is a set of concepts that make a sentence suspicious together.
type relation struct {
	rule  string
	needs string // names of the concepts, the verb first; "name:n" overrides within for one of them
	// within is how many words away from the verb each other concept may be.
	within int
	near   string // the concepts of needs whose keywords are searched for; the first two by default
	not    string // concepts that must not occur in or beside it
	how    manner
}

// manner says how the concepts of a relation must be arranged.
type manner uint8

const (
	statement manner = 1 << iota // the verb need not be an order
	shell                        // quotation marks around it belong to a shell command
	inTurn                       // the concepts must come in this order, except names of files and variables
	refused                      // a negation before the verb does not matter
	passive                      // the verb may also be passive, as in "is sent"
)

// readRelation is a relation with its concept names resolved to bits.
type readRelation struct {
	*relation
	each      []concepts
	within    []int
	all, none concepts
}

// saidWord is a word of a sentence and what it means.
type saidWord struct {
	start, end int
	word       string // in lower case
	means      concepts
	form       wordForm
	opens      bool // a clause may begin with it
	clause     bool // a mark that separates clauses precedes it
}

// wordForm is the grammatical form of a verb.
type wordForm uint8

const (
	baseForm wordForm = iota
	ingForm
	edForm
	foreignForm
)

// nearby tracks where keywords of each concept last occurred. It decides which sentences are worth
// reading.
type nearby struct {
	last [64]int // for each concept, one past the start of its last keyword; 0 if none
	done int     // end of the last sentence that was read
}

// nearBytes is how far apart, in bytes, the keywords of related concepts may be.
const nearBytes = 240

// add records a keyword at byte at, and reports whether the sentence around it must be read.
func (n *nearby) add(which concepts, at int) bool {
	for rest := which; rest != 0; rest &= rest - 1 {
		n.last[bits.TrailingZeros64(uint64(rest))] = at + 1
	}
	if at < n.done {
		return false
	}
	g := relationGrammar()
	for rest := which; rest != 0; rest &= rest - 1 {
		for _, all := range g.near[bits.TrailingZeros64(uint64(rest))] {
			if n.close(all, at) {
				return true
			}
		}
	}
	return false
}

// close reports whether keywords of all the concepts occurred within nearBytes before byte at.
func (n *nearby) close(all concepts, at int) bool {
	for ; all != 0; all &= all - 1 {
		if last := n.last[bits.TrailingZeros64(uint64(all))]; last == 0 || last+nearBytes < at {
			return false
		}
	}
	return true
}

// suspects reports whether Flags might find something around a keyword. If whole is set, the text
// is a whole document that Flags will search next, so a cheaper check suffices.
func (s *flagScanner) suspects(k *keyword, at int, whole bool) bool {
	found := k.concepts == 0 && k.phrases == nil
	switch {
	case k.gate != nil && !k.gate(s.text, at):
		return false
	case whole:
		return found || k.phrases != nil || s.near.add(k.concepts, at)
	case k.phrases != nil:
		s.eachPhrase(k.phrases, at, func(*phrase, []wordToken, int, int) { found = true })
	case k.concepts != 0 && s.near.add(k.concepts, at):
		s.near.done = related(s.text, at, func(*readRelation, int, int) { found = true })
	}
	return found
}

// relate reads the sentence around byte at if its keywords make a relation possible.
func (s *flagScanner) relate(at int, which concepts) {
	if s.near.add(which, at) {
		s.near.done = related(s.text, at, func(r *readRelation, start, end int) { s.related(r, start, end) })
	}
}

// begin records the first word of a text if it is too short for a keyword but belongs to a concept.
func (n *nearby) begin(text string) {
	if end := run(text, 0, letter); end < gramLen {
		for c := relationGrammar().short[strings.ToLower(text[:end])]; c != 0; c &= c - 1 {
			n.last[bits.TrailingZeros64(uint64(c))] = 1
		}
	}
}

// related calls found for each relation in the sentence around byte at, and returns the end of that
// sentence.
func related(text string, at int, found func(r *readRelation, start, end int)) int {
	from, to := sentenceAround(text, at)
	if !relationGrammar().mayRelate(text[from:to]) {
		return to
	}
	v := vocabulary()
	var room [96]saidWord
	words := v.read(room[:0], text, from, to)
	var all concepts
	for i := range words {
		all |= words[i].means
	}
	for i := range v.relations {
		r := &v.relations[i]
		if all&r.all == r.all {
			if start, end := r.find(words); end > 0 {
				found(r, start, end)
			}
		}
	}
	return to
}

// find returns the range of bytes that the relation spans in a sentence; end is 0 if it is not
// there.
func (r *readRelation) find(words []saidWord) (start, end int) {
	for h := range words {
		if words[h].means&r.each[0] == 0 || r.how&statement == 0 && !isOrder(words, h) && (r.how&passive == 0 || !isDone(words, h)) || r.how&refused == 0 && denied(words, h, r.each[0]) {
			continue
		}
		if first, last, ok := r.around(words, h); ok && !r.excused(words, first, last) && (r.rule != RuleUnasked || !forbids(words[:last], r.each[0])) {
			return words[first].start, words[last].end
		}
	}
	return 0, 0
}

// around returns the first and last word of the relation whose verb is words[h].
func (r *readRelation) around(words []saidWord, h int) (first, last int, ok bool) {
	first, last = h, h
	taken := []int{h}
	for i, c := range r.each[1:] {
		low, high := max(0, h-r.within[i]), min(len(words)-1, h+r.within[i])
		best := -1
		for i := low; i <= high; i++ {
			if r.how&inTurn != 0 && i <= last && !strings.ContainsAny(words[i].word, "/.$") {
				continue
			}
			if words[i].means&c != 0 && !slices.Contains(taken, i) && (r.rule != RuleHide || within(&words[min(i, h)], &words[max(i, h)])) && (best < 0 || distance(i, h) < distance(best, h)) {
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

// excused reports whether a concept that rules the relation out occurs in or beside it.
func (r *readRelation) excused(words []saidWord, first, last int) bool {
	const beside = 4
	return slices.ContainsFunc(words[max(0, first-beside):min(len(words), last+beside)], func(w saidWord) bool { return w.means&r.none != 0 })
}

func distance(a, b int) int { return max(a-b, b-a) }

// isOrder reports whether the verb words[h] may be an order, or part of what an order asks for.
func isOrder(words []saidWord, h int) bool {
	w := &words[h]
	if w.form == foreignForm || w.opens && w.form != edForm {
		return true
	}
	if h == 0 {
		return false
	}
	before := words[h-1].word
	if w.form == ingForm && containsWord("by include includes means requires require keep start begin consider try and or involves with recommend", before) {
		return true
	}
	if w.form == edForm {
		return before == "be" || before == "get"
	}
	if strings.Contains(before, ".") && w.form == baseForm {
		return true // a file name, so the verb opens a line of a file
	}
	if strings.HasSuffix(before, "ly") || before == "also" || before == "always" {
		return words[h-1].opens || h > 1 && asksFor(words[h-2].word) || before == "always" || before == "silently"
	}
	return asksFor(before)
}

// isDone reports whether the verb words[h] is passive, as in "is sent" and "gets exported and
// sent".
func isDone(words []saidWord, h int) bool {
	for k := h - 1; k >= max(0, h-5) && words[h].form == edForm; k-- {
		if containsWord("is are be gets get being", words[k].word) {
			return true
		}
	}
	return false
}

// asksFor reports whether a verb after word is an order.
func asksFor(word string) bool {
	return word == "to" || word == "or" || word == "&&" || word != "you" && asking()[word]
}

// denied reports whether a negation precedes the verb words[h] in its clause, or precedes other
// verbs listed with it.
func denied(words []saidWord, h int, verbs concepts) bool {
	for k := h - 1; k >= max(0, h-6) && (!words[k+1].clause || words[k].means&verbs != 0); k-- {
		if words[k].means&relationGrammar().no != 0 {
			return true
		}
	}
	if words[h].form == foreignForm && h+1 < len(words) && !words[h+1].clause && words[h+1].means&relationGrammar().no != 0 {
		return true // as in "führe keine"
	}
	return h > 0 && (words[h-1].word == "before" || words[h-1].word == "than")
}

// forbids reports whether some words forbid one of the verbs, or tell to avoid something: what must
// not be done "without asking" is asked about.
func forbids(words []saidWord, verbs concepts) bool {
	for h := range words {
		if words[h].means&verbs != 0 && denied(words, h, verbs) || words[h].opens && containsWord("avoid éviter évite évitez evita evitar evite vermeide", words[h].word) {
			return true
		}
	}
	return false
}

// related records a relation, weighted by its context.
func (s *flagScanner) related(r *readRelation, start, end int) {
	if s.unchanged(start, end) {
		return
	}
	if code(s.text[start:end]) || hasAnyPrefix(s.text[end:], ": ';: true") {
		return
	}
	before := strings.ToLower(s.text[backTo(s.text, start, talkBefore):start])
	after := strings.ToLower(s.text[end:aheadTo(s.text, end, talkAfter)])
	quotes, talk := r.how&shell == 0 && inQuotes(before, after), talks(before, talkBy()) || talks(after, talkBy())
	talk = talk || quotes && (talks(before, quotingBy()) || talks(after, quotingBy()))
	switch {
	case quotes && talk || listedAsRefused(s.text, start):
	case labelledWrong(s.text, start):
		s.note(excused(r.rule), start, end, "")
	case quotes || talk:
		s.note(RuleQuoted, start, end, "")
	default:
		s.note(r.rule, start, end, "")
	}
}

// code reports whether the text of a relation is program code instead of a sentence.
func code(s string) bool {
	return containsAny(s, "=>;::;();{\";\": ;\":\"; = ;==;!=; || ;: true;: false;!(;?(;(f\";\", \"") || strings.Count(s, "→") > 1
}

// grammar holds the relations and their concepts. Most texts need nothing else.
type grammar struct {
	relations []readRelation
	near      [64][]concepts // for each concept, the sets of concepts whose keywords must be close together
	bit       map[string]concepts

	no, dont, tell, hush, ask, unasked, place, key, all, cue, book, speaker, role concepts // concepts that a word gets by its form or by a negation

	nouns  concepts            // concepts whose words may take a plural s
	needed []concepts          // for each relation, all concepts it needs
	short  map[string]concepts // concepts of words that are too short for a keyword
}

// wordBook holds the words of all concepts.
type wordBook struct {
	*grammar
	words, stems, runs map[string]concepts
	phrases            map[string][]wordRun
	foreign            map[string]bool
	starts             map[string]bool // the first bytes (up to three) of each stem
}

// wordRun is the rest of a phrase after its first word.
type wordRun struct {
	rest  []string
	apart bool // up to four other words may come in between
	means concepts
}

// relationGrammar returns the relations, built on first use.
var relationGrammar = sync.OnceValue(func() *grammar {
	g := &grammar{bit: map[string]concepts{}, short: map[string]concepts{}}
	for m := range allMeanings {
		c := g.of(m.concept)
		for w := range strings.FieldsSeq(m.words) {
			if len(w) < gramLen && run(w, 0, letter) == len(w) {
				g.short[w] |= c
			}
		}
	}
	g.no, g.dont, g.tell, g.hush, g.ask, g.unasked = g.of("no"), g.of("dont"), g.of("tell"), g.of("hush"), g.of("ask"), g.of("unasked")
	g.place, g.key, g.all, g.cue, g.book = g.of("place"), g.of("key"), g.of("open"), g.of("cue"), g.of("book")
	g.speaker, g.role = g.of("speaker"), g.of("role")
	for i := range relations {
		g.addRelation(&relations[i])
	}
	for c := range strings.FieldsSeq(nounConcepts) {
		g.nouns |= g.of(c)
	}
	return g
})

// vocabulary returns the words of all concepts, built when the first sentence is read.
var vocabulary = sync.OnceValue(func() *wordBook {
	v := &wordBook{grammar: relationGrammar(), words: make(map[string]concepts, 4096), stems: make(map[string]concepts, 512), runs: make(map[string]concepts, 1024),
		phrases: make(map[string][]wordRun, 512), foreign: make(map[string]bool, 2048), starts: make(map[string]bool, 512)}
	for _, m := range meanings {
		v.addAll(m, false)
	}
	for _, m := range foreignMeanings {
		v.addAll(m, true)
	}
	return v
})

// allMeanings yields the English meanings, then those of other languages.
func allMeanings(yield func(meaning) bool) {
	for _, list := range [][]meaning{meanings, foreignMeanings} {
		for _, m := range list {
			if !yield(m) {
				return
			}
		}
	}
}

// of returns the bit of a concept, and assigns one on first use.
func (g *grammar) of(concept string) concepts {
	if g.bit[concept] == 0 {
		g.bit[concept] = 1 << len(g.bit)
	}
	return g.bit[concept]
}

func (v *wordBook) addAll(m meaning, foreign bool) {
	c := v.of(m.concept)
	for w := range strings.FieldsSeq(m.words) {
		if foreign {
			v.foreign[w] = true
		}
		first, rest, apart := parted(w)
		switch stem, isStem := strings.CutSuffix(w, "~"); {
		case spaceless(w):
			v.runs[w] |= c
		case rest != "":
			v.words[w] |= c // the same words joined by underscores, as the name of a field
			v.phrases[first] = append(v.phrases[first], wordRun{strings.Split(rest, "_"), apart, c})
		case isStem:
			v.stems[stem], v.starts[stem[:min(3, len(stem))]] = v.stems[stem]|c, true
		default:
			v.words[w] |= c
		}
	}
}

// parted splits a phrase into its first word and the rest. Rest is empty for a single word. If
// apart is set, other words may come in between.
func parted(w string) (first, rest string, apart bool) {
	if first, rest, apart = strings.Cut(w, "+"); apart {
		return first, rest, true
	}
	if first, rest, _ = strings.Cut(w, "_"); first == "" {
		return w, "", false
	}
	return first, rest, false
}

func (g *grammar) addRelation(r *relation) {
	read := readRelation{relation: r}
	for i, need := range strings.Fields(r.needs) {
		name, far, ok := strings.Cut(need, ":")
		c, within := g.of(name), r.within
		if ok {
			within, _ = strconv.Atoi(far)
		}
		if i > 0 {
			read.within = append(read.within, within)
		}
		read.each, read.all = append(read.each, c), read.all|c
	}
	for c := range strings.FieldsSeq(r.not) {
		read.none |= g.of(c)
	}
	g.relations, g.needed = append(g.relations, read), append(g.needed, read.all)
	near := read.each[0] | read.each[min(1, len(read.each)-1)]
	if r.near != "" {
		near = 0
		for c := range strings.FieldsSeq(r.near) {
			near |= g.of(c)
		}
	}
	for rest := near; rest != 0; rest &= rest - 1 {
		if b := bits.TrailingZeros64(uint64(rest)); !slices.Contains(g.near[b], near) {
			g.near[b] = append(g.near[b], near)
		}
	}
}

// relationKeys returns the keywords that lead to relations.
func relationKeys() (out []keyword) {
	g := relationGrammar()
	out = make([]keyword, 0, 2560)
	index := make(map[string]int, 2560)
	for m := range allMeanings {
		c := g.of(m.concept)
		if len(g.near[bits.TrailingZeros64(uint64(c))]) == 0 {
			continue
		}
		for w := range strings.FieldsSeq(m.words) {
			text := keyOf(w)
			if len(text) < shortest {
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
		out[i].check = func(s *flagScanner, at int) { s.relate(at, c) }
	}
	return out
}

// keyOf returns the keyword for a word: the word itself, the longer part of a phrase that other
// words may interrupt, or the word with a space around it if it is too short.
func keyOf(w string) string {
	if first, rest, ok := strings.Cut(w, "+"); ok {
		if w = first; len(rest) > len(first) || containsWord("after from for is not", first) {
			w = rest
		}
	}
	w = strings.TrimSuffix(w, "~")
	w = strings.ReplaceAll(w, "_", " ")
	if strings.HasSuffix(w, "e") && len(w) > shortest {
		w = w[:len(w)-1] // so that it also matches the form that ends in -ing
	}
	if len(w) < shortest {
		w += " "
	}
	if len(w) < shortest {
		w = " " + w
	}
	return w
}
