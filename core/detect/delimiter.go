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
	delimiterBytes = 256
	bracketBytes   = 32
)

// Delimiter returns the length in bytes of what s begins with when a reader takes
// it for a delimiter of the prompt's untrusted parts, else 0. That is more than the
// agent's filter catches: at least two opening brackets, the words, and a closing
// bracket, in any case, in full width or letters that look alike, and with white
// space, hyphens, dots, marks or characters of no width anywhere between them. It is
// at most 256 bytes long.
func Delimiter(s string) int {
	s = s[:min(len(s), delimiterBytes)]
	i := brackets(s)
	if i == 0 {
		return 0
	}
	i += letters(s[i:], "END")
	n := letters(s[i:], "UNTRUSTEDINPUT")
	if n == 0 {
		return 0
	}
	i += n
	for end := 0; ; {
		r, n := utf8.DecodeRuneInString(s[i:])
		c := plain(r)
		if n == 0 || c != '>' && (c != skipped || end > 0) {
			return end
		}
		if i += n; c == '>' {
			end = i
		}
	}
}

// brackets returns the length of the opening brackets at the start of s, including what stands
// between them. It is 0 if there are fewer than two.
func brackets(s string) int {
	i, count := 0, 0
	for i < min(len(s), bracketBytes) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '«' || r == '≪' {
			count++ // this character stands for two brackets
		}
		if c := plain(r); c == '<' {
			count++
		} else if c != skipped {
			break
		}
		i += n
	}
	if count < 2 {
		return 0
	}
	return i
}

// letters returns the length of the prefix of s that spells the word, or 0.
func letters(s, word string) int { return spelledBy(s, word, plain) }

// spelledBy returns the length of the prefix of s whose characters, mapped by seen, spell word, or
// 0. Characters that seen maps to skipped may stand between them.
func spelledBy(s, word string, seen func(rune) rune) int {
	at := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := seen(r); {
		case c == rune(word[at]):
			at++
		case c != skipped:
			return 0
		}
		if i += n; at == len(word) {
			return i
		}
	}
	return 0
}

// skipped is the result for a character that a reader ignores inside a delimiter.
const skipped = -1

// plain is seen, but also skips slashes.
func plain(r rune) rune {
	if c := seen(r); c != '/' {
		return c
	}
	return skipped
}

// seen returns what a reader takes r for: the ASCII capital, bracket or mark that it resembles,
// skipped, or r itself.
func seen(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'A'
	case r > ' ' && r < 0x7F && r != '_' && r != '-' && r != '.' && r != '*':
		return r
	case r < 0x7F, Hidden(r), lineBreak(r), jstext.IsSpace(r), r >= 0x2000 && r <= 0x2015:
		return skipped
	}
	if c := foldTo(r); c != 0 {
		return seen(rune(c))
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
		return skipped
	}
	return r
}
