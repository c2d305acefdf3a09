package history

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"winnow/core/memory"
)

// The history is JSON of a small kind: objects, arrays, texts, whole numbers and true.
// A text that is not UTF-8 is written as {"base64":"..."}, so that stored forms come
// back byte for byte. Opening a store replays all of its history: encoding/json takes four
// times as long for that.

// codec writes an object, reads one, or cleans the texts of one. Each type lists its
// members once, in the order in which they are written (see Event.members): that list
// does all three.
type codec struct {
	b       []byte // what is written, or what is read
	reading bool
	clean   func(string) string // set: every text becomes what it returns
	brief   bool                // passes over the bytes of splices

	// While reading: the place in b, the key whose value is next (nil at the end of the
	// object), and how deep it is nested. bad is set by the first thing that is wrong.
	at    int
	key   []byte
	depth int
	bad   bool
}

// maxDepth is more than any line of ours nests.
const maxDepth = 16

// object handles an object. Members comes with the number i, and once more for each
// member that is out of order; members that it does not know are skipped.
func (c *codec) object(i int, members func(i int)) {
	switch {
	case c.clean != nil:
		members(i)
	case !c.reading:
		c.b = append(c.b, '{')
		members(i)
		c.b = append(c.b, '}')
	case c.enter('{'):
		for c.firstKey(); c.key != nil && !c.bad; {
			at := c.at
			if members(i); c.at == at {
				c.skip()
				c.done()
			}
		}
		c.depth--
	}
}

// array handles an array of n elements, or of as many as are read.
func (c *codec) array(n int, element func(i int)) {
	switch {
	case c.reading:
		if !c.enter('[') {
			return
		}
		for more := !c.ends(']'); more && !c.bad; more = !c.ends(']') && c.take(',') {
			element(n)
			n++
		}
		c.depth--
		return
	case c.clean == nil:
		c.b = append(c.b, '[')
		defer func() { c.b = append(c.b, ']') }()
	}
	for i := range n {
		if c.clean == nil && i > 0 {
			c.b = append(c.b, ',')
		}
		element(i)
	}
}

// member reports whether the member k is to be handled now: one that is there, or whose
// value is next. done ends it.
func (c *codec) member(k string, there bool) bool {
	switch {
	case c.reading:
		return string(c.key) == k && c.key != nil && !c.bad
	case there && c.clean == nil:
		if last := c.b[len(c.b)-1]; last != '{' {
			c.b = append(c.b, ',')
		}
		c.b = append(append(append(c.b, '"'), k...), '"', ':')
	}
	return there
}

// done reads what follows the value of a member: the next key, or the end of the object.
func (c *codec) done() {
	switch {
	case !c.reading:
	case c.ends('}'):
		c.key = nil
	case c.take(','):
		c.readKey()
	}
}

func (c *codec) firstKey() {
	if c.key = nil; !c.ends('}') {
		c.readKey()
	}
}

func (c *codec) readKey() {
	from := c.at + 1
	if !c.take('"') {
		return
	}
	end := c.textEnd()
	if c.key = c.b[from:end]; slices.Contains(c.key, '\\') {
		c.key = []byte(c.unescaped(from, end))
	}
	c.at = min(end+1, len(c.b))
	c.take(':')
}

// text handles a text of a person or of a store; an empty one is left out.
func text[T ~string](c *codec, k string, p *T) {
	if !c.member(k, *p != "") {
		return
	}
	textValue(c, p)
	c.done()
}

func textValue[T ~string](c *codec, p *T) {
	switch {
	case c.clean != nil:
		*p = T(c.clean(string(*p)))
	case c.reading:
		*p = T(c.readText())
	default:
		c.writeText(string(*p))
	}
}

// word handles a text of ours, which holds nothing to clean.
func word[T ~string](c *codec, k string, p *T) {
	if c.clean == nil {
		text(c, k, p)
	}
}

func texts[T ~string](c *codec, k string, all *[]T) {
	if !c.member(k, len(*all) > 0) {
		return
	}
	c.array(len(*all), func(i int) {
		if c.reading {
			*all = append(*all, "")
		}
		textValue(c, &(*all)[i])
	})
	c.done()
}

// list handles an array of objects; an empty one is left out.
func list[T any](c *codec, k string, all *[]T, members func(i int)) {
	if c.member(k, len(*all) > 0) {
		objects(c, all, members)
	}
}

// objects is the value of a list.
func objects[T any](c *codec, all *[]T, members func(i int)) {
	c.array(len(*all), func(i int) {
		if c.reading {
			*all = append(*all, *new(T))
		}
		c.object(i, members)
	})
	c.done()
}

// integer handles a whole number; 0 is left out.
func integer[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](c *codec, k string, p *T) {
	if !c.member(k, *p != 0) {
		return
	}
	if c.reading {
		*p = T(c.readNumber())
	} else if c.clean == nil {
		c.b = strconv.AppendInt(c.b, int64(*p), 10)
	}
	c.done()
}

// yes handles a member that is there when it is true.
func (c *codec) yes(k string, p *bool) {
	if !c.member(k, *p) {
		return
	}
	if c.reading {
		*p = c.readBool()
	} else if c.clean == nil {
		c.b = append(c.b, "true"...)
	}
	c.done()
}

// time handles a time. One that no calendar of four digits has, since a clock was wrong,
// is written as the nearest that can be read again.
func (c *codec) time(k string, p *time.Time) {
	if c.clean != nil || !c.member(k, !p.IsZero()) {
		return
	}
	if c.reading {
		t, err := time.Parse(time.RFC3339Nano, c.readText())
		*p, c.bad = t, c.bad || err != nil
	} else {
		t := p.UTC()
		switch {
		case t.Year() > 9999:
			t = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
		case t.Year() < 0:
			t = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		c.writeText(t.Format(time.RFC3339Nano))
	}
	c.done()
}

// decisions handles decisions as a list in the order of their ids.
func (c *codec) decisions(d *map[memory.ID]memory.Decision) {
	type decision struct {
		id   memory.ID
		what memory.Decision
	}
	var all []decision
	if !c.reading {
		for _, id := range sorted(*d) {
			all = append(all, decision{id, (*d)[id]})
		}
	}
	list(c, "decided", &all, func(i int) {
		text(c, "id", &all[i].id)
		word(c, "decision", &all[i].what)
	})
	if len(all) > 0 && (c.reading || c.clean != nil) {
		*d = map[memory.ID]memory.Decision{}
		for _, one := range all {
			(*d)[one.id] = one.what
		}
	}
}

func (c *codec) writeText(s string) {
	if !utf8.ValidString(s) {
		c.b = append(c.b, `{"base64":"`...)
		c.b = base64.StdEncoding.AppendEncode(c.b, []byte(s))
		c.b = append(c.b, '"', '}')
		return
	}
	const hex = "0123456789abcdef"
	c.b = append(c.b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		b := s[i]
		if b >= ' ' && b != '"' && b != '\\' {
			continue
		}
		c.b = append(c.b, s[from:i]...)
		from = i + 1
		switch b {
		case '"', '\\':
			c.b = append(c.b, '\\', b)
		case '\n':
			c.b = append(c.b, '\\', 'n')
		default:
			c.b = append(c.b, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
	}
	c.b = append(append(c.b, s[from:]...), '"')
}

// next returns the byte that is next.
func (c *codec) next() byte {
	if c.bad || c.at >= len(c.b) {
		c.bad = true
		return 0
	}
	return c.b[c.at]
}

// take reads a byte that must be next.
func (c *codec) take(b byte) bool {
	if c.next() != b {
		c.bad = true
		return false
	}
	c.at++
	return true
}

// ends reads a closing bracket, if that is next.
func (c *codec) ends(b byte) bool {
	if c.next() != b {
		return false
	}
	c.at++
	return true
}

// enter reads an opening bracket.
func (c *codec) enter(b byte) bool {
	if c.depth++; c.depth > maxDepth {
		c.bad = true
	}
	return c.take(b)
}

func (c *codec) readText() (s string) {
	if c.next() == '{' {
		c.object(0, func(int) {
			if !c.member("base64", true) || c.next() != '"' {
				c.bad = true
				return
			}
			b, err := base64.StdEncoding.DecodeString(c.readText())
			s, c.bad = string(b), c.bad || err != nil
			c.done()
		})
		return s
	}
	from := c.at + 1
	if !c.take('"') {
		return ""
	}
	end := c.textEnd()
	c.at = min(end+1, len(c.b))
	if bytes.IndexByte(c.b[from:end], '\\') < 0 {
		return string(c.b[from:end])
	}
	return c.unescaped(from, end)
}

// textEnd returns where the text that began ends.
func (c *codec) textEnd() int {
	end := bytes.IndexByte(c.b[c.at:], '"')
	if end >= 0 && bytes.IndexByte(c.b[c.at:c.at+end], '\\') < 0 {
		return c.at + end
	}
	for i := c.at; i < len(c.b); i++ {
		switch c.b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	c.bad = true
	return len(c.b)
}

// unescaped returns the text between two places, of which c.b[end] is the quote.
func (c *codec) unescaped(from, end int) string {
	if c.bad {
		return ""
	}
	out := make([]byte, 0, end-from)
	rest := c.b[from:end]
	for at := bytes.IndexByte(rest, '\\'); at >= 0; at = bytes.IndexByte(rest, '\\') {
		out = append(out, rest[:at]...)
		switch e := rest[at+1]; e {
		case '"', '\\':
			out = append(out, e)
		case 'n':
			out = append(out, '\n')
		default:
			var s string
			c.bad = json.Unmarshal(c.b[from-1:end+1], &s) != nil
			return s
		}
		rest = rest[at+2:]
	}
	return string(append(out, rest...))
}

func (c *codec) readNumber() int64 {
	from := c.at
	for c.at < len(c.b) && (c.b[c.at] == '-' || c.b[c.at] >= '0' && c.b[c.at] <= '9') {
		c.at++
	}
	n, err := strconv.ParseInt(string(c.b[from:c.at]), 10, 64)
	c.bad = c.bad || err != nil
	return n
}

func (c *codec) readBool() bool {
	for _, w := range []string{"true", "false"} {
		if bytes.HasPrefix(c.b[c.at:], []byte(w)) {
			c.at += len(w)
			return w == "true"
		}
	}
	c.bad = true
	return false
}

// skip passes over a value.
func (c *codec) skip() {
	switch c.next() {
	case '{':
		c.object(0, func(int) {})
	case '[':
		c.array(0, func(int) { c.skip() })
	case '"':
		c.at++
		c.at = min(c.textEnd()+1, len(c.b))
	case 't', 'f':
		c.readBool()
	default:
		c.readNumber()
	}
}
