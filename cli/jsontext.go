package cli

import (
	"cmp"
	"slices"

	"winnow/cli/jsontext"
	"winnow/views/safe"
)

// text is a stored text in JSON.
type text = jsontext.Text

// hide replaces the spans of s, bytes start to end, by their masked form. What is
// outside of them stays as it is stored.
func hide(s string, spans [][2]int, reveal bool) string {
	if reveal || len(spans) == 0 {
		return s
	}
	spans = slices.SortedFunc(slices.Values(spans), func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	var out []byte
	at := 0
	for _, sp := range spans {
		start, end := max(sp[0], at), min(sp[1], len(s))
		if start >= end {
			continue
		}
		out = append(out, s[at:start]...)
		if sp[0] >= at {
			secret := s[start:end]
			out = append(out, safe.Masked(secret, [][2]int{{0, len(secret)}}, false)...)
		}
		at = end
	}
	return string(append(out, s[at:]...))
}
