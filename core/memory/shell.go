package memory

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord returns s quoted as one word that all shells read alike: sh, dash, bash, zsh and fish. The bytes of
// s stay as they are, so unprintable characters do too; see [ShellPath] for what is shown to a person. No shell
// can be given a NUL.
func ShellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, isSpecial) {
		return s
	}
	return "'" + outsideQuotes.Replace(s) + "'"
}

// outsideQuotes puts what some shell reads between single quotes outside of them: the quote itself, and the
// backslash, which fish reads there.
var outsideQuotes = strings.NewReplacer(`'`, `'\''`, `\`, `'\\'`)

// isSpecial reports whether a shell may treat the character as special.
func isSpecial(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("./_-+@,", r))
}

// ShellPath returns a path as one word of a command that is shown: it has printable characters only, and no command
// takes it for an option. A home folder that is written as ~ stays so. A path that cannot be shown is FILE.
func ShellPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && printable(path) {
		return "~/" + ShellWord(rest)
	}
	if strings.HasPrefix(path, "-") && path != "-" {
		path = "./" + path
	}
	switch {
	case printable(path):
		return ShellWord(path)
	case strings.HasSuffix(path, "\n") || strings.Contains(path, "\x00"): // a shell would drop these
		return "FILE"
	}
	return `"$(printf '` + octal(path) + `')"`
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// octal returns s as the format of a printf that prints it.
func octal(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r != utf8.RuneError && unicode.IsPrint(r) && !strings.ContainsRune(`\'%`, r) {
			out.WriteString(s[:n])
		} else {
			for i := range n {
				fmt.Fprintf(&out, `\%03o`, s[i])
			}
		}
		s = s[n:]
	}
	return out.String()
}
