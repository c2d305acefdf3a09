package history

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// The history is JSON of a small kind: objects, arrays, texts, whole numbers and true.
// A text that is not UTF-8 is written as {"base64":"..."}, so that stored forms come
// back byte for byte. Opening a store replays all of its history, so lines are read by
// jstext.Scan: encoding/json takes four times as long.

// codec writes an object, reads one, or cleans the texts of one. Each type lists its
// members once, in the order in which they are written (see Event.members): that list
// does all three.
type codec struct {
	b       []byte // what is written
	reading bool
	clean   func(string) string // set: every text becomes what it returns
	brief   bool                // skips splices

	// While reading: the key of the current member, and its value as it is spelled. bad
	// is set by the first thing that is wrong.
	key, value string
	bad        bool
}

// object handles the object number i. When reading, members is called once for each
// member; unknown ones are skipped.
func (c *codec) object(i int, members func(i int)) {
	switch {
	case c.clean != nil:
		members(i)
	case c.reading:
		c.each(jstext.Object, func() { members(i) })
	default:
		c.b = append(c.b, '{')
		members(i)
		c.b = append(c.b, '}')
	}
}

// array handles an array of n elements, or of as many as are read.
func (c *codec) array(n int, element func(i int)) {
	if c.reading {
		c.each(jstext.Array, func() { element(n); n++ })
		return
	}
	open, end := byte('['), byte(']')
	for i := range n {
		if c.clean == nil {
			c.b, open = append(c.b, open), ','
		}
		element(i)
	}
	if c.clean == nil {
		if n == 0 {
			c.b = append(c.b, open)
		}
		c.b = append(c.b, end)
	}
}

// each reads the members or elements of the value.
func (c *codec) each(want jstext.Kind, do func()) {
	key, value := c.key, c.value
	kind, err := jstext.Scan(value, func(p jstext.Part) bool {
		if c.bad = (p.Key == "") == (want == jstext.Object); !c.bad {
			c.key, c.value = p.Name(), p.Value
			do()
		}
		return !c.bad
	})
	c.bad = c.bad || kind != want || err != nil
	c.key, c.value = key, value
}

// member reports whether the member k is to be handled now: one that is there, or the
// one that is being read.
func (c *codec) member(k string, there bool) bool {
	switch {
	case c.reading:
		return c.key == k && !c.bad
	case there && c.clean == nil:
		if last := c.b[len(c.b)-1]; last != '{' {
			c.b = append(c.b, ',')
		}
		c.b = append(append(append(c.b, '"'), k...), '"', ':')
	}
	return there
}

// text handles a text of a person or of a store; an empty one is left out.
func text[T ~string](c *codec, k string, p *T) {
	if !c.member(k, *p != "") {
		return
	}
	textValue(c, p)
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
}

// integer handles a whole number; 0 is left out.
func integer[T ~int | ~int64 | ~uint8 | ~uint16 | ~uint32](c *codec, k string, p *T) {
	if !c.member(k, *p != 0) {
		return
	}
	if c.reading {
		n, err := strconv.ParseInt(c.value, 10, 64)
		*p, c.bad = T(n), err != nil
	} else if c.clean == nil {
		c.b = strconv.AppendInt(c.b, int64(*p), 10)
	}
}

// yes handles a member that is there when it is true.
func (c *codec) yes(k string, p *bool) {
	if !c.member(k, *p) {
		return
	}
	if c.reading {
		*p, c.bad = c.value == "true", c.value != "true" && c.value != "false"
	} else if c.clean == nil {
		c.b = append(c.b, "true"...)
	}
}

// time handles a time. One that no calendar of four digits has, since a clock was wrong,
// is written as the nearest that can be read again.
func (c *codec) time(k string, p *time.Time) {
	if c.clean != nil || !c.member(k, !p.IsZero()) {
		return
	}
	if c.reading {
		t, err := time.Parse(time.RFC3339Nano, c.readText())
		*p, c.bad = t, err != nil
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
	if utf8.ValidString(s) {
		c.b = jstext.AppendQuoted(c.b, s)
		return
	}
	c.b = append(c.b, `{"base64":"`...)
	c.b = base64.StdEncoding.AppendEncode(c.b, []byte(s))
	c.b = append(c.b, '"', '}')
}

// readText returns a text that does not share the bytes of its line.
func (c *codec) readText() (s string) {
	if c.value[0] == '{' {
		c.each(jstext.Object, func() {
			b, err := base64.StdEncoding.DecodeString(jstext.Text(c.value))
			s, c.bad = string(b), err != nil || c.key != "base64"
		})
		return s
	}
	c.bad = c.value[0] != '"'
	if s = jstext.Text(c.value); len(s) == len(c.value)-2 {
		s = strings.Clone(s)
	}
	return s
}
