package detect

import (
	"slices"
	"strings"

	"winnow/core/jstext"
)

// Secrets returns the places in s that look like a secret, in order and apart from each
// other. Found are also secrets that are split by characters that are not seen,
// percent-encoded, spelled with \u escapes, or in base64; a place covers all of it.
// Redacted is no secret.
//
// A text of exactly 200 units, or one that was redacted before, is taken for a
// task summary, which is cut before it is redacted: the beginning of a key at its
// end counts.
func Secrets(s string) []Span {
	c := secretScanner{t: secretLiterals()}
	c.look(s, layers)
	return c.result(s)
}

// Look returns what Secrets does, and what Suspicious says of the text, or true.
func Look(s string) (secrets []Span, suspicious bool) {
	c := secretScanner{t: allLiterals(), asked: true}
	c.look(s, layers)
	return c.result(s), c.flagged
}

// look finds secrets in s as it stands, and with its spellings resolved in so many layers.
func (c *secretScanner) look(s string, layers int) {
	for d := range readingsOf(s, layers) {
		before := len(c.spans)
		c.find(d.text)
		c.cutOff(d.text)
		c.flagged = c.flagged || c.asked && odd(d.text)
		for i := before; i < len(c.spans); i++ {
			p := &c.spans[i]
			p.start, p.end = d.raw(p.start, p.end)
		}
	}
}

// cutOff adds the beginning of a key that a cut left.
func (c *secretScanner) cutOff(s string) {
	if c.begun || len(c.spans) > 0 {
		if p, ok := CutKey(s); ok {
			c.spans = append(c.spans, secretAt{p.Start, p.End, ruleOf().cut})
		}
	}
}

// longestCut is how much of the end of a cut text is read for the beginning of a key.
const longestCut = 100

// CutKey returns the beginning of a key that the cut of a summary left at its end. A
// text that is neither of 200 units nor holds Mark was not cut.
func CutKey(summary string) (Span, bool) {
	const cut = 200
	s := summary
	mayBeCut := len(s) >= cut && len(s) <= 3*cut && is(s[len(s)-1], slug) && jstext.Len(s) == cut
	if !mayBeCut && !strings.Contains(s, Redacted) {
		return Span{}, false
	}
	start, ok := cutForm(s)
	if !ok {
		start, ok = cutURL(s)
	}
	if !ok {
		start, ok = cutPEM(s)
	}
	if !ok {
		return Span{}, false
	}
	return Span{start, len(s), ruleCut}, true
}

// leastCut is how much of a body tells that a key begins.
const leastCut = 6

// mayBeCut reports whether as much of a body stands at s[i] as tells that a key begins.
func (f *form) mayBeCut(s string, i int) bool {
	it, _ := nextItem(f.body)
	end := min(len(s), i+leastCut)
	return len(f.prefix) > 2 && end == i+leastCut && (it.set == 0 || run(s[:end], i, it.set|slug|plus) == end)
}

// cutAuthority reports whether the authority of a URL at s[i] can be one that a cut left
// in the middle of a password.
func cutAuthority(s string, i int) bool {
	end := run(s[:min(len(s), i+longestCut)], i, slug|dot)
	return end+leastCut < len(s) && s[end] == ':' && run(s[:end+1+leastCut], end+1, digit) <= end+leastCut
}

// cutForm returns where the beginning of a token at the end of s begins.
func cutForm(s string) (start int, ok bool) {
	const longest = 40
	word := runBack(s, len(s), slug|dot)
	last := max(0, len(s)-longestCut)
	for _, r := range table() {
		for _, f := range r.forms {
			it, _ := nextItem(f.body)
			if len(f.prefix) < 3 || it.set == 0 {
				continue
			}
			start, set := word, it.set
			if strings.Contains(f.prefix, "/") { // an address
				start, set = last+strings.LastIndex(s[last:], f.prefix), alnum|slug|plus
			}
			if start < last || len(s)-start > longest && start == word {
				continue
			}
			rest, ok := strings.CutPrefix(s[start:], f.prefix)
			if ok && len(rest) >= leastCut && run(rest, 0, set) == len(rest) && !placeholder(rest) {
				return start, true
			}
		}
	}
	return 0, false
}

// cutURL returns where the password of a URL begins that is cut inside of it.
func cutURL(s string) (start int, ok bool) {
	last := s[max(0, len(s)-longestCut):]
	i := strings.LastIndex(last, "://")
	if i < 0 {
		return 0, false
	}
	user, secret, ok := strings.Cut(last[i+3:], ":")
	if !ok || run(user, 0, slug|dot) < len(user) || len(secret) < leastCut || strings.ContainsAny(secret, "@/?#: []") ||
		!hasDigit(secret) || run(secret, 0, digit) == len(secret) || placeholder(secret) {
		return 0, false
	}
	return len(s) - len(secret), true
}

// cutPEM returns where a private key begins of which a cut left the first line, or little more.
func cutPEM(s string) (start int, ok bool) {
	start = strings.LastIndex(s, "-----BEGIN ")
	return start, start >= 0 && len(s)-start <= longestCut && strings.Contains(s[start:], "PRIVATE KEY--")
}

// Merged sorts spans and joins those that overlap.
func Merged(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	out := spans[:1]
	for _, p := range spans[1:] {
		last := &out[len(out)-1]
		if p.Start >= last.End {
			out = append(out, p)
		} else {
			last.End = max(last.End, p.End)
		}
	}
	return out
}
