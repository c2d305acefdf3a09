package detect

import (
	"slices"
	"strings"
	"sync"
)

// phrase is a pattern of words that makes up an instruction. A pattern is a list of elements
// separated by spaces:
//
//	one/other    one of these words; a trailing ~ stands for any ending
//	?one/other   optionally one of them
//	*one/other   up to four of them
//	_3           up to three arbitrary words
//	$name        the words of the named set, also after ? and *
//	^            the next element opens a clause, or follows a word that asks for it
//	|            a sentence or clause ends here, or another one follows
//	:            a colon
//	!            marks the next element as the one with the keyword
type phrase struct {
	rule    string
	pattern func() *pattern // parsed on first use
}

// pattern is a parsed phrase.
type pattern struct {
	elements    []element
	wordsBefore int // the maximum number of words before the keyword
}

// newPhrase returns the phrase for a rule and a pattern.
func newPhrase(rule, text string) *phrase {
	return &phrase{rule, sync.OnceValue(func() *pattern { return parsePattern(text, wordSets) })}
}

type element struct {
	words       []string // sorted; nil matches any word
	prefixes    []string // beginnings of words
	min, max    int
	opensClause bool
	endsClause  bool // matches no word but the end of a sentence or clause
	afterColon  bool // matches no word but a colon
}

// parsePattern parses the text of a pattern.
func parsePattern(text string, sets map[string]string) *pattern {
	p := &pattern{}
	opens, anchored := false, false
	for _, f := range strings.Fields(text) {
		if f == "^" {
			opens = true
			continue
		}
		e := element{min: 1, max: 1, opensClause: opens}
		opens = false
		anchored = anchored || f[0] == '!'
		f = strings.TrimPrefix(f, "!")
		switch f[0] {
		case '?':
			e.min, f = 0, f[1:]
		case '*':
			e.min, e.max, f = 0, 4, f[1:]
		case '_':
			e.min, e.max, f = 0, int(f[1]-'0'), ""
		case '|':
			e.min, e.max, e.endsClause, f = 0, 0, true, ""
		case ':':
			e.min, e.max, e.afterColon, f = 0, 0, true, ""
		}
		e.addWords(f, sets)

		if !anchored {
			p.wordsBefore += e.max
		}
		p.elements = append(p.elements, e)
	}
	return p
}

// addWords sets the words of the element.
func (e *element) addWords(words string, sets map[string]string) {
	for w := range strings.SplitSeq(words, "/") {
		switch {
		case strings.HasPrefix(w, "$"):
			e.addWords(sets[w[1:]], sets)
		case strings.HasSuffix(w, "~"):
			e.prefixes = append(e.prefixes, strings.TrimSuffix(w, "~"))
		case w != "":
			e.words = append(e.words, w)
		}
	}
	slices.Sort(e.words)
}

// matches reports whether the element matches a word.
func (e *element) matches(word string) bool {
	if e.words == nil && e.prefixes == nil {
		return true
	}
	if _, ok := slices.BinarySearch(e.words, word); ok {
		return true
	}
	return slices.ContainsFunc(e.prefixes, func(b string) bool { return strings.HasPrefix(word, b) })
}

// matchLen returns how many tokens the elements match, or -1. before is the token before them, or
// nil. If started is set, that token belongs to the phrase and no sentence may end after it.
func matchLen(elements []element, tokens []wordToken, before *wordToken, started bool) int {
	if len(elements) == 0 {
		return 0
	}
	e := &elements[0]
	if e.afterColon && (len(tokens) == 0 || !tokens[0].afterColon) {
		return -1
	}
	if e.endsClause && len(tokens) > 0 && !tokens[0].opensClause && !closingWords()[tokens[0].word] {
		return -1
	}
	for n := range e.max + 1 {
		if n >= e.min {
			if rest := matchLen(elements[1:], tokens[n:], before, started || n > 0); rest >= 0 {
				return n + rest
			}
		}
		if n == len(tokens) || (started || n > 0) && tokens[n].afterSentence || !e.matches(tokens[n].word) {
			return -1
		}
		if e.opensClause && n == 0 && !tokens[0].opensClause && (before == nil || !orderingWords()[before.word]) {
			return -1
		}
		before = &tokens[n]
	}
	return -1
}

// closingWords may follow a finished instruction.
var closingWords = wordSet(`and or but now then this you instead so just only because since as until`)

// orderingWords are words after which a verb is an order.
var orderingWords = wordSet(`please then now and also must should shall always just first immediately you next instead so simply kindly
	silently quietly secretly need automatically`)

// find returns the range of tokens around tokens[at] that matches the pattern.
func (p *pattern) find(tokens []wordToken, at int) (from, to int, ok bool) {
	for i := max(0, at-p.wordsBefore); i <= at; i++ {
		if !p.elements[0].matches(tokens[i].word) && p.elements[0].min > 0 {
			continue
		}
		var before *wordToken
		if i > 0 {
			before = &tokens[i-1]
		}
		if n := matchLen(p.elements, tokens[i:], before, false); n > 0 && i+n > at {
			return i, i + n, true
		}
	}
	return 0, 0, false
}

// Most keywords belong to no phrase: they are part of another word, or the neighboring words do not
// fit. Testing that first is much cheaper than splitting the text around them into tokens.

// phraseKeyword is a keyword and the phrases to look for around it.
type phraseKeyword struct {
	text    string
	phrases []*phrase

	once       sync.Once
	wordOffset int             // offset of the part of the keyword that lies in one word
	candidates []candidateWord // the words that may contain that part; nil if any word may
}

// candidateWord is a word that contains the keyword, and the phrase elements that match it.
type candidateWord struct {
	word     string
	elements []elementRef
}

// elementRef refers to an element of a pattern.
type elementRef struct {
	pattern *pattern
	index   int
}

// indexWords collects the words of the phrases that contain the longest part of the keyword within
// one word.
func (a *phraseKeyword) indexWords() {
	from, to := longestWordPart(a.text)
	part := a.text[from:to]
	for _, p := range a.phrases {
		p := p.pattern()
		for i := range p.elements {
			e := &p.elements[i]
			if e.prefixes != nil {
				a.candidates = nil
				return
			}
			for _, w := range e.words {
				if k := strings.Index(w, part); k >= 0 && (from == 0 || k == 0) && (to == len(a.text) || strings.HasSuffix(w, part)) {
					a.addCandidate(w, elementRef{p, i})
				}
			}
		}
	}
	a.wordOffset = from
}

func (a *phraseKeyword) addCandidate(word string, at elementRef) {
	n := slices.IndexFunc(a.candidates, func(t candidateWord) bool { return t.word == word })
	if n < 0 {
		n, a.candidates = len(a.candidates), append(a.candidates, candidateWord{word: word})
	}
	a.candidates[n].elements = append(a.candidates[n].elements, at)
}

// longestWordPart returns the range of the longest part of a keyword that lies in a single word.
func longestWordPart(key string) (from, to int) {
	for i := 0; i < len(key); {
		end := i
		for end < len(key) && (inWord(key, end) || key[end] == '\'') {
			end++
		}
		if end-i > to-from {
			from, to = i, end
		}
		i = end + 1
	}
	return from, to
}

// maxWordBytes is longer than every word of a phrase.
const maxWordBytes = 40

// mayMatch is a cheap test whether one of the phrases may match around the keyword at byte at.
func (a *phraseKeyword) mayMatch(text string, wordAt int) bool {
	a.once.Do(a.indexWords)
	if a.candidates == nil {
		return true
	}
	if end := wordAt + len(a.text); end+1 < len(text) && text[end] == '_' && isLetter(text[end+1]) {
		return false // the name of a field
	}
	wordAt += a.wordOffset
	if wordAt > 1 && text[wordAt-1] == '_' && isLetter(text[wordAt-2]) {
		return false // the name of a field
	}
	start, end := wordBounds(text, wordAt)
	if end-start >= maxWordBytes {
		return false
	}
	word := normalizeWord(text[start:end])
	for i := range a.candidates {
		if candidate := &a.candidates[i]; candidate.word == word {
			return candidate.neighborsFit(text, start, end)
		}
	}
	return false
}

// wordBounds returns the word that contains byte i, cut off at maxWordBytes on each side.
func wordBounds(text string, i int) (start, end int) {
	start, end = i, i
	for start > max(0, i-maxWordBytes) && inWord(text, start-1) {
		start--
	}
	for end < min(len(text), i+maxWordBytes) && inWord(text, end) {
		end++
	}
	return start, end
}

// neighborsFit reports whether the words next to text[start:end] fit one of the phrases too.
func (t *candidateWord) neighborsFit(text string, start, end int) bool {
	before, opensClause, sameSentence := wordBefore(text, start)
	after := wordAfter(text, end)
	for _, ref := range t.elements {
		element := &ref.pattern.elements[ref.index]
		if element.opensClause && element.max == 1 && !opensClause && !orderingWords()[before] {
			continue
		}
		if ref.neighborFits(before, sameSentence, -1) && ref.neighborFits(after, after != "", 1) {
			return true
		}
	}
	return false
}

// wordBefore returns the word before byte i, whether a clause begins at i, and whether both are in
// the same sentence.
func wordBefore(text string, i int) (word string, opensClause, sameSentence bool) {
	end, first := i, max(0, i-tokenBytesBefore)
	for end > first && !inWord(text, end-1) {
		end--
	}
	gap := text[end:i]
	if gap != " " {
		opensClause = end == 0 || gapOpensClause(gap)
	}
	if end == first {
		return "", opensClause, false
	}
	start, _ := wordBounds(text, end)
	return normalizeWord(text[start:end]), opensClause, !endsSentence(gap)
}

// wordAfter returns the word after byte i, or "" if another sentence begins there.
func wordAfter(text string, i int) string {
	start, last := i, min(len(text), i+tokenBytesAfter)
	for start < last && !inWord(text, start) {
		start++
	}
	if endsSentence(text[i:start]) {
		return ""
	}
	_, end := wordBounds(text, start)
	return normalizeWord(text[start:end])
}

// neighborFits reports whether a word may be next to the element: before it if step is -1, after it
// if step is 1. known is false if the sentence has no word there.
func (s elementRef) neighborFits(word string, known bool, step int) bool {
	for i := s.index; i >= 0 && i < len(s.pattern.elements); i += step {
		e := &s.pattern.elements[i]
		switch {
		case e.endsClause || e.afterColon || i == s.index && e.max == 1:
			continue
		case known && e.matches(word):
			return true
		case i != s.index && e.min > 0:
			return false
		}
	}
	return true
}
