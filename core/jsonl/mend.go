package jsonl

import (
	"math"
	"strconv"
	"time"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// Mend returns the form closest to stored that an agent can use. It returns false if only dropping
// the line helps, or if nothing is wrong. White space around the line is removed if the line does
// not parse with it. A text or date that is not a string becomes the JSON of its value, or an empty
// string if it is missing or null. An outcome that is not a string becomes "succeeded" if it is
// true, and otherwise "failed". A count becomes the number that the agent would read in it, or 0 if
// that is not a number.
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
	for _, key := range [...]string{
		lesson.KeyTitle, lesson.KeyOutcome, lesson.KeyBody, lesson.KeyCreated, lesson.KeyUsed, lesson.KeyCount,
	} {
		v, there := o.value(key)
		if json := mended(key, v, there); json != "" {
			settings = append(settings, setting{key: key, json: json})
		}
	}
	line = o.with(settings)
	return line, line != stored
}

// mended returns the JSON that a member must become, or "" if it is fine.
func mended(key string, v jstext.Value, there bool) string {
	switch {
	case key == lesson.KeyCount:
		if _, ok := parseCount(string(v.AppendJSON(nil))); ok && there {
			return ""
		}
		return strconv.FormatFloat(usableCount(v), 'f', -1, 64)
	case key == lesson.KeyUsed && (!there || !lesson.Unprintable(v)), v.Kind() == jstext.String:
		return ""
	case key == lesson.KeyOutcome:
		if v.Kind() == jstext.Bool && v.Bool() {
			return jstext.Quoted(string(memory.Succeeded))
		}
		return jstext.Quoted(string(memory.Failed))
	case v.Kind() == jstext.Null:
		return `""`
	}
	return jstext.Quoted(string(v.AppendJSON(nil)))
}

// usableCount returns the agent's reading of a count, rounded up to an integer.
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

// Recalled returns the stored form as the agent writes it after a recall at now. The count goes up
// by one as JavaScript's ++ does it, so a missing count becomes null, and last_retrieved_at is set
// to now. Nothing else changes. The error is a *memory.Problem for a line that is not a lesson.
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
		{key: lesson.KeyUsed, json: jstext.Quoted(lesson.ISO(now))},
	}), nil
}
