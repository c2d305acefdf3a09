package jsonl

import (
	"slices"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// Redacted returns the stored form with the secrets selected by redaction replaced, and the number of
// replacements. Secrets are what detect.SecretsInLine finds, and the texts of Also in any string,
// however it spells them. Only their own bytes are replaced, including escapes. A line that parses
// still parses afterwards: if a secret extends beyond its string, only the text of the string is
// replaced, and a secret that is not a string, such as a number after "password", becomes one.
func Redacted(stored string, redaction memory.Redaction) (string, int) {
	if redaction.Places == nil {
		redaction = detect.PrepareRedaction(redaction)
	}
	parses := sync.OnceValue(func() bool {
		_, err := jstext.Parse(lesson.Decode(stored))
		return err == nil
	})
	return replaced(stored, redaction, detect.SecretsInLine, func(line string, spans []detect.Span) string {
		if parses() {
			return redactSound(line, spans)
		}
		return detect.Replace(line, spans)
	})
}

// RedactedText is Redacted for text that is not a line of JSON.
func RedactedText(text string, redaction memory.Redaction) (string, int) {
	return replaced(text, detect.PrepareRedaction(redaction), detect.Secrets, detect.Replace)
}

// replaced replaces the chosen places until nothing more is found, because a replacement can
// uncover another secret.
func replaced(text string, redaction memory.Redaction, secrets func(string) []detect.Span, replace func(string, []detect.Span) string) (string, int) {
	for n := 0; ; {
		spans := chosen(text, redaction, secrets)
		if len(spans) == 0 {
			return text, n
		}
		next := replace(text, spans)
		if next == text {
			return text, n
		}
		text, n = next, n+len(spans)
	}
}

// chosen returns the places in a line to replace, in order and without overlap.
func chosen(line string, redaction memory.Redaction, secrets func(string) []detect.Span) []detect.Span {
	also := unmarked(line, redaction.Places(line))
	if redaction.Only != nil && len(redaction.Only)+len(redaction.Found)+len(also) == 0 {
		return nil
	}
	found := slices.DeleteFunc(secrets(line), func(p detect.Span) bool { return !mustReplace(line, p, also, redaction) })
	return detect.MergeSpans(append(found, also...))
}

// mustReplace reports whether to replace a match.
func mustReplace(line string, p detect.Span, also []detect.Span, redaction memory.Redaction) bool {
	if redaction.Only == nil || slices.Contains(redaction.Only, p.Rule) ||
		slices.ContainsFunc(also, func(q detect.Span) bool { return q.Start < p.End && p.Start < q.End }) {
		return true
	}
	found := line[p.Start:p.End]
	return slices.ContainsFunc(redaction.Found, func(t string) bool {
		spans := detect.NewTextSet([]string{t}).Find(found)
		return len(spans) == 1 && spans[0].End-spans[0].Start == len(found)
	})
}

// unmarked returns the places that do not overlap a redaction mark. Replacing a text that includes
// part of a mark would never end.
func unmarked(line string, places [][2]int) (spans []detect.Span) {
	for _, p := range places {
		from := max(0, p[0]-len(detect.Redacted)+1)
		to := min(len(line), p[1]+len(detect.Redacted)-1)
		if !strings.Contains(line[from:to], detect.Redacted) {
			spans = append(spans, detect.Span{Start: p[0], End: p[1]})
		}
	}
	return spans
}

// redactSound replaces the parts of the places that are inside strings and scalars of a line of
// JSON.
func redactSound(line string, spans []detect.Span) string {
	var out strings.Builder
	from := 0
	for i := 0; i < len(line); {
		start, end := i, i+1
		switch c := line[i]; {
		case c == '"':
			end = quotedEnd(line, i)
		case c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
			end = i + scalarLen(line[i:])
		}
		for len(spans) > 0 && spans[0].End <= start {
			spans = spans[1:]
		}
		out.WriteString(line[from:start])
		out.WriteString(redactToken(line, start, end, spans))
		from, i = end, end
	}
	return out.String()
}

// redactToken returns a JSON token without the parts of it that are in the places.
func redactToken(line string, start, end int, spans []detect.Span) string {
	token := line[start:end]
	if len(spans) == 0 || spans[0].Start >= end || end == start+1 && strings.Contains("{}[],: \t\r\n", token) {
		return token
	}
	if token[0] != '"' {
		return `"` + detect.Redacted + `"`
	}
	var out strings.Builder
	from := start
	for _, p := range spans {
		a, b := max(p.Start, start+1), min(p.End, end-1)
		if p.Start >= end || a >= b {
			continue
		}
		out.WriteString(line[from:a] + detect.Redacted)
		from = b
	}
	return out.String() + line[from:end]
}
