package detect

import (
	"regexp"
	"strings"
	"sync"
)

// Redacted replaces a secret.
const Redacted = "[REDACTED]"

// Span is a range of bytes of a text that matches a rule.
type Span struct {
	Start, End int
	Rule       string // ID of the rule that matched
}

// Redact replaces every secret in s by Redacted. It repeats until Secrets finds none, so redacting
// the result again changes nothing.
func Redact(s string) string {
	for spans := Secrets(s); len(spans) > 0; spans = Secrets(s) {
		s = Replace(s, spans)
	}
	return s
}

// Replace replaces each span of s by Redacted. The spans must be sorted and must not overlap.
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

// originalPattern matches what the original lesson format redacts:
//
//	Bearer\s\S+ | ghp_\S+ | sk-\S+ | AKIA[A-Z0-9]{16}\S* | -----BEGIN\s+PRIVATE\sKEY-----
//
// in either case of ASCII letters, with JavaScript's white space. Non-ASCII letters that Unicode
// folds to s or k do not match.
var originalPattern = sync.OnceValue(func() *regexp.Regexp {
	const white = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	const space, solid = "[" + white + "]", "[^" + white + "]"
	return regexp.MustCompile(
		"(?i:bearer)" + space + solid + "+" +
			"|(?i:ghp_)" + solid + "+" +
			"|[Ss][Kk]-" + solid + "+" +
			"|(?i:a)[Kk](?i:ia)[A-Za-z0-9]{16}" + solid + "*" +
			"|-----(?i:begin)" + space + "+(?i:private)" + space + "[Kk](?i:ey)-----",
	)
})

// RedactOriginal redacts a task summary exactly as the original lesson format does, even in words
// that contain "sk-".
func RedactOriginal(s string) string { return originalPattern().ReplaceAllLiteralString(s, Redacted) }
