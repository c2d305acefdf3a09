package detect

import (
	"encoding/base64"
	"strings"
)

// longestWrapped is how much of a run of base64 is read as one.
const longestWrapped = 1 << 16

// wrapped finds secrets in what base64 stands for whose groups of four begin at
// s[at]. The place is the whole run.
func (c *secretScanner) wrapped(s string, at int) (p secretAt, ok bool) {
	const least, overlap, set = 20, 1024, alnum | plus | under | dash
	if c.depth > 1 || at < c.decoded[at&3] {
		return p, false
	}
	start := at
	first := max(0, at-longestWrapped, c.decoded[at&3]-overlap)
	for start > first && is(s[start-1], set) {
		start--
	}
	end := run(s[:min(len(s), at+longestWrapped)], at, set)
	start += (at - start) & 3
	c.decoded[at&3] = end
	c.steps += end - start
	if end-start < least {
		return p, false
	}
	inner := secretScanner{t: c.t, depth: c.depth + 1}
	inner.find(fromBase64(s[start:end]))
	c.steps += inner.steps
	rule := int16(-1)
	for _, q := range inner.spans {
		if inner.telling(q) && (rule < 0 || q.rule < rule) {
			rule = q.rule
		}
	}
	if rule < 0 {
		return p, false
	}
	return secretAt{start, run(s[:min(len(s), end+2)], end, equal), rule}, true
}

// telling reports whether a find is of a form that chance does not make.
func (c *secretScanner) telling(p secretAt) bool {
	own := ruleOf()
	return p.rule < own.key || p.rule == own.key || p.rule == own.url
}

// oneAlphabet spells what is in the other alphabet of base64 in the first.
var oneAlphabet = strings.NewReplacer("-", "+", "_", "/", "=", "/")

// fromBase64 returns what a text in base64 of either alphabet stands for.
func fromBase64(s string) string {
	s = oneAlphabet.Replace(s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	out, _ := base64.RawStdEncoding.DecodeString(s) // all of it is of the alphabet
	return string(out)
}
