package output

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
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

// Object is a JSON object whose names are data, as alternating names and values. Where they are known, a struct says
// them.
type Object []any

// OrNull returns the JSON of *v, or nil, which is null, if v is nil.
func OrNull[T, J any](v *T, json func(*T) J) *J {
	if v == nil {
		return nil
	}
	j := json(v)
	return &j
}

// Items is a list whose items are produced one at a time, so that a long list is never in memory as
// a whole.
type Items struct {
	N    int
	Item func(i int) any
}

// JSON prints v indented by two spaces. A struct is an object whose members are its exported fields, by tags as
// encoding/json has them: json:"name", with ",omitempty" if it is left out when it is empty. The members of an embedded
// struct, and of a field with the tag json:",inline", are those of the object around it.
//
// It is not encoding/json, which would hold a list of all records of a store in memory as a whole, print a string as it
// is stored, and a list that is nil as null.
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
		return
	case Object:
		o.object(v, margin)
		return
	case Items:
		o.members("[", v.N, "]", margin, func(i int, inner string) { o.value(v.Item(i), inner) })
		return
	case json.Marshaler:
		o.marshal(v)
		return
	}
	switch at := reflect.ValueOf(v); at.Kind() {
	case reflect.String:
		o.Exact(Text(at.String()).quoted())
	case reflect.Slice:
		o.value(Items{at.Len(), func(i int) any { return at.Index(i).Interface() }}, margin)
	case reflect.Struct:
		o.object(o.membersOf(nil, at), margin)
	case reflect.Pointer:
		if at.IsNil() {
			o.put("null")
			return
		}
		o.value(at.Elem().Interface(), margin)
	default:
		o.marshal(v)
	}
}

// marshal prints a value without texts.
func (o *Out) marshal(v any) {
	raw, err := json.Marshal(v)
	o.err = cmp.Or(o.err, err)
	o.Exact(raw)
}

func (o *Out) object(v Object, margin string) {
	o.members("{", len(v)/2, "}", margin, func(i int, inner string) {
		o.value(v[2*i], inner)
		o.put(":" + Safe(When(margin != "", " ")))
		o.value(v[2*i+1], inner)
	})
}

// membersOf appends the members of a struct, or of the struct that an interface or a pointer holds, to an object.
func (o *Out) membersOf(to Object, v reflect.Value) Object {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() {
		return to
	}
	for _, f := range o.fieldsOf(v.Type()) {
		value := v.Field(f.index)
		switch {
		case f.inline:
			to = o.membersOf(to, value)
		case !f.omitEmpty || !isEmpty(value):
			to = append(to, f.name, value.Interface())
		}
	}
	return to
}

// isEmpty reports whether a member is left out by omitempty, as encoding/json has it.
func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.Kind() != reflect.Struct && v.IsZero()
}

// field is a field of a struct as a member of an object.
type field struct {
	name              string
	index             int
	omitEmpty, inline bool
}

// fieldsOf returns the fields of a type of structs, each type once.
func (o *Out) fieldsOf(t reflect.Type) (fields []field) {
	if known, ok := o.fields[t]; ok {
		return known
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, field{
			name: cmp.Or(name, f.Name), index: i,
			omitEmpty: option == "omitempty", inline: option == "inline" || f.Anonymous,
		})
	}
	if o.fields == nil {
		o.fields = map[reflect.Type][]field{}
	}
	o.fields[t] = fields
	return fields
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
