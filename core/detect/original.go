package detect

import (
	"strings"

	"winnow/core/jstext"
)

// Original redacts a task summary as the lesson format does: leftmost matches of
//
//	Bearer\s\S+ | ghp_\S+ | sk-\S+ | AKIA[A-Z0-9]{16}\S* | -----BEGIN\s+PRIVATE\sKEY-----
//
// in either case of ASCII letters, with JavaScript's white space. Words that
// hold "sk-" are hit too.
func RedactOriginal(s string) string {
	var out strings.Builder
	last := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'B', 'b', 'G', 'g', 'S', 's', 'A', 'a', '-':
		default:
			continue
		}
		n := originalAt(s[i:])
		if n == 0 {
			continue
		}
		out.WriteString(s[last:i])
		out.WriteString(Redacted)
		last = i + n
		i = last - 1
	}
	if last == 0 {
		return s
	}
	out.WriteString(s[last:])
	return out.String()
}

// originalAt returns the length of the match that s begins with, or 0.
func originalAt(s string) int {
	switch s[0] | 0x20 {
	case 'b':
		if hasFold(s, "bearer") {
			if sp := jstext.Space(s[6:]); sp > 0 {
				return atLeastOne(s, 6+sp)
			}
		}
	case 'g':
		if hasFold(s, "ghp_") {
			return atLeastOne(s, 4)
		}
	case 's':
		if hasFold(s, "sk-") {
			return atLeastOne(s, 3)
		}
	case 'a':
		if hasFold(s, "akia") && len(s) >= 20 && run(s[:20], 4, alnum) == 20 {
			return solid(s, 20)
		}
	case '-':
		return headerAt(s)
	}
	return 0
}

// headerAt returns the length of the private key header that s begins with, or 0.
func headerAt(s string) int {
	const begin, private, key = "-----begin", "private", "key-----"
	if !hasFold(s, begin) {
		return 0
	}
	i := len(begin)
	j := spaces(s, i)
	if j == i || !hasFold(s[j:], private) {
		return 0
	}
	j += len(private)
	sp := jstext.Space(s[j:])
	if sp == 0 || !hasFold(s[j+sp:], key) {
		return 0
	}
	return j + sp + len(key)
}

// atLeastOne returns the end of the characters from i on that are not white
// space, or 0 when there is none.
func atLeastOne(s string, i int) int {
	if j := solid(s, i); j > i {
		return j
	}
	return 0
}

// solid returns the index of the first white space from i on, or len(s).
func solid(s string, i int) int {
	for i < len(s) && jstext.Space(s[i:]) == 0 {
		i++
	}
	return i
}

// spaces returns the index of the first character from i on that is no white
// space.
func spaces(s string, i int) int {
	for n := jstext.Space(s[i:]); n > 0; n = jstext.Space(s[i:]) {
		i += n
	}
	return i
}

// hasFold reports whether s begins with word, which is in lower case, in either
// case of ASCII letters.
func hasFold(s, word string) bool {
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
