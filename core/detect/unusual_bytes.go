package detect

import "strings"

// Constants for testing eight bytes at once.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// nextUnusual returns the first index at or after byte i, in steps of eight, whose eight bytes may
// contain something other than plain text: a non-ASCII character, a control character other than
// tab and line breaks, letters that stand apart, or only white space. It returns len(text) if there
// is none.
func nextUnusual(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if isUnusual8(text[i : i+8]) {
			return i
		}
	}
	if last := len(text) - 8; i < len(text) && (last >= 0 && isUnusual8(text[last:]) || last < 0 && isUnusualTail(text[i:])) {
		return i
	}
	return len(text)
}

// isUnusual8 is the test of nextOdd for eight bytes.
func isUnusual8(s string) bool {
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	if x&highBits != 0 {
		return true
	}
	// From here on, the high bit of each byte holds its result.
	letter := letterBits8(x)
	apart := ^letter & highBits
	switch {
	case letter == 0 && isBlank8(s):
		return true
	case apart&(apart>>16)&(apart>>32)&(letter>>8)&(letter>>24) != 0 && hasSpacedLetters8(s):
		return true
	}
	return ((x-0x20*lowBits)&^x|x+lowBits)&highBits != 0 && hasControl(s)
}

// letterBits8 sets the high bit of each byte that is a letter. All bytes must be ASCII.
func letterBits8(x uint64) uint64 {
	x |= 0x20 * lowBits
	return (x + (0x80-'a')*lowBits) &^ (x + (0x7F-'z')*lowBits) & highBits
}

// hasSpacedLetters8 reports whether two letters of s each stand between separating characters.
func hasSpacedLetters8(s string) bool {
	for i := range 4 {
		if isLetterSeparator(s[i]) && isLetter(s[i+1]) && isLetterSeparator(s[i+2]) && isLetter(s[i+3]) && isLetterSeparator(s[i+4]) {
			return true
		}
	}
	return false
}

// isBlank8 reports whether s is only white space.
func isBlank8(s string) bool { return strings.Trim(s, " \n\r\t") == "" }

// hasControl reports whether s contains a control character other than tab and line feed.
func hasControl(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' && c != '\n' || c == 0x7F {
			return true
		}
	}
	return false
}

// isUnusualTail is odd8 for fewer than eight bytes.
func isUnusualTail(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) || hasControl(s)
}
