package detect

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
)

// encodingsByByte holds, for each byte, the encodings that may begin with it.
var encodingsByByte = func() [256]encodings {
	table := [256]encodings{
		'\\': backslashEscapes | jsonEscapes | wrappedLines, '%': percentEncoding, '&': htmlEntities,
		'"': joinedStrings, '\'': joinedStrings, '`': joinedStrings, 0x1B: invisibleRunes, '\r': wrappedLines,
		'\n': wrappedLines,
		0:    invisibleRunes, // of UTF-16 that was read as UTF-8
		// First bytes of zero-width characters, of U+009B, and of wide letters.
		0xC2: invisibleRunes, 0xCD: invisibleRunes, 0xD8: invisibleRunes, 0xE1: invisibleRunes, 0xE2: invisibleRunes,
		0xEF: invisibleRunes | wideLetters, 0xF0: wideLetters, 0xF3: invisibleRunes,
		'-': splitHyphens,
	}
	for c := range table {
		switch {
		case inClass(byte(c), alnum):
			table[c] |= spacedLetters
		case c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7F:
			table[c] |= lookalikeRunes
		}
	}
	return table
}()

// possibleEncodings returns the encodings that s may contain, by a cheap test for each.
func possibleEncodings(s string) (how encodings) {
	if strings.IndexByte(s, '\\') >= 0 {
		how |= backslashEscapes
	}
	if hasPercentEncoding(s) {
		how |= percentEncoding
	}
	if i := strings.IndexByte(s, '&'); i >= 0 && strings.IndexByte(s[i:], ';') > 0 {
		how |= htmlEntities
	}
	if !isPlainASCII(s) || strings.IndexByte(s, 0) >= 0 {
		how |= invisibleRunes | wideLetters
	}
	if mayJoinStrings(s) {
		how |= joinedStrings
	}
	if nextEncodedSpan(s, 0).start < len(s) {
		how |= base64OrHex
	}
	return how
}

// isBatchVariable reports whether s begins with a variable of a batch file, as in "%DATABASE_PASSWORD%".
func isBatchVariable(s string) bool {
	const shortest = 5
	end := runEnd(s[:min(len(s), longestName)], 1, upper|underscore)
	return end > shortest && end < len(s) && s[end] == '%'
}

// hasPercentEncoding reports whether s contains a percent-encoded byte.
func hasPercentEncoding(s string) bool {
	for i := indexFrom(s, "%", 0); i >= 0 && i+2 < len(s); i = indexFrom(s, "%", i+1) {
		if inClass(s[i+1], anyHex) && inClass(s[i+2], anyHex) {
			return true
		}
	}
	return false
}

// decodeAt appends what the encoding at text[i] decodes to. It returns the length of the encoding,
// or 0 if there is none.
func (how encodings) decodeAt(to []byte, text string, i int) ([]byte, int) {
	s := text[i:]
	first := i == 0 || !isLetter(text[i-1])
	switch {
	case how&wrappedLines != 0:
		return to, wrapLen(s)
	case encodingsByByte[s[0]]&how == 0:
		return to, 0
	case how&lookalikeRunes != 0:
		return how.appendVisible(to, text, i)
	case how&spacedLetters != 0:
		if n := spacedLettersLen(s); first && n > 0 {
			return appendJoinedLetters(to, s[:n]), n
		}
		return to, 0
	case how&splitHyphens != 0:
		if !first && len(s) > 1 && isLetter(s[1]) {
			return to, 1
		}
		return to, 0
	}
	return how.decodeSign(to, text, i)
}

// decodeSign is decodeAt for the encodings that begin with a sign of their own, such as an escape or an entity.
func (how encodings) decodeSign(to []byte, text string, i int) ([]byte, int) {
	s := text[i:]
	switch c := s[0]; {
	case c == '\\' && how&backslashEscapes != 0:
		return decodeBackslash(to, s)
	case c == '\\':
		text, n := decodeJSONEscape(s)
		return append(to, text...), n
	case c == '%' && isPercentEscape(s):
		return append(to, hexValue(s[1])<<4|hexValue(s[2])), 3
	case c == '&':
		return decodeEntity(to, s)
	case c == '"' || c == '\'' || c == '`':
		return to, stringJoinLen(s)
	case c == 0:
		return to, paddingLen(text, i)
	case c == 0x1B || strings.HasPrefix(s, "\u009b"):
		q := parseTerminalSequence(s)
		if !q.complete {
			return to, 2
		}
		return to, q.length
	case c >= utf8.RuneSelf:
		return decodeStyled(to, s)
	}
	return to, 0
}

// isPercentEscape reports whether s begins with a percent sign and the two digits of a byte.
func isPercentEscape(s string) bool {
	return len(s) > 2 && inClass(s[1], anyHex) && inClass(s[2], anyHex) && !isBatchVariable(s)
}

// decodeStyled appends the ASCII character that the one at the start of s is a form of: full width, or of mathematics.
// It returns the length of the character, also of one without width, or 0.
func decodeStyled(to []byte, s string) ([]byte, int) {
	r, n := utf8.DecodeRuneInString(s)
	if ascii := lookalikeOf(r); ascii != 0 && r >= 0xFF00 && (r > 0x10000 || inClass(ascii, tokenChar)) {
		return append(to, ascii), n
	}
	if isZeroWidth(r) {
		return to, n
	}
	return to, 0
}

// paddingLen returns how many zero bytes at s[i] belong to the character before them, in a text that an
// agent read byte by byte although it is UTF-16 or UTF-32. A zero between two words is none.
func paddingLen(s string, i int) int {
	const most = 3 // in UTF-32
	n := 0
	for n <= most && i+n < len(s) && s[i+n] == 0 {
		n++
	}
	isPadded := func(k int) bool {
		return k >= 0 && k+n < len(s) && isTextByte(s[k]) && strings.Trim(s[k+1:k+1+n], "\x00") == ""
	}
	if i == 0 || n != 1 && n != most || !isTextByte(s[i-1]) || !isPadded(i-2-n) && !isPadded(i+n) {
		return 0
	}
	return n
}

// isOctalEscape reports whether s begins with a backslash and the three octal digits of a byte.
func isOctalEscape(s string) bool {
	return len(s) > 3 && s[1] <= '3' && strings.Trim(s[1:4], "01234567") == ""
}

// decodeBraces appends the character whose number an escape such as \u{2014} at the start of s has in braces, and
// returns the length of the escape or 0.
func decodeBraces(to []byte, s string) ([]byte, int) {
	if len(s) < 4 || s[2] != '{' {
		return to, 0
	}
	end := runEnd(s[:min(len(s), 11)], 3, anyHex)
	n, err := strconv.ParseUint(s[3:end], 16, 32)
	if err != nil || end == len(s) || s[end] != '}' {
		return to, 0
	}
	return utf8.AppendRune(to, rune(n)), end + 1
}

// decodeBackslash appends the character that the escape at the start of s denotes, and returns the
// length of the escape or 0. A backslash before a line break denotes nothing.
func decodeBackslash(to []byte, s string) ([]byte, int) {
	if text, n := decodeJSONEscape(s); n > 0 {
		return append(to, text...), n
	}
	if len(s) < 2 {
		return to, 0
	}
	if n := lineBreakLen(s[1:]); n > 0 {
		return to, 1 + n
	}
	switch c := s[1]; {
	case c == 'x' && len(s) > 3 && inClass(s[2], anyHex) && inClass(s[3], anyHex):
		return append(to, hexValue(s[2])<<4|hexValue(s[3])), 4
	case isOctalEscape(s):
		return append(to, (c-'0')<<6|(s[2]-'0')<<3|(s[3]-'0')), 4
	case c == 'x' || c == 'u':
		return decodeBraces(to, s)
	case c > ' ' && c < 0x7F && !inClass(c, alnum):
		return append(to, c), 2
	}
	return to, 0
}

// decodeJSONEscape decodes the JSON escape at the start of s and returns its length, or 0 if there
// is none. A surrogate pair is one escape.
func decodeJSONEscape(s string) (text string, n int) {
	if len(s) < 2 {
		return "", 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1], 2
	}
	unit, ok := escapedUnit(s)
	if !ok {
		return "", 0
	}
	if low, ok := escapedUnit(s[6:]); ok && unit>>10 == 0xD800>>10 && low>>10 == 0xDC00>>10 {
		return jstext.FromUnits([]uint16{unit, low}), 12
	}
	return jstext.FromUnits([]uint16{unit}), 6
}

// escapedUnit returns the UTF-16 unit of the \u escape at the start of s.
func escapedUnit(s string) (uint16, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return uint16(n), err == nil
}

// decodeEntity appends what the HTML entity at the start of s denotes, and returns the length of
// the entity or 0.
func decodeEntity(to []byte, s string) ([]byte, int) {
	const longest = 32
	n := strings.IndexByte(s[:min(len(s), longest)], ';') + 1
	if n < 4 || !inClass(s[1], alnum) && s[1] != '#' {
		return to, 0
	}
	if text := html.UnescapeString(s[:n]); text != s[:n] && !strings.HasSuffix(text, ";") || text == ";" {
		return append(to, text...), n
	}
	return to, 0
}

// mayJoinStrings reports whether s may contain string literals joined by an operator.
func mayJoinStrings(s string) bool {
	for i := indexFrom(s, "+", 0); i >= 0; i = indexFrom(s, "+", i+1) {
		if before := strings.TrimRight(bytesBefore(s, i, maxWrapBytes), " \t"); before != "" &&
			isQuote(before[len(before)-1]) {
			return true
		}
	}
	return strings.IndexByte(s, '$') >= 0 && (strings.Contains(s, `" . "`) || strings.Contains(s, `' . '`)) // PHP
}

// stringJoinLen returns the length of the join of two string literals at the start of s: a quote,
// an operator between blanks, and a quote.
func stringJoinLen(s string) int {
	i := 1 + blankLen(s[1:])
	if i >= len(s) || s[i] != '+' && s[i] != '.' {
		return 0
	}
	i += 1 + blankLen(s[i+1:])
	if n := lineBreakLen(s[i:]); n > 0 {
		i += n + blankLen(s[i+n:])
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

// wrapLen returns the length of the line break at the start of s and of the marks that wrap a text
// around it: blanks, a backslash or plus, quotes, and the mark that continues a comment, quotation
// or list on the next line. It returns 0 if s does not begin with a break. An escaped line break
// counts.
func wrapLen(s string) int {
	i := runEnd(s[:min(len(s), maxWrapBytes)], 0, wrapping)
	if !startsWithBreak(s[i:]) {
		return 0
	}
	if s[i] == '\\' && lineBreakLen(s[i+1:]) > 0 {
		i++ // line continuation
	}
	i += lineBreakLen(s[i:])
	i += blankLen(s[i:])
	for _, sign := range [...]string{"//", ">", "#", "*", "|", "-"} {
		if rest, ok := strings.CutPrefix(s[i:], sign); ok && blankLen(rest) > 0 {
			i += len(sign) + blankLen(rest)
			break
		}
	}
	if i < len(s) && isQuote(s[i]) {
		i++
	}
	return i
}

// maxWrapBytes is how many bytes of marks are skipped on each side of a line break.
const maxWrapBytes = 64

// startsWithBreak reports whether s begins with a line break, or a backslash before one.
func startsWithBreak(s string) bool {
	return lineBreakLen(s) > 0 || s != "" && s[0] == '\\' && lineBreakLen(s[1:]) > 0
}

// lineBreakLen returns the length of the line break, plain or escaped, at the start of s.
func lineBreakLen(s string) int {
	for _, b := range [...]string{"\n", "\r\n", `\n`, `\r\n`} {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	return 0
}

// blankLen returns how many blanks s begins with, at most maxWrapBytes.
func blankLen(s string) int { return runEnd(s[:min(len(s), maxWrapBytes)], 0, blank) }
