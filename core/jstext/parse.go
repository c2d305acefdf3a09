package jstext

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth is far deeper than JSON.stringify can write. It limits the memory that a file of
// brackets can claim.
const maxDepth = 1 << 17

// SyntaxError says where and why a text is not JSON.
type SyntaxError struct {
	Offset int // of the first invalid byte, or the length of the text
	What   string
}

// Error returns what is wrong and the byte offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.What, e.Offset) }

// Parse returns the value of a JSON text, following RFC 8259 exactly, with JavaScript's object
// semantics (see Value). Strings without escapes are slices of s. The error is a *SyntaxError.
// Values nested more than 131,072 deep are refused.
func Parse(s string) (Value, error) {
	if n := len(s); n >= 2 && s[0] == '"' && plainEnd(s, 1) == n-1 && s[n-1] == '"' {
		return StringValue(s[1 : n-1]), nil // most values; the others need a stack
	}
	p := scanner{s: s}
	v, ok := p.value(true)
	if !ok {
		return Value{}, p.syntaxError("")
	}
	return v, p.end()
}

// value reads a value. Without keep it only skips it.
func (p *scanner) value(keep bool) (v Value, ok bool) {
	if p.space(); p.opening() != Null {
		return p.nested(keep)
	}
	ok = p.scalar(&v, keep)
	return v, ok
}

// nested reads an array or an object.
func (p *scanner) nested(keep bool) (Value, bool) {
	// The members of all open containers share one stack, so that each container is allocated once,
	// when it ends. The last member is the one being read.
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
				done = closeContainer(done, open[len(open)-1])
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

// container is an array or object whose end has not been reached.
type container struct {
	kind Kind
	base int // index of its first member on the stack
}

// closeContainer moves the members of c, the innermost container, into it.
func closeContainer(done []Member, c container) []Member {
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
	depth int    // of what is already read
	what  string // why it failed
}

func (p *scanner) fail(what string) bool {
	p.what = what
	return false
}

func (p *scanner) syntaxError(what string) error {
	return &SyntaxError{Offset: p.i, What: cmp.Or(what, p.what)}
}

// describeHere describes what is at the current position.
func (p *scanner) describeHere() string {
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

// closes reports whether a container of this kind ends here.
func (p *scanner) closes(kind Kind) bool {
	c := p.peek()
	return c == '}' && kind == Object || c == ']' && kind == Array
}

// comma reads what follows a value: a comma, or the end of the container.
func (p *scanner) comma(kind Kind) (more, ok bool) {
	p.space()
	more = p.peek() == ','
	if !more && !p.closes(kind) {
		return false, p.fail("unexpected " + p.describeHere())
	}
	p.i++
	return more, true
}

// key reads the key and the colon before a member's value, or nothing in an array.
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
		return "", p.fail("unexpected " + p.describeHere() + ", not a key")
	}
	return p.text(keep)
}

// colon reads the colon after a key.
func (p *scanner) colon() bool {
	p.space()
	if p.peek() != ':' {
		return p.fail("unexpected " + p.describeHere() + ", not ':'")
	}
	p.i++
	return true
}

// scalar reads a value that is not a container into v.
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
		return p.fail("unexpected " + p.describeHere())
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

// digits reads one or more digits.
func (p *scanner) digits() bool {
	start := p.i
	for p.i < len(p.s) && p.s[p.i]-'0' <= 9 {
		p.i++
	}
	return p.i > start || p.fail("unexpected "+p.describeHere())
}

// text reads a string, starting at its opening quote. Without keep it returns "" for one that has
// escapes.
func (p *scanner) text(keep bool) (string, bool) {
	start := p.i + 1
	p.i = plainEnd(p.s, start)
	if p.peek() == '"' {
		p.i++
		return p.s[start : p.i-1], true
	}
	return p.escaped(start, keep)
}

// plainEnd returns the index of the first quote, backslash or control character from i on, or len(s).
func plainEnd(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	var word [8]byte
	for ; i+8 <= len(s); i += 8 {
		copy(word[:], s[i:i+8])
		w := binary.LittleEndian.Uint64(word[:])
		quote, slash := w^ones*'"', w^ones*'\\'
		// A byte matches if subtracting makes it borrow and its high bit was not set.
		found := (w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash
		if found&highs != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// escaped reads the rest of a string that began at start into a new string.
func (p *scanner) escaped(start int, keep bool) (string, bool) {
	var denoted [8]byte
	out := denoted[:0]
	if keep {
		out = make([]byte, 0, p.i-start+32)
	}
	for {
		if keep {
			out = appendJoined(out, p.s[start:p.i])
		}
		switch c := p.peek(); {
		case p.i >= len(p.s):
			return "", p.fail("unfinished string")
		case c == '"':
			p.i++
			return string(out), true
		case c != '\\':
			return "", p.fail("control character in a string")
		}
		p.i++
		if !keep {
			out = out[:0]
		}
		var ok bool
		if out, ok = p.escape(out); !ok {
			return "", false
		}
		start = p.i
		p.i = plainEnd(p.s, start)
	}
}

// escape reads what follows a backslash and appends the character it denotes.
func (p *scanner) escape(out []byte) ([]byte, bool) {
	c := p.peek()
	if c == 'u' {
		return p.unicode(out)
	}
	i := strings.IndexByte(escapes, c)
	if i < 0 {
		return nil, p.fail("unexpected " + p.describeHere() + " after a backslash")
	}
	p.i++
	return append(out, escapable[i]), true
}

// unicode reads u and four hex digits.
func (p *scanner) unicode(out []byte) ([]byte, bool) {
	var unit rune
	for range 4 {
		p.i++
		switch c := p.peek(); {
		case c-'0' <= 9:
			unit = unit<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit = unit<<4 | rune(c|0x20-'a'+10)
		default:
			return nil, p.fail("unexpected " + p.describeHere() + ", not a hex digit")
		}
	}
	p.i++
	if unit >= 0xD800 && unit <= 0xDFFF {
		return appendUnit(out, unit), true
	}
	return utf8.AppendRune(out, unit), true
}

// Part is one member of an object or one element of an array, as spelled in its text.
type Part struct {
	Key   string // with quotes; empty for an element
	KeyAt int    // offset of the key in the text
	Value string // without surrounding white space
	At    int    // offset of the value in the text
}

// Name returns the key without its quotes and escapes.
func (p *Part) Name() string { return Text(p.Key) }

// Scan calls each for the members of the object, or the elements of the array, in text, in order
// and including repeated keys. It builds no values, so what nobody asks for costs one look at its
// bytes. Scan accepts exactly the texts that Parse accepts. The kind is that of the text; a scalar
// has no parts. If each returns false, the scan ends without an error and ignores the rest of text.
func Scan(text string, each func(Part) bool) (Kind, error) {
	p := scanner{s: text}
	p.space()
	kind := p.opening()
	if kind == Null {
		v, ok := p.value(false)
		if !ok {
			return Null, p.syntaxError("")
		}
		return v.kind, p.end()
	}
	p.depth = 1
	p.i++
	p.space()
	for more := !p.closes(kind); ; {
		if more {
			part, ok := p.part(kind)
			if !ok {
				return kind, p.syntaxError("")
			}
			if !each(part) {
				return kind, nil
			}
		}
		next, ok := p.comma(kind)
		if !ok {
			return kind, p.syntaxError("")
		}
		if more = next; !more {
			return kind, p.end()
		}
	}
}

// Text returns the text of a JSON string as spelled, and "" for any other value. Without escapes
// the result is a slice of spelled.
func Text(spelled string) string {
	v, _ := Parse(spelled)
	return v.Str()
}

// part reads a member or an element.
func (p *scanner) part(kind Kind) (part Part, _ bool) {
	p.space()
	part.KeyAt = p.i
	if kind == Object {
		_, ok := p.name(false)
		part.Key = p.s[part.KeyAt:p.i]
		if !ok || !p.colon() {
			return part, false
		}
	}
	p.space()
	part.At = p.i
	_, ok := p.value(false)
	part.Value = p.s[part.At:p.i]
	return part, ok
}

// end returns an error if anything follows the value.
func (p *scanner) end() error {
	if p.space(); p.i < len(p.s) {
		return p.syntaxError("unexpected " + p.describeHere())
	}
	return nil
}
