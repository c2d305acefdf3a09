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
	spans, _ := look(s)
	return merged(spans)
}

// look returns the spans in s, which may overlap, and whether a token begins in it,
// be it a whole one or not.
func look(s string) (spans []Span, begun bool) {
	if plainText(s) {
		return find(s)
	}
	seen, places := visible(s)
	if places == nil {
		return find(s)
	}
	spans, first := find(seen)
	for i, p := range spans {
		spans[i].Start, spans[i].End = places[p.Start], places[p.End-1]+1
	}
	more, second := find(s)
	return append(spans, more...), first || second
}

// find looks for shapes at the beginnings of words and for context at : = and -.
func find(s string) (spans []Span, begun bool) {
	for i := candidate(s, 0, 0); i < len(s); {
		if s[i] == '\\' {
			i = candidate(s, i+1+escape(s[i:]), 0)
			continue
		}
		p, b := spanAt(s, i)
		begun = begun || b
		i++
		if p.End > 0 {
			spans = append(spans, p)
			i = p.End
		}
		i = candidate(s, i, alnums[s[i-1]])
	}
	if begun || len(spans) > 0 {
		if p := cutKey(s); p.End > 0 {
			spans = append(spans, p)
		}
	}
	return spans, begun
}

// candidate returns the first place from i on that find must look at, or len(s).
// Shapes begin where words do: word is 1 when a letter or digit stands before i.
func candidate(s string, i int, word uint64) int {
	for ; i+1 < len(s); i++ {
		before := word
		word = alnums[s[i]]
		if pairs[s[i]]>>(s[i+1]&63)&1&^(before&word) != 0 {
			return i
		}
	}
	return len(s)
}

// spanAt finds the secret that begins at s[i], or whose context does. It also
// reports whether at least a prefix that tells stands there.
func spanAt(s string, i int) (p Span, begun bool) {
	switch s[i] {
	case '-':
		return privateKey(s, i), false
	case ':', '=':
		return contextAt(s, i), false
	case 'B', 'b':
		return bearer(s, i), false
	}
	return shapeAt(s, i)
}

// pairs holds, for each byte that find may make something of, a bit for each byte
// that can follow it then, by its lowest six bits. These two rule out most places.
var pairs = pairTable()

func pairTable() (t [256]uint64) {
	for _, c := range []byte(`:=\`) {
		t[c] = 1<<64 - 1
	}
	t['-'] = 1 << ('-' & 63)
	for _, c := range "Bb" { // of Bearer
		t[c] = 1<<('E'&63) | 1<<('e'&63)
	}
	for c, list := range shapesBy {
		for _, s := range list {
			t[c] |= 1 << (s.prefix[1] & 63)
		}
	}
	return t
}

// alnums holds 1 for each letter and digit.
var alnums = alnumTable()

func alnumTable() (t [256]uint64) {
	for c := range t {
		if is(byte(c), alnum) {
			t[c] = 1
		}
	}
	return t
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

// contextAt finds a secret by what stands at s[i], a : or =.
func contextAt(s string, i int) Span {
	if s[i] == ':' && strings.HasPrefix(s[i:], "://") {
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

// CutKey returns the beginning of a key that the cut of a summary left at its end. A
// text of another length than 200 units was not cut.
func CutKey(summary string) (Span, bool) {
	p := cutKey(summary)
	return p, p.End > 0
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
		if ok && shapes[i].tells() && len(rest) >= least && run(rest, 0, shapes[i].set) == len(rest) {
			return Span{start, len(s), "cut-key"}
		}
	}
	return Span{}
}
