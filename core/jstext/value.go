package jstext

import (
	"cmp"
	"slices"
	"strconv"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. The zero Value is null.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns JSON's name of the kind.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[min(k, Object)]
}

// Value is a JSON value as JSON.parse makes it. It is immutable. The members of an object are in
// JavaScript's order: first keys that are array indices, ascending, then the others in order of
// appearance. A repeated key has its last value at its first position.
type Value struct {
	kind Kind
	yes  bool     // of a Bool
	str  string   // text of a String, source of a Number
	kids []Member // of an Object, and of an Array with empty keys
}

// Member is one key of an object with its value.
type Member struct {
	Key   string
	Value Value
}

// NullValue returns null.
func NullValue() Value { return Value{} }

// NumberValue returns the number f. JSON writes it as null if it is not finite.
func NumberValue(f float64) Value { return Value{kind: Number, str: formatNumber(f)} }

// StringValue returns the string s.
func StringValue(s string) Value { return Value{kind: String, str: s} }

// ArrayValue returns an array of the elements.
func ArrayValue(elements ...Value) Value {
	kids := make([]Member, len(elements))
	for i, v := range elements {
		kids[i].Value = v
	}
	return Value{kind: Array, kids: kids}
}

// ObjectValue returns an object whose members are set in the given order.
func ObjectValue(members ...Member) Value {
	return Value{kind: Object, kids: ordered(append([]Member(nil), members...))}
}

// Kind returns the type of v.
func (v Value) Kind() Kind { return v.kind }

// Bool returns whether v is true itself, not merely truthy.
func (v Value) Bool() bool { return v.yes }

// Number returns the number, or 0 if v is not a number.
func (v Value) Number() float64 {
	if v.kind != Number {
		return 0
	}
	return parseNumber(v.str)
}

// Str returns the text of a string, or "" if v is not a string.
func (v Value) Str() string {
	if v.kind != String {
		return ""
	}
	return v.str
}

// Len returns the number of elements or members, and 0 for other kinds.
func (v Value) Len() int { return len(v.kids) }

// At returns element or member value i, which must be below Len.
func (v Value) At(i int) Value { return v.kids[i].Value }

// Key returns the key of member i, which must be below Len. It is "" in an array.
func (v Value) Key(i int) string { return v.kids[i].Key }

// Field returns the value of an object's own key, and whether the object has it.
func (v Value) Field(name string) (Value, bool) {
	if i, there := indexOf(v.kids, name); there && v.kind == Object {
		return v.kids[i].Value, true
	}
	return Value{}, false
}

// Dig returns the value at a path of fields, or null if there is none.
func (v Value) Dig(fields ...string) Value {
	for _, name := range fields {
		v, _ = v.Field(name)
	}
	return v
}

// With returns the object v with the key set as by an assignment: in its place if it exists,
// otherwise last (an array index, in its order). It returns v itself if v is not an object.
func (v Value) With(key string, val Value) Value {
	if v.kind != Object {
		return v
	}
	return ObjectValue(append(slices.Clip(v.kids), Member{key, val})...)
}

// Without returns the object v without the key. It returns v itself if v is not an object or has no
// such key.
func (v Value) Without(key string) Value {
	if i, there := indexOf(v.kids, key); there && v.kind == Object {
		v.kids = slices.Delete(slices.Clone(v.kids), i, i+1)
	}
	return v
}

// Truthy reports whether v counts as true in a condition.
func (v Value) Truthy() bool {
	n := v.Number() // 0 if it is not a number
	return v.yes || v.kind == String && v.str != "" || n < 0 || n > 0 || v.kind == Array || v.kind == Object
}

// ToString returns v as converted when joined with a string. An object becomes "[object Object]".
func (v Value) ToString() string {
	switch v.kind {
	case Bool:
		if v.yes {
			return "true"
		}
		return "false"
	case Number:
		return formatNumber(v.Number())
	case String:
		return v.str
	case Array:
		return string(v.join(nil))
	case Object:
		return "[object Object]"
	}
	return "null"
}

// join appends the elements separated by commas. Null becomes nothing.
func (v Value) join(out []byte) []byte {
	for i := range v.kids {
		if i > 0 {
			out = append(out, ',')
		}
		switch e := &v.kids[i].Value; e.kind {
		case Null:
		case Array:
			out = e.join(out)
		default:
			out = appendJoined(out, e.ToString())
		}
	}
	return out
}

// ToNumber returns v as converted for arithmetic and comparison with a number. It is NaN for a text
// that is not a number, and for objects.
func (v Value) ToNumber() float64 {
	switch {
	case v.yes:
		return 1
	case v.kind == Null, v.kind == Bool:
		return 0
	case v.kind == Number:
		return v.Number()
	}
	return textToNumber(v.ToString())
}

// ordered puts members into JavaScript's order and merges repeated keys. It may modify m.
func ordered(m []Member) []Member {
	m = unique(m)
	if slices.ContainsFunc(m, func(m Member) bool { return arrayIndex(m.Key) < noIndex }) {
		slices.SortStableFunc(m, func(a, b Member) int { return cmp.Compare(arrayIndex(a.Key), arrayIndex(b.Key)) })
	}
	return m
}

// unique keeps the first place and the last value of each key.
func unique(m []Member) []Member {
	var places map[string]int // with few keys it is faster to compare them
	if len(m) > 16 {
		places = make(map[string]int, len(m))
	}
	n := 0
	for i := range m {
		at, there := places[m[i].Key]
		if places == nil {
			at, there = indexOf(m[:n], m[i].Key)
		}
		if there {
			m[at].Value = m[i].Value
			continue
		}
		if places != nil {
			places[m[i].Key] = n
		}
		if n < i {
			m[n] = m[i]
		}
		n++
	}
	return m[:n]
}

// indexOf returns the index of the first member with a key, and whether there is one.
func indexOf(m []Member, key string) (int, bool) {
	for i := range m {
		if m[i].Key == key {
			return i, true
		}
	}
	return 0, false
}

// noIndex is more than any array index.
const noIndex = 1<<32 - 1

// arrayIndex returns the index that key denotes in canonical form, "0" to "4294967294", or noIndex.
func arrayIndex(key string) uint64 {
	if key == "" || len(key) > 10 || key[0]-'0' > 9 || key[0] == '0' && len(key) > 1 {
		return noIndex
	}
	n, err := strconv.ParseUint(key, 10, 64)
	if err != nil {
		return noIndex
	}
	return min(n, noIndex)
}
