package output

import (
	"cmp"
	"encoding/json"
	"reflect"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/views/safe"
)

// Text is a stored text in JSON. It keeps every character and escapes all that cannot
// be seen, so that JSON on a terminal does no harm. What is no character is U+FFFD: each
// lone surrogate, whose escape some parsers refuse, and each byte that is no UTF-8.
type Text string

// quoted returns the text as a JSON string.
func (t Text) quoted() []byte {
	out := append(make([]byte, 0, len(t)+2), '"')
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(string(t[i:]))
		if r == utf8.RuneError && n == 1 {
			n = width(string(t[i:]))
		}
		out = appendRune(out, r)
		i += n
	}
	return append(out, '"')
}

// width returns the length of what is no character at the start of s: 3 bytes for a lone
// surrogate, else 1.
func width(s string) int {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 3
	}
	return 1
}

func appendRune(out []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(out, '\\', byte(r))
	case r == '\n':
		return append(out, '\\', 'n')
	case r == '\t':
		return append(out, '\\', 't')
	case r >= 0x10000 && safe.IsHidden(r):
		high, low := utf16.EncodeRune(r)
		return appendEscape(appendEscape(out, high), low)
	case safe.IsHidden(r):
		return appendEscape(out, r)
	}
	return utf8.AppendRune(out, r)
}

func appendEscape(out []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(out, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}

// Object is a JSON object: names and values in turns. Values are objects, lists, texts,
// numbers, true, false and times.
type Object []any

// Missing is the value of a name that is left out.
type Missing struct{}

// Some returns v, or Missing when it is the zero value.
func Some[T comparable](v T) any {
	if v == *new(T) {
		return Missing{}
	}
	return v
}

// OrNull returns the JSON of a value, or null where there is none.
func OrNull[T any](v *T, json func(*T) Object) Object {
	if v == nil {
		return nil
	}
	return json(v)
}

// OrMissing returns the JSON of a value, or Missing where there is none.
func OrMissing[T any](v *T, json func(*T) any) any {
	if v == nil {
		return Missing{}
	}
	return json(v)
}

// If returns v, or Missing unless cond is set.
func If(cond bool, v any) any {
	if cond {
		return v
	}
	return Missing{}
}

// SomeOf returns a list, or Missing when it is empty.
func SomeOf[T any](list []T) any {
	if len(list) == 0 {
		return Missing{}
	}
	return list
}

// Items is a list whose items are made one after the other, so that a long one is never held
// as a whole.
type Items struct {
	N    int
	Item func(i int) any
}

// JSON prints v with an indent of two.
func (o *Out) JSON(v any) {
	o.value(v, "\n")
	o.put("\n")
}

// Event prints v as JSON on one line.
func (o *Out) Event(v any) {
	o.value(v, "")
	o.put("\n")
}

// value prints v as JSON. Margin is what a line of it begins with, empty for JSON on one
// line.
func (o *Out) value(v any, margin string) {
	switch v := v.(type) {
	case Text:
		o.Exact(v.quoted())
	case string:
		o.Exact(Text(v).quoted())
	case Object:
		o.object(v, margin)
	case Items:
		o.members("[", v.N, "]", margin, func(i int, inner string) { o.value(v.Item(i), inner) })
	default:
		if list := reflect.ValueOf(v); list.Kind() == reflect.Slice {
			o.value(Items{list.Len(), func(i int) any { return list.Index(i).Interface() }}, margin)
			return
		}
		raw, err := json.Marshal(v)
		o.err = cmp.Or(o.err, err)
		o.Exact(raw)
	}
}

// object prints an object, or null for none.
func (o *Out) object(v Object, margin string) {
	if v == nil {
		o.put("null")
		return
	}
	var there []int // where the names are of what is not missing
	for i := 0; i < len(v); i += 2 {
		if _, missing := v[i+1].(Missing); !missing {
			there = append(there, i)
		}
	}
	o.members("{", len(there), "}", margin, func(i int, inner string) {
		o.value(v[there[i]], inner)
		o.put(":" + Safe(When(margin != "", " ")))
		o.value(v[there[i]+1], inner)
	})
}

// members prints n members between two brackets, each on a line of its own below a margin.
func (o *Out) members(begin Safe, n int, end Safe, margin string, member func(i int, inner string)) {
	inner := margin + When(margin != "", "  ")
	o.put(begin)
	for i := range n {
		o.put(Safe(When(i > 0, ",") + inner))
		member(i, inner)
	}
	o.put(Safe(When(n > 0, margin)) + end)
}
