package detect

import (
	"regexp"
	"sync"

	"winnow/core/jstext"
)

// originalPattern matches what the lesson format redacts:
//
//	Bearer\s\S+ | ghp_\S+ | sk-\S+ | AKIA[A-Z0-9]{16}\S* | -----BEGIN\s+PRIVATE\sKEY-----
//
// in either case of ASCII letters, with JavaScript's white space. Letters that Unicode folds
// to s and k are none of them.
var originalPattern = sync.OnceValue(func() *regexp.Regexp {
	const white = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	const space, solid = "[" + white + "]", "[^" + white + "]"
	return regexp.MustCompile("(?i:bearer)" + space + solid + "+|(?i:ghp_)" + solid + "+|[Ss][Kk]-" + solid + "+|(?i:a)[Kk](?i:ia)[A-Za-z0-9]{16}" + solid +
		"*|-----(?i:begin)" + space + "+(?i:private)" + space + "[Kk](?i:ey)-----")
})

// RedactOriginal redacts a task summary as the lesson format does. That includes words that contain
// "sk-".
func RedactOriginal(s string) string { return originalPattern().ReplaceAllLiteralString(s, Redacted) }

// skipSpace returns the index of the first character at or after i that is not white space.
func skipSpace(s string, i int) int {
	for n := jstext.Space(s[i:]); n > 0; n = jstext.Space(s[i:]) {
		i += n
	}
	return i
}

// hasPrefixFold reports whether s begins with word, ignoring the case of ASCII letters. word must be in
// lower case.
func hasPrefixFold(s, word string) bool {
	if len(s) < len(word) {
		return false
	}
	for i := range len(word) {
		c := s[i]
		if c-'A' <= 25 {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
