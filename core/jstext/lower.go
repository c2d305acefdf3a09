package jstext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower returns s as toLowerCase does: the full default mapping of Unicode 17, the same for every
// language. The result may have more units than s: U+0130 becomes two characters.
func Lower(s string) string {
	i := 0
	for i < len(s) && s[i]-'A' > 25 && s[i] < utf8.RuneSelf {
		i++
	}
	if i == len(s) {
		return s
	}
	out := make([]byte, 0, len(s)+8)
	out = append(out, s[:i]...)
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if c-'A' <= 25 {
				c |= 0x20
			}
			out = append(out, c)
			i++
			continue
		}
		r, n := next(s[i:])
		out = appendLower(out, s, i, r, n)
		i += n
	}
	return string(out)
}

// appendLower appends the lower case of r, which occupies n bytes at s[i:].
func appendLower(out []byte, s string, i int, r rune, n int) []byte {
	switch r {
	case 'Σ':
		if isFinal(s, i, n) {
			return append(out, "ς"...)
		}
		return append(out, "σ"...)
	case 'İ':
		return append(out, "i\u0307"...)
	}
	if l := laterLower.ToLower(r); l != r {
		return utf8.AppendRune(out, l)
	}
	return append(out, s[i:i+n]...)
}

// laterLower adds the letters that are newer than Unicode 15, the version of package unicode.
var laterLower = unicode.SpecialCase{
	inPairs(0x1C89),
	lowerBy(0xA7CB, 0xA7CB, 0x264-0xA7CB),
	inPairs(0xA7CC),
	inPairs(0xA7CE),
	inPairs(0xA7D2),
	inPairs(0xA7D4),
	inPairs(0xA7DA),
	lowerBy(0xA7DC, 0xA7DC, 0x19B-0xA7DC),
	lowerBy(0x10D50, 0x10D65, 0x20),
	lowerBy(0x16EA0, 0x16EB8, 0x1B),
}

// inPairs returns the mapping of capital letters that are each followed by their small letter.
func inPairs(r uint32) unicode.CaseRange {
	const pairs = unicode.UpperLower
	return unicode.CaseRange{Lo: r, Hi: r + 1, Delta: [unicode.MaxCase]rune{pairs, pairs, pairs}}
}

// lowerBy returns the mapping of capital letters whose small letters are by code points later.
func lowerBy(lo, hi uint32, by rune) unicode.CaseRange {
	return unicode.CaseRange{Lo: lo, Hi: hi, Delta: [unicode.MaxCase]rune{unicode.LowerCase: by}}
}

// isFinal reports whether the sigma of n bytes at s[i:] ends a word: there is a cased letter before
// it and none after it. Characters that case ignores are skipped, even if they are cased
// themselves.
func isFinal(s string, i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(s[:i], isIgnorable))
	after, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s[i+n:], isIgnorable))
	return isCased(before) && !isCased(after)
}

// isCased reports the property Cased of Unicode 17.
func isCased(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return r != 0x295 && unicode.In(r, unicode.Ll, unicode.Lu, unicode.Lt,
		unicode.Other_Lowercase, unicode.Other_Uppercase, laterCased)
}

// isIgnorable reports the property Case_Ignorable of Unicode 17.
func isIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xB7, 0x387, 0x55F, 0x5F4, 0x2018, 0x2019, 0x2024, 0x2027,
		0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E, 0xFF1A:
		return true
	case 0x1171E:
		return false
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk, laterIgnorable)
}

// laterCased holds what Unicode 16 and 17 added to Cased.
var laterCased = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1C89, Hi: 0x1C8A, Stride: 1}, {Lo: 0xA7CB, Hi: 0xA7CF, Stride: 1},
		{Lo: 0xA7D2, Hi: 0xA7D4, Stride: 2}, {Lo: 0xA7DA, Hi: 0xA7DC, Stride: 1},
		{Lo: 0xA7F1, Hi: 0xA7F1, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10D50, Hi: 0x10D65, Stride: 1}, {Lo: 0x10D70, Hi: 0x10D85, Stride: 1},
		{Lo: 0x16EA0, Hi: 0x16EB8, Stride: 1}, {Lo: 0x16EBB, Hi: 0x16ED3, Stride: 1},
	},
}

// laterIgnorable holds what Unicode 16 and 17 added to Case_Ignorable.
var laterIgnorable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x897, Hi: 0x897, Stride: 1}, {Lo: 0x1ACF, Hi: 0x1ADD, Stride: 1},
		{Lo: 0x1AE0, Hi: 0x1AEB, Stride: 1}, {Lo: 0xA7F1, Hi: 0xA7F1, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10D4E, Hi: 0x10D4E, Stride: 1}, {Lo: 0x10D69, Hi: 0x10D6D, Stride: 1},
		{Lo: 0x10D6F, Hi: 0x10D6F, Stride: 1}, {Lo: 0x10EC5, Hi: 0x10EC5, Stride: 1},
		{Lo: 0x10EFA, Hi: 0x10EFC, Stride: 1}, {Lo: 0x113BB, Hi: 0x113C0, Stride: 1},
		{Lo: 0x113CE, Hi: 0x113D2, Stride: 2}, {Lo: 0x113E1, Hi: 0x113E2, Stride: 1},
		{Lo: 0x11B60, Hi: 0x11B60, Stride: 1}, {Lo: 0x11B62, Hi: 0x11B64, Stride: 1},
		{Lo: 0x11B66, Hi: 0x11B66, Stride: 1}, {Lo: 0x11DD9, Hi: 0x11DD9, Stride: 1},
		{Lo: 0x11F5A, Hi: 0x11F5A, Stride: 1}, {Lo: 0x1611E, Hi: 0x16129, Stride: 1},
		{Lo: 0x1612D, Hi: 0x1612F, Stride: 1}, {Lo: 0x16D40, Hi: 0x16D42, Stride: 1},
		{Lo: 0x16D6B, Hi: 0x16D6C, Stride: 1}, {Lo: 0x16FF2, Hi: 0x16FF3, Stride: 1},
		{Lo: 0x1E5EE, Hi: 0x1E5EF, Stride: 1}, {Lo: 0x1E6E3, Hi: 0x1E6E3, Stride: 1},
		{Lo: 0x1E6E6, Hi: 0x1E6E6, Stride: 1}, {Lo: 0x1E6EE, Hi: 0x1E6EF, Stride: 1},
		{Lo: 0x1E6F5, Hi: 0x1E6F5, Stride: 1}, {Lo: 0x1E6FF, Hi: 0x1E6FF, Stride: 1},
	},
}
