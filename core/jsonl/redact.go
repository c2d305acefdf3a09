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

// Redacted returns the stored form with the secrets that which names replaced, and how
// many places that were: what redact.InLine finds, and the texts of Also wherever they
// stand in a string, however that spells them. Only their own bytes go;
// what is spelled with escapes goes with them. A line that parses still does: a secret
// that reaches beyond its string leaves the string whole but for its text, and a secret
// that is no string, such as a number after "password", becomes one.
func Redacted(stored string, which memory.Redaction) (string, int) {
	if which.Places == nil {
		which = detect.PrepareRedaction(which)
	}
	parses := sync.OnceValue(func() bool {
		_, err := jstext.Parse(lesson.Decode(stored))
		return err == nil
	})
	return replaced(stored, which, detect.SecretsInLine, func(line string, spans []detect.Span) string {
		if parses() {
			return redactSound(line, spans)
		}
		return detect.Replace(line, spans)
	})
}

// RedactedText is Redacted for a text that is no line of JSON.
func RedactedText(text string, which memory.Redaction) (string, int) {
	return replaced(text, detect.PrepareRedaction(which), detect.Secrets, detect.Replace)
}

// replaced replaces what is chosen in a text until nothing more is found, as a replacement
// can uncover another secret.
func replaced(text string, which memory.Redaction, secrets func(string) []detect.Span, replace func(string, []detect.Span) string) (string, int) {
	for n := 0; ; {
		spans := chosen(text, which, secrets)
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

// chosen returns the places in a line that are to be replaced, in order and apart from
// each other.
func chosen(line string, which memory.Redaction, secrets func(string) []detect.Span) []detect.Span {
	also := unmarked(line, which.Places(line))
	if which.Only != nil && len(which.Only)+len(which.Found)+len(also) == 0 {
		return nil
	}
	found := slices.DeleteFunc(secrets(line), func(p detect.Span) bool { return !wanted(line, p, also, which) })
	return detect.Merged(append(found, also...))
}

// wanted reports whether a find is to be replaced.
func wanted(line string, p detect.Span, also []detect.Span, which memory.Redaction) bool {
	if which.Only == nil || slices.Contains(which.Only, p.Rule) ||
		slices.ContainsFunc(also, func(q detect.Span) bool { return q.Start < p.End && p.Start < q.End }) {
		return true
	}
	found := line[p.Start:p.End]
	return slices.ContainsFunc(which.Found, func(t string) bool {
		spans := detect.NewTexts([]string{t}).In(found)
		return len(spans) == 1 && spans[0].End-spans[0].Start == len(found)
	})
}

// unmarked returns the places that hold nothing of a mark: one that a text of its own
// makes together with a mark would never come to an end.
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

// redactSound replaces what of the places lies inside the strings and scalars of a
// line of JSON.
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

// redactToken returns a token of JSON without what of it lies in the places.
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
