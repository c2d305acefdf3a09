package redact

import (
	"encoding/binary"
	"unicode/utf8"
)

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

// visible returns s without its characters of no width, and for each byte of the
// result its place in s; no places when there are no such characters.
func visible(s string) (string, []int) {
	first := -1
	for i, r := range s {
		if noWidth(r) {
			first = i
			break
		}
	}
	if first < 0 {
		return s, nil
	}
	out := make([]byte, 0, len(s))
	places := make([]int, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !noWidth(r) {
			for j := i; j < i+n; j++ {
				out = append(out, s[j])
				places = append(places, j)
			}
		}
		i += n
	}
	return string(out), places
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
