package detect

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
)

// spellings holds, for each byte, the spellings that may begin with it.
var spellings = func() [256]decoding {
	table := [256]decoding{
		'\\': backslashes | jsonEscapes | folded, '%': percents, '&': entities, '"': joined, '\'': joined, '`': joined, 0x1B: unseen, '\r': folded, '\n': folded,
		// First bytes of the characters in noWidth, of U+009B, and of wide characters.
		0xC2: unseen, 0xCD: unseen, 0xD8: unseen, 0xE1: unseen, 0xE2: unseen, 0xEF: unseen | wide, 0xF0: wide, 0xF3: unseen,
		'-': hyphens,
	}
	for c := range table {
		switch {
		case is(byte(c), alnum):
			table[c] |= spaced
		case c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7F:
			table[c] |= imitated
		}
	}
	return table
}()

// spelledIn returns the spellings that s may contain, by a cheap test of each.
func spelledIn(s string) (how decoding) {
	if strings.IndexByte(s, '\\') >= 0 {
		how |= backslashes
	}
	if hasPercents(s) {
		how |= percents
	}
	if i := strings.IndexByte(s, '&'); i >= 0 && strings.IndexByte(s[i:], ';') > 0 {
		how |= entities
	}
	if !plainText(s) {
		how |= unseen | wide
	}
	if mayJoin(s) {
		how |= joined
	}
	if nextEncoded(s, 0).start < len(s) {
		how |= encoded
	}
	return how
}

// hasPercents reports whether s contains a percent-encoded byte.
func hasPercents(s string) bool {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+2 >= len(s) {
			return false
		}
		if is(s[i+1], hexAny) && is(s[i+2], hexAny) {
			return true
		}
		s = s[i+1:]
	}
}

// resolve decodes the spelling at text[i] and appends the result to to. It returns the length of
// the spelling, or 0 if there is none.
func (how decoding) resolve(to []byte, text string, i int) ([]byte, int) {
	s := text[i:]
	first := i == 0 || !isLetter(text[i-1])
	switch {
	case how&folded != 0:
		return to, fold(s)
	case spellings[s[0]]&how == 0:
		return to, 0
	case how&imitated != 0:
		return how.seemingly(to, text, i)
	case how&spaced != 0:
		if n := spacedLen(s); first && n > 0 {
			return together(to, s[:n]), n
		}
		return to, 0
	case how&hyphens != 0:
		if !first && len(s) > 1 && isLetter(s[1]) {
			return to, 1
		}
		return to, 0
	}
	switch c := s[0]; {
	case c == '\\' && how&backslashes != 0:
		return unescape(to, s)
	case c == '\\':
		text, n := resolved(s)
		return append(to, text...), n
	case c == '%' && len(s) > 2 && is(s[1], hexAny) && is(s[2], hexAny):
		return append(to, hexValue(s[1])<<4|hexValue(s[2])), 3
	case c == '&':
		return entity(to, s)
	case c == '"' || c == '\'' || c == '`':
		return to, joint(s)
	case c == 0x1B || strings.HasPrefix(s, "\u009b"):
		q := terminalSequenceAt(s)
		if !q.ended {
			return to, 2
		}
		return to, q.length
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(s)
		if ascii := foldTo(r); ascii != 0 && r >= 0xFF00 && (r > 0x10000 || is(ascii, tokens)) {
			return append(to, ascii), n
		}
		if noWidth(r) {
			return to, n
		}
	}
	return to, 0
}

// unescape decodes the escape at the start of s and appends the result to to. It returns the length
// of the escape, or 0. It drops a backslash together with the line break after it.
func unescape(to []byte, s string) ([]byte, int) {
	if text, n := resolved(s); n > 0 {
		return append(to, text...), n
	}
	if len(s) < 2 {
		return to, 0
	}
	if n := breakLength(s[1:]); n > 0 {
		return to, 1 + n
	}
	switch c := s[1]; {
	case c == 'x' && len(s) > 3 && is(s[2], hexAny) && is(s[3], hexAny):
		return append(to, hexValue(s[2])<<4|hexValue(s[3])), 4
	case c <= '3' && len(s) > 3 && strings.Trim(s[1:4], "01234567") == "":
		return append(to, (c-'0')<<6|(s[2]-'0')<<3|(s[3]-'0')), 4
	case (c == 'x' || c == 'u') && len(s) > 3 && s[2] == '{':
		end := run(s[:min(len(s), 11)], 3, hexAny)
		if n, err := strconv.ParseUint(s[3:end], 16, 32); err == nil && end < len(s) && s[end] == '}' {
			return utf8.AppendRune(to, rune(n)), end + 1
		}
	case c > ' ' && c < 0x7F && !is(c, alnum):
		return append(to, c), 2
	}
	return to, 0
}

// resolved decodes the JSON escape at the start of s. It returns the text and the length of the
// escape, or 0 if there is none. A surrogate pair counts as one escape.
func resolved(s string) (text string, n int) {
	if len(s) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1], 2
	}
	unit, ok := unitAt(s)
	if !ok {
		return "", 0
	}
	if low, ok := unitAt(s[6:]); ok && unit>>10 == 0xD800>>10 && low>>10 == 0xDC00>>10 {
		return jstext.FromUnits([]uint16{unit, low}), 12
	}
	return jstext.FromUnits([]uint16{unit}), 6
}

// unitAt returns the UTF-16 unit of the \u escape at the start of s.
func unitAt(s string) (uint16, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return uint16(n), err == nil
}

// entity decodes the HTML entity at the start of s and appends the result to to. It returns the
// length of the entity, or 0.
func entity(to []byte, s string) ([]byte, int) {
	const longest = 32
	n := strings.IndexByte(s[:min(len(s), longest)], ';') + 1
	if n < 4 || !is(s[1], alnum) && s[1] != '#' {
		return to, 0
	}
	if text := html.UnescapeString(s[:n]); text != s[:n] && !strings.HasSuffix(text, ";") || text == ";" {
		return append(to, text...), n
	}
	return to, 0
}

// mayJoin reports whether s may contain joined string literals.
func mayJoin(s string) bool {
	for from := s; ; {
		i := strings.IndexByte(from, '+')
		if i < 0 {
			break
		}
		if before := strings.TrimRight(from[max(0, i-mostWrapped):i], " \t"); before != "" && isQuote(before[len(before)-1]) {
			return true
		}
		from = from[i+1:]
	}
	return strings.IndexByte(s, '$') >= 0 && (strings.Contains(s, `" . "`) || strings.Contains(s, `' . '`)) // PHP
}

// joint returns the length of what joins two string literals at the start of s: the closing quote,
// an operator between blanks, and the opening quote.
func joint(s string) int {
	i := 1 + blanks(s[1:])
	if i >= len(s) || s[i] != '+' && s[i] != '.' {
		return 0
	}
	i += 1 + blanks(s[i+1:])
	if n := breakLength(s[i:]); n > 0 {
		i += n + blanks(s[i+n:])
	}
	if i < len(s) && isQuote(s[i]) {
		return i + 1
	}
	return 0
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// hexValue returns the value of a hexadecimal digit.
func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
