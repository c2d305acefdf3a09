package detect

// plainText reports whether s is ASCII and begins no terminal sequence.
func plainText(s string) bool {
	const ones, highs, escape = 0x0101010101010101, 0x8080808080808080, 0x1B
	var all, not uint64 // the high bit of a byte tells
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

// noWidth reports whether r is shown as nothing and can split a word unseen.
func noWidth(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0xFEFF:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	}
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0000 && r <= 0xE0FFF
}
