package views

import (
	"winnow/core/memory"
	"winnow/views/safe"
)

// LessonText returns a lesson as text that is safe to paste. Invisible characters and line breaks
// are tokens, and secrets are masked unless revealed.
func LessonText(r *memory.Record, reveal bool) string {
	return "[" + orDash(field(r, memory.InOutcome, 0, string(r.Outcome), maxOutcome, reveal)) + "] " +
		safe.Masked(r.Title, memory.Places(r.Secrets, memory.InTitle, 0), reveal) + "\n" +
		safe.Masked(r.Body, memory.Places(r.Secrets, memory.InBody, 0), reveal) + "\n"
}

// RawText returns the stored form of a lesson byte for byte. Unless revealed, its secrets are
// masked.
func RawText(r *memory.Record, reveal bool) string {
	if reveal {
		return r.Raw
	}
	return safe.Hide(r.Raw, memory.Places(r.Secrets, memory.InRaw, 0))
}
