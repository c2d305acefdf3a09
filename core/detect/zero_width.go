package detect

import "unicode"

// isPlainASCII reports whether s is ASCII without terminal sequences.
func isPlainASCII(s string) bool {
	const ones, highs, escape = 0x0101010101010101, 0x8080808080808080, 0x1B
	var all, not uint64 // the high bit of each byte holds the result
	for ; len(s) >= 8; s = s[8:] {
		w := s[:8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		all |= x
		x ^= escape * ones
		not |= (x - ones) &^ x
	}
	for i := range len(s) {
		all |= uint64(s[i])
		if s[i] == escape {
			return false
		}
	}
	return (all|not)&highs == 0
}

// isZeroWidth reports whether r is invisible and can split a word unnoticed.
func isZeroWidth(r rune) bool { return r >= 0xAD && unicode.Is(zeroWidthRunes, r) }

var zeroWidthRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xAD, 0xAD, 1}, {0x34F, 0x34F, 1}, {0x61C, 0x61C, 1}, {0x180E, 0x180E, 1}, {0x200B, 0x200F, 1}, {0x202A, 0x202E, 1},
		{0x2060, 0x206F, 1}, {0xFE00, 0xFE0F, 1}, {0xFEFF, 0xFEFF, 1},
	},
	R32:         []unicode.Range32{{0xE0000, 0xE0FFF, 1}},
	LatinOffset: 1,
}
