package redact

import "encoding/binary"

// plainText reports whether s is ASCII.
func plainText(s string) bool {
	var all uint64
	var word [8]byte
	for ; len(s) >= len(word); s = s[len(word):] {
		copy(word[:], s)
		all |= binary.LittleEndian.Uint64(word[:])
	}
	for i := range len(s) {
		all |= uint64(s[i])
	}
	return all&0x8080808080808080 == 0
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
