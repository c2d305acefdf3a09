package detect

import "strings"

// SecretsInLine returns the places in a line of JSON that look like a secret, sorted and not
// overlapping: what Secrets finds in the raw line, in the line with its escapes resolved, and in
// each of its strings. If it finds nothing, Secrets finds nothing in any string of the line. The
// line may be incomplete or malformed.
func SecretsInLine(line string) []Span {
	c := secretScanner{t: secretLiterals()}
	return c.line(line)
}

// LookInLine returns what SecretsInLine returns. Suspicious is what Suspicious says of the line, or
// simply true.
func LookInLine(line string) (secrets []Span, suspicious bool) {
	c := secretScanner{t: allLiterals(), asked: true}
	secrets = c.line(line)
	return secrets, c.flagged
}

func (c *secretScanner) line(line string) []Span {
	c.look(line, layers+1)
	if len(c.spans) == 0 && !c.begun {
		return nil // no string in the line can contain more
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

// inString adds what is found in the JSON string line[start:end] after resolving its escapes.
func (c *secretScanner) inString(line string, start, end int) {
	text := line[start:end]
	inner := secretScanner{t: c.t}
	d := Unescape(text)
	inner.look(d.text, layers)
	for _, p := range inner.spans {
		p.start, p.end = d.raw(p.start, p.end)
		c.spans = append(c.spans, secretAt{p.start + start, p.end + start, p.rule})
	}
}

// stringEnd returns the index of the quote that ends the JSON string whose content begins at s[i],
// or len(s).
func stringEnd(s string, i int) int {
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}
