package jsonl

import (
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// member is the position of one member of an object in its line.
type member struct {
	key        string // without its escapes
	start      int    // of the quote that opens the key
	value, end int    // the bytes of the value
}

// object is a line with a JSON object, in any spelling.
type object struct {
	text    string
	open    int      // of the opening brace
	members []member // in the order of the line; a key may occur twice
	last    map[string]int
}

// openObject finds the members of a line. It returns false for a line that is not an object. It
// skips all surrounding white space, even what JSON does not allow.
func openObject(line string) (object, bool) {
	o := object{text: line, open: jstext.LeadingSpace(line), last: map[string]int{}}
	kind, err := jstext.Scan(jstext.Trim(line), func(p jstext.Part) bool {
		name := p.Name()
		o.last[name] = len(o.members)
		at := o.open + p.At
		o.members = append(o.members, member{key: name, start: o.open + p.KeyAt, value: at, end: at + len(p.Value)})
		return true
	})
	if kind != jstext.Object || err != nil {
		return object{text: line}, false
	}
	return o, true
}

// openObjects opens several lines. It returns false if one of them is not an object.
func openObjects(lines ...string) ([]object, bool) {
	all := make([]object, len(lines))
	ok := true
	for i, line := range lines {
		var is bool
		all[i], is = openObject(line)
		ok = ok && is
	}
	return all, ok
}

// spelled returns the bytes of the key's value. If the key occurs more than once, the last value
// counts.
func (o *object) spelled(key string) (string, bool) {
	i, ok := o.last[key]
	if !ok {
		return "", false
	}
	return o.text[o.members[i].value:o.members[i].end], true
}

// value returns the key's parsed value; null if it is missing.
func (o *object) value(key string) (jstext.Value, bool) {
	s, ok := o.spelled(key)
	if !ok {
		return jstext.NullValue(), false
	}
	return valueOf(s), true
}

// values returns the members with their values as JSON.stringify writes them.
func (o *object) values() map[string]string {
	vals := make(map[string]string, len(o.last))
	for key, i := range o.last {
		m := o.members[i]
		vals[key] = canonical(o.text[m.value:m.end])
	}
	return vals
}

// canonical returns a value as JSON.stringify writes it. Most already have that form.
func canonical(spelled string) string {
	const surelyExact = 15 // digits of an integer
	if len(spelled) <= surelyExact && strings.Trim(spelled, "0123456789") == "" {
		return spelled
	}
	return string(valueOf(spelled).AppendJSON(nil))
}

// valueOf parses a value that is known to be valid.
func valueOf(spelled string) jstext.Value {
	v, _ := jstext.Parse(lesson.Decode(spelled))
	return v
}

// setting is a change of one member.
type setting struct {
	key  string
	json string // its value
	drop bool   // remove the member instead, wherever it occurs
}

// with returns the line with the settings applied one after the other. Values are replaced in place
// and missing members are added at the end; no other byte changes.
func (o *object) with(settings []setting) string {
	now := *o
	for _, s := range settings {
		i, there := now.last[s.key]
		switch {
		case there && !s.drop:
			now = now.spliced(now.members[i].value, now.members[i].end, s.json)
		case !s.drop:
			now = now.added(jstext.Quoted(s.key) + ":" + s.json)
		}
		for ; there && s.drop; i, there = now.last[s.key] {
			now = now.without(i)
		}
	}
	return now.text
}

// spliced returns the object with the bytes from start to end replaced.
func (o *object) spliced(start, end int, text string) object {
	now, _ := openObject(o.text[:start] + text + o.text[end:])
	return now
}

// added returns the object with one more member.
func (o *object) added(member string) object {
	if n := len(o.members); n > 0 {
		return o.spliced(o.members[n-1].end, o.members[n-1].end, ","+member)
	}
	return o.spliced(o.open+1, o.open+1, member)
}

// without returns the object without member i and one of the commas next to it.
func (o *object) without(i int) object {
	start, end := o.members[i].start, o.members[i].end
	switch {
	case i > 0:
		start = o.members[i-1].end
	case len(o.members) > 1:
		end = o.members[1].start
	}
	return o.spliced(start, end, "")
}

// quotedEnd returns the index after the string that begins at s[i].
func quotedEnd(s string, i int) int {
	for i++; s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// scalarLen returns the length of the number or word at the beginning of s.
func scalarLen(s string) int {
	if i := strings.IndexAny(s, ",]} \t\r\n"); i >= 0 {
		return i
	}
	return len(s)
}

// WithMember returns a line with a member of its object set to a value, as spelled; a missing one is added at the end.
// All other bytes stay. A line that holds no object is returned as it is.
func WithMember(line, key, json string) string {
	o, ok := openObject(line)
	if !ok {
		return line
	}
	return o.with([]setting{{key: key, json: json}})
}
