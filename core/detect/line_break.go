package detect

import "strings"

// fold returns the length of a line break that s begins with, together with what wraps a
// text over two lines around it: blanks, a backslash or a plus, quotes, and the sign with
// which the next line continues a comment, a quotation or a list. It is 0 when s begins
// with none. A break can also be the escape of one.
func fold(s string) int {
	const longest = 64 // on one side
	i := 0
	for i < min(len(s), longest) && strings.IndexByte(" \t\"'`+", s[i]) >= 0 {
		i++
	}
	if i == len(s) || s[i] != '\n' && s[i] != '\r' && s[i] != '\\' {
		return 0
	}
	if s[i] == '\\' && breakLength(s[i+1:]) > 0 {
		i++ // the line is continued
	}
	n := breakLength(s[i:])
	if n == 0 {
		return 0
	}
	i += n
	i += blanks(s[i:], longest)
	for _, sign := range [...]string{"//", ">", "#", "*", "|", "-"} {
		if rest, ok := strings.CutPrefix(s[i:], sign); ok && blanks(rest, longest) > 0 {
			i += len(sign) + blanks(rest, longest)
			break
		}
	}
	if i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0 {
		i++
	}
	return i
}

// mayFold is false for texts without a line break, or the escape of one.
func mayFold(s string) bool { return strings.IndexByte(s, '\n') >= 0 || strings.Contains(s, `\n`) }

// breakLength returns the length of the line break, or of the escape of one, that s
// begins with.
func breakLength(s string) int {
	for _, b := range [...]string{"\n", "\r\n", `\n`, `\r\n`} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	return 0
}

// blanks returns how many blanks s begins with, at most so many.
func blanks(s string, most int) int {
	n := 0
	for n < min(len(s), most) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}
