package transcript

import (
	"bytes"
	"iter"
	"strconv"
	"time"

	"winnow/core/jstext"
)

// Lines are read without building what they hold: most of a transcript is text of files
// and images that nobody asks for here.

// wanted is a member that is asked for, and the place of its value.
type wanted struct {
	key   string
	value *[]byte
}

// read sets the values of the wanted members of the object that b begins with, and reports
// whether the object is whole.
func read(b []byte, all ...wanted) bool {
	return object(b, func(key, value []byte) {
		for _, w := range all {
			if string(key) == w.key {
				*w.value = value
			}
		}
	})
}

// object calls member for each member of the object that b begins with: its key as it is
// spelled, and the bytes of its value. It reports whether the object was read to its end
// and only space follows.
func object(b []byte, member func(key, value []byte)) bool {
	i := space(b, 0)
	if i == len(b) || b[i] != '{' {
		return false
	}
	for i = space(b, i+1); i < len(b) && b[i] != '}'; i = space(b, i+1) {
		end := quotedEnd(b, i)
		if end < 0 {
			return false
		}
		key := b[i+1 : end-1]
		if i = space(b, end); i == len(b) || b[i] != ':' {
			return false
		}
		i = space(b, i+1)
		if end = valueEnd(b, i); end < 0 {
			return false
		}
		member(key, b[i:end])
		if i = space(b, end); i == len(b) || b[i] != ',' {
			break
		}
	}
	return i < len(b) && b[i] == '}' && space(b, i+1) == len(b)
}

// elements returns the elements of the array that b begins with, as far as they can be read.
func elements(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := space(b, 0)
		for open := byte('['); i < len(b) && b[i] == open; open = ',' {
			from := space(b, i+1)
			end := valueEnd(b, from)
			if end < 0 || !yield(b[from:end]) {
				return
			}
			i = space(b, end)
		}
	}
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// quotedEnd returns the offset after the string that begins at i, and -1 when none does.
func quotedEnd(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for from := i + 1; ; {
		n := bytes.IndexByte(b[from:], '"')
		if n < 0 {
			return -1
		}
		end := from + n
		slashes := end
		for slashes > from && b[slashes-1] == '\\' {
			slashes--
		}
		if (end-slashes)%2 == 0 {
			return end + 1
		}
		from = end + 1
	}
}

// valueEnd returns the offset after the value that begins at i, and -1 when it has no
// end. What is in a container is not checked further than its brackets and strings.
func valueEnd(b []byte, i int) int {
	if i == len(b) {
		return -1
	}
	if b[i] == '"' {
		return quotedEnd(b, i)
	}
	if b[i] != '{' && b[i] != '[' {
		end := i
		for end < len(b) && b[end] > ' ' && b[end] != ',' && b[end] != '}' && b[end] != ']' && b[end] != '"' {
			end++
		}
		if end == i || end == len(b) {
			return -1
		}
		return end
	}
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = quotedEnd(b, i) - 1; i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// text returns the string that b holds, and "" for another value.
func text(b []byte) string {
	if len(b) < 2 || b[0] != '"' {
		return ""
	}
	inner := b[1 : len(b)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return jstext.Decode(inner)
	}
	if v, err := jstext.Parse(jstext.Decode(b)); err == nil {
		return v.Str()
	}
	return jstext.Decode(inner) // escapes that are not valid stay as they are
}

// is reports whether b is the string s, which needs no escapes.
func is(b []byte, s string) bool {
	return len(b) == len(s)+2 && b[0] == '"' && string(b[1:len(b)-1]) == s
}

func yes(b []byte) bool { return string(b) == "true" }

// moment returns the instant of a date as JavaScript writes it; zero for another text.
func moment(b []byte) time.Time {
	t, _ := time.Parse(`"`+time.RFC3339Nano+`"`, string(b)) // the zero time on an error
	return t
}

// millis returns the instant that is a number of milliseconds since 1970; zero for what
// is none, and what no calendar has.
func millis(b []byte) time.Time {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || f <= 0 || f > 253402300799999 {
		return time.Time{}
	}
	return time.UnixMilli(int64(f)).UTC()
}
