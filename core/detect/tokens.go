package detect

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// How many bytes around a keyword are split into words.
const (
	tokenBytesBefore = 160
	tokenBytesAfter  = 160
)

// wordToken is a word of a text as phrases see it.
type wordToken struct {
	start, end    int
	word          string // in lower case
	opensClause   bool   // it begins a sentence or a clause
	afterSentence bool   // a sentence ended before it
	afterColon    bool   // a colon precedes it
}

// tokensAt returns the words around byte i and the index of the first word that ends after i.
// Successive calls may go back by at most the length of a keyword, so that each word is read once.
func (s *flagScanner) tokensAt(i int) ([]wordToken, int) {
	if i-tokenBytesBefore > s.tokenizedTo {
		s.tokens, s.tokenizedTo = s.tokens[:0], s.wordEnd(i-tokenBytesBefore)
	}
	if n := len(s.tokens); n > 256 && s.tokens[n/2].end < i-tokenBytesBefore {
		s.tokens = slices.Delete(s.tokens, 0, n/2)
	}
	for s.tokenizedTo < min(len(s.text), i+tokenBytesAfter) {
		s.readToken()
	}
	at, _ := slices.BinarySearchFunc(s.tokens, i, func(t wordToken, i int) int { return t.end - i - 1 })
	return s.tokens, at
}

// wordEnd returns the first index at or after i that is not inside a word.
func (s *flagScanner) wordEnd(i int) int {
	for i < len(s.text) && inWord(s.text, i) {
		i++
	}
	return i
}

// readToken reads the next word.
func (s *flagScanner) readToken() {
	from, i := s.tokenizedTo, s.tokenizedTo
	for i < len(s.text) && !inWord(s.text, i) {
		i++
	}
	start := i
	i = s.wordEnd(i)
	s.tokenizedTo = max(i, from+1)
	if start == i {
		return
	}
	t := wordToken{start: start, end: i, word: normalizeWord(s.text[start:i])}
	if gap := s.text[from:start]; gap != " " {
		t.afterSentence, t.afterColon = endsSentence(gap), strings.HasPrefix(strings.TrimLeft(gap, "*_` "), ":")
		t.opensClause = from == 0 || gapOpensClause(gap)
	}
	s.tokens = append(s.tokens, t)
}

// gapOpensClause reports whether a clause begins after this text between two words.
func gapOpensClause(gap string) bool {
	return endsSentence(gap) || strings.ContainsAny(gap, ":;,(\n\r\"'`>*#[") || strings.Contains(gap, "- ")
}

// endsSentence reports whether a sentence ends in this text between two words.
func endsSentence(gap string) bool {
	for i := range len(gap) {
		switch gap[i] {
		case '.', '!', '?':
			if i+1 < len(gap) && (gap[i+1] == ' ' || gap[i+1] == '\n' || gap[i+1] == '"') {
				return true
			}
		}
	}
	return strings.Contains(gap, "。") || strings.Contains(gap, " | ") || strings.Contains(gap, "},") || strings.Contains(gap, "```")
}

// inWord reports whether byte i belongs to a word: a letter, digit or underscore, or what
// continuesWord accepts.
func inWord(text string, i int) bool { return inClass(text[i], wordChar) || continuesWord(text, i) }

// continuesWord reports whether byte i is an apostrophe between letters or a non-ASCII letter.
func continuesWord(text string, i int) bool {
	switch c := text[i]; {
	case c >= utf8.RuneSelf:
		return !isSeparatorRune(text, i)
	case c == '\'':
		return i > 0 && i+1 < len(text) && isLetter(text[i-1]) && isLetter(text[i+1])
	}
	return false
}

// isSeparatorRune reports whether byte i belongs to a non-ASCII quotation mark, dash, full stop or
// space.
func isSeparatorRune(text string, i int) bool {
	for back := range 3 {
		at := i - back
		if at < 0 || !utf8.RuneStart(text[at]) {
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		return at+n > i && r != 0x2019 && (r == 0xA0 || r == 0xAB || r == 0xBB || r >= 0x2000 && r <= 0x200A ||
			r >= 0x2010 && r <= 0x202F || r == 0x205F || r >= 0x3000 && r <= 0x3002 || r == 0xFF0C || r == 0xFF1A)
	}
	return false
}

// normalizeWord returns a word in lower case, without surrounding underscores and with digits
// replaced by the letters that they imitate.
func normalizeWord(word string) string {
	if runEnd(word, 0, lower) == len(word) {
		return word
	}
	word = strings.Trim(word, "_")
	plain, digit, letters := true, false, false
	for i := range len(word) {
		c := word[i]
		plain = plain && (c < 'A' || c > 'Z') && c < utf8.RuneSelf
		digit = digit || c >= '0' && c <= '9'
		letters = letters || isLetter(c)
	}
	if !plain {
		word = strings.ReplaceAll(strings.ToLower(word), "’", "'")
	}
	if digit && letters {
		word = leetToWord.Replace(word)
	}
	return word
}

var leetToWord = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "9", "g")

// maxSentenceBytes is how far a sentence may extend on each side of a keyword.
const maxSentenceBytes = 300

// minWrappedLine is the minimum length of a line that wraps a sentence.
const minWrappedLine = 45

// sentenceAround returns the sentence that contains byte at.
func sentenceAround(text string, at int) (from, to int) {
	from, to = max(0, at-maxSentenceBytes), min(len(text), at+maxSentenceBytes)
	joined := false
	for i := at - 1; i >= from; i-- {
		if inClass(text[i], alnum) {
			continue
		}
		if n := sentenceEndLen(text, i); n > 0 && i+n <= at {
			if from = i + n; joined || text[i] != '.' || !refersBack(text[from:to]) {
				break
			}
			joined = true // include the previous sentence, which says what "it" is
		}
	}
	for i := at; i < to; i++ {
		if !inClass(text[i], alnum) && sentenceEndLen(text, i) > 0 {
			to = i
			break
		}
	}
	return from, to
}

// refersBack reports whether a sentence begins with a reference to the previous one.
func refersBack(sentence string) bool {
	return containsAny(strings.ToLower(sentence[:min(len(sentence), 60)]), " it ; both ; it.; it,; them ; them.; them,; those ; that, ; they ")
}

// sentenceEndLen returns the length of the sentence end at byte i, or 0. A sentence ends at a full
// stop before a capital, at an empty line, before a list item, and at the end of a JSON string.
func sentenceEndLen(text string, i int) int {
	rest := text[i:]
	switch rest[0] {
	case '|':
		return 1
	case '.', '!', '?':
		marks := strings.TrimLeft(rest[1:min(len(rest), 6)], "*_\"'`)")
		if len(marks) > 1 && marks[0] == ' ' && (marks[1] < 'a' || marks[1] > 'z') {
			return 2
		}
	case '\\':
		if strings.HasPrefix(rest, `\n`) {
			return 2
		}
	case ' ':
		if strings.HasPrefix(rest, "  # ") {
			return 4 // a comment
		}
	case '\n':
		if hasAnySuffix(text[:i], "{;},;],") {
			return 1
		}
		if i < minWrappedLine || strings.IndexByte(text[i-minWrappedLine:i], '\n') >= 0 {
			return 1 // too short for a wrapped line
		}
		line := strings.TrimLeft(rest[1:min(len(rest), 40)], " \t")
		if line == "" || strings.IndexByte("\n\r-*#|>+`~<0123456789", line[0]) >= 0 {
			return 1
		}
	case '"':
		if len(rest) > 2 && (rest[1] == ',' || rest[1] == ':') && rest[2] == '"' {
			return 3
		}
	case 0xE3, 0xEF:
		for _, end := range []string{"。", "！", "？"} {
			if strings.HasPrefix(rest, end) {
				return len(end)
			}
		}
	}
	return 0
}
