package redact

import (
	"slices"
	"strings"

	"winnow/core/jstext"
)

// Find returns the places in s that look like a secret by the hardened rules, in
// order and apart from each other. A secret that is split by characters of no
// width is found as well. Mark is no secret.
//
// A text of exactly 200 units, or one that was redacted before, is taken for a
// task summary, which is cut before it is redacted: the beginning of a key at its
// end counts.
func Find(s string) []Span {
	if plainText(s) {
		return merged(find(s))
	}
	seen, places := visible(s)
	if places == nil {
		return merged(find(s))
	}
	spans := find(seen)
	for i, p := range spans {
		spans[i].Start, spans[i].End = places[p.Start], places[p.End-1]+1
	}
	return merged(append(spans, find(s)...))
}

// find looks for shapes at the beginnings of words and for context at : = and -.
func find(s string) (spans []Span) {
	for i := 0; i < len(s); {
		var p Span
		switch k := kinds[s[i]]; {
		case k == starts:
			p = shapeAt(s, i)
		case k == special && s[i] == '\\':
			i += 1 + escape(s[i:])
			continue
		case k == special:
			p = contextAt(s, i)
		}
		if p.End > 0 {
			spans = append(spans, p)
		}
		i = max(i+1, p.End)
		if is(s[i-1], alnum) {
			i = run(s, i, alnum) // shapes begin where words do
		}
	}
	if p := cutKey(s); p.End > 0 {
		spans = append(spans, p)
	}
	return spans
}

// escape returns how many bytes after the backslash that s begins with belong to
// an escape, as in the source of a JSON string.
func escape(s string) int {
	switch {
	case len(s) < 2 || strings.IndexByte(`nrtbf"\\/u`, s[1]) < 0:
		return 0
	case s[1] == 'u':
		return 5
	}
	return 1
}

// contextAt finds a secret by what stands at s[i], one of : = -.
func contextAt(s string, i int) Span {
	switch {
	case s[i] == '-':
		return privateKey(s, i)
	case s[i] == ':' && strings.HasPrefix(s[i:], "://"):
		return urlPassword(s, i+3)
	}
	return assigned(s, i)
}

// merged sorts spans and joins those that overlap.
func merged(spans []Span) []Span {
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

// cutKey finds the beginning of a key at the end of a cut summary.
func cutKey(s string) Span {
	const cut, least = 200, 6
	mayBeCut := len(s) >= cut && len(s) <= 3*cut && is(s[len(s)-1], slug) && jstext.Len(s) == cut
	if !mayBeCut && !strings.Contains(s, Mark) {
		return Span{}
	}
	start := len(s)
	for start > 0 && is(s[start-1], slug|dot) {
		start--
	}
	last := s[start:]
	for i := range shapes {
		rest, ok := strings.CutPrefix(last, shapes[i].prefix)
		if ok && len(shapes[i].prefix) > 2 && len(rest) >= least && run(rest, 0, shapes[i].set) == len(rest) {
			return Span{start, len(s), "beginning of a " + shapes[i].rule}
		}
	}
	return Span{}
}

// kind says what find does at a byte.
type kind uint8

const (
	other   kind = iota
	starts       // the first byte of a shape
	special      // : = - and backslash
)

// kinds gives the kind of each byte.
var kinds = kindTable()

func kindTable() (t [256]kind) {
	for c := range shapesBy {
		if len(shapesBy[c]) > 0 {
			t[c] = starts
		}
	}
	for _, c := range ":=-\\" {
		t[c] = special
	}
	return t
}
