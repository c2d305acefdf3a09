package jstext

import (
	"slices"
	"strings"
)

// LocaleCompare orders a and b as localeCompare does in the root locale. It
// returns -1, 0 or 1; strings that look alike, such as "é" in its two spellings,
// are equal.
//
// It knows Latin-1 and the accents U+0300 to U+033F. Other characters come after
// all of these in the order of their code points, where ICU orders them by script.
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

// The levels of a comparison: what letter it is, its accent, its case or form.
// Strings are compared by the first level, then by the next.
const levels = 3

// weight is one element of the order at its levels. A level that is 0 is not
// compared: an accent is no letter.
type weight [levels]int

// atLevel returns what is compared at a level.
func atLevel(all []weight, level int) (out []int) {
	for _, w := range all {
		if w[level] != 0 {
			out = append(out, w[level])
		}
	}
	return out
}

// inOrder are the characters that are letters of their own, in the root order.
const inOrder = "\t\n\v\f\r\u0085 _-,;:!¡?¿.·'\"«»()[]{}§¶@*/\\&#%`´^¯¨¸°©®+±÷×<=>¬|¦~⁄¤¢$£¥" +
	"0123456789abcdefghijklmnopqrstuvwxyzþµ"

// accented are the letters that are another with an accent: each with these two.
const accented = "ÀA\u0300ÁA\u0301ÂA\u0302ÃA\u0303ÄA\u0308ÅA\u030aÇC\u0327ÈE\u0300ÉE\u0301ÊE\u0302" +
	"ËE\u0308ÌI\u0300ÍI\u0301ÎI\u0302ÏI\u0308ÑN\u0303ÒO\u0300ÓO\u0301ÔO\u0302ÕO\u0303ÖO\u0308ÙU\u0300" +
	"ÚU\u0301ÛU\u0302ÜU\u0308ÝY\u0301àa\u0300áa\u0301âa\u0302ãa\u0303äa\u0308åa\u030açc\u0327èe\u0300" +
	"ée\u0301êe\u0302ëe\u0308ìi\u0300íi\u0301îi\u0302ïi\u0308ñn\u0303òo\u0300óo\u0301ôo\u0302õo\u0303" +
	"öo\u0308ùu\u0300úu\u0301ûu\u0302üu\u0308ýy\u0301ÿy\u0308"

// The accents from U+0300 on: the second level of each, and its combining class, by
// which accents on one letter are put in order.
const (
	accents = "\x35\x32\x3c\x4e\x5b\x63\x37\x52\x47\x64\x43\x4d\x41\x5f\x5f\x65\x66\x67\x5f\x22\x2a\x5f\x60\x60" +
		"\x60\x60\x5f\x68\x60\x60\x60\x60\x60\x6e\x6f\x70\x75\x76\x77\x56\x59\x60\x60\x60\x60\x78\x79\x60" +
		"\x7a\x7b\x21\x60\x7c\x7d\x61\x61\x54\x7e\x60\x60\x60\x5f\x5f\x5f"
	accentClass = "\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe6\xe8\xdc\xdc" +
		"\xdc\xdc\xe8\xd8\xdc\xdc\xdc\xdc\xdc\xca\xca\xdc\xdc\xdc\xdc\xca\xca\xdc\xdc\xdc\xdc\xdc\xdc\xdc" +
		"\xdc\xdc\xdc\xdc\x01\x01\x01\x01\x01\xdc\xdc\xdc\xdc\xe6\xe6\xe6"
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

// weightsOf returns the weights of the characters of s.
func weightsOf(s string) []weight {
	var out []weight
	base := 0 // of the accents at the end of out
	var classes []byte
	last := rune(-1)
	for len(s) > 0 {
		r, n := next(s)
		s = s[n:]
		if letter, accent := parts(r); accent != 0 {
			out = append(out, plainWeights(letter)...)
			base, classes = len(out), classes[:0]
			r = accent
		}
		if k := r - firstAccent; k >= 0 && int(k) < len(accents) {
			at := len(classes)
			for at > 0 && classes[at-1] > accentClass[k] {
				at--
			}
			out = slices.Insert(out, base+at, weight{0, int(accents[k]), small})
			classes = slices.Insert(classes, at, accentClass[k])
			last = r
			continue
		}
		if r == '·' && (last == 'l' || last == 'L') {
			out = append(out, weight{0, ligature, small}) // a letter of Catalan
		} else {
			out = append(out, plainWeights(r)...)
		}
		base, classes, last = len(out), classes[:0], r
	}
	return out
}

// parts returns the letter and the accent that r is made of; no accent when r is one
// character.
func parts(r rune) (letter, accent rune) {
	if r < 0xC0 || r > 0xFF {
		return r, 0
	}
	_, after, ok := strings.Cut(accented, string(r))
	if !ok {
		return r, 0
	}
	letter, n := next(after)
	accent, _ = next(after[n:])
	return letter, accent
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
