package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"winnow/core/charset"
	"winnow/core/detect"
	"winnow/core/jsonl"
	"winnow/core/memory"
)

// RedactText returns the text of a file without the given secrets, and the number of replacements.
// A secret that anywhere accepts is replaced wherever it occurs, in any spelling, and others only where a rule
// finds them. With lines, each line is a JSON text of its own. JSON stays valid, and the text keeps its encoding.
func RedactText(text []byte, lines bool, secrets []string, anywhere func(secret string) bool) ([]byte, int) {
	redaction := memory.Redaction{Only: []string{}}
	// A secret can have been found in very many places.
	for _, s := range slices.Compact(slices.Sorted(slices.Values(secrets))) {
		if anywhere(s) {
			redaction.Also = append(redaction.Also, s)
		} else if s != "" {
			redaction.Found = append(redaction.Found, s)
		}
	}
	if !lines {
		return redactWhole(text, redaction)
	}
	return redactLines(text, redaction)
}

// redactLines redacts a text line by line. It searches for the texts once for all lines.
func redactLines(text []byte, redaction memory.Redaction) ([]byte, int) {
	decoded := charset.Decode(string(text))
	spans := detect.NewTextSet(redaction.Also).Find(decoded.String)
	if len(spans)+len(redaction.Found) == 0 {
		return text, 0
	}
	out := append(make([]byte, 0, len(text)), text[:decoded.Source(0)]...) // a byte order mark
	n, at := 0, 0
	for line := range strings.Lines(decoded.String) {
		end := at + len(line)
		for len(spans) > 0 && spans[0].End <= at {
			spans = spans[1:]
		}
		from, to := decoded.Source(at), decoded.Source(end)
		behind := decoded.Source(at + len(strings.TrimSuffix(line, "\n")))
		if len(redaction.Found) > 0 || len(spans) > 0 && spans[0].Start < end {
			redacted, places := jsonl.Redacted(string(text[from:behind]), redaction)
			out = append(out, redacted...)
			n += places
		} else {
			out = append(out, text[from:behind]...)
		}
		out = append(out, text[behind:to]...)
		at = end
	}
	return out, n
}

// redactWhole redacts a text that is not read line by line.
func redactWhole(text []byte, redaction memory.Redaction) ([]byte, int) {
	const most = 4 << 20 // longer JSON is not parsed
	s := string(text)
	if len(s) <= most && json.Valid([]byte(charset.Decode(s).String)) {
		out, n := jsonl.Redacted(s, redaction)
		return []byte(out), n
	}
	out, n := jsonl.RedactedText(s, redaction)
	return []byte(out), n
}
