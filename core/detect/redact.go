package detect

import "strings"

// Redacted is the mark that replaces a secret.
const Redacted = "[REDACTED]"

// Span is the range of bytes from Start to End in a text that looks like a secret.
type Span struct {
	Start, End int
	Rule       string // ID of the rule that matched
}

// Redact returns s with every secret that Secrets finds replaced by Redacted. It repeats until no
// secret is left, so redacting the result again changes nothing.
func Redact(s string) string {
	for spans := Secrets(s); len(spans) > 0; spans = Secrets(s) {
		s = Replace(s, spans)
	}
	return s
}

// Replace returns s with Redacted in place of each span. The spans must be sorted and must not
// overlap.
func Replace(s string, spans []Span) string { return replaceSpans(s, spans, Redacted) }

func replaceSpans(s string, spans []Span, by string) string {
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
