package jsonl

import (
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// member is where one member of an object stands in its line.
type member struct {
	key        string // without its escapes
	start      int    // of the quote that opens the key
	value, end int    // the bytes of the value
}

// object is a line that holds a JSON object, in any spelling.
type object struct {
	text    string
	open    int      // of the opening brace
	members []member // as they stand; a key can be there twice
	last    map[string]int
}

// openObject finds the members of a line. It is false for a line that holds no
// object. White space around it is passed over, also what JSON does not allow.
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

// openObjects opens several lines. It is false when one of them holds no object.
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

// spelled returns the bytes of the value that counts for the key: the last one.
func (o *object) spelled(key string) (string, bool) {
	i, ok := o.last[key]
	if !ok {
		return "", false
	}
	return o.text[o.members[i].value:o.members[i].end], true
}

// value returns what a parser makes of the key's value; null when it is missing.
func (o *object) value(key string) (jstext.Value, bool) {
	s, ok := o.spelled(key)
	if !ok {
		return jstext.NullValue(), false
	}
	return valueOf(s), true
}

// values returns the members as JSON.stringify writes their values.
func (o *object) values() map[string]string {
	vals := make(map[string]string, len(o.last))
	for key, i := range o.last {
		m := o.members[i]
		vals[key] = canonical(o.text[m.value:m.end])
	}
	return vals
}

// canonical returns a value as JSON.stringify writes it. Most stand so already.
func canonical(spelled string) string {
	const surelyExact = 15 // digits of a whole number
	if len(spelled) <= surelyExact && strings.Trim(spelled, "0123456789") == "" {
		return spelled
	}
	return string(valueOf(spelled).AppendJSON(nil))
}

// valueOf parses a value that is known to be sound.
func valueOf(spelled string) jstext.Value {
	v, _ := jstext.Parse(lesson.Decode(spelled))
	return v
}

// setting is what a member is to become.
type setting struct {
	key  string
	json string // its value
	drop bool   // instead: the member goes, in all its places
}

// with returns the line with the settings made, one after the other. Values are replaced
// where they stand and what is missing is added at the end; no other byte changes.
func (o *object) with(settings []setting) string {
	now := *o
	for _, s := range settings {
		i, there := now.last[s.key]
		switch {
		case there && !s.drop:
			now = now.spliced(now.members[i].value, now.members[i].end, s.json)
		case !s.drop:
			now = now.added(quoted(s.key) + ":" + s.json)
		}
		for ; there && s.drop; i, there = now.last[s.key] {
			now = now.without(i)
		}
	}
	return now.text
}

// spliced returns the object with other bytes from start to end.
func (o *object) spliced(start, end int, text string) object {
	now, _ := openObject(o.text[:start] + text + o.text[end:])
	return now
}

// added returns the object with one member more.
func (o *object) added(member string) object {
	if n := len(o.members); n > 0 {
		return o.spliced(o.members[n-1].end, o.members[n-1].end, ","+member)
	}
	return o.spliced(o.open+1, o.open+1, member)
}

// without returns the object without member i and one of the commas beside it.
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

// quoted returns s as JSON.stringify writes it.
func quoted(s string) string { return string(jstext.AppendQuoted(nil, s)) }

// quotedEnd returns the index behind the string that begins at s[i].
func quotedEnd(s string, i int) int {
	for i++; s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// scalarLen returns the length of the number or word that s begins with.
func scalarLen(s string) int {
	if i := strings.IndexAny(s, ",]} \t\r\n"); i >= 0 {
		return i
	}
	return len(s)
}
