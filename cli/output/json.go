package output

import (
	"cmp"
	"encoding/json"
	"reflect"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/views/safe"
)

// Text is a stored text for JSON. It keeps every character, but escapes all invisible ones so that
// JSON is harmless on a terminal. Each lone surrogate, whose escape some parsers refuse, and each
// byte that is not UTF-8 becomes U+FFFD.
type Text string

// Decoded returns the text as a reader of the JSON gets it.
func (t Text) Decoded() string {
	if utf8.ValidString(string(t)) {
		return string(t)
	}
	var out []byte
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(string(t[i:]))
		if r == utf8.RuneError && n == 1 {
			n = width(string(t[i:]))
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return string(out)
}

// quoted returns the text as a quoted JSON string.
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

// width returns the length of the invalid sequence at the start of s: 3 bytes for a lone surrogate,
// otherwise 1.
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

// Object is a JSON object as alternating names and values. Values are objects, lists, texts,
// numbers, booleans and times.
type Object []any

// Missing is the value of a name that is to be omitted.
type Missing struct{}

// Some returns v, or Missing if it is the zero value.
func Some[T comparable](v T) any {
	if v == *new(T) {
		return Missing{}
	}
	return v
}

// OrNull returns the JSON of *v, or null if v is nil.
func OrNull[T any](v *T, json func(*T) Object) Object {
	if v == nil {
		return nil
	}
	return json(v)
}

// OrMissing returns the JSON of *v, or Missing if v is nil.
func OrMissing[T any](v *T, json func(*T) any) any {
	if v == nil {
		return Missing{}
	}
	return json(v)
}

// If returns v if cond is set, and otherwise Missing.
func If(cond bool, v any) any {
	if cond {
		return v
	}
	return Missing{}
}

// SomeOf returns a list, or Missing if it is empty.
func SomeOf[T any](list []T) any {
	if len(list) == 0 {
		return Missing{}
	}
	return list
}

// Items is a list whose items are produced one at a time, so that a long list is never in memory as
// a whole.
type Items struct {
	N    int
	Item func(i int) any
}

// JSON prints v indented by two spaces.
func (o *Out) JSON(v any) {
	o.value(v, "\n")
	o.put("\n")
}

// Event prints v as JSON on one line.
func (o *Out) Event(v any) {
	o.value(v, "")
	o.put("\n")
}

// value prints v as JSON. Each of its lines begins with margin; an empty margin means JSON on one
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

// object prints an object, or null if it is nil.
func (o *Out) object(v Object, margin string) {
	if v == nil {
		o.put("null")
		return
	}
	var there []int // indexes of the names that are not Missing
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

// members prints n members between two brackets, each on its own line unless margin is empty.
func (o *Out) members(begin Safe, n int, end Safe, margin string, member func(i int, inner string)) {
	inner := margin + When(margin != "", "  ")
	o.put(begin)
	for i := range n {
		o.put(Safe(When(i > 0, ",") + inner))
		member(i, inner)
	}
	o.put(Safe(When(n > 0, margin)) + end)
}
