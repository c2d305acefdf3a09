package detect

import (
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// DelimiterOpenings are the characters that a delimiter in the sense of Delimiter can begin
// with: the angle brackets and what looks like them.
const DelimiterOpenings = "<＜‹«≪ᐸ"

// So much is looked at for a delimiter, that a text of brackets takes linear time.
const (
	delimiterBytes = 256
	bracketBytes   = 32
)

// Delimiter returns the length in bytes of what s begins with when a reader takes
// it for a delimiter of the prompt's untrusted parts, else 0. That is more than the
// agent's filter catches: at least two opening brackets, the words, and a closing
// bracket, in any case, in full width or letters that look alike, and with white
// space, hyphens, dots, marks or characters of no width anywhere between them. It is
// at most 256 bytes long.
func Delimiter(s string) int {
	s = s[:min(len(s), delimiterBytes)]
	i := brackets(s)
	if i == 0 {
		return 0
	}
	i += letters(s[i:], "END")
	n := letters(s[i:], "UNTRUSTEDINPUT")
	if n == 0 {
		return 0
	}
	i += n
	for end := 0; ; {
		r, n := utf8.DecodeRuneInString(s[i:])
		c := plain(r)
		if n == 0 || c != '>' && (c != skipped || end > 0) {
			return end
		}
		if i += n; c == '>' {
			end = i
		}
	}
}

// brackets returns the length of the opening brackets that s begins with, with what
// stands between them; 0 when they are fewer than two.
func brackets(s string) int {
	i, count := 0, 0
	for i < min(len(s), bracketBytes) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '«' || r == '≪' {
			count++ // these are two
		}
		if c := plain(r); c == '<' {
			count++
		} else if c != skipped {
			break
		}
		i += n
	}
	if count < 2 {
		return 0
	}
	return i
}

// letters returns the length of the part of s that spells the word, or 0.
func letters(s, word string) int { return spelledBy(s, word, plain) }

// spelledBy returns the length of what s begins with when its characters, each as one sees
// it, are those of word with any that are skipped between them; else 0.
func spelledBy(s, word string, seen func(rune) rune) int {
	at := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := seen(r); {
		case c == rune(word[at]):
			at++
		case c != skipped:
			return 0
		}
		if i += n; at == len(word) {
			return i
		}
	}
	return 0
}

// skipped stands for a character that a reader looks over inside a delimiter.
const skipped = -1

// plain is seen for characters where a slash is looked over too.
func plain(r rune) rune {
	if c := seen(r); c != '/' {
		return c
	}
	return skipped
}

// seen returns what a reader takes r for: the ASCII capital, bracket or mark that it looks like,
// skipped, or r.
func seen(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'A'
	case r > ' ' && r < 0x7F && r != '_' && r != '-' && r != '.' && r != '*':
		return r
	case r < 0x7F, Hidden(r), lineBreak(r), jstext.IsSpace(r), r >= 0x2000 && r <= 0x2015:
		return skipped
	}
	if c := foldTo(r); c != 0 {
		return seen(rune(c))
	}
	switch r {
	case '‹', '«', '≪', 'ᐸ':
		return '<'
	case '›', '»', '≫', 'ᐳ':
		return '>'
	case 'İ':
		return 'I'
	case 0x2044, 0x2215: // slashes of fractions and of division
		return '/'
	}
	if unicode.In(r, unicode.Mn, unicode.Cf, unicode.Pd, unicode.Pc) {
		return skipped
	}
	return r
}
