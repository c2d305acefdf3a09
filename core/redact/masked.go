package redact

import (
	"strconv"
	"unicode/utf8"
)

// Masked returns what may be shown of a secret: at most its first four and last two
// characters and how many there are, and of a short one nothing but that.
func Masked(secret string) string {
	const short, long = 16, 24
	n := utf8.RuneCountInString(secret)
	count := " (" + strconv.Itoa(n) + " chars)"
	if n == 1 {
		count = " (1 char)"
	}
	switch {
	case n < short || len(secret) != n:
		return "****" + count
	case n < long:
		return shown(secret[:2]) + "****" + count
	}
	return shown(secret[:4]) + "****…" + shown(secret[n-2:]) + count
}

// shown returns an ASCII text without what a terminal does not print.
func shown(s string) string {
	out := []byte(s)
	for i, c := range out {
		if c <= ' ' || c >= 0x7F {
			out[i] = '*'
		}
	}
	return string(out)
}
