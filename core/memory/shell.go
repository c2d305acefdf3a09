package memory

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord returns s quoted as one word for a shell. Unprintable characters are escaped in a form
// that bash, zsh and ksh read.
func ShellWord(s string) string {
	switch {
	case !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "$'" + ansiQuoted(s) + "'"
	case s == "" || strings.ContainsFunc(s, isSpecial):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

// isSpecial reports whether a shell may treat the character as special.
func isSpecial(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("./_-+@%,", r))
}

// ansiQuoted returns the content of the $'…' form of s.
func ansiQuoted(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '\\' || r == '\'':
			out.WriteString(`\` + s[:n])
		case r == utf8.RuneError && n == 1 || !unicode.IsPrint(r):
			for i := range n {
				fmt.Fprintf(&out, `\x%02x`, s[i])
			}
		default:
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}
