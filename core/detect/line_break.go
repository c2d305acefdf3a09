package detect

import "strings"

// fold returns the length of a line break that s begins with, together with what wraps a
// text over two lines around it: blanks, a backslash or a plus, quotes, and the sign with
// which the next line continues a comment, a quotation or a list. It is 0 when s begins
// with none. A break can also be the escape of one.
func fold(s string) (i int) {
	for i < min(len(s), mostWrapped) && isWrap(s[i]) {
		i++
	}
	if !breaks(s[i:]) {
		return 0
	}
	if s[i] == '\\' && breakLength(s[i+1:]) > 0 {
		i++ // the line is continued
	}
	i += breakLength(s[i:])
	i += blanks(s[i:])
	for _, sign := range [...]string{"//", ">", "#", "*", "|", "-"} {
		if rest, ok := strings.CutPrefix(s[i:], sign); ok && blanks(rest) > 0 {
			i += len(sign) + blanks(rest)
			break
		}
	}
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		i++
	}
	return i
}

// mostWrapped is how many bytes of a wrap are skipped on each side of a line break.
const mostWrapped = 64

// isWrap reports whether c may come before a line break that wraps a text.
func isWrap(c byte) bool { return strings.IndexByte(" \t\"'`+", c) >= 0 }

// breaks reports whether s begins with a line break, or a backslash before one.
func breaks(s string) bool {
	return breakLength(s) > 0 || s != "" && s[0] == '\\' && breakLength(s[1:]) > 0
}

// wrapStart returns where the wrap around the line break at s[i] begins, not before from.
func wrapStart(s string, from, i int) int {
	from = max(from, i-mostWrapped)
	for i > from && isWrap(s[i-1]) {
		i--
	}
	return i
}

// breakLength returns the length of the line break, or of its escape, at the start of s.
func breakLength(s string) int {
	for _, b := range [...]string{"\n", "\r\n", `\n`, `\r\n`} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	return 0
}

// blanks returns how many blanks s begins with, at most mostWrapped.
func blanks(s string) (n int) {
	for n < min(len(s), mostWrapped) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}
