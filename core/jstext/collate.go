package jstext

import (
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// LocaleCompare orders a and b as localeCompare does in the root locale. It
// returns -1, 0 or 1; strings that look alike, such as "é" in its two spellings,
// are equal.
func LocaleCompare(a, b string) int {
	if a == b {
		return 0
	}
	if len(a) == len(b) && isDate(a) && isDate(b) {
		return Compare(a, b) // digits in the same places
	}
	return collate.New(language.Und).CompareString(a, b)
}

// isDate reports whether s has the shape that toISOString gives.
func isDate(s string) bool {
	const shape = "0000-00-00T00:00:00.000Z"
	if len(s) != len(shape) {
		return false
	}
	for i := range len(shape) {
		if c := shape[i]; c != s[i] && (c != '0' || s[i]-'0' > 9) {
			return false
		}
	}
	return true
}
