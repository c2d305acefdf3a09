// Package jstext follows JavaScript's rules for strings and JSON where the lesson format depends on
// them: UTF-16 lengths and cuts, white space, lower case, order, JSON.parse and JSON.stringify.
//
// A JavaScript string is kept in a Go string as WTF-8, which is UTF-8 that also encodes a lone
// surrogate as three bytes (ED A0..BF xx). A surrogate pair is always encoded as the single 4-byte
// character it denotes, so equal strings have equal bytes. Decode makes such a string from file
// bytes, and WellFormed makes one that can be written as UTF-8. Any other bytes pass through.
package jstext

import (
	"strings"
	"unicode/utf8"
)

const replacement = "\uFFFD"

// Decode returns b as the non-fatal WHATWG UTF-8 decoder reads it: each maximal part of a broken
// sequence becomes one U+FFFD, and a byte order mark is kept. The result holds no lone surrogates.
func Decode(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b) + len(b)/8)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 { // the longest part of an incomplete character
			for n = min(utf8.UTFMax-1, len(b)-i); n > 1 && utf8.FullRune(b[i:i+n]); {
				n--
			}
		}
		out.WriteRune(r)
		i += n
	}
	return out.String()
}

// DecodeString is Decode for a string. It returns a valid string as it is.
func DecodeString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return Decode([]byte(s))
}

// WellFormed returns s with each lone surrogate replaced by U+FFFD. This is what reaches a file,
// pipe or terminal if the string is written as UTF-8.
func WellFormed(s string) string {
	if nextSurrogate(s) < 0 {
		return s
	}
	return string(appendSurrogates(nil, s, func(dst []byte, _ rune) []byte { return append(dst, replacement...) }))
}

// appendSurrogates appends s, with each lone surrogate appended by escaped.
func appendSurrogates(dst []byte, s string, escaped func(dst []byte, unit rune) []byte) []byte {
	for i := nextSurrogate(s); i >= 0; i = nextSurrogate(s) {
		dst = escaped(append(dst, s[:i]...), surrogate(s[i:]))
		s = s[i+3:]
	}
	return append(dst, s...)
}

// nextSurrogate returns the index of the first lone surrogate in s, or -1.
func nextSurrogate(s string) int {
	for i := 0; ; i++ {
		j := strings.IndexByte(s[i:], 0xED)
		if j < 0 {
			return -1
		}
		i += j
		if isSurrogate(s[i:]) {
			return i
		}
	}
}

// isSurrogate reports whether s begins with a lone surrogate.
func isSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80
}

// surrogate returns the lone surrogate that s begins with.
func surrogate(s string) rune {
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F)
}

// next returns the first character of s, which must not be empty, and its length in bytes. A lone
// surrogate is a character of its own. An invalid byte is U+FFFD of length 1.
func next(s string) (r rune, n int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, n = utf8.DecodeRuneInString(s)
	if n == 1 && isSurrogate(s) {
		return surrogate(s), 3
	}
	return r, n
}
