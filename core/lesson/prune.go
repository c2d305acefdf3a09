package lesson

import (
	"winnow/core/jstext"
	"winnow/core/memory"
)

// kept reports whether a load keeps a value: it was recalled or made after the
// cutoff, or it was ever recalled. The problem is set where the original throws.
func kept(v jstext.Value, cutoff string) (bool, *memory.Problem) {
	if v.Kind() == jstext.Null {
		return false, nullLine()
	}
	for _, key := range [...]string{KeyUsed, KeyCreated} {
		date, _ := v.Field(key)
		if key == KeyUsed && !date.Truthy() {
			continue
		}
		if Unprintable(date) {
			return false, UnprintableField(key)
		}
		if later(date, cutoff) {
			return true, nil
		}
	}
	count, ok := v.Field(KeyCount)
	if Unprintable(count) {
		return false, UnprintableField(KeyCount)
	}
	return ok && count.ToNumber() > 0, nil
}

// later reports v > cutoff for a cutoff that is no number: texts compare by units,
// and what becomes a number on the way never is later.
func later(v jstext.Value, cutoff string) bool {
	s, ok := asText(v)
	return ok && jstext.Compare(s, cutoff) > 0
}

// asText returns the text as which a value compares with another text, and
// false when it compares as a number.
func asText(v jstext.Value) (string, bool) {
	switch v.Kind() {
	case jstext.String, jstext.Array, jstext.Object:
		return v.ToString(), true
	}
	return "", false
}

// Unprintable reports whether turning v into text throws: an object in it has a
// member named toString, which hides the function of that name.
func Unprintable(v jstext.Value) bool {
	if v.Kind() == jstext.Object {
		_, hidden := v.Field("toString")
		return hidden
	}
	if v.Kind() != jstext.Array {
		return false
	}
	for i := range v.Len() {
		if Unprintable(v.At(i)) {
			return true
		}
	}
	return false
}
