package detect

import (
	"slices"
	"strings"
	"sync"
)

// Most keywords found by chance belong to no phrase: the letters are part of another word, or the
// words before and after do not fit. Checking that first is much cheaper than splitting all the
// text around them into words.

// phraseKeyword holds the phrases to look for around a keyword.
type phraseKeyword struct {
	text    string
	phrases []*phrase

	once       sync.Once
	wordOffset int             // offset of the part of the keyword that identifies a word
	candidates []candidateWord // the words that may contain that part; empty for any word
}

// candidateWord is a word that may contain the keyword, and the phrase elements that match it.
type candidateWord struct {
	word     string
	elements []elementRef
}

// elementRef is an element of a phrase.
type elementRef struct {
	pattern *pattern
	index   int
}

// indexWords finds the words that may contain the keyword, by the longest part of it that lies in a
// single word.
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
		for end < len(key) && (isWordByte[key[end]] || continuesWord(key, end) || key[end] == '\'') {
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

// mayMatch is a cheap test. It returns false for most places of the keyword that belong to none of the
// phrases.
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

// wordBounds returns the word that contains byte i, or the beginning of one that is too long.
func wordBounds(text string, i int) (start, end int) {
	start, end = i, i
	for start > max(0, i-maxWordBytes) && (isWordByte[text[start-1]] || continuesWord(text, start-1)) {
		start--
	}
	for end < min(len(text), i+maxWordBytes) && (isWordByte[text[end]] || continuesWord(text, end)) {
		end++
	}
	return start, end
}

// neighborsFit reports whether the words next to the bytes start to end also fit one of the phrases.
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

// wordBefore returns the word before byte i, whether a clause begins at i, and whether the word is
// in the same sentence.
func wordBefore(text string, i int) (word string, opensClause, sameSentence bool) {
	end, first := i, max(0, i-tokenBytesBefore)
	for end > first && !isWordByte[text[end-1]] && !continuesWord(text, end-1) {
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
	for start < last && !isWordByte[text[start]] && !continuesWord(text, start) {
		start++
	}
	if endsSentence(text[i:start]) {
		return ""
	}
	_, end := wordBounds(text, start)
	return normalizeWord(text[start:end])
}

// neighborFits reports whether a word may stand next to the element: before it if by is -1, after it if by
// is 1. known is false if the sentence has no word there.
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
