package jstext

import (
	"cmp"
	"fmt"
	"strings"
)

// maxDepth is far deeper than JSON.stringify can write, and bounds the memory
// that a file of brackets can ask for.
const maxDepth = 1 << 17

// SyntaxError tells where and why a text is not JSON.
type SyntaxError struct {
	Offset int // of the first byte that cannot be, or the length of the text
	What   string
}

// Error returns what is wrong and the byte offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.What, e.Offset) }

// Parse returns the value of a JSON text, exactly RFC 8259 with JavaScript's
// object semantics (see Value). Strings without escapes are slices of s. The
// error is a *SyntaxError. Values nested more than 131,072 deep are refused.
func Parse(s string) (Value, error) {
	if n := len(s); n >= 2 && s[0] == '"' && plain(s, 1) == n-1 && s[n-1] == '"' {
		return StringValue(s[1 : n-1]), nil // most values; the rest needs a stack
	}
	p := scanner{s: s}
	v, ok := p.value(true)
	if !ok {
		return Value{}, p.syntaxError("")
	}
	return v, p.end()
}

// value reads a value. Without keep it only steps over it.
func (p *scanner) value(keep bool) (v Value, ok bool) {
	if p.space(); p.opening() != Null {
		return p.nested(keep)
	}
	ok = p.scalar(&v, keep)
	return v, ok
}

// nested reads an array or an object.
func (p *scanner) nested(keep bool) (Value, bool) {
	// The members of all open containers share one stack, so that each container
	// is allocated once, at its end. The last member is the one being read.
	var stack [16]Member
	var nest [8]container
	done, open := append(stack[:0], Member{}), nest[:0]
	for more := true; more; {
		p.space()
		if kind := p.opening(); kind != Null {
			if len(open) == maxDepth-p.depth {
				return Value{}, p.fail("nested too deep")
			}
			p.i++
			open = append(open, container{kind, len(done)})
			p.space()
			more = !p.closes(kind)
		} else {
			if !p.scalar(&done[len(done)-1].Value, keep) {
				return Value{}, false
			}
			more = false
		}
		for !more && len(open) > 0 {
			var ok bool
			if more, ok = p.comma(open[len(open)-1].kind); !ok {
				return Value{}, false
			}
			if !more {
				done = ended(done, open[len(open)-1])
				open = open[:len(open)-1]
			}
		}
		if more {
			key, ok := p.key(open[len(open)-1].kind, keep)
			if !ok {
				return Value{}, false
			}
			if keep {
				done = append(done, Member{Key: key})
			}
		}
	}
	return done[0].Value, true
}

// container is an array or object whose end has not been read.
type container struct {
	kind Kind
	base int // of its members on the stack
}

// ended moves the members of c, the innermost container, into it.
func ended(done []Member, c container) []Member {
	kids := append([]Member(nil), done[c.base:]...)
	clear(done[c.base:])
	if c.kind == Object {
		kids = ordered(kids)
	}
	done[c.base-1].Value = Value{kind: c.kind, kids: kids}
	return done[:c.base]
}

// scanner reads the parts of a JSON text.
type scanner struct {
	s     string
	i     int
	depth int    // of what is read already
	what  string // why it failed
}

func (p *scanner) fail(what string) bool {
	p.what = what
	return false
}

func (p *scanner) syntaxError(what string) error {
	return &SyntaxError{Offset: p.i, What: cmp.Or(what, p.what)}
}

// here names what stands at the current position.
func (p *scanner) here() string {
	if p.i >= len(p.s) {
		return "end of text"
	}
	if c := p.s[p.i]; c > ' ' && c < 0x7F {
		return "'" + string(rune(c)) + "'"
	}
	return fmt.Sprintf("byte 0x%02x", p.s[p.i])
}

func (p *scanner) space() {
	for p.i < len(p.s) {
		if c := p.s[p.i]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return
		}
		p.i++
	}
}

// peek returns the byte at the current position, or 0 at the end.
func (p *scanner) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// opening returns the kind of the container that begins here, or Null.
func (p *scanner) opening() Kind {
	switch p.peek() {
	case '{':
		return Object
	case '[':
		return Array
	}
	return Null
}

// closes reports whether a container of that kind ends here.
func (p *scanner) closes(kind Kind) bool {
	c := p.peek()
	return c == '}' && kind == Object || c == ']' && kind == Array
}

// comma reads what stands after a value: a comma, or the end of the container.
func (p *scanner) comma(kind Kind) (more, ok bool) {
	p.space()
	more = p.peek() == ','
	if !more && !p.closes(kind) {
		return false, p.fail("unexpected " + p.here())
	}
	p.i++
	return more, true
}

// key reads the key and the colon before a member's value; nothing in an array.
func (p *scanner) key(kind Kind, keep bool) (key string, ok bool) {
	if kind != Object {
		return "", true
	}
	p.space()
	key, ok = p.name(keep)
	return key, ok && p.colon()
}

// name reads a key.
func (p *scanner) name(keep bool) (string, bool) {
	if p.peek() != '"' {
		return "", p.fail("unexpected " + p.here() + ", not a key")
	}
	return p.text(keep)
}

// colon reads the colon after a key.
func (p *scanner) colon() bool {
	p.space()
	if p.peek() != ':' {
		return p.fail("unexpected " + p.here() + ", not ':'")
	}
	p.i++
	return true
}

// scalar reads a value that is no container into v.
func (p *scanner) scalar(v *Value, keep bool) (ok bool) {
	switch p.peek() {
	case '"':
		v.kind = String
		v.str, ok = p.text(keep)
	case 't':
		v.kind, v.yes = Bool, true
		ok = p.literal("true")
	case 'f':
		v.kind = Bool
		ok = p.literal("false")
	case 'n':
		ok = p.literal("null")
	default:
		v.kind = Number
		v.str, ok = p.number()
	}
	return ok
}

func (p *scanner) literal(word string) bool {
	if !strings.HasPrefix(p.s[p.i:], word) {
		return p.fail("unexpected " + p.here())
	}
	p.i += len(word)
	return true
}

// number reads a number and returns its source.
func (p *scanner) number() (string, bool) {
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
func (p *scanner) digits() bool {
	start := p.i
	for p.i < len(p.s) && p.s[p.i]-'0' <= 9 {
		p.i++
	}
	return p.i > start || p.fail("unexpected "+p.here())
}
