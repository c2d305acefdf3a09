package safe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// stars hide a secret. Their number is always the same, so that it does not
// tell the length.
const stars = "************"

// Masked returns Line(s) with spans hidden: each span of bytes of s, start to
// end, is shown as its first characters followed by stars. At most four
// characters are kept, and of a short secret, which they would give away, none. Spans
// may overlap or reach outside s. With reveal the result is Line(s).
func Masked(s string, spans [][2]int, reveal bool) string {
	if reveal || len(spans) == 0 {
		return Line(s)
	}
	return mask(s, spans, Line)
}

// Hide returns s with spans hidden as Masked does, but nothing else changed. It
// is for text that is copied or written, not printed.
func Hide(s string, spans [][2]int) string {
	return mask(s, spans, func(part string) string { return part })
}

// Secret returns what is shown of a whole secret: its mask and its length. What it keeps
// of the secret is not made safe for a terminal.
func Secret(secret string) string {
	return Hide(secret, [][2]int{{0, len(secret)}}) + Length(secret)
}

// Length says how long a secret is, and nothing of a short one, which that would give away.
func Length(secret string) string {
	if n := utf8.RuneCountInString(secret); n >= telling {
		return " (" + strconv.Itoa(n) + " chars)"
	}
	return ""
}

// telling is the length in characters from which something of a secret is shown.
const telling = 16

// mask hides spans of s, and passes what stays through show.
func mask(s string, spans [][2]int, show func(string) string) string {
	var b strings.Builder
	at := 0
	for _, sp := range ordered(spans) {
		start, end := max(sp[0], at), min(sp[1], len(s))
		if start >= end {
			continue
		}
		if sp[0] >= at {
			b.WriteString(show(s[at:start]))
			b.WriteString(show(s[start : start+readableLength(s[start:end])]))
			b.WriteString(stars)
		}
		at = end
	}
	b.WriteString(show(s[at:]))
	return b.String()
}

// Within returns the spans as far as they are in the bytes from start to end, counted from
// start. A secret over several lines is hidden in each.
func Within(spans [][2]int, start, end int) [][2]int {
	var in [][2]int
	for _, s := range spans {
		if s[1] > start && s[0] < end {
			in = append(in, [2]int{max(s[0], start) - start, min(s[1], end) - start})
		}
	}
	return in
}

// RuneStart returns the start of the character that byte i of s is in.
func RuneStart(s string, i int) int {
	i = min(max(i, 0), len(s))
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// ordered returns the spans by their start, without touching the argument.
func ordered(spans [][2]int) [][2]int {
	less := func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }
	if slices.IsSortedFunc(spans, less) && (len(spans) == 0 || spans[0][0] >= 0) {
		return spans
	}
	out := slices.Clone(spans)
	for i := range out {
		out[i][0] = max(out[i][0], 0)
	}
	slices.SortFunc(out, less)
	return out
}

// readableLength returns the length in bytes of what stays readable of a secret: two characters
// of one with at least 16, four of one with at least 24.
func readableLength(secret string) int {
	n := 0
	switch count := utf8.RuneCountInString(secret); {
	case count >= 24:
		n = 4
	case count >= telling:
		n = 2
	}
	for i := range secret {
		if n == 0 {
			return i
		}
		n--
	}
	return 0
}
