package detect

import (
	"slices"
	"strings"
	"sync"
)

// Most keywords found by chance belong to no phrase: the letters are part of another word, or the
// words before and after do not fit. Checking that first is much cheaper than splitting all the
// text around them into words.

// around holds the phrases to look for around a keyword.
type around struct {
	key     string
	phrases []*phrase

	once  sync.Once
	part  int     // offset of the part of the keyword that identifies a word
	words []taken // the words that may contain that part; empty for any word
}

// taken is a word that may contain the keyword, and the phrase elements that match it.
type taken struct {
	word  string
	spots []spot
}

// spot is an element of a phrase.
type spot struct {
	phrase *pattern
	at     int
}

// read finds the words that may contain the keyword, by the longest part of it that lies in a
// single word.
func (a *around) read() {
	from, to := longestPart(a.key)
	part := a.key[from:to]
	for _, p := range a.phrases {
		p := p.read()
		for i := range p.elements {
			e := &p.elements[i]
			if e.endings != nil {
				a.words = nil
				return
			}
			for _, w := range e.words {
				if k := strings.Index(w, part); k >= 0 && (from == 0 || k == 0) && (to == len(a.key) || strings.HasSuffix(w, part)) {
					a.take(w, spot{p, i})
				}
			}
		}
	}
	a.part = from
}

func (a *around) take(word string, at spot) {
	n := slices.IndexFunc(a.words, func(t taken) bool { return t.word == word })
	if n < 0 {
		n, a.words = len(a.words), append(a.words, taken{word: word})
	}
	a.words[n].spots = append(a.words[n].spots, at)
}

// longestPart returns the range of the longest part of a keyword that lies in a single word.
func longestPart(key string) (from, to int) {
	for i := 0; i < len(key); {
		end := i
		for end < len(key) && (inWord[key[end]] || partOfWord(key, end) || key[end] == '\'') {
			end++
		}
		if end-i > to-from {
			from, to = i, end
		}
		i = end + 1
	}
	return from, to
}

// longestWord is longer than every word of a phrase.
const longestWord = 40

// may is a cheap test. It returns false for most places of the keyword that belong to none of the
// phrases.
func (a *around) may(text string, at int) bool {
	a.once.Do(a.read)
	if a.words == nil {
		return true
	}
	if end := at + len(a.key); end+1 < len(text) && text[end] == '_' && isLetter(text[end+1]) {
		return false // the name of a field
	}
	at += a.part
	if at > 1 && text[at-1] == '_' && isLetter(text[at-2]) {
		return false // the name of a field
	}
	start, end := wholeWord(text, at)
	if end-start >= longestWord {
		return false
	}
	word := spelt(text[start:end])
	for i := range a.words {
		if t := &a.words[i]; t.word == word {
			return t.beside(text, start, end)
		}
	}
	return false
}

// wholeWord returns the word that contains byte i, or the beginning of one that is too long.
func wholeWord(text string, i int) (start, end int) {
	start, end = i, i
	for start > max(0, i-longestWord) && (inWord[text[start-1]] || partOfWord(text, start-1)) {
		start--
	}
	for end < min(len(text), i+longestWord) && (inWord[text[end]] || partOfWord(text, end)) {
		end++
	}
	return start, end
}

// beside reports whether the words next to the bytes start to end also fit one of the phrases.
func (t *taken) beside(text string, start, end int) bool {
	before, opens, tied := wordBefore(text, start)
	after := wordAfter(text, end)
	for _, s := range t.spots {
		e := &s.phrase.elements[s.at]
		if e.opens && e.max == 1 && !opens && !asking()[before] {
			continue
		}
		if s.fits(before, tied, -1) && s.fits(after, after != "", 1) {
			return true
		}
	}
	return false
}

// wordBefore returns the word before byte i, whether a clause begins at i, and whether the word is
// in the same sentence.
func wordBefore(text string, i int) (word string, opens, tied bool) {
	end, first := i, max(0, i-bytesBefore)
	for end > first && !inWord[text[end-1]] && !partOfWord(text, end-1) {
		end--
	}
	gap := text[end:i]
	if gap != " " {
		opens = end == 0 || openedBy(gap)
	}
	if end == first {
		return "", opens, false
	}
	start, _ := wholeWord(text, end)
	return spelt(text[start:end]), opens, !endsSentence(gap)
}

// wordAfter returns the word after byte i, or "" if another sentence begins there.
func wordAfter(text string, i int) string {
	start, last := i, min(len(text), i+bytesAfter)
	for start < last && !inWord[text[start]] && !partOfWord(text, start) {
		start++
	}
	if endsSentence(text[i:start]) {
		return ""
	}
	_, end := wholeWord(text, start)
	return spelt(text[start:end])
}

// fits reports whether a word may stand next to the element: before it if by is -1, after it if by
// is 1. known is false if the sentence has no word there.
func (s spot) fits(word string, known bool, by int) bool {
	for i := s.at; i >= 0 && i < len(s.phrase.elements); i += by {
		e := &s.phrase.elements[i]
		switch {
		case e.last || e.colon || i == s.at && e.max == 1:
			continue
		case known && e.takes(word):
			return true
		case i != s.at && e.min > 0:
			return false
		}
	}
	return true
}
