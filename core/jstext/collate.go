package jstext

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// LocaleCompare orders a and b as localeCompare does in the root locale. It returns -1, 0 or 1.
// Strings that look alike, such as the two spellings of "é", are equal.
//
// It knows Latin-1, the accents U+0300 to U+033F, and letters composed of these. All other
// characters come after them in code point order, whereas ICU orders them by script.
func LocaleCompare(a, b string) int {
	if a == b {
		return 0
	}
	if len(a) == len(b) && isDate(a) && isDate(b) {
		return Compare(a, b) // digits in the same places
	}
	x, y := weightsOf(a), weightsOf(b)
	for level := range levels {
		if c := slices.Compare(atLevel(x, level), atLevel(y, level)); c != 0 {
			return c
		}
	}
	return 0
}

// isDate reports whether s has the format of toISOString.
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

// The levels of a comparison: the letter, its accent, and its case or form. Strings are compared by
// the first level, then by the next.
const levels = 3

// weight is one element of the order at its levels. A level of 0 is not compared: an accent is not
// a letter.
type weight [levels]int

// atLevel returns the weights that are compared at a level.
func atLevel(all []weight, level int) (out []int) {
	for _, w := range all {
		if w[level] != 0 {
			out = append(out, w[level])
		}
	}
	return out
}

// inOrder are the characters that are letters of their own, in root order.
const inOrder = "\t\n\v\f\r\u0085 _-,;:!¡?¿.·'\"«»()[]{}§¶@*/\\&#%`´^¯¨¸°©®+±÷×<=>¬|¦~⁄¤¢$£¥" +
	"0123456789abcdefghijklmnopqrstuvwxyzþµ"

// The accents from U+0300 on: the second level of each.
const (
	accents = "\x35\x32\x3c\x4e\x5b\x63\x37\x52\x47\x64\x43\x4d\x41\x5f\x5f\x65\x66\x67\x5f\x22\x2a\x5f\x60\x60" +
		"\x60\x60\x5f\x68\x60\x60\x60\x60\x60\x6e\x6f\x70\x75\x76\x77\x56\x59\x60\x60\x60\x60\x78\x79\x60" +
		"\x7a\x7b\x21\x60\x7c\x7d\x61\x61\x54\x7e\x60\x60\x60\x5f\x5f\x5f"
	firstAccent = 0x300
	slash       = 0x54  // the accent of ø
	ligature    = 0x139 // the accent between letters that are one
	noAccent    = 0x20
)

// The third level: small letters come first.
const (
	small    = 0x02
	compat   = 0x04
	capital  = 0x08
	compatUp = 0x0A
	raised   = 0x14
	noBreak  = 0x1B
	fraction = 0x1E
)

// composed are the characters that stand for several, or for another in a form of
// its own.
var composed = map[rune][]weight{
	0xA0: {letter(' ', noBreak)},
	'¹':  {letter('1', raised)}, '²': {letter('2', raised)}, '³': {letter('3', raised)},
	'ª': {letter('a', raised)}, 'º': {letter('o', raised)},
	'¼': {letter('1', fraction), letter('⁄', fraction), letter('4', fraction)},
	'½': {letter('1', fraction), letter('⁄', fraction), letter('2', fraction)},
	'¾': {letter('3', fraction), letter('⁄', fraction), letter('4', fraction)},
	'æ': {letter('a', compat), {0, ligature, compat}, letter('e', compat)},
	'Æ': {letter('a', compatUp), {0, ligature, compat}, letter('e', compatUp)},
	'ß': {letter('s', compat), {0, ligature, compat}, letter('s', compat)},
	'ð': {letter('d', compat), {0, ligature, compat}}, 'Ð': {letter('d', compatUp), {0, ligature, compat}},
	'ø': {letter('o', small), {0, slash, small}}, 'Ø': {letter('o', capital), {0, slash, small}},
	'Þ': {letter('þ', capital)},
}

// letter returns the weight of a character of inOrder in a form.
func letter(r rune, form int) weight {
	return weight{strings.IndexRune(inOrder, r) + 1, noAccent, form}
}

// weightsOf returns the weights of the characters of s. Letters with accents are taken
// apart first, and the accents of each letter put in order.
func weightsOf(s string) (out []weight) {
	last := rune(-1)
	for s = norm.NFD.String(s); len(s) > 0; {
		r, n := next(s)
		s = s[n:]
		switch k := r - firstAccent; {
		case k >= 0 && int(k) < len(accents):
			out = append(out, weight{0, int(accents[k]), small})
		case r == '·' && (last == 'l' || last == 'L'):
			out = append(out, weight{0, ligature, small}) // a letter of Catalan
		default:
			out = append(out, plainWeights(r)...)
		}
		last = r
	}
	return out
}

// plainWeights returns the weights of a character that is no accent: none for one
// that the order ignores.
func plainWeights(r rune) []weight {
	switch {
	case r <= 0xFF:
		return latin[r]
	case r == 0xFEFF:
		return nil
	}
	return []weight{{len(inOrder) + int(r), noAccent, small}}
}

// latin holds the weights of the characters of Latin-1. The control characters and
// the soft hyphen have none.
var latin = latinTable()

func latinTable() (t [0x100][]weight) {
	for _, r := range inOrder {
		if r <= 0xFF {
			t[r] = []weight{letter(r, small)}
		}
	}
	for r := 'A'; r <= 'Z'; r++ {
		t[r] = []weight{letter(r|0x20, capital)}
	}
	for r, w := range composed {
		t[r] = w
	}
	return t
}
