package detect

import "strings"

// Redacted replaces a secret.
const Redacted = "[REDACTED]"

// Span is a place in a text that looks like a secret: its bytes Start to End.
type Span struct {
	Start, End int
	Rule       string // what it looks like: "github token"
}

// Redact returns s with every secret that Secrets finds replaced by Redacted. Its
// result has none left, so that doing it twice changes nothing more.
func Redact(s string) string {
	for spans := Secrets(s); len(spans) > 0; spans = Secrets(s) {
		s = Replace(s, spans)
	}
	return s
}

// Replace returns s with the mark in place of the spans, which are in order and apart.
func Replace(s string, spans []Span) string { return replaced(s, spans, Redacted) }

func replaced(s string, spans []Span, by string) string {
	var out strings.Builder
	out.Grow(len(s))
	last := 0
	for _, p := range spans {
		out.WriteString(s[last:p.Start])
		out.WriteString(by)
		last = p.End
	}
	out.WriteString(s[last:])
	return out.String()
}
