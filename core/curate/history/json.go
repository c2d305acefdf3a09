package history

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The history is JSON of a small kind: objects, arrays, texts, whole numbers and
// true. A text that is not UTF-8 is written as {"base64":"..."}, so that stored
// forms come back byte for byte, damaged ones too. Reading is by hand because a
// store is opened by replaying all of its history.

// writer appends JSON to b.
type writer struct{ b []byte }

// key begins a member of an object.
func (w *writer) key(k string) {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '"')
	w.b = append(w.b, k...)
	w.b = append(w.b, '"', ':')
}

// item begins an element of an array.
func (w *writer) item() {
	if w.b[len(w.b)-1] != '[' {
		w.b = append(w.b, ',')
	}
}

// text writes a member unless it is empty.
func (w *writer) text(k, s string) {
	if s != "" {
		w.key(k)
		w.str(s)
	}
}

// number writes a member unless it is 0.
func (w *writer) number(k string, n int64) {
	if n != 0 {
		w.key(k)
		w.b = strconv.AppendInt(w.b, n, 10)
	}
}

// yes writes a member when it is true.
func (w *writer) yes(k string, on bool) {
	if on {
		w.key(k)
		w.b = append(w.b, "true"...)
	}
}

func (w *writer) str(s string) {
	if !utf8.ValidString(s) {
		w.b = append(w.b, `{"base64":"`...)
		w.b = base64.StdEncoding.AppendEncode(w.b, []byte(s))
		w.b = append(w.b, '"', '}')
		return
	}
	const hex = "0123456789abcdef"
	w.b = append(w.b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		w.b = append(w.b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			w.b = append(w.b, '\\', c)
		case '\n':
			w.b = append(w.b, '\\', 'n')
		default:
			w.b = append(w.b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	w.b = append(w.b, s[from:]...)
	w.b = append(w.b, '"')
}

// reader reads JSON from b. After the first thing that is not as it should be, bad
// is set and everything read is empty.
type reader struct {
	b     []byte
	i     int
	depth int
	bad   bool
}

// maxDepth is more than any line of ours nests.
const maxDepth = 16

func (r *reader) peek() byte {
	if r.bad || r.i >= len(r.b) {
		r.bad = true
		return 0
	}
	return r.b[r.i]
}

// take reads one byte that must stand here.
func (r *reader) take(c byte) bool {
	if r.peek() != c {
		r.bad = true
		return false
	}
	r.i++
	return true
}

// list reads what stands between two brackets, calling element for each.
func (r *reader) list(open, end byte, element func()) {
	if r.depth++; r.depth > maxDepth {
		r.bad = true
	}
	defer func() { r.depth-- }()
	if !r.take(open) {
		return
	}
	if r.peek() == end {
		r.i++
		return
	}
	for !r.bad {
		element()
		if r.peek() == end {
			r.i++
			return
		}
		r.take(',')
	}
}

// object calls member with the key of each member; it must read or skip the value.
func (r *reader) object(member func(key string)) {
	r.list('{', '}', func() {
		k := r.str()
		if r.take(':') {
			member(k)
		}
	})
}

func (r *reader) array(element func()) { r.list('[', ']', element) }

// str reads a text.
func (r *reader) str() string {
	if r.peek() == '{' {
		return r.base64()
	}
	if !r.take('"') {
		return ""
	}
	end := bytes.IndexByte(r.b[r.i:], '"')
	if end < 0 {
		r.bad = true
		return ""
	}
	plain := r.b[r.i : r.i+end]
	if bytes.IndexByte(plain, '\\') < 0 {
		r.i += end + 1
		return string(plain)
	}
	return r.escaped()
}

// base64 reads a text that is not UTF-8.
func (r *reader) base64() (s string) {
	r.object(func(k string) {
		if k != "base64" || r.peek() != '"' {
			r.bad = true
			return
		}
		b, err := base64.StdEncoding.DecodeString(r.str())
		if err != nil {
			r.bad = true
		}
		s = string(b)
	})
	return s
}

// escaped reads the rest of a text that has escapes.
func (r *reader) escaped() string {
	end := r.end()
	if r.bad {
		return ""
	}
	out := make([]byte, 0, end-r.i)
	for r.i < end {
		next := bytes.IndexByte(r.b[r.i:end], '\\')
		if next < 0 {
			out = append(out, r.b[r.i:end]...)
			r.i = end
			break
		}
		out = append(out, r.b[r.i:r.i+next]...)
		r.i += next + 1
		out = r.escape(out, end)
	}
	r.i = end + 1
	return string(out)
}

// end returns where the text that began ends.
func (r *reader) end() int {
	for i := r.i; i < len(r.b); i++ {
		switch r.b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	r.bad = true
	return len(r.b)
}

// escape appends what the escape behind a backslash means.
func (r *reader) escape(out []byte, end int) []byte {
	c := r.b[r.i]
	r.i++
	switch c {
	case '"', '\\', '/':
		return append(out, c)
	case 'n':
		return append(out, '\n')
	case 't':
		return append(out, '\t')
	case 'r':
		return append(out, '\r')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'u':
		u := r.hex(end)
		if utf16.IsSurrogate(u) && end-r.i >= 6 && r.b[r.i] == '\\' && r.b[r.i+1] == 'u' {
			r.i += 2
			u = utf16.DecodeRune(u, r.hex(end))
		}
		return utf8.AppendRune(out, u)
	}
	r.bad = true
	return out
}

// hex reads four hexadecimal digits.
func (r *reader) hex(end int) rune {
	if end-r.i < 4 {
		r.bad = true
		r.i = end
		return 0
	}
	n, err := strconv.ParseUint(string(r.b[r.i:r.i+4]), 16, 16)
	r.bad = r.bad || err != nil
	r.i += 4
	return rune(n)
}

// number reads a whole number.
func (r *reader) number() int64 {
	from := r.i
	for r.i < len(r.b) && (r.b[r.i] == '-' || r.b[r.i] >= '0' && r.b[r.i] <= '9') {
		r.i++
	}
	n, err := strconv.ParseInt(string(r.b[from:r.i]), 10, 64)
	r.bad = r.bad || err != nil
	return n
}

// yes reads true or false.
func (r *reader) yes() bool {
	for _, word := range []string{"true", "false"} {
		if bytes.HasPrefix(r.b[r.i:], []byte(word)) {
			r.i += len(word)
			return word == "true"
		}
	}
	r.bad = true
	return false
}

// skip passes over a value.
func (r *reader) skip() {
	switch c := r.peek(); c {
	case '{':
		r.object(func(string) { r.skip() })
	case '[':
		r.array(r.skip)
	case '"':
		r.i++
		r.i = min(r.end()+1, len(r.b))
	case 't', 'f':
		r.yes()
	default:
		r.number()
	}
}
