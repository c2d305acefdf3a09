package vectortest

import (
	"encoding/base64"
	"testing"
	"time"

	"winnow/core/jstext"
)

// Value is a JSON value of a vector. What JSON cannot hold stands in it as an
// object: {"$utf16": [...]} is a string of UTF-16 units, {"$b64": "..."} bytes.
type Value struct{ jstext.Value }

// Member returns the member of the key; null when there is none.
func (v Value) Member(key string) Value { m, _ := v.Field(key); return Value{m} }

// Item returns element i, which must be below Len.
func (v Value) Item(i int) Value { return Value{v.At(i)} }

// Has reports whether v has a member of the key, be it null.
func (v Value) Has(key string) bool { _, ok := v.Field(key); return ok }

// IsNull reports whether v is null or not there.
func (v Value) IsNull() bool { return v.Kind() == jstext.Null }

// Text returns a string, which may be given by its units, as package jstext holds
// it; "" for what is no string.
func (v Value) Text() string {
	list := v.Member("$utf16")
	if list.IsNull() {
		return v.Str()
	}
	units := make([]uint16, list.Len())
	for i := range units {
		units[i] = uint16(list.At(i).Number())
	}
	return jstext.FromUnits(units)
}

// Texts returns the strings of an array.
func (v Value) Texts() []string {
	list := make([]string, v.Len())
	for i := range list {
		list[i] = v.Item(i).Text()
	}
	return list
}

// File returns the bytes of a file, given as a string or in base 64; none for null.
func (v Value) File(t *testing.T) []byte {
	t.Helper()
	raw := v.Member("$b64")
	if raw.IsNull() {
		return []byte(v.Str())
	}
	b, err := base64.StdEncoding.DecodeString(raw.Str())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Time returns the instant that a string in RFC 3339 form denotes.
func (v Value) Time(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, v.Str())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// Resolved returns v with every string in it that is given by its units as a string.
func (v Value) Resolved() jstext.Value {
	switch {
	case v.Has("$utf16"):
		return jstext.StringValue(v.Text())
	case v.Kind() == jstext.Array:
		list := make([]jstext.Value, v.Len())
		for i := range list {
			list[i] = v.Item(i).Resolved()
		}
		return jstext.ArrayValue(list...)
	case v.Kind() == jstext.Object:
		out := v.Value
		for i := range v.Len() {
			out = out.With(v.Key(i), v.Item(i).Resolved())
		}
		return out
	}
	return v.Value
}
