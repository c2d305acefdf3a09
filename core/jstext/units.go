package jstext

import (
	"cmp"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Len returns the length of s in UTF-16 units.
func Len(s string) (n int) {
	for i := range len(s) {
		n += units(s[i])
	}
	return n
}

// units returns the number of UTF-16 units of the character that begins with byte c, or 0 if c
// continues a character.
func units(c byte) int {
	switch {
	case c < 0x80:
		return 1
	case c < 0xC0:
		return 0
	case c < 0xF0:
		return 1
	}
	return 2
}

// Slice returns the first n units of s. If it cuts a pair in two, the high surrogate stays.
func Slice(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n <= 0 {
		return ""
	}
	i := 0
	for ; i < len(s); i++ {
		u := units(s[i])
		if u > n {
			break
		}
		n -= u
	}
	if n == 0 || i == len(s) {
		return s[:i]
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	high, _ := utf16.EncodeRune(r)
	return string(appendUnit([]byte(s[:i]), high))
}

// Concat joins parts like +: a high surrogate at the end of one part and a low one at the beginning
// of the next become the character they denote.
func Concat(parts ...string) string {
	var out []byte
	for _, p := range parts {
		out = appendJoined(out, p)
	}
	return string(out)
}

// appendJoined appends s to dst as Concat joins.
func appendJoined(dst []byte, s string) []byte {
	if isSurrogate(s) {
		return append(appendUnit(dst, surrogate(s)), s[3:]...)
	}
	return append(dst, s...)
}

// appendUnit appends a surrogate, and joins it with a high one at the end of dst.
func appendUnit(dst []byte, unit rune) []byte {
	if n := len(dst) - 3; unit >= 0xDC00 && n >= 0 && isSurrogate(string(dst[n:])) {
		if pair := utf16.DecodeRune(surrogate(string(dst[n:])), unit); pair != utf8.RuneError {
			return utf8.AppendRune(dst[:n], pair)
		}
	}
	return append(dst, 0xED, 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
}

// FromUnits returns the string with the given UTF-16 units.
func FromUnits(u []uint16) string {
	out := make([]byte, 0, len(u))
	for _, c := range u {
		if utf16.IsSurrogate(rune(c)) {
			out = appendUnit(out, rune(c))
		} else {
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return string(out)
}

// Units returns the UTF-16 units of s. A byte that belongs to no character becomes U+FFFD.
func Units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for len(s) > 0 {
		r, n := next(s)
		if r > 0xFFFF {
			out = utf16.AppendRune(out, r)
		} else {
			out = append(out, uint16(r))
		}
		s = s[n:]
	}
	return out
}

// Compare orders a and b by their UTF-16 units, like < and >. It returns -1, 0 or 1.
func Compare(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x != y {
			if max(x, y) < 0xF0 || min(x, y) < 0xED {
				return cmp.Compare(x, y)
			}
			return compareUnits(a[i:], b[i:])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// compareUnits orders two strings if one begins with a surrogate pair and the other with a
// character that is not below surrogates.
func compareUnits(a, b string) int {
	const enough = 8 // bytes: the first two units decide
	return slices.Compare(Units(a[:min(len(a), enough)]), Units(b[:min(len(b), enough)]))
}
