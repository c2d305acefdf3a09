package jsonl

import (
	"slices"
	"strings"

	"winnow/core/charset"
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
	return replaced(stored, redaction, detect.SecretsInLine, func(line string, spans []detect.Span) []charset.Edit {
		if _, err := jstext.Parse(lesson.Decode(line)); err == nil {
			return soundEdits(line, spans)
		}
		return edits(spans)
	})
}

// RedactedText is Redacted for text that is not a line of JSON.
func RedactedText(text string, redaction memory.Redaction) (string, int) {
	redaction = detect.PrepareRedaction(redaction)
	whole := func(_ string, spans []detect.Span) []charset.Edit { return edits(spans) }
	return replaced(text, redaction, detect.Secrets, whole)
}

// replaced replaces the chosen places until nothing more is found, because a replacement can
// uncover another secret. The text keeps its encoding.
func replaced(
	text string, redaction memory.Redaction,
	secrets func(string) []detect.Span, replace func(string, []detect.Span) []charset.Edit,
) (string, int) {
	for n := 0; ; {
		decoded := charset.Decode(text)
		spans := chosen(decoded.String, redaction, secrets)
		if len(spans) == 0 {
			return text, n
		}
		next := decoded.Replaced(replace(decoded.String, spans))
		if next == text {
			return text, n
		}
		text, n = next, n+len(spans)
	}
}

// edits replaces each span whole.
func edits(spans []detect.Span) (all []charset.Edit) {
	for _, p := range spans {
		all = append(all, charset.Edit{Start: p.Start, End: p.End, Text: detect.Redacted})
	}
	return all
}

// chosen returns the places in a line to replace, in order and without overlap.
func chosen(line string, redaction memory.Redaction, secrets func(string) []detect.Span) []detect.Span {
	also := unmarked(line, redaction.Places(line))
	if redaction.Only != nil && len(redaction.Only)+len(redaction.Found)+len(also) == 0 {
		return nil
	}
	found := slices.DeleteFunc(
		secrets(line),
		func(p detect.Span) bool { return !mustReplace(line, p, also, redaction) },
	)
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

// soundEdits replaces the parts of the places that are inside strings and scalars of a line of
// JSON.
func soundEdits(line string, spans []detect.Span) (all []charset.Edit) {
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
		all = append(all, tokenEdits(line, start, end, spans)...)
		i = end
	}
	return all
}

// tokenEdits replaces the parts of a JSON token that are in the places. A scalar becomes a string.
func tokenEdits(line string, start, end int, spans []detect.Span) (all []charset.Edit) {
	if len(spans) == 0 || spans[0].Start >= end ||
		end == start+1 && strings.Contains("{}[],: \t\r\n", line[start:end]) {
		return nil
	}
	if line[start] != '"' {
		return []charset.Edit{{Start: start, End: end, Text: `"` + detect.Redacted + `"`}}
	}
	for _, p := range spans {
		a, b := max(p.Start, start+1), min(p.End, end-1)
		if p.Start < end && a < b {
			all = append(all, charset.Edit{Start: a, End: b, Text: detect.Redacted})
		}
	}
	return all
}
