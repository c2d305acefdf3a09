package jstext

import "golang.org/x/text/unicode/norm"

// Compatible returns the compatible form of a text, in which full-width letters,
// ligatures and the like are the plain characters that they stand for: NFKC of Unicode.
func Compatible(s string) string { return norm.NFKC.String(s) }
