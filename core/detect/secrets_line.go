package detect

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// SecretsInLine returns the places in a line of JSON that look like a secret, in order and
// apart from each other: what Secrets finds in the line as it stands, in the line with its
// escapes resolved, and in each of its strings. A line in which it finds nothing has no
// string in which Secrets does. The line need not be whole or sound.
func SecretsInLine(line string) []Span {
	c := secretScanner{t: allLiterals()}
	return c.line(line)
}

// LookInLine returns what SecretsInLine does, and what Suspicious says of a line of JSON,
// or true.
func LookInLine(line string) (secrets []Span, suspicious bool) {
	c := secretScanner{t: allLiterals(), asked: true}
	secrets = c.line(line)
	return secrets, c.flagged || odd(line)
}

func (c *secretScanner) line(line string) []Span {
	how := spelledIn(line)
	if at := strings.IndexByte(line, '\\'); at >= 0 {
		how |= jsonEscapes
		if strings.Contains(line[at:], `\u`) {
			how |= unseen
		}
	}
	c.look(line, how)
	if len(c.spans) == 0 && !c.begun {
		return nil // no string in it has more to find
	}
	for start := 0; ; {
		i := strings.IndexByte(line[start:], '"')
		if i < 0 {
			return c.result(line)
		}
		start += i + 1
		end := stringEnd(line, start)
		c.inString(line, start, end)
		start = min(end+1, len(line))
	}
}

// inString adds what is found in the JSON string line[start:end] when it is resolved.
func (c *secretScanner) inString(line string, start, end int) {
	text := line[start:end]
	inner := secretScanner{t: c.t}
	d, ok := decode(text, jsonEscapes)
	if !ok {
		d = decoded{text, []part{{0, 0, 0}}}
	}
	inner.look(d.text, spelledIn(d.text))
	for _, p := range inner.spans {
		p.start, p.end = d.raw(p.start, p.end)
		c.spans = append(c.spans, secretAt{p.start + start, p.end + start, p.rule})
	}
}

// stringEnd returns the index of the quote that ends the JSON string whose text
// begins at s[i], or len(s).
func stringEnd(s string, i int) int {
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}

// resolved returns the character that the escape stands for with which s begins,
// and the length of the escape, which is 0 when it is none. A surrogate without its
// other half is U+FFFD.
func resolved(s string) (r rune, n int) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := unit(s[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// unit returns the UTF-16 unit of the \u escape that s begins with.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}
