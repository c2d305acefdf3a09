package jsonl

import (
	"strconv"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// Share returns a copy of a stored lesson for others. Every string, and every key that lessons do
// not have, is replaced with the result of text, and session ids with that of session; an empty id
// stays empty. Secrets still found after that are redacted. Numbers and unknown members are kept.
// The line is written as the original writes one. Share returns false for a line without the fields
// that a lesson needs, and for one that would be longer than maxLine.
func Share(stored string, text, session func(string) string) (string, bool) {
	if r := lesson.Record(stored, 1); r.Problem != nil && r.Flags&memory.FlagDamaged == 0 {
		return "", false
	}
	v, err := jstext.Parse(jstext.Trim(lesson.Decode(stored)))
	if err != nil || v.Kind() != jstext.Object {
		return "", false
	}
	s := sharing{text: text, session: session}
	line, _ := Redacted(string(s.value(v, "").AppendJSON(nil)), memory.Redaction{})
	if r := lesson.Record(line, 1); r.Problem != nil || len(line) > maxLine {
		return "", false
	}
	return line, true
}

// sharing holds the replacements for one copy.
type sharing struct{ text, session func(string) string }

// value returns the value of a key for a copy.
func (s sharing) value(v jstext.Value, key string) jstext.Value {
	switch v.Kind() {
	case jstext.String:
		switch {
		case key != lesson.KeySession:
			return jstext.StringValue(jsText(s.text(v.Str())))
		case v.Str() != "":
			return jstext.StringValue(jsText(s.session(v.Str())))
		}
	case jstext.Number, jstext.Bool:
		if key == lesson.KeySession {
			return jstext.StringValue(jsText(s.session(v.ToString())))
		}
	case jstext.Array:
		elements := make([]jstext.Value, v.Len())
		for i := range elements {
			elements[i] = s.value(v.At(i), key)
		}
		return jstext.ArrayValue(elements...)
	case jstext.Object:
		return s.object(v)
	}
	return v
}

// object returns an object for a copy. Keys stay distinct.
func (s sharing) object(v jstext.Value) jstext.Value {
	used := map[string]bool{}
	members := make([]jstext.Member, v.Len())
	for i := range members {
		key := v.Key(i)
		if !lesson.IsKnown(key) {
			key = jsText(s.text(key))
			for n := 2; used[key] || lesson.IsKnown(key); n++ {
				key = jsText(s.text(v.Key(i))) + "~" + strconv.Itoa(n)
			}
			used[key] = true
		}
		members[i] = jstext.Member{Key: key, Value: s.value(v.At(i), v.Key(i))}
	}
	return jstext.ObjectValue(members...)
}
