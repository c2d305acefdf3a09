package share

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/lesson"
)

// maxDepth is how deep a value in a share may be nested.
const maxDepth = 32

// object is a JSON object: the raw text of each value by key.
type object map[string]string

// file returns the object as a file with sorted keys, one per line.
func (o object) file() []byte { return []byte(lines(o, " ") + "\n") }

// lines returns the object with sorted keys, each member on its own line after indent. Without an
// indent all are on one line.
func lines(o object, indent string) string { return o.spelled(slices.Sorted(maps.Keys(o)), indent) }

// spelled returns the object with its members in the order of keys. Keys it does not have are skipped.
func (o object) spelled(keys []string, indent string) string {
	begin, colon, end := "", ":", ""
	if indent != "" {
		begin, colon, end = "\n"+indent, ": ", "\n"+indent[1:]
	}
	var out []byte
	for _, key := range keys {
		if value, there := o[key]; there {
			out = append(jstext.AppendQuoted(append(append(out, ','), begin...), key), colon...)
			out = append(out, value...)
		}
	}
	if len(out) == 0 {
		return "{}"
	}
	return string(closed(append(out, end...), 0, '{', '}'))
}

// parse returns the raw members of a JSON object. A duplicate key is an error.
func parse(text string) (object, error) {
	o, twice := object{}, ""
	kind, err := jstext.Scan(text, func(p jstext.Part) bool {
		name := p.Name()
		if _, there := o[name]; there {
			twice = name
		}
		o[name] = p.Value
		return true
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("not JSON: %w", err)
	case kind != jstext.Object:
		return nil, fmt.Errorf("want an object, got %s", kind)
	case twice != "":
		return nil, fmt.Errorf("the key %q comes twice", twice)
	}
	return o, nil
}

// canonical returns a valid JSON value in the one form that a share uses: sorted object keys, strings
// as JSON.stringify writes them, no spaces, numbers unchanged. It passes on err.
func canonical(value string, err error) (string, error) {
	if err != nil || value[0] == '"' && strings.IndexByte(value, '\\') < 0 {
		return value, err // most values are canonical already
	}
	out, err := appendCanonical(nil, value, 0)
	return string(out), err
}

func appendCanonical(out []byte, value string, depth int) ([]byte, error) {
	switch value[0] {
	case '"':
		return jstext.AppendQuoted(out, jstext.Text(value)), nil
	case '{', '[':
		if depth == maxDepth {
			return nil, fmt.Errorf("nested more than %d deep", maxDepth)
		}
	default:
		return append(out, value...), nil
	}
	begin := len(out)
	if value[0] == '[' {
		var elements []string
		_, err := jstext.Scan(value, func(p jstext.Part) bool {
			elements = append(elements, p.Value)
			return true
		})
		for _, e := range elements {
			if out, err = appendCanonical(append(out, ','), e, depth+1); err != nil {
				return nil, err
			}
		}
		return closed(out, begin, '[', ']'), err
	}
	o, err := parse(value)
	for _, key := range slices.Sorted(maps.Keys(o)) {
		out = append(jstext.AppendQuoted(append(out, ','), key), ':')
		if out, err = appendCanonical(out, o[key], depth+1); err != nil {
			return nil, err
		}
	}
	return closed(out, begin, '{', '}'), err
}

// closed puts brackets around the parts appended from begin on. The comma before the first becomes the
// opening bracket.
func closed(out []byte, begin int, open, end byte) []byte {
	if len(out) == begin {
		return append(out, open, end)
	}
	out[begin] = open
	return append(out, end)
}

// isoDate returns the date if it has the one form in which text order is time order, else "".
func isoDate(text string) string {
	if !lesson.Regular(lesson.Moment(text)) {
		return ""
	}
	return text
}

// take moves the named string members out of the object. It returns an error if one is missing or no
// string, or if other members are left.
func (o object) take(members map[string]*string) error {
	for _, key := range slices.Sorted(maps.Keys(members)) {
		value, there := o[key]
		if !there || value[0] != '"' {
			return fmt.Errorf("%s: want a text", key)
		}
		*members[key] = jstext.Text(value)
		delete(o, key)
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}

// trimName returns the name of a .json file directly in a folder, without its ending. It returns false
// for any other path.
func trimName(path, folder string) (string, bool) {
	name, ok := strings.CutPrefix(path, folder)
	name, json := strings.CutSuffix(name, ".json")
	return name, ok && json && !strings.Contains(name, "/")
}
