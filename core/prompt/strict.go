package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// SanitizeStrict is Sanitize for blocks that Winnow itself serves: it also
// replaces what a reader takes for a delimiter and the agent's filter misses.
// That is two or more angle brackets or their look-alikes, the words in any case
// and width with white space, hyphens, underscores, slashes or characters of no
// width anywhere between the letters, and one or more closing brackets. None of
// these is left in the result.
func SanitizeStrict(s string, max int) string {
	return jstext.Slice(filter(s, strict, nil), max)
}

// strict is the rule of SanitizeStrict.
var strict = rule{"<＜‹«", variant}

// variant returns the length of the delimiter in the wider sense that s begins
// with, or 0.
func variant(s string) int {
	if n := delimiter(s); n > 0 {
		return n
	}
	rest, n := brackets(s, "<＜‹«")
	if n == 0 || n == 1 && !strings.HasPrefix(s, "«") {
		return 0
	}
	if after, ok := spelled(rest, "end"); ok {
		rest = after
	}
	rest, ok := spelled(rest, "untrustedinput")
	if !ok {
		return 0
	}
	if rest, n = brackets(rest, ">＞›»"); n == 0 {
		return 0
	}
	return len(s) - len(rest)
}

// brackets skips a run of the brackets and what may stand between; n is their
// number. A run is read for a few bytes only, so that a text of brackets takes
// linear time.
func brackets(s, set string) (rest string, n int) {
	const most = 16
	rest = s
	for len(s)-len(rest) < most {
		next := separators(rest)
		r, size := utf8.DecodeRuneInString(next)
		if size == 0 || !strings.ContainsRune(set, r) {
			break
		}
		rest = next[size:]
		n++
	}
	return rest, n
}

// spelled skips the letters of word with separators before each of them.
func spelled(s, word string) (rest string, ok bool) {
	rest = s
	for i := range len(word) {
		rest = separators(rest)
		r, size := utf8.DecodeRuneInString(rest)
		if plainLetter(r) != rune(word[i]) {
			return s, false
		}
		rest = rest[size:]
	}
	return rest, true
}

// plainLetter returns the lower-case ASCII letter that r looks like.
func plainLetter(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r | 0x20
	case r < utf8.RuneSelf:
		return r
	case r >= 'Ａ' && r <= 'Ｚ':
		return r - 'Ａ' + 'a'
	case r >= 'ａ' && r <= 'ｚ':
		return r - 'ａ' + 'a'
	case r == 'ſ':
		return 's'
	case r == 'ı', r == 'İ':
		return 'i'
	}
	return r
}

// separators skips what may stand between two letters, at most so many bytes that
// a text of openings takes linear time.
func separators(s string) string {
	const most = 256
	for left := most; left > 0 && s != ""; {
		if c := s[0] | 0x20; c >= 'a' && c <= 'z' || s[0] == '<' || s[0] == '>' {
			return s
		}
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '-', r == '_', r == '/', r == '.', jstext.IsSpace(r), r == 0x85:
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Pd, unicode.Pc):
		default:
			return s
		}
		s, left = s[n:], left-n
	}
	return s
}
