package jstext

import (
	"fmt"
	"strings"
)

// maxDepth is far deeper than JSON.stringify can write, and bounds the memory
// that a file of brackets can ask for.
const maxDepth = 1 << 20

// SyntaxError tells where and why a text is not JSON.
type SyntaxError struct {
	Offset int // of the first byte that cannot be, or the length of the text
	What   string
}

// Error returns what is wrong and the byte offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.What, e.Offset) }

// Parse returns the value of a JSON text, exactly RFC 8259 with JavaScript's
// object semantics (see Value). Strings without escapes are slices of s. The
// error is a *SyntaxError. Values nested more than a million deep are refused.
func Parse(s string) (Value, error) {
	var stack [24]Member
	var open [8]container
	p := parser{s: s, done: stack[:0], open: open[:0]}
	p.done = append(p.done, Member{})
	for {
		p.space()
		if !p.value() {
			return Value{}, p.err()
		}
		if len(p.open) == 0 {
			break
		}
	}
	p.space()
	if p.i < len(s) {
		p.fail("unexpected " + p.here())
		return Value{}, p.err()
	}
	return p.done[0].Value, nil
}

// container is an array or object whose end has not been read.
type container struct {
	kind Kind
	base int // of its members among those that are done
}

// parser keeps the members of all open containers on one stack, so that each
// container is allocated once, at its end. The last member on the stack is the
// one whose value is being read.
type parser struct {
	s    string
	i    int
	done []Member
	open []container
	what string // why it failed
}

func (p *parser) fail(what string) bool {
	p.what = what
	return false
}

// err returns a copy, so that the parser itself stays off the heap.
func (p *parser) err() error { return &SyntaxError{Offset: p.i, What: p.what} }

// here names what stands at the current position.
func (p *parser) here() string {
	if p.i >= len(p.s) {
		return "end of text"
	}
	if c := p.s[p.i]; c > ' ' && c < 0x7F {
		return "'" + string(rune(c)) + "'"
	}
	return fmt.Sprintf("byte 0x%02x", p.s[p.i])
}

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

// peek returns the byte at the current position, or 0 at the end.
func (p *parser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// value reads a scalar and what closes after it, or the beginning of a container.
func (p *parser) value() bool {
	slot := &p.done[len(p.done)-1].Value
	var ok bool
	switch c := p.peek(); c {
	case '"':
		slot.kind = String
		slot.str, ok = p.text()
	case '{':
		return p.begin(Object, '}')
	case '[':
		return p.begin(Array, ']')
	case 't':
		*slot, ok = BoolValue(true), p.literal("true")
	case 'f':
		*slot, ok = BoolValue(false), p.literal("false")
	case 'n':
		ok = p.literal("null")
	default:
		slot.kind = Number
		slot.str, ok = p.number()
	}
	return ok && p.after()
}

func (p *parser) literal(word string) bool {
	if !strings.HasPrefix(p.s[p.i:], word) {
		return p.fail("unexpected " + p.here())
	}
	p.i += len(word)
	return true
}

// begin opens a container and moves to its first value, or closes it at once.
func (p *parser) begin(kind Kind, end byte) bool {
	if len(p.open) == maxDepth {
		return p.fail("nested too deep")
	}
	p.i++
	p.open = append(p.open, container{kind, len(p.done)})
	p.space()
	if p.peek() == end {
		return p.after()
	}
	return p.member()
}

// after closes the containers that end here, then moves to the next value.
func (p *parser) after() bool {
	for len(p.open) > 0 {
		p.space()
		kind := p.open[len(p.open)-1].kind
		switch c := p.peek(); {
		case c == ',':
			p.i++
			return p.member()
		case c == '}' && kind == Object, c == ']' && kind == Array:
			p.i++
			p.end()
		default:
			return p.fail("unexpected " + p.here())
		}
	}
	return true
}

// member makes room for the next value of the open container and reads its key.
func (p *parser) member() bool {
	var key string
	if p.open[len(p.open)-1].kind == Object {
		p.space()
		if p.peek() != '"' {
			return p.fail("unexpected " + p.here() + ", not a key")
		}
		var ok bool
		if key, ok = p.text(); !ok {
			return false
		}
		p.space()
		if p.peek() != ':' {
			return p.fail("unexpected " + p.here() + ", not ':'")
		}
		p.i++
	}
	p.done = append(p.done, Member{Key: key})
	return true
}

// end moves the members of the innermost container into it.
func (p *parser) end() {
	c := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	kids := append([]Member(nil), p.done[c.base:]...)
	clear(p.done[c.base:])
	p.done = p.done[:c.base]
	if c.kind == Object {
		kids = ordered(kids)
	}
	p.done[c.base-1].Value = Value{kind: c.kind, kids: kids}
}

// number reads a number and returns its source.
func (p *parser) number() (string, bool) {
	start := p.i
	if p.peek() == '-' {
		p.i++
	}
	if p.peek() == '0' {
		p.i++
	} else if !p.digits() {
		return "", false
	}
	if p.peek() == '.' {
		p.i++
		if !p.digits() {
			return "", false
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.i++
		if c := p.peek(); c == '+' || c == '-' {
			p.i++
		}
		if !p.digits() {
			return "", false
		}
	}
	return p.s[start:p.i], true
}

// digits reads one digit or more.
func (p *parser) digits() bool {
	start := p.i
	for p.i < len(p.s) && p.s[p.i]-'0' <= 9 {
		p.i++
	}
	return p.i > start || p.fail("unexpected "+p.here())
}
