package detect

import (
	"slices"
	"strings"
	"sync"
)

// phrase is a pattern of words. A pattern is a list of elements separated by spaces:
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
	pattern func() *pattern // parses it on first use
}

// pattern is a parsed phrase.
type pattern struct {
	elements    []element
	wordsBefore int // the maximum number of words before the keyword's word
}

// newPhrase returns the phrase for a rule and a pattern.
func newPhrase(rule, text string) *phrase {
	return &phrase{rule, sync.OnceValue(func() *pattern { return parsePattern(text, wordSets) })}
}

type element struct {
	words       []string // sorted; nil matches any word
	prefixes    []string // beginnings of words; any ending may follow
	min, max    int
	opensClause bool
	endsClause  bool // matches no word, but the end of a sentence or of what is said
	afterColon  bool // matches no word, but a colon
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
		anchor := strings.HasPrefix(f, "!")
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
		if anchor {
			anchored = true
		}
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

// matchLen returns how many tokens the elements match, or -1. Before is the token before them, or nil.
// If begun is set, that token belongs to the phrase, and the phrase may not continue past the end
// of a sentence.
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

// closingWords lists words that may follow a finished instruction.
var closingWords = wordSet(`and or but now then this you instead so just only because since as until`)

// orderingWords lists words after which a verb is an order.
var orderingWords = wordSet(`please then now and also must should shall always just first immediately you next instead so simply kindly
	silently quietly secretly need automatically`)

// find returns the range of tokens that matches the phrase around tokens[at].
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
