package detect

import (
	"strings"
	"sync"

	"winnow/core/jstext"
)

// This file holds what all detectors need to examine text: classes of bytes, runs, bounded slices and
// lists of words.

// byteClass is a set of classes of bytes, one bit each.
type byteClass uint32

const (
	digit byteClass = 1 << iota
	upper
	lower
	hexLower // a to f, with digit
	hexUpper // A to F, with digit
	underscore
	dash
	dot
	plusSlash // + and /
	equals
	base32 // A to Z and 2 to 7
	tilde
	letterAToH  // a to h, with digit
	beforeValue // between a name and its value
	endsValue   // ends a value
	blank       // space and tab
	visible     // neither white space nor a control character
	percent
	wrapping // may precede the line break that wraps a text

	letter      = upper | lower
	alnum       = letter | digit
	wordChar    = alnum | underscore
	slug        = wordChar | dash
	lowerHex    = hexLower | digit
	anyHex      = lowerHex | hexUpper
	base64Marks = plusSlash | equals
	tokenChar   = slug | dot | base64Marks | tilde
)

// byteClasses holds the classes of each byte.
var byteClasses = buildByteClasses()

func buildByteClasses() (t [256]byteClass) {
	set := func(bytes string, c byteClass) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	for c := range byte(0x7F) {
		switch {
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= 'A' && c <= 'Z':
			t[c] = upper | base32
		case c >= 'a' && c <= 'z':
			t[c] = lower
		}
		if c > ' ' {
			t[c] |= visible
		} else {
			t[c] |= endsValue
		}
	}
	set("234567", base32)
	set("abcdef", hexLower)
	set("ABCDEF", hexUpper)
	set("abcdefghABCDEFGH", letterAToH)
	set("_", underscore)
	set("-", dash)
	set(".", dot)
	set("+/", plusSlash)
	set("=", equals)
	set("~", tilde)
	set(" \t=>\"'`\\", beforeValue)
	set("\"'`,;<>|\\", endsValue)
	set(" \t", blank)
	set("%", percent)
	set(" \t\"'`+", wrapping)
	return t
}

// bodyLetters are the letters for classes in the body of a form.
var bodyLetters = [128]byteClass{
	'd': digit, 'x': lowerHex, 'X': anyHex, 'a': alnum, 'l': lower | digit, 'u': upper | digit, 'z': letter,
	'w': wordChar, 's': slug, 'b': alnum | base64Marks, 'B': alnum | plusSlash, 't': slug | equals, 'j': slug | dot,
	'p': slug | dot | equals, 'e': base32, 'v': tokenChar, 'q': digit | letterAToH, 'k': lower | digit | dash,
	'r': slug | dot | tilde, 'c': slug | base64Marks, 'g': visible, 'h': alnum | percent,
}

func inClass(c byte, set byteClass) bool { return byteClasses[c]&set != 0 }

// indexFrom returns the index of the first sub in s at or after i, or -1.
func indexFrom(s, sub string, i int) int {
	if n := strings.Index(s[i:], sub); n >= 0 {
		return i + n
	}
	return -1
}

// lastIndexBefore returns the index of the last sub in the n bytes before s[i], or -1.
func lastIndexBefore(s, sub string, i, n int) int {
	if k := strings.LastIndex(bytesBefore(s, i, n), sub); k >= 0 {
		return max(0, i-n) + k
	}
	return -1
}

// bytesBefore returns up to n bytes of s before s[i].
func bytesBefore(s string, i, n int) string { return s[max(0, i-n):i] }

// bytesAfter returns up to n bytes of s from s[i] on.
func bytesAfter(s string, i, n int) string { return s[i:min(len(s), i+n)] }

// runEnd returns the end of the run of bytes in the set that starts at s[i].
func runEnd(s string, i int, set byteClass) int {
	for i < len(s) && byteClasses[s[i]]&set != 0 {
		i++
	}
	return i
}

// runStart returns the start of the run of bytes in the set that ends before s[i], not before from.
func runStart(s string, from, i int, set byteClass) int {
	for i > from && byteClasses[s[i-1]]&set != 0 {
		i--
	}
	return i
}

func isLetter(c byte) bool { return inClass(c, letter) }

// lowerByte returns an ASCII letter in lower case, and any other byte unchanged.
func lowerByte(c byte) byte {
	if c-'A' <= 25 {
		c |= 0x20
	}
	return c
}

// lowerASCII returns s with ASCII letters in lower case. The length stays the same.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}

// hasPrefixFold reports whether s begins with word, ignoring the case of ASCII letters. word must be in
// lower case.
func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		if lowerByte(s[i]) != word[i] {
			return false
		}
	}
	return true
}

// skipSpace returns the index of the first character at or after i that is not white space.
func skipSpace(s string, i int) int {
	for n := jstext.Space(s[i:]); n > 0; n = jstext.Space(s[i:]) {
		i += n
	}
	return i
}

// containsAny reports whether s contains one of the words, which are separated by semicolons.
func containsAny(s, words string) bool { return anyListed(words, s, strings.Contains) }

// hasAnySuffix reports whether s ends with one of the words, which are separated by semicolons.
func hasAnySuffix(s, words string) bool { return anyListed(words, s, strings.HasSuffix) }

// hasAnyPrefix reports whether s begins with one of the words, which are separated by semicolons.
func hasAnyPrefix(s, words string) bool { return anyListed(words, s, strings.HasPrefix) }

func anyListed(words, s string, fits func(s, word string) bool) bool {
	for w := range strings.SplitSeq(words, ";") {
		if fits(s, w) {
			return true
		}
	}
	return false
}

// inWordList reports whether w is one of the words, which are separated by spaces.
func inWordList(words, w string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}

func wordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			set[w] = true
		}
		return set
	})
}

// wordsByFirstByte groups words by their first byte, on first use.
func wordsByFirstByte(words string) func() *[256][]string {
	return sync.OnceValue(func() *[256][]string {
		var by [256][]string
		for w := range strings.FieldsSeq(words) {
			by[w[0]] = append(by[w[0]], w)
		}
		return &by
	})
}

// lineLen returns the length of the line at the start of s.
func lineLen(s string) int {
	for i, r := range s {
		if isLineBreak(r) {
			return i
		}
	}
	return len(s)
}

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029
}

// load8 returns the first eight bytes of s as one number, the first in the lowest bits.
func load8(s string) uint64 {
	_ = s[7]
	return uint64(
		s[0],
	) | uint64(
		s[1],
	)<<8 | uint64(
		s[2],
	)<<16 | uint64(
		s[3],
	)<<24 | uint64(
		s[4],
	)<<32 | uint64(
		s[5],
	)<<40 | uint64(
		s[6],
	)<<48 | uint64(
		s[7],
	)<<56
}
