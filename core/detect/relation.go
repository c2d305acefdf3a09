package detect

import (
	"math/bits"
	"slices"
	"strings"
)

// Most requests in a poisoned text are worded in ways that no list of phrases contains, but they
// share a relation: one sentence has, say, a verb that sends, a secret and an address. A concept is
// a list of words; a relation names the concepts that must occur together. A sentence is read only
// if keywords of a relation's concepts occur close together.

// conceptSet is a set of concepts, one bit each.
type conceptSet uint64

// each yields the number of each concept in the set.
func (s conceptSet) each(yield func(concept int) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(bits.TrailingZeros64(uint64(s))) {
			return
		}
	}
}

// relation is a set of concepts that make a sentence suspicious together.
type relation struct {
	rule  string
	needs string // names of the concepts, the verb first; "name:n" overrides within for one
	// within is how many words from the verb each other concept may be.
	within     int
	keywordsOf string // the concepts whose keywords must be close together; the first two of needs by default
	unless     string // concepts that must not occur in it or next to it
	options    relationOptions
}

// relationOptions say how strictly the words of a relation are checked.
type relationOptions uint8

const (
	allowStatement   relationOptions = 1 << iota // the verb need not be an order
	allowShellQuotes                             // quotation marks around it belong to a shell command
	orderedConcepts                              // the concepts must come in this order, except files and variables
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

// sentenceWord is a word of a sentence and its concepts.
type sentenceWord struct {
	start, end    int
	word          string // in lower case
	concepts      conceptSet
	form          wordForm
	mayOpenClause bool // a clause may begin with it
	opensClause   bool // a mark that ends a clause precedes it
}

// wordForm is the grammatical form of a verb.
type wordForm uint8

const (
	baseForm wordForm = iota
	ingForm
	edForm
	otherLanguage
)

// conceptTracker remembers where keywords of each concept last occurred, to decide which sentences
// to read.
type conceptTracker struct {
	lastSeen [64]int // for each concept, one past the start of its last keyword; 0 if none
	readTo   int     // end of the last sentence that was read
}

// maxKeywordDistance is how many bytes apart the keywords of related concepts may be.
const maxKeywordDistance = 240

// add records a keyword at byte at and reports whether the sentence around it must be read.
func (n *conceptTracker) add(which conceptSet, at int) bool {
	for c := range which.each {
		n.lastSeen[c] = at + 1
	}
	if at < n.readTo {
		return false
	}
	g := relationGrammar()
	for c := range which.each {
		for _, all := range g.keywordSets[c] {
			if n.allNear(all, at) {
				return true
			}
		}
	}
	return false
}

// allNear reports whether keywords of all the concepts occurred within maxKeywordDistance before
// byte at.
func (n *conceptTracker) allNear(all conceptSet, at int) bool {
	for c := range all.each {
		if last := n.lastSeen[c]; last == 0 || last+maxKeywordDistance < at {
			return false
		}
	}
	return true
}

// mayFlag reports whether Flags may find something around a keyword. If whole is set, the text is a
// document that Flags will search next anyway, so a cheaper test is enough.
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

// addFirstWord records the first word of a text if it belongs to a concept but is too short for a
// keyword.
func (n *conceptTracker) addFirstWord(text string) {
	if end := runEnd(text, 0, letter); end < gramLen {
		for c := range relationGrammar().shortWords[strings.ToLower(text[:end])].each {
			n.lastSeen[c] = 1
		}
	}
}

// eachRelation calls found for each relation in the sentence around byte at and returns the end of
// the sentence.
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

// find returns the bytes that the relation spans in a sentence; end is 0 if it is not there.
func (r *parsedRelation) find(words []sentenceWord) (start, end int) {
	for h := range words {
		if words[h].concepts&r.concepts[0] == 0 || r.options&allowStatement == 0 && !isOrder(words, h) && (r.options&allowPassive == 0 || !isPassive(words, h)) || r.options&allowNegated == 0 && isNegatedVerb(words, h, r.concepts[0]) {
			continue
		}
		if first, last, ok := r.findConcepts(words, h); ok && !r.isExcluded(words, first, last) && (r.rule != RuleUnasked || !forbidsVerb(words[:last], r.concepts[0])) {
			return words[first].start, words[last].end
		}
	}
	return 0, 0
}

// findConcepts returns the first and last word of the relation with the verb words[h].
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
			if words[i].concepts&c != 0 && !slices.Contains(taken, i) && (r.rule != RuleHide || mayBelongTogether(&words[min(i, h)], &words[max(i, h)])) && (best < 0 || distance(i, h) < distance(best, h)) {
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

// isExcluded reports whether a concept that rules the relation out occurs in it or next to it.
func (r *parsedRelation) isExcluded(words []sentenceWord, first, last int) bool {
	const beside = 4
	return slices.ContainsFunc(words[max(0, first-beside):min(len(words), last+beside)], func(w sentenceWord) bool { return w.concepts&r.excluded != 0 })
}

func distance(a, b int) int { return max(a-b, b-a) }

// isOrder reports whether the verb words[h] may be an order or part of one.
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
	if strings.Contains(before, ".") && w.form == baseForm {
		return true // a file name, so the verb opens a line of a file
	}
	if strings.HasSuffix(before, "ly") || before == "also" || before == "always" {
		return words[h-1].mayOpenClause || h > 1 && introducesOrder(words[h-2].word) || before == "always" || before == "silently"
	}
	return introducesOrder(before)
}

// isPassive reports whether the verb words[h] is passive, as in "gets exported and sent".
func isPassive(words []sentenceWord, h int) bool {
	for k := h - 1; k >= max(0, h-5) && words[h].form == edForm; k-- {
		if inWordList("is are be gets get being", words[k].word) {
			return true
		}
	}
	return false
}

// introducesOrder reports whether a verb after the word is an order.
func introducesOrder(word string) bool {
	return word == "to" || word == "or" || word == "&&" || word != "you" && orderingWords()[word]
}

// isNegatedVerb reports whether a negation precedes the verb words[h] in its clause, or the verbs
// listed before it.
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

// forbidsVerb reports whether some words forbid one of the verbs, or say to avoid something: what must
// not be done "without asking" is asked about.
func forbidsVerb(words []sentenceWord, verbs conceptSet) bool {
	for h := range words {
		if words[h].concepts&verbs != 0 && isNegatedVerb(words, h, verbs) || words[h].mayOpenClause && inWordList("avoid éviter évite évitez evita evitar evite vermeide", words[h].word) {
			return true
		}
	}
	return false
}

// reportRelation adds a relation, judged by its context.
func (s *flagScanner) reportRelation(r *parsedRelation, start, end int) {
	if s.sameInOriginal(start, end) {
		return
	}
	if isCode(s.text[start:end]) || hasAnyPrefix(s.text[end:], ": ';: true") {
		return
	}
	before, after := contextOf(s.text, start, end)
	quotes := r.options&allowShellQuotes == 0 && inQuotes(before, after)
	discussed := containsWordStart(before, after, discussionWords()) || quotes && containsWordStart(before, after, quotedDiscussionWords())
	if !underNegatedHeading(s.text, start) {
		s.addJudged(r.rule, start, end, countSigns(quotes, discussed))
	}
}

// isCode reports whether the text of a relation is program code and not a sentence.
func isCode(s string) bool {
	return containsAny(s, "=>;::;();{\";\": ;\":\"; = ;==;!=; || ;: true;: false;!(;?(;(f\";\", \"") || strings.Count(s, "→") > 1
}

// relations lists which concepts make a sentence suspicious together.
var relations = []relation{
	{rule: RuleSend, needs: "send key place", within: 20, unless: "auth safe", options: allowShellQuotes | allowPassive, keywordsOf: "key"},
	{rule: RuleSendData, needs: "ship private place", within: 18, options: allowShellQuotes | allowPassive, keywordsOf: "private"},
	{rule: RuleURLData, needs: "send data url place", within: 14, unless: "auth", keywordsOf: "place"},
	{rule: RuleURLData, needs: "fill data place", within: 12, unless: "auth safe", options: allowStatement, keywordsOf: "fill"},
	{rule: RuleURLData, needs: "fill key place", within: 12, unless: "auth safe", options: allowStatement, keywordsOf: "fill key"},
	{rule: RuleExposed, needs: "note this:2 book:8 key:14", within: 14, unless: "safe", keywordsOf: "key"},
	{rule: RuleExposed, needs: "note key:6 book", within: 12, unless: "safe", options: orderedConcepts, keywordsOf: "key"},

	{rule: RuleSource, needs: "install source place", within: 14, keywordsOf: "source", options: allowShellQuotes},
	{rule: RuleSource, needs: "install source nosum", within: 14, keywordsOf: "nosum", options: allowShellQuotes},
	{rule: RuleSource, needs: "lift nosum", within: 5, keywordsOf: "nosum"},
	{rule: RulePipe, needs: "install place run", within: 16, options: allowShellQuotes | orderedConcepts, keywordsOf: "place"},

	{rule: RulePermissions, needs: "widen guard open", within: 9, options: allowShellQuotes, keywordsOf: "guard open"},
	{rule: RulePermissions, needs: "widen fence open", within: 9, options: allowShellQuotes, keywordsOf: "fence"},
	{rule: RulePermissions, needs: "lift fence", within: 4, options: allowShellQuotes, keywordsOf: "fence"},
	{rule: RulePermissions, needs: "widen mcp unasked", within: 20, options: allowShellQuotes, keywordsOf: "unasked"},
	{rule: RuleUnasked, needs: "act unasked", within: 14, keywordsOf: "unasked"},

	{rule: RuleConcealed, needs: "hush this:3 who", within: 8, keywordsOf: "tell who", options: allowNegated | orderedConcepts},
	{rule: RuleConcealed, needs: "hush who:3 this:8", within: 8, keywordsOf: "tell who", options: allowNegated | orderedConcepts},
	{rule: RuleConcealed, needs: "hush this:3 artifact", within: 9, keywordsOf: "tell artifact", options: allowNegated},
	{rule: RuleConcealed, needs: "hide this:3 artifact", within: 9, options: allowPassive, keywordsOf: "hide"},
	{rule: RuleConcealed, needs: "hide this:3 who", within: 9, keywordsOf: "hide"},
	{rule: RuleConcealed, needs: "claim lie", within: 9, options: allowPassive, keywordsOf: "lie"},
	{rule: RuleConcealed, needs: "wipe trace", within: 3, keywordsOf: "trace"},
	{rule: RuleConcealed, needs: "wipe this:3 trace", within: 8, keywordsOf: "trace"},
	{rule: RuleConcealed, needs: "hush self", within: 5, keywordsOf: "self", options: allowNegated},
	{rule: RuleConcealed, needs: "unseen", options: allowStatement, keywordsOf: "unseen"},

	{rule: RuleDelayed, needs: "harm cue", within: 20, keywordsOf: "cue"},
	{rule: RuleDelayed, needs: "destroy asset:6 cue", within: 16, unless: "spare", keywordsOf: "cue"},
	{rule: RuleDelayed, needs: "strike says", within: 20, keywordsOf: "says"},
	{rule: RuleDelayed, needs: "destroy asset:5 when", within: 16, unless: "spare", keywordsOf: "destroy"},

	{rule: RuleSpread, needs: "copy self spread", within: 16, keywordsOf: "self"},
	{rule: RuleSpread, needs: "copy self spread", within: 8, options: allowStatement, keywordsOf: "self"},
	{rule: RuleSpread, needs: "copy lost self", within: 20, options: allowStatement, keywordsOf: "self"},

	{rule: RuleAuthority, needs: "granted role", within: 14, options: allowStatement, keywordsOf: "granted"},

	{rule: RuleWeakened, needs: "weaken protect", within: 6, unless: "spare", keywordsOf: "protect"},
	{rule: RuleWeakened, needs: "makes weak matters", within: 9, unless: "spare", options: allowPassive, keywordsOf: "weak"},

	{rule: RuleOrder, needs: "install orders place obey", within: 14, keywordsOf: "orders obey"},

	{rule: RuleDisguised, needs: "decode obey", within: 8, options: allowStatement, keywordsOf: "decode"},

	{rule: RuleOverride, needs: "drop orders prior", within: 14, keywordsOf: "orders"},
	{rule: RuleOverride, needs: "drop human", within: 5, keywordsOf: "human", options: orderedConcepts},
	{rule: RuleHide, needs: "hush human", within: 6, keywordsOf: "human", options: allowNegated},
}
