package jstext

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// IsSpace reports whether r is white space for trim and \s.
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
	if r, n := utf8.DecodeRuneInString(s); IsSpace(r) {
		return n
	}
	return 0
}

// LeadingSpace returns the length in bytes of the white space that s begins with.
func LeadingSpace(s string) int { return len(s) - len(strings.TrimLeftFunc(s, IsSpace)) }

// Trim returns s without the white space at both ends.
func Trim(s string) string { return strings.TrimFunc(s, IsSpace) }

// Split splits s around runs of white space, like split(/\s+/): the first and the last piece are
// empty if s begins or ends with white space, and an empty s gives one empty piece.
func Split(s string) []string {
	pieces := strings.FieldsFunc(s, IsSpace)
	if s == "" || LeadingSpace(s) > 0 {
		pieces = slices.Insert(pieces, 0, "")
	}
	if last, _ := utf8.DecodeLastRuneInString(s); IsSpace(last) {
		pieces = append(pieces, "")
	}
	return pieces
}

// Compatible returns a text in Unicode's form NFKC, in which full-width letters, ligatures and the
// like become the plain characters they stand for.
func Compatible(s string) string { return norm.NFKC.String(s) }
