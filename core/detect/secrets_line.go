package detect

import "strings"

// SecretsInLine returns the places in a line of JSON that look like a secret, sorted and not
// overlapping: what Secrets finds in the raw line, in the line with its escapes resolved, and in
// each of its strings. If it finds nothing, Secrets finds nothing in any string of the line. The
// line may be incomplete or malformed.
func SecretsInLine(line string) []Span {
	c := secretScanner{literals: secretLiterals()}
	return c.scanLine(line)
}

// ScanLine returns what SecretsInLine returns. Suspicious is what Suspicious says of the line, or
// simply true.
func ScanLine(line string) (secrets []Span, suspicious bool) {
	c := secretScanner{literals: allLiterals(), checksFlags: true}
	secrets = c.scanLine(line)
	return secrets, c.mayFlag
}

func (c *secretScanner) scanLine(line string) []Span {
	c.scanDecoded(line, maxDecodeDepth+1)
	if len(c.found) == 0 && !c.tokenBegun {
		return nil // no string in the line can contain more
	}
	for start := 0; ; {
		i := strings.IndexByte(line[start:], '"')
		if i < 0 {
			return c.result(line)
		}
		start += i + 1
		end := jsonStringEnd(line, start)
		c.scanString(line, start, end)
		start = min(end+1, len(line))
	}
}

// scanString adds what is found in the JSON string line[start:end] after resolving its escapes.
func (c *secretScanner) scanString(line string, start, end int) {
	text := line[start:end]
	inner := secretScanner{literals: c.literals}
	d := Unescape(text)
	inner.scanDecoded(d.text, maxDecodeDepth)
	for _, p := range inner.found {
		p.start, p.end = d.sourceRange(p.start, p.end)
		c.found = append(c.found, secretSpan{p.start + start, p.end + start, p.rule})
	}
}

// jsonStringEnd returns the index of the quote that ends the JSON string whose content begins at s[i],
// or len(s).
func jsonStringEnd(s string, i int) int {
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}
