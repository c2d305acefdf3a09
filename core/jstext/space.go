package jstext

import "unicode/utf8"

// IsSpace reports whether r is white space to trim and to \s.
func IsSpace(r rune) bool {
	switch {
	case r <= 0x20:
		return r == 0x20 || r >= 0x09 && r <= 0x0D
	case r < 0x1680:
		return r == 0xA0
	case r >= 0x2000 && r <= 0x200A:
		return true
	}
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return false
}

// Space returns the length in bytes of the white space character that s begins
// with, or 0.
func Space(s string) int {
	if len(s) == 0 {
		return 0
	}
	if s[0] < utf8.RuneSelf {
		if IsSpace(rune(s[0])) {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeRuneInString(s); IsSpace(r) {
		return n
	}
	return 0
}

// LeadingSpace returns the length in bytes of the white space that s begins with.
func LeadingSpace(s string) int {
	i := 0
	for n := Space(s); n > 0; n = Space(s[i:]) {
		i += n
	}
	return i
}

// Trim returns s without the white space at both ends.
func Trim(s string) string {
	s = s[LeadingSpace(s):]
	for len(s) > 0 {
		r, n := utf8.DecodeLastRuneInString(s)
		if !IsSpace(r) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

// Split splits s around runs of white space, as split(/\s+/) does: the first and
// the last piece are empty when s begins or ends with white space, and an empty s
// gives one empty piece.
func Split(s string) []string {
	out := make([]string, 0, len(s)/6+1)
	start := 0
	for i := 0; i < len(s); {
		n := Space(s[i:])
		if n == 0 {
			i++
			continue
		}
		out = append(out, s[start:i])
		for ; n > 0; n = Space(s[i:]) {
			i += n
		}
		start = i
	}
	return append(out, s[start:])
}
