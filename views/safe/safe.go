// Package safe is the one way for text out of a store to a screen. Stored text
// is hostile: it may hold terminal escapes, line breaks, characters that turn
// the reading direction, and characters that show nothing at all. Here each of
// them becomes a visible token, such as <ESC>, <LF> or <U+202E>. Nothing is
// dropped, because an inspector has to show what is there.
//
// What becomes a token:
//
//   - control characters, C0 by name (<TAB>), DEL, and C1 by number (<U+009B>);
//   - bytes that are no UTF-8 (<0xFF>) and lone surrogates (<U+D83D>);
//   - format characters: bidi marks and embeddings, zero-width space, joiner and
//     non-joiner, soft hyphen, byte order mark, tags;
//   - line and paragraph separators, and every space but U+0020 and the
//     ideographic U+3000, which is as wide as it looks;
//   - whatever Unicode calls default-ignorable (variation selectors, Hangul
//     fillers, the grapheme joiner), and the blank braille pattern;
//   - unassigned and private-use characters, which each font shows differently;
//   - a combining mark with nothing to combine with, and each mark after the
//     fourth on one letter.
//
// Accents, CJK, right-to-left letters and emoji stay as they are. So does U+FFFD,
// which is visible. What makes one character of several stays where it does so,
// and is a token elsewhere: a joiner between two emoji or two letters of a script
// that needs it, an emoji's style and skin tone. See joins.
//
// A store can also hold the five characters "<ESC>", and they look like the
// token. That is the price of an output that can pass through here twice.
package safe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is the number of combining marks shown on one letter. Vietnamese
// written apart takes two, pointed Hebrew three, Burmese four.
const maxMarks = 4

// Line returns s as one line that is safe to print. The result is valid UTF-8
// without any character for which IsHidden holds, but for those that join what is
// beside them into one visible character. It is at most six times as long as s, and s itself when there is nothing to
// replace. Line(Line(s)) is Line(s).
//
// Lone surrogates in s are written as their three generalised bytes, as in
// core/jstext.
func Line(s string) string {
	i := asciiLength(s)
	if i == len(s) {
		return s
	}
	var sc scanner
	for i = 0; i < len(s); {
		n, ok := sc.next(s[i:])
		if !ok {
			return sc.replace(s, i)
		}
		i += n
	}
	return s
}

// asciiLength returns the length of the printable ASCII at the start of s.
func asciiLength(s string) int {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return i
		}
	}
	return len(s)
}

// scanner walks over text and counts the marks on the current letter.
type scanner struct {
	base  bool // a letter that a mark can combine with comes before
	marks int
	last  rune // the character before, or 0 if it was a token
}

// next returns the size of the character at the start of s, and whether it is
// shown as it is.
func (sc *scanner) next(s string) (size int, ok bool) {
	if c := s[0]; c >= ' ' && c <= '~' {
		sc.base, sc.marks, sc.last = true, 0, rune(c)
		return 1, true
	}
	r, size := utf8.DecodeRuneInString(s)
	last := sc.last
	sc.last = r
	switch {
	case joins(last, r, s[size:]):
		return size, true
	case r == utf8.RuneError && size == 1:
		if _, lone := surrogate(s); lone {
			size = 3
		}
	case isMark(r):
		sc.marks++
		if sc.base && sc.marks <= maxMarks && !IsHidden(r) {
			return size, true
		}
	case !IsHidden(r):
		sc.base, sc.marks = true, 0
		return size, true
	}
	sc.base, sc.marks, sc.last = false, 0, 0
	return size, false
}

// replace returns s with tokens; the first from bytes are shown as they are,
// and a token is due there.
func (sc *scanner) replace(s string, from int) string {
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:from])
	for i := from; i < len(s); {
		n, ok := sc.next(s[i:])
		if ok {
			b.WriteString(s[i : i+n])
		} else {
			writeToken(&b, s[i:i+n])
		}
		i += n
	}
	return b.String()
}

// surrogate decodes the three bytes of a lone surrogate.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

var controls = [...]string{
	"<NUL>", "<SOH>", "<STX>", "<ETX>", "<EOT>", "<ENQ>", "<ACK>", "<BEL>",
	"<BS>", "<TAB>", "<LF>", "<VT>", "<FF>", "<CR>", "<SO>", "<SI>",
	"<DLE>", "<DC1>", "<DC2>", "<DC3>", "<DC4>", "<NAK>", "<SYN>", "<ETB>",
	"<CAN>", "<EM>", "<SUB>", "<ESC>", "<FS>", "<GS>", "<RS>", "<US>",
}

// writeToken writes the token of one character, given as its bytes.
func writeToken(b *strings.Builder, s string) {
	r, size := utf8.DecodeRuneInString(s)
	surrogate, lone := surrogate(s)
	switch {
	case r == utf8.RuneError && size == 1 && lone:
		fmt.Fprintf(b, "<U+%04X>", surrogate)
	case r == utf8.RuneError && size == 1:
		fmt.Fprintf(b, "<0x%02X>", s[0])
	case int(r) < len(controls):
		b.WriteString(controls[r])
	case r == 0x7F:
		b.WriteString("<DEL>")
	case r == 0xA0:
		b.WriteString("<NBSP>")
	default:
		fmt.Fprintf(b, "<U+%04X>", r)
	}
}

// isMark reports whether r combines with the character before it: accents and
// the like, and the vowels and final consonants of Hangul written apart.
func isMark(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r >= 0x1160 && r <= 0x11FF, r >= 0xD7B0 && r <= 0xD7FF:
		return true
	}
	return unicode.Is(unicode.M, r)
}

// IsHidden reports whether r shows nothing, changes how its neighbours are
// shown, or is not an assigned character: whether Line writes a token for it
// wherever it is.
func IsHidden(r rune) bool {
	switch {
	case r < 0x7F:
		return r < ' '
	case r < 0x300:
		return r <= 0xA0 || r == 0xAD
	case r >= 0x3041 && r <= 0x3096, r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
		return false // kana, Han and Hangul: the common case for long texts
	case r == 0x3000:
		return false
	case r == 0x2800, r >= 0x1F3FB && r <= 0x1F3FF:
		return true // blank braille, skin tones
	case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S):
		return true
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
