package views

import (
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

// LessonText returns a lesson in words that are safe to paste: tokens for what
// cannot be seen, line breaks too, secrets masked unless revealed.
func LessonText(r *memory.Record, reveal bool) string {
	return "[" + orDash(field(r, memory.InOutcome, 0, string(r.Outcome), maxOutcome, reveal)) + "] " +
		safe.Masked(r.Title, memory.Places(r.Secrets, memory.InTitle, 0), reveal) + "\n" +
		safe.Masked(r.Body, memory.Places(r.Secrets, memory.InBody, 0), reveal) + "\n"
}

// RawText returns the stored form of a lesson byte for byte. Unless revealed,
// stars stand where a secret is.
func RawText(r *memory.Record, reveal bool) string {
	spans := memory.Places(r.Secrets, memory.InRaw, 0)
	if reveal || len(spans) == 0 {
		return r.Raw
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		start, end := max(s[0], at), min(s[1], len(r.Raw))
		if start >= end {
			continue
		}
		b.WriteString(r.Raw[at:start] + "************")
		at = end
	}
	b.WriteString(r.Raw[at:])
	return b.String()
}
