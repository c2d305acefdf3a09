package detect

import "strings"

// SecretsInLine returns the places in a line of JSON that look like a secret, in order and
// apart from each other: what Secrets finds in the line as it stands, in the line with its
// escapes resolved, and in each of its strings. A line in which it finds nothing has no
// string in which Secrets does. The line need not be whole or sound.
func SecretsInLine(line string) []Span {
	c := secretScanner{t: secretLiterals()}
	return c.line(line)
}

// LookInLine returns what SecretsInLine does, and what Suspicious says of a line of JSON,
// or true.
func LookInLine(line string) (secrets []Span, suspicious bool) {
	c := secretScanner{t: allLiterals(), asked: true}
	secrets = c.line(line)
	return secrets, c.flagged
}

func (c *secretScanner) line(line string) []Span {
	c.look(line, layers+1)
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
	d := Unescape(text)
	inner.look(d.text, layers)
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
