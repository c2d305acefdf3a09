package detect

import (
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// DelimiterOpenings are the characters that a delimiter, as Delimiter understands it, may begin
// with: angle brackets and characters that look like them.
const DelimiterOpenings = "<＜‹«≪ᐸ"

// Limits on the text examined for a delimiter, so that a text of brackets takes linear time.
const (
	maxDelimiterBytes = 256
	maxBracketBytes   = 32
)

// DelimiterLen returns the length in bytes of what s begins with when a reader takes
// it for a delimiter of the prompt's untrusted parts, else 0. That is more than the
// agent's filter catches: at least two opening brackets, the words, and a closing
// bracket, in any case, in full width or letters that look alike, and with white
// space, hyphens, dots, marks or characters of no width anywhere between them. It is
// at most 256 bytes long.
func DelimiterLen(s string) int {
	s = s[:min(len(s), maxDelimiterBytes)]
	i := openingBracketsLen(s)
	if i == 0 {
		return 0
	}
	i += spelledWordLen(s[i:], "END")
	n := spelledWordLen(s[i:], "UNTRUSTEDINPUT")
	if n == 0 {
		return 0
	}
	i += n
	for end := 0; ; {
		r, n := utf8.DecodeRuneInString(s[i:])
		c := delimiterRune(r)
		if n == 0 || c != '>' && (c != ignoredRune || end > 0) {
			return end
		}
		if i += n; c == '>' {
			end = i
		}
	}
}

// openingBracketsLen returns the length of the opening brackets at the start of s, including what stands
// between them. It is 0 if there are fewer than two.
func openingBracketsLen(s string) int {
	i, count := 0, 0
	for i < min(len(s), maxBracketBytes) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '«' || r == '≪' {
			count++ // this character stands for two brackets
		}
		if c := delimiterRune(r); c == '<' {
			count++
		} else if c != ignoredRune {
			break
		}
		i += n
	}
	if count < 2 {
		return 0
	}
	return i
}

// spelledWordLen returns the length of the prefix of s that spells the word, or 0.
func spelledWordLen(s, word string) int { return spelledLen(s, word, delimiterRune) }

// spelledLen returns the length of the prefix of s whose characters, mapped by seen, spell word, or
// 0. Characters that seen maps to skipped may stand between them.
func spelledLen(s, word string, readAs func(rune) rune) int {
	at := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := readAs(r); {
		case c == rune(word[at]):
			at++
		case c != ignoredRune:
			return 0
		}
		if i += n; at == len(word) {
			return i
		}
	}
	return 0
}

// ignoredRune is the result for a character that a reader ignores inside a delimiter.
const ignoredRune = -1

// delimiterRune is seen, but also skips slashes.
func delimiterRune(r rune) rune {
	if c := apparentRune(r); c != '/' {
		return c
	}
	return ignoredRune
}

// apparentRune returns what a reader takes r for: the ASCII capital, bracket or mark that it resembles,
// skipped, or r itself.
func apparentRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'A'
	case r > ' ' && r < 0x7F && r != '_' && r != '-' && r != '.' && r != '*':
		return r
	case r < 0x7F, IsHidden(r), isLineBreak(r), jstext.IsSpace(r), r >= 0x2000 && r <= 0x2015:
		return ignoredRune
	}
	if c := lookalikeOf(r); c != 0 {
		return apparentRune(rune(c))
	}
	switch r {
	case '‹', '«', '≪', 'ᐸ':
		return '<'
	case '›', '»', '≫', 'ᐳ':
		return '>'
	case 'İ':
		return 'I'
	case 0x2044, 0x2215: // fraction slash and division slash
		return '/'
	}
	if unicode.In(r, unicode.Mn, unicode.Cf, unicode.Pd, unicode.Pc) {
		return ignoredRune
	}
	return r
}
