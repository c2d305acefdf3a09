package jsonl

import (
	"math"
	"strconv"
	"time"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// Mend returns the form nearest to stored that an agent can use, and false when only
// dropping the line helps or nothing is wrong. White space around the line goes when
// it does not parse with it. A text that is none becomes the JSON of its value, and
// an empty one when it is missing or null; so do dates. An outcome that is no text
// becomes "failed", and "succeeded" when it was true. A count becomes the number
// that the agent would read in it, 0 when that is none.
func Mend(stored string) (string, bool) {
	line := stored
	if _, err := jstext.Parse(lesson.Decode(line)); err != nil {
		line = jstext.Trim(line)
	}
	o, ok := openObject(line)
	if !ok {
		return "", false
	}
	var settings []setting
	for _, key := range [...]string{lesson.KeyTitle, lesson.KeyOutcome, lesson.KeyBody, lesson.KeyCreated, lesson.KeyUsed, lesson.KeyCount} {
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
	case key == lesson.KeyCount:
		if _, ok := whole(string(v.AppendJSON(nil))); ok && there {
			return ""
		}
		return strconv.FormatFloat(usableCount(v), 'f', -1, 64)
	case key == lesson.KeyUsed && (!there || !lesson.Unprintable(v)), v.Kind() == jstext.String:
		return ""
	case key == lesson.KeyOutcome:
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
	if lesson.Unprintable(v) {
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
	if v, there := o.value(lesson.KeyCount); there && lesson.Unprintable(v) {
		return "", lesson.UnprintableField(lesson.KeyCount)
	} else if there {
		count = v.ToNumber() + 1
	}
	return o.with([]setting{
		{key: lesson.KeyCount, json: string(jstext.NumberValue(count).AppendJSON(nil))},
		{key: lesson.KeyUsed, json: quoted(lesson.ISO(now))},
	}), nil
}
