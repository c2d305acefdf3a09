package lesson

import (
	"encoding/binary"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// fields are the members of a lesson that a record shows.
type fields struct {
	id, title, outcome, body, created, session, used string

	tools []string
	count memory.Count
	// missing has the bit of each member that is not there or not of its kind.
	missing bits
	plain   bool // every text is ASCII to be seen, without escapes
}

// bits is a set of members, one bit each.
type bits uint16

const (
	bitID bits = 1 << iota
	bitTitle
	bitOutcome
	bitBody
	bitTools
	bitCreated
	bitSession
	bitCount
	bitUsed

	allBits = bitUsed<<1 - 1
)

// scan reads a line in the form in which agents write it: one object of the known
// members, each at most once, with plain values and no spaces. It is false for
// any other line, which the full parser reads; scan is for speed alone.
func scan(line string) (fields, bool) {
	f := fields{missing: allBits, plain: plainLine(line)}
	c := cursor{s: line, plain: f.plain}
	if !c.eat('{') {
		return f, false
	}
	for {
		key, ok := c.text()
		if !ok || !c.eat(':') {
			return f, false
		}
		bit := f.read(key, &c)
		if f.missing&bit == 0 {
			return f, false
		}
		f.missing &^= bit
		if !c.eat(',') {
			break
		}
	}
	return f, c.eat('}') && c.i == len(line)
}

// read takes the value of a member from c and returns the bit of the member, or 0
// when it is unknown or the value is not plain.
func (f *fields) read(key string, c *cursor) bits {
	var bit bits
	var to *string
	switch key {
	case keyID:
		bit, to = bitID, &f.id
	case keyTitle:
		bit, to = bitTitle, &f.title
	case keyOutcome:
		bit, to = bitOutcome, &f.outcome
	case keyBody:
		bit, to = bitBody, &f.body
	case keyCreated:
		bit, to = bitCreated, &f.created
	case keySession:
		bit, to = bitSession, &f.session
	case keyUsed:
		bit, to = bitUsed, &f.used
	case keyTools:
		return f.readTools(c)
	case keyCount:
		return f.readCount(c)
	default:
		return 0
	}
	text, ok := c.text()
	if !ok {
		return 0
	}
	*to = text
	return bit
}

func (f *fields) readTools(c *cursor) bits {
	if !c.eat('[') {
		return 0
	}
	for !c.eat(']') {
		switch {
		case f.tools == nil:
			f.tools = make([]string, 0, 4)
		case !c.eat(','):
			return 0
		}
		name, ok := c.text()
		if !ok {
			return 0
		}
		f.tools = append(f.tools, name)
	}
	return bitTools
}

func (f *fields) readCount(c *cursor) bits {
	start := c.i
	for c.i < len(c.s) && c.i < start+9 && c.s[c.i]-'0' <= 9 {
		f.count.N = f.count.N*10 + int(c.s[c.i]-'0')
		c.i++
	}
	if c.i == start || c.s[start] == '0' && c.i > start+1 {
		return 0
	}
	return bitCount
}

// cursor is a place in a line.
type cursor struct {
	s     string
	i     int
	plain bool // the string has no escapes and nothing that must have one
}

func (c *cursor) eat(b byte) bool {
	if c.i < len(c.s) && c.s[c.i] == b {
		c.i++
		return true
	}
	return false
}

// text takes a string. It is part of the line unless it has escapes.
func (c *cursor) text() (string, bool) {
	if !c.eat('"') {
		return "", false
	}
	start := c.i
	end := strings.IndexByte(c.s[start:], '"')
	if end < 0 {
		return "", false
	}
	for i := start; i < start+end && !c.plain; i++ {
		if c.s[i] == '\\' {
			return c.escapedText(start)
		}
		if c.s[i] < ' ' {
			return "", false
		}
	}
	c.i = start + end + 1
	return c.s[start : start+end], true
}

// escapedText takes the string that begins at start and has escapes.
func (c *cursor) escapedText(start int) (string, bool) {
	for i := start; i < len(c.s); i++ {
		switch c.s[i] {
		case '\\':
			i++
		case '"':
			v, err := jstext.Parse(c.s[start-1 : i+1])
			c.i = i + 1
			return v.Str(), err == nil
		}
	}
	return "", false
}

// plainLine reports whether a line is ASCII to be seen without backslashes. It looks
// at eight bytes at once.
func plainLine(s string) bool {
	const each, high = 0x0101010101010101, 0x8080808080808080
	zero := func(x uint64) uint64 { return (x - each) &^ x } // the high bit is set below the first zero byte
	var odd uint64
	for ; len(s) >= 8; s = s[8:] {
		x := binary.LittleEndian.Uint64([]byte(s[:8]))
		odd |= x | (x-each*' ')&^x | zero(x^each*'\\') | zero(x^each*0x7F)
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7F || c == '\\' {
			return false
		}
	}
	return odd&high == 0
}

// fieldsOf reads a parsed lesson.
func fieldsOf(v jstext.Value) fields {
	f := fields{missing: allBits}
	text := func(key string, bit bits) string {
		member, ok := v.Field(key)
		switch {
		case member.Kind() == jstext.String:
			f.missing &^= bit
			return member.Str()
		case ok:
			return string(member.AppendJSON(nil))
		}
		return ""
	}
	f.id = text(keyID, bitID)
	f.title = text(keyTitle, bitTitle)
	f.outcome = text(keyOutcome, bitOutcome)
	f.body = text(keyBody, bitBody)
	f.created = text(keyCreated, bitCreated)
	f.session = text(keySession, bitSession)
	f.used = text(keyUsed, bitUsed)
	if tools, _ := v.Field(keyTools); tools.Kind() == jstext.Array {
		f.tools = stringsOf(tools)
		f.missing &^= bitTools
	}
	f.count = countOf(v)
	if f.count.Odd == "" {
		f.missing &^= bitCount
	}
	return f
}

// countOf returns the relevance count of a lesson. A missing count is odd too.
func countOf(v jstext.Value) memory.Count {
	count, ok := v.Field(keyCount)
	if !ok {
		return memory.Count{Odd: "missing"}
	}
	n := count.Number()
	if count.Kind() != jstext.Number || n < 0 || n > 1<<53 || n != float64(int(n)) {
		return memory.Count{Odd: string(count.AppendJSON(nil))}
	}
	return memory.Count{N: int(n)}
}
