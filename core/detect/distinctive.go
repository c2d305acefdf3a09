package detect

import (
	"strings"
	"unicode"
)

// Telling reports whether a text that is a secret in one place is one wherever it
// stands: it is long enough, and neither words nor a number that means other things.
func Distinctive(secret string) bool {
	const least, leastDigits = 6, 10
	if len(secret) < least {
		return false
	}
	if strings.Trim(secret, "0123456789.:-/ ") == "" {
		return len(secret) >= leastDigits && strings.Trim(secret, "0123456789") == ""
	}
	return !allWords(secret)
}

// words reports whether a text is of letters alone that make words: runs of small
// letters, each with at most one capital before it, or of capitals. None is longer than
// words are, and none that ends at a capital shorter.
func allWords(s string) bool {
	const longest, shortest, all = 15, 3, 40
	if len(s) > all && !strings.Contains(s, " ") {
		return false
	}
	run := 0
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) && (run == 0 || !unicode.IsUpper(r) || unicode.IsUpper(last)):
			run++
		case unicode.IsLetter(r) && run >= shortest:
			run = 1
		case strings.ContainsRune(" -_.,'!?", r):
			run = 0
		default:
			return false
		}
		if run > longest {
			return false
		}
		last = r
	}
	return true
}
