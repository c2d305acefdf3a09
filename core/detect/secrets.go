package detect

import (
	"slices"
	"strings"

	"winnow/core/jstext"
)

// Secrets returns the places in s that look like a secret, sorted and not overlapping. It also
// finds secrets that are split by invisible characters, percent-encoded, spelled with \u escapes,
// or in base64; such a place covers the whole spelling. Redacted does not count as a secret.
//
// A text of exactly 200 units, or one that was already redacted, is taken for a task summary, which
// is cut before it is redacted. There the beginning of a key at the end of the text counts too.
func Secrets(s string) []Span {
	c := secretScanner{t: secretLiterals()}
	c.look(s, layers)
	return c.result(s)
}

// Look returns what Secrets returns. Suspicious is what Suspicious says of the text, or simply
// true.
func Look(s string) (secrets []Span, suspicious bool) {
	c := secretScanner{t: allLiterals(), asked: true}
	c.look(s, layers)
	return c.result(s), c.flagged
}

// look finds secrets in s, and in s with its spellings resolved up to `layers` times.
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

// cutOff adds the beginning of a key that was cut off at the end of s.
func (c *secretScanner) cutOff(s string) {
	if c.begun || len(c.spans) > 0 {
		if p, ok := CutKey(s); ok {
			c.spans = append(c.spans, secretAt{p.Start, p.End, ruleOf().cut})
		}
	}
}

// longestCut is how many bytes at the end of a cut text are searched for the beginning of a key.
const longestCut = 100

// CutKey returns the beginning of a key that was cut off at the end of a summary. A text counts as
// cut only if it is exactly 200 units long or contains Redacted.
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

// leastCut is how many bytes of a body identify the beginning of a key.
const leastCut = 6

// mayBeCut reports whether enough of the body follows at s[i] to identify the beginning of a key.
func (f *form) mayBeCut(s string, i int) bool {
	it, _ := nextItem(f.body)
	end := min(len(s), i+leastCut)
	return len(f.prefix) > 2 && end == i+leastCut && (it.set == 0 || run(s[:end], i, it.set|slug|plus) == end)
}

// cutAuthority reports whether the authority of a URL at s[i] may be cut off in the middle of a
// password.
func cutAuthority(s string, i int) bool {
	end := run(s[:min(len(s), i+longestCut)], i, slug|dot)
	return end+leastCut < len(s) && s[end] == ':' && run(s[:end+1+leastCut], end+1, digit) <= end+leastCut
}

// cutForm returns where an incomplete token at the end of s begins.
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

// cutURL returns where the password begins in a URL that is cut off inside its password.
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

// cutPEM returns where a private key begins that is cut off after its first line, or soon after.
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
