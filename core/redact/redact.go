// Package redact knows what a secret looks like: the five patterns that the
// lesson format is written with (Original), those of its journal (Payload), and
// hardened rules that find more and leave words such as task-force alone (Find,
// Hardened). All matchers are by hand and take time linear in the text.
//
// Texts are strings of package jstext.
package redact

import "strings"

// Mark replaces a secret.
const Mark = "[REDACTED]"

// Span is a place in a text that looks like a secret: its bytes Start to End.
type Span struct {
	Start, End int
	Rule       string // what it looks like: "github token"
}

// Hardened returns s with every secret that Find finds replaced by Mark. Its
// result has none left, so that doing it twice changes nothing more.
func Hardened(s string) string {
	for spans := Find(s); len(spans) > 0; spans = Find(s) {
		s = replaced(s, spans)
	}
	return s
}

func replaced(s string, spans []Span) string {
	var out strings.Builder
	out.Grow(len(s))
	last := 0
	for _, p := range spans {
		out.WriteString(s[last:p.Start])
		out.WriteString(Mark)
		last = p.End
	}
	out.WriteString(s[last:])
	return out.String()
}
