package lesson

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/redact"
)

// Mend returns the form nearest to stored that an agent can use, and false when only
// dropping the line helps or nothing is wrong. White space around the line goes when
// it does not parse with it. A text that is none becomes the JSON of its value, and
// an empty one when it is missing or null; so do dates. An outcome that is no text
// becomes "failed", and "succeeded" when it was true. A count becomes the number
// that the agent would read in it, 0 when that is none.
func Mend(stored string) (string, bool) {
	line := stored
	if _, err := jstext.Parse(decode(line)); err != nil {
		line = jstext.Trim(line)
	}
	o, ok := openObject(line)
	if !ok {
		return "", false
	}
	var settings []setting
	for _, key := range [...]string{keyTitle, keyOutcome, keyBody, keyCreated, keyUsed, keyCount} {
		v, there := o.value(key)
		if json := mended(key, v, there); json != "" {
			settings = append(settings, setting{key: key, json: json})
		}
	}
	line = o.with(settings)
	return line, line != stored
}

// mended returns the JSON that a member must become, or "" when it is sound.
func mended(key string, v jstext.Value, there bool) string {
	switch {
	case key == keyCount:
		if _, ok := whole(string(v.AppendJSON(nil))); ok && there {
			return ""
		}
		return strconv.FormatFloat(usableCount(v), 'f', -1, 64)
	case key == keyUsed && (!there || !unprintable(v)), v.Kind() == jstext.String:
		return ""
	case key == keyOutcome:
		if v.Kind() == jstext.Bool && v.Bool() {
			return quoted(string(memory.Succeeded))
		}
		return quoted(string(memory.Failed))
	case v.Kind() == jstext.Null:
		return `""`
	}
	return quoted(string(v.AppendJSON(nil)))
}

// usableCount returns the whole number nearest above what the agent reads in a count.
func usableCount(v jstext.Value) float64 {
	if unprintable(v) {
		return 0
	}
	n := v.ToNumber()
	if !(n > 0) || math.IsInf(n, 0) {
		return 0
	}
	return min(math.Ceil(n), 1<<53)
}

// Recalled returns the stored form as the agent writes it after recalling it at now:
// the count goes up by one as ++ does it in JavaScript, so that a missing one becomes
// null, and last_retrieved_at is now. Nothing else changes. The error is a
// *memory.Problem for a line that is no lesson.
func Recalled(stored string, now time.Time) (string, error) {
	o, ok := openObject(stored)
	if !ok {
		return "", notEditable()
	}
	count := math.NaN()
	if v, there := o.value(keyCount); there && unprintable(v) {
		return "", unprintableField(keyCount)
	} else if there {
		count = v.ToNumber() + 1
	}
	return o.with([]setting{
		{key: keyCount, json: string(jstext.NumberValue(count).AppendJSON(nil))},
		{key: keyUsed, json: quoted(ISO(now))},
	}), nil
}

// Redacted returns the stored form with every secret that redact.InLine finds in it
// replaced, and how many there were. Only the bytes of the secret go; one that is
// spelled with escapes goes with them. A line that parses still does: a secret that
// reaches beyond its string leaves the string whole but for its text, and a secret
// that is no string, such as a number after "password", becomes one.
func Redacted(stored string, which memory.Redaction) (string, int) {
	_, err := jstext.Parse(decode(stored))
	line, n := stored, 0
	for spans := chosen(line, which); len(spans) > 0; spans = chosen(line, which) {
		next := ""
		if err == nil {
			next = redactSound(line, spans)
		} else {
			next = redactAny(line, spans)
		}
		if next == line {
			break
		}
		line, n = next, n+len(spans)
	}
	return line, n
}

// chosen returns the places in a line that are to be replaced, in order.
func chosen(line string, which memory.Redaction) []redact.Span {
	spans := redact.InLine(line)
	if which.Only != nil {
		spans = slices.DeleteFunc(spans, func(p redact.Span) bool { return !slices.Contains(which.Only, p.Rule) })
	}
	return spans
}

// redactAny replaces the places in a line.
func redactAny(line string, spans []redact.Span) string {
	var out strings.Builder
	from := 0
	for _, p := range spans {
		out.WriteString(line[from:p.Start] + redact.Mark)
		from = p.End
	}
	return out.String() + line[from:]
}

// redactSound replaces what of the places lies inside the strings and scalars of a
// line of JSON.
func redactSound(line string, spans []redact.Span) string {
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
func redactToken(line string, start, end int, spans []redact.Span) string {
	token := line[start:end]
	if len(spans) == 0 || spans[0].Start >= end || end == start+1 && strings.Contains("{}[],: \t\r\n", token) {
		return token
	}
	if token[0] != '"' {
		return `"` + redact.Mark + `"`
	}
	var out strings.Builder
	from := start
	for _, p := range spans {
		a, b := max(p.Start, start+1), min(p.End, end-1)
		if p.Start >= end || a >= b {
			continue
		}
		out.WriteString(line[from:a] + redact.Mark)
		from = b
	}
	return out.String() + line[from:end]
}
