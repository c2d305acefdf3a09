package detect

import (
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Most of what a poisoned text asks for is said in words that no list of phrases has. What
// they have in common is a relation: a verb that sends, a secret, and an address in one
// sentence. Concepts are lists of words, relations name concepts, and a sentence is
// read only where keywords of two concepts stand close together.

// concepts is a set of concepts, a bit for each row of meanings.
type concepts uint64

// relation is concepts that make a sentence suspicious together.
type relation struct {
	rule  string
	needs string // the concepts; the first is the verb; behind a colon how far from it one may be
	// within is how many words may stand between the verb and each other concept.
	within int
	near   string // those of needs that keywords are searched for: by default the first two
	not    string // concepts that must not stand in it, or close to it
	how    manner
}

// manner is how the concepts of a relation stand together.
type manner uint8

const (
	statement manner = 1 << iota // the verb need not be an order
	shell                        // quotation marks around it are those of a shell
	inTurn                       // the concepts stand in this order, but for names of files and variables
	refused                      // a negation before the verb does not matter
	passive                      // it may also be said that it is done
)

// readRelation is a relation with the concepts as bits.
type readRelation struct {
	*relation
	each      []concepts
	within    []int
	all, none concepts
}

// saidWord is a word of a sentence.
type saidWord struct {
	start, end int
	word       string // in small letters
	means      concepts
	form       wordForm
	opens      bool // a clause may begin with it
	clause     bool // a mark that parts clauses stands before it
}

// wordForm is the form in which a verb stands.
type wordForm uint8

const (
	baseForm wordForm = iota
	ingForm
	edForm
	foreignForm
)

// nearby notes where keywords of each concept were last, to tell where a sentence is worth
// reading.
type nearby struct {
	last [64]int // the place behind the last keyword of each concept
	done int     // the end of the last sentence that was read
}

// nearBytes is how far apart keywords of two concepts of a sentence may be.
const nearBytes = 240

// add notes a keyword of some concepts, and reports whether the sentence around it is to be read.
func (n *nearby) add(which concepts, at int) bool {
	found := false
	for rest := which; rest != 0; rest &= rest - 1 {
		n.last[bits.TrailingZeros64(uint64(rest))] = at + 1
	}
	for rest := which; rest != 0 && !found; rest &= rest - 1 {
		found = slices.ContainsFunc(vocabulary().near[bits.TrailingZeros64(uint64(rest))], func(all concepts) bool { return n.close(all, at) })
	}
	return found && at >= n.done
}

// close reports whether keywords of all the concepts stand close before byte at.
func (n *nearby) close(all concepts, at int) bool {
	for ; all != 0; all &= all - 1 {
		if last := n.last[bits.TrailingZeros64(uint64(all))]; last == 0 || last+nearBytes < at {
			return false
		}
	}
	return true
}

// suspects reports whether something may be flagged around a keyword; in a whole document, which is
// searched for flags soon, by less of a look.
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

// relate looks for relations in the sentence around byte at.
func (s *flagScanner) relate(at int, which concepts) {
	if s.near.add(which, at) {
		s.near.done = related(s.text, at, func(r *readRelation, start, end int) { s.related(r, start, end) })
	}
}

// begin notes the short word that a text begins with, which no keyword has.
func (n *nearby) begin(text string) {
	if end := run(text, 0, letter); end < gramLen {
		for c := vocabulary().words[strings.ToLower(text[:end])]; c != 0; c &= c - 1 {
			n.last[bits.TrailingZeros64(uint64(c))] = 1
		}
	}
}

// related calls found for each relation in the sentence around byte at, and returns the end of
// the sentence.
func related(text string, at int, found func(r *readRelation, start, end int)) int {
	from, to := sentenceAround(text, at)
	v := vocabulary()
	if !v.mayRelate(text[from:to]) {
		return to
	}
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

// find returns the bytes that the relation spans in a sentence, or end 0.
func (r *readRelation) find(words []saidWord) (start, end int) {
	for h := range words {
		if words[h].means&r.each[0] == 0 || r.how&statement == 0 && !isOrder(words, h) && (r.how&passive == 0 || !isDone(words, h)) || r.how&refused == 0 && denied(words, h, r.each[0]) {
			continue
		}
		if first, last, ok := r.around(words, h); ok && !r.excused(words, first, last) {
			return words[first].start, words[last].end
		}
	}
	return 0, 0
}

// around returns the first and the last word of the relation whose verb is the word at h.
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
			if words[i].means&c != 0 && !slices.Contains(taken, i) && (best < 0 || distance(i, h) < distance(best, h)) {
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

// excused reports whether a word that the relation must not have stands in or beside it.
func (r *readRelation) excused(words []saidWord, first, last int) bool {
	const beside = 4
	return slices.ContainsFunc(words[max(0, first-beside):min(len(words), last+beside)], func(w saidWord) bool { return w.means&r.none != 0 })
}

func distance(a, b int) int { return max(a-b, b-a) }

// isOrder reports whether the verb at h may be an order, or what an order asks for.
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
	if strings.Contains(before, ".") {
		return true // in a file
	}
	if strings.HasSuffix(before, "ly") || before == "also" || before == "always" {
		return words[h-1].opens || h > 1 && asksFor(words[h-2].word) || before == "always" || before == "silently"
	}
	return asksFor(before)
}

// isDone reports whether the verb at h says what is done, as in "is sent" and "gets exported and sent".
func isDone(words []saidWord, h int) bool {
	for k := h - 1; k >= max(0, h-5) && words[h].form == edForm; k-- {
		if containsWord("is are be gets get being", words[k].word) {
			return true
		}
	}
	return false
}

// asksFor reports whether the verb behind a word is an order.
func asksFor(word string) bool {
	return word == "to" || word == "or" || word == "&&" || word != "you" && asking()[word]
}

// denied reports whether a negation stands before the verb at h in its clause, or before other
// verbs that are listed with it.
func denied(words []saidWord, h int, verbs concepts) bool {
	for k := h - 1; k >= max(0, h-6) && (!words[k+1].clause || words[k].means&verbs != 0); k-- {
		if words[k].means&vocabulary().no != 0 {
			return true
		}
	}
	if words[h].form == foreignForm && h+1 < len(words) && !words[h+1].clause && words[h+1].means&vocabulary().no != 0 {
		return true // as in "führe keine"
	}
	return h > 0 && (words[h-1].word == "before" || words[h-1].word == "than")
}

// related notes a relation, with the weight that its context leaves it.
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

// code reports whether what a relation spans is of a program, and not a sentence.
func code(s string) bool {
	return containsAny(s, "=>;::;();{\";\": ;\":\"; = ;==;!=; || ;: true;: false;!(;?(;(f\";\", \"") || strings.Count(s, "→") > 1
}

// words of a vocabulary, read when they are first used.
type wordBook struct {
	relations []readRelation
	near      [64][]concepts // by concept, what must stand near its keywords
	bit       map[string]concepts

	no, dont, tell, hush, ask, unasked, place, key, all, cue, book, speaker, role concepts // those that words get by their form or a negation

	words, stems, runs map[string]concepts
	nouns              concepts // what may end with an s
	phrases            map[string][]wordRun
	foreign            map[string]bool
	starts             map[string]bool // the first bytes of stems
	heads              heads
	needed             []concepts // by a relation
}

// wordRun is the rest of a phrase, behind its first word.
type wordRun struct {
	rest  []string
	apart bool // others may stand before the last
	means concepts
}

// vocabulary returns the words of all concepts.
var vocabulary = sync.OnceValue(func() *wordBook {
	v := &wordBook{bit: map[string]concepts{}, words: make(map[string]concepts, 4096), stems: map[string]concepts{}, runs: map[string]concepts{},
		phrases: make(map[string][]wordRun, 512), foreign: make(map[string]bool, 2048), starts: map[string]bool{}}
	for _, m := range meanings {
		v.addAll(m, false)
	}
	for _, m := range foreignMeanings {
		v.addAll(m, true)
	}
	v.no, v.dont, v.tell, v.hush, v.ask, v.unasked = v.of("no"), v.of("dont"), v.of("tell"), v.of("hush"), v.of("ask"), v.of("unasked")
	v.place, v.key, v.all, v.cue, v.book = v.of("place"), v.of("key"), v.of("open"), v.of("cue"), v.of("book")
	v.speaker, v.role = v.of("speaker"), v.of("role")
	for i := range relations {
		v.addRelation(&relations[i])
	}
	for place := range strings.SplitSeq(secretPlaces, ";") {
		v.heads.add("+"+place, v.key)
	}
	for c := range strings.FieldsSeq(nounConcepts) {
		v.nouns |= v.of(c)
	}
	return v
})

// of returns the bit of a concept.
func (v *wordBook) of(concept string) concepts {
	if v.bit[concept] == 0 {
		v.bit[concept] = 1 << len(v.bit)
	}
	return v.bit[concept]
}

func (v *wordBook) addAll(m meaning, foreign bool) {
	c := v.of(m.concept)
	for w := range strings.FieldsSeq(m.words) {
		v.heads.add(w, c)
		if foreign {
			v.foreign[w] = true
		}
		first, rest, apart := w, "", false
		if a, b, ok := strings.Cut(w, "+"); ok {
			first, rest, apart = a, b, true
		} else if a, b, ok := strings.Cut(w, "_"); ok && a != "" {
			first, rest = a, b
		}
		switch stem, isStem := strings.CutSuffix(w, "~"); {
		case spaceless(w):
			v.runs[w] |= c
		case rest != "":
			v.words[w] |= c // the name of a field
			if v.phrases[first] == nil {
				v.heads.addOpening(first)
			}
			v.phrases[first] = append(v.phrases[first], wordRun{strings.Split(rest, "_"), apart, c})
		case isStem:
			v.stems[stem], v.starts[stem[:min(3, len(stem))]] = v.stems[stem]|c, true
		default:
			v.words[w] |= c
		}
	}
}

func (v *wordBook) addRelation(r *relation) {
	read := readRelation{relation: r}
	for i, need := range strings.Fields(r.needs) {
		name, far, ok := strings.Cut(need, ":")
		c, within := v.of(name), r.within
		if ok {
			within, _ = strconv.Atoi(far)
		}
		if i > 0 {
			read.within = append(read.within, within)
		}
		read.each, read.all = append(read.each, c), read.all|c
	}
	for c := range strings.FieldsSeq(r.not) {
		read.none |= v.of(c)
	}
	v.relations, v.needed = append(v.relations, read), append(v.needed, read.all)
	near := read.each[0] | read.each[min(1, len(read.each)-1)]
	if r.near != "" {
		near = 0
		for c := range strings.FieldsSeq(r.near) {
			near |= v.of(c)
		}
	}
	for rest := near; rest != 0; rest &= rest - 1 {
		if b := bits.TrailingZeros64(uint64(rest)); !slices.Contains(v.near[b], near) {
			v.near[b] = append(v.near[b], near)
		}
	}
}

// relationKeys returns the keywords of the concepts that relations are looked for by.
func relationKeys() (out []keyword) {
	v := vocabulary()
	by := map[string]concepts{}
	for _, list := range [][]meaning{meanings, foreignMeanings} {
		for _, m := range list {
			if c := v.of(m.concept); len(v.near[bits.TrailingZeros64(uint64(c))]) > 0 {
				for w := range strings.FieldsSeq(m.words) {
					by[keyOf(w)] |= c
				}
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(by)) {
		if len(text) < shortest {
			continue
		}
		c := by[text]
		out = append(out, keyword{text: text, concepts: c, check: func(s *flagScanner, at int) { s.relate(at, c) }})
	}
	return out
}

// keyOf returns the keyword of a word: as it is, the longer part of one that others may stand in, or
// with the spaces around it that make it long enough.
func keyOf(w string) string {
	if first, rest, ok := strings.Cut(w, "+"); ok {
		if w = first; len(rest) > len(first) || containsWord("after from for is not", first) {
			w = rest
		}
	}
	w = strings.TrimSuffix(w, "~")
	w = strings.ReplaceAll(w, "_", " ")
	if strings.HasSuffix(w, "e") && len(w) > shortest {
		w = w[:len(w)-1] // also of the form that ends with -ing
	}
	if len(w) < shortest {
		w += " "
	}
	if len(w) < shortest {
		w = " " + w
	}
	return w
}
