package detect

import "strings"

// wrapLen returns the length of a line break that s begins with, together with what wraps a
// text over two lines around it: blanks, a backslash or a plus, quotes, and the sign with
// which the next line continues a comment, a quotation or a list. It is 0 when s begins
// with none. A break can also be the escape of one.
func wrapLen(s string) (i int) {
	for i < min(len(s), maxWrapBytes) && isWrapByte(s[i]) {
		i++
	}
	if !startsWithBreak(s[i:]) {
		return 0
	}
	if s[i] == '\\' && lineBreakLen(s[i+1:]) > 0 {
		i++ // the line is continued
	}
	i += lineBreakLen(s[i:])
	i += blankLen(s[i:])
	for _, sign := range [...]string{"//", ">", "#", "*", "|", "-"} {
		if rest, ok := strings.CutPrefix(s[i:], sign); ok && blankLen(rest) > 0 {
			i += len(sign) + blankLen(rest)
			break
		}
	}
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		i++
	}
	return i
}

// maxWrapBytes is how many bytes of a wrap are skipped on each side of a line break.
const maxWrapBytes = 64

// isWrapByte reports whether c may come before a line break that wraps a text.
func isWrapByte(c byte) bool { return strings.IndexByte(" \t\"'`+", c) >= 0 }

// startsWithBreak reports whether s begins with a line break, or a backslash before one.
func startsWithBreak(s string) bool {
	return lineBreakLen(s) > 0 || s != "" && s[0] == '\\' && lineBreakLen(s[1:]) > 0
}

// wrapStart returns where the wrap around the line break at s[i] begins, not before from.
func wrapStart(s string, from, i int) int {
	from = max(from, i-maxWrapBytes)
	for i > from && isWrapByte(s[i-1]) {
		i--
	}
	return i
}

// lineBreakLen returns the length of the line break, or of its escape, at the start of s.
func lineBreakLen(s string) int {
	for _, b := range [...]string{"\n", "\r\n", `\n`, `\r\n`} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	return 0
}

// blankLen returns how many blanks s begins with, at most mostWrapped.
func blankLen(s string) (n int) {
	for n < min(len(s), maxWrapBytes) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}
